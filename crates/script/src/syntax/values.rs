//! The values of the names in a function. Variables of the same name are one, whatever their scopes.

use std::collections::BTreeMap;

use rhai::{ASTNode, Expr, FnCallExpr, Stmt};

use super::chain::{Link, unroll};
use super::tree::{self, Body};

/// A value of a name.
#[derive(Clone, Copy)]
pub(crate) enum Value<'a> {
    Parameter,
    Declared(&'a Expr),
    Assigned(&'a Expr),
    /// The previous value after an operation, or an assignment to the component behind this link.
    Changed(Option<Link<'a>>),
    /// The previous value after a method, which may modify it.
    Called(&'a FnCallExpr),
    /// An element of a list, its index, or an error.
    Unknown,
}

/// Returns the values of each name in source order, parameters first.
pub(crate) fn of_names(body: &Body) -> BTreeMap<&str, Vec<Value<'_>>> {
    let mut all: BTreeMap<&str, Vec<Value<'_>>> = BTreeMap::new();
    for parameter in &body.parameters {
        all.entry(parameter).or_default().push(Value::Parameter);
    }
    tree::each_node(&body.statements, &mut |node| {
        let mut note = |name, value| all.entry(name).or_default().push(value);
        match node {
            ASTNode::Stmt(Stmt::Var(parts, ..)) => note(parts.0.name.as_str(), Value::Declared(&parts.1)),
            ASTNode::Stmt(Stmt::For(parts, _)) => {
                note(parts.0.name.as_str(), Value::Unknown);
                if let Some(counter) = &parts.1 {
                    note(counter.name.as_str(), Value::Unknown);
                }
            }
            ASTNode::Stmt(Stmt::TryCatch(control, _)) => {
                if let Expr::Variable(caught, ..) = &control.expr {
                    note(caught.1.as_str(), Value::Unknown);
                }
            }
            ASTNode::Stmt(Stmt::Assignment(parts)) => {
                if let (Expr::Variable(variable, ..), steps) = unroll(&parts.1.lhs) {
                    let is_set = steps.is_empty() && !parts.0.is_op_assignment();
                    let changed = || Value::Changed(steps.first().map(|step| step.link));
                    let value = if is_set { Value::Assigned(&parts.1.rhs) } else { changed() };
                    note(variable.1.as_str(), value);
                }
            }
            ASTNode::Expr(chain @ Expr::Dot(..)) => {
                if let (Expr::Variable(variable, ..), steps) = unroll(chain)
                    && let Some(Link::Method(call)) = steps.first().map(|step| step.link)
                {
                    note(variable.1.as_str(), Value::Called(call));
                }
            }
            _ => {}
        }
    });
    all
}
