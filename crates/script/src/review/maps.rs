//! Properties of map literals: reads of missing ones return `()`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Stmt};
use steerbox_core::diagnostics::suggestion;

use crate::syntax::chain::{Link, unroll};
use crate::syntax::tree::{self, Body};

/// The property names of each variable that is always the same map.
pub(super) struct Maps(BTreeMap<String, BTreeSet<String>>);

impl Maps {
    pub(super) fn new(body: &Body) -> Self {
        let mut maps = BTreeMap::new();
        let mut unsure: BTreeSet<String> = body.parameters.iter().cloned().collect();
        tree::walk_all(&body.statements, &mut |path| match path.last() {
            Some(ASTNode::Stmt(Stmt::Var(declared, ..))) => {
                let name = declared.0.name.to_string();
                match names(&declared.1) {
                    Some(names) if !maps.contains_key(&name) => {
                        maps.insert(name, names);
                    }
                    _ => {
                        unsure.insert(name);
                    }
                }
            }
            Some(ASTNode::Stmt(Stmt::For(parts, _))) => {
                unsure.insert(parts.0.name.to_string());
            }
            _ => {}
        });
        tree::walk_all(&body.statements, &mut |path| match path.last() {
            Some(ASTNode::Stmt(Stmt::Assignment(assignment))) => {
                let (root, links) = unroll(&assignment.1.lhs);
                match (root, links.first().map(|step| step.link)) {
                    (Expr::Variable(variable, ..), Some(Link::Property(name))) => {
                        let known = maps.get_mut(variable.1.as_str());
                        known.map(|names| names.insert(name.to_owned()));
                    }
                    (Expr::Variable(variable, ..), _) => {
                        unsure.insert(variable.1.to_string());
                    }
                    _ => {}
                }
            }
            Some(ASTNode::Expr(chain @ Expr::Dot(..))) => {
                // A script function may modify its receiver.
                if let (Expr::Variable(variable, ..), links) = unroll(chain)
                    && matches!(links.first().map(|step| step.link), Some(Link::Method(_)))
                {
                    unsure.insert(variable.1.to_string());
                }
            }
            _ => {}
        });
        maps.retain(|name, _| !unsure.contains(name));
        Self(maps)
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
