//! Checks variables, marks and signals of a script; reads the comment at its head.

use std::collections::BTreeSet;
use std::sync::Arc;

use rhai::{AST, ASTNode, Expr, FnCallExpr, Scope, Stmt};
use steerbox_core::diagnostics::Fault;
use steerbox_core::world::{MAX_NAMES, MAX_SIGNALS};

use super::none_of;
use crate::api::{self, Effect, Tag};
use crate::budget::MAX_FAULTS;
use crate::interpret::explain;
use crate::interpret::imported::Imported;
use crate::syntax::repair::UNKNOWN;
use crate::syntax::text::Source;
use crate::syntax::tree;

/// Checks that every name is an argument, declared with `let`, or declared at the top. Names after `::` are checked
/// with the imports. A closure is a fault itself, so names of its environment are not reported.
pub(crate) fn check_variables(source: Source<'_>, ast: &AST, scope: &Scope<'_>) -> Result<(), Vec<Fault>> {
    let mut faults: Vec<Fault> = Vec::new();
    let mut assigned = BTreeSet::new();
    let locals = declared(ast);
    let known = || scope.iter_raw().map(|(name, ..)| name).chain(locals.iter().map(String::as_str));
    let mut check = |nodes: &[ASTNode<'_>], is_closure: bool| {
        let Some((ASTNode::Expr(expr @ Expr::Variable(variable, None, position)), before)) =
            nodes.split_last()
        else {
            return;
        };
        let name = variable.1.as_str();
        let is_first = !assigned.contains(name);
        if tree::is_assigned(expr, before) {
            assigned.insert(name.to_owned());
        }
        let is_known = variable.0.is_some() || !variable.2.is_empty() || scope.contains(name);
        let is_captured = is_closure && locals.iter().any(|local| local == name);
        if !is_known && !is_captured && is_first && name != UNKNOWN && faults.len() < MAX_FAULTS {
            faults.push(explain::unknown_name(source, name, *position, known()));
        }
    };
    tree::walk_all(ast.statements(), &mut |nodes| check(nodes, false));
    for body in tree::bodies(ast, None) {
        tree::walk_all(&body.statements, &mut |nodes| check(nodes, body.is_closure()));
    }
    none_of(faults)
}

/// Returns every name that a script's functions declare.
fn declared(ast: &AST) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    tree::walk(ast, &mut |nodes| match nodes.last() {
        Some(ASTNode::Stmt(Stmt::Var(declared, ..))) => names.push(declared.0.name.to_string()),
        Some(ASTNode::Stmt(Stmt::For(parts, _))) => names.push(parts.0.name.to_string()),
        _ => {}
    });
    for function in tree::functions(ast) {
        names.extend(function.params.iter().map(ToString::to_string));
    }
    names
}

/// Returns the marks that a script names, in source order, which is the order of their bits.
pub(crate) fn marks(ast: &AST) -> Vec<String> {
    named(ast, Tag::NamesMark)
}

/// Returns the signals that a script names, in source order.
pub(crate) fn signals(ast: &AST) -> Vec<String> {
    named(ast, Tag::NamesSignal)
}

/// Returns the distinct names of the values that a file and those that it imports watch, in source order.
pub(crate) fn watched(ast: &AST, imports: &[Arc<Imported>]) -> Vec<String> {
    let files = std::iter::once(ast).chain(imports.iter().map(|file| &file.ast));
    let mut seen = BTreeSet::new();
    let names = files.flat_map(|ast| named(ast, Tag::NamesWatched));
    names.filter(|name| seen.insert(name.clone())).collect()
}

/// Returns the signals that a file and those that it imports set; `None` if a call computes the name.
pub(crate) fn set_signals(ast: &AST, imports: &[Arc<Imported>]) -> Option<BTreeSet<String>> {
    let mut set = Some(BTreeSet::new());
    for ast in std::iter::once(ast).chain(imports.iter().map(|file| &file.ast)) {
        calls(ast, |call, is_method| {
            let arity = call.args.len() + usize::from(is_method);
            let mut rows =
                api::named(&call.name).filter(|row| row.has(Tag::NamesSignal) && row.effect == Effect::Set);
            if rows.any(|row| row.params.len() == arity) {
                let mut texts = texts(call).peekable();
                set = set.take().filter(|_| texts.peek().is_some());
                if let Some(set) = &mut set {
                    set.extend(texts.by_ref());
                }
            }
        });
    }
    set
}

