//! Maps that a function writes down, and names that they do not have: asking for one gives `()`.

use std::collections::{BTreeMap, BTreeSet};

use rhai::{ASTNode, Expr, Stmt};

use crate::diagnostics::suggestion;
use crate::script::chain::{Link, unroll};
use crate::script::tree::{self, Body};

/// The names of each variable that is a map from beginning to end.
pub(super) struct Maps(BTreeMap<String, BTreeSet<String>>);

impl Maps {
    pub(super) fn of(body: &Body) -> Self {
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
                // A function of the script may change the value that it is called on.
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

    /// What is wrong with a property of a variable that is a map for certain, and a remedy.
    pub(super) fn missing(&self, root: &Expr, name: &str) -> Option<(String, String)> {
        let Expr::Variable(variable, ..) = root else {
            return None;
        };
        let map = variable.1.as_str();
        let names = self.0.get(map).filter(|names| !names.contains(name))?;
        // Any other name is near to a single letter.
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

/// The names of a map that is written down.
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
