//! Properties of map literals: reads of missing ones return `()`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::Expr;
use steerbox_core::diagnostics::suggestion;

use crate::syntax::chain::Link;
use crate::syntax::tree::Body;
use crate::syntax::values::{self, Value};

/// The property names of each variable that is always the same map.
pub(super) struct Maps(BTreeMap<String, BTreeSet<String>>);

impl Maps {
    pub(super) fn new(body: &Body) -> Self {
        let values = values::of_names(body).into_iter();
        Self(values.filter_map(|(name, values)| Some((name.to_owned(), properties(&values)?))).collect())
    }

    /// Explains a missing property of a variable that is certainly a map, with a remedy.
    pub(super) fn missing(&self, root: &Expr, name: &str) -> Option<(String, String)> {
        let Expr::Variable(variable, ..) = root else {
            return None;
        };
        let map = variable.1.as_str();
        let names = self.0.get(map).filter(|names| !names.contains(name))?;
        // Every name is similar to a single letter.
        let longer = (name.len() > 2).then_some(names.iter().map(String::as_str));
        let near = longer.and_then(|names| suggestion(name, names));
        let known: Vec<_> = names.iter().map(|name| format!("`{name}`")).collect();
        let help = near.unwrap_or_else(|| match &known[..] {
            [] => format!("this gives `()`: set it first, for example `{map}.{name} = 0.0;`"),
            known => format!("this gives `()`; it has {}", known.join(", ")),
        });
        Some((format!("`{map}` has no `{name}`"), help))
    }
}

/// Returns the property names of a map with these values.
fn properties(values: &[Value<'_>]) -> Option<BTreeSet<String>> {
    let (Value::Declared(map), changes) = values.split_first()? else {
        return None;
    };
    let mut names = names(map)?;
    for change in changes {
        let Value::Changed(Some(Link::Property(name))) = change else {
            return None;
        };
        names.insert((*name).to_owned());
    }
    Some(names)
}

/// Returns the property names of a map literal.
fn names(expr: &Expr) -> Option<BTreeSet<String>> {
    match expr {
        Expr::Map(parts, _) => Some(parts.0.iter().map(|(name, _)| name.name.to_string()).collect()),
        Expr::DynamicConstant(value, _) => {
            let map = value.read_lock::<rhai::Map>()?;
            Some(map.keys().map(ToString::to_string).collect())
        }
        _ => None,
    }
}