/// Returns the distinct texts passed to functions with a tag.
fn named(ast: &AST, tag: Tag) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    calls(ast, |call, _| {
        if api::is_tagged(&call.name, tag) {
            names.extend(texts(call));
        }
    });
    let mut known = BTreeSet::new();
    names.retain(|name| known.insert(name.clone()));
    names
}

/// Visits every call, with true for a method call, whose receiver is not among its arguments.
fn calls(ast: &AST, mut visit: impl FnMut(&FnCallExpr, bool)) {
    tree::walk(ast, &mut |path| {
        if let Some((node, call)) = path.last().and_then(|node| Some((node, tree::call(*node)?))) {
            visit(call, matches!(node, ASTNode::Expr(Expr::MethodCall(..))));
        }
    });
}

/// Returns the literal texts among the arguments of a call.
fn texts(call: &FnCallExpr) -> impl Iterator<Item = String> {
    call.args.iter().filter_map(|argument| match argument {
        Expr::StringConstant(name, _) => Some(name.to_string()),
        _ => None,
    })
}

/// The name that records a `for` loop.
pub(crate) const LOOP: &str = "for";

/// Returns every property and function that a script names, including those of the imported functions that it calls,
/// and [`LOOP`] if it contains a loop.
pub(crate) fn used(ast: &AST, imports: &[Arc<Imported>]) -> BTreeSet<String> {
    let mut used = BTreeSet::new();
    tree::walk(ast, &mut |path| used.extend(path.last().and_then(name)));
    let mut left: Vec<_> = imports.iter().flat_map(|file| tree::bodies(&file.ast, None)).collect();
    while let Some(called) = left.iter().position(|body| used.contains(&body.name)) {
        let body = left.swap_remove(called);
        tree::walk_all(&body.statements, &mut |path| used.extend(path.last().and_then(name)));
    }
    used
}

fn name(node: &ASTNode<'_>) -> Option<String> {
    match node {
        ASTNode::Stmt(Stmt::For(..)) => Some(LOOP.to_owned()),
        ASTNode::Expr(Expr::Property(property, _)) => Some(property.2.to_string()),
        node => tree::call(*node).map(|call| call.name.to_string()),
    }
}

/// Checks that all marks of a script fit into a mask, and its signals into their slots.
pub(crate) fn check_named(
    source: Source<'_>,
    marks: &[String],
    signals: &[String],
) -> Result<(), Vec<Fault>> {
    let marked = "marks are what is handed to `mark`, `has_mark` and `marked`";
    at_most(source, "marks", marks, MAX_NAMES, marked)?;
    let signaled = "signals are what is handed to `signal`";
    at_most(source, "signals", signals, MAX_SIGNALS, signaled)
}

fn at_most(
    source: Source<'_>,
    what: &str,
    names: &[String],
    most: usize,
    help: &str,
) -> Result<(), Vec<Fault>> {
    let Some(extra) = names.get(most) else {
        return Ok(());
    };
    let quoted = format!("\"{extra}\"");
    let at = source.text.find(&quoted).unwrap_or(0);
    let count = names.len();
    let message = format!("the script names {count} {what}, but there are only {most}");
    let fault = source.fault_at(at, message).wide(quoted.chars().count());
    Err(vec![fault.help(help)])
}

/// Returns the comment at the head of a file, with its indentation.
pub fn about(text: &str) -> String {
    let lines = text.lines().take_while(|line| line.starts_with("//"));
    let words = lines.map(|line| line.trim_start_matches(['/', '!']));
    let words = words.map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end());
    let words: Vec<_> = words.collect();
    words.join("\n").trim().to_owned()
}

#[cfg(test)]
mod tests {
    use crate::Script;

    #[test]
    fn a_comment_retains_its_indentation() {
        let text = "//! Two\n//!\n//! A   one;\n//!     two\nfn steer(me, world) { 0.0 }";
        let script = Script::compile("a.rhai", text).unwrap();
        assert_eq!(script.about, "Two\n\nA   one;\n    two");
    }
}
