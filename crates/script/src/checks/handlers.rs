//! The functions of a behavior that handle events: `born`, `touched`, `entered` and `left`.
//!
//! A function of such a name that the script calls itself is an ordinary one, so that helpers may have these names.

use rhai::{AST, ASTNode, Expr, FnCallExpr, Stmt};
use steerbox_core::diagnostics::{Fault, Fix, closest};
use steerbox_core::sim::{EventKind, MemoryLayout, NOT_AT_BIRTH};

use super::functions::Role;
use crate::api::{self, Tag};
use crate::interpret::catalog;
use crate::syntax::text::{self, Source};
use crate::syntax::tree::{self, Body};
use crate::types::{Kind, Type};

/// A function that handles events of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Handler {
    pub(crate) kind: EventKind,
    /// The number of its arguments, from 1 to 3: the event, `me` and `world`.
    pub(crate) arity: usize,
    /// Line and column of its name.
    pub(crate) place: (usize, usize),
}

impl Handler {
    /// The types of its arguments.
    pub(crate) fn arguments(&self) -> Vec<Type> {
        arguments(self.kind, self.arity)
    }
}

/// The maximum number of arguments.
const MAX_ARGUMENTS: usize = 3;

/// Returns the name of the first argument of a handler.
pub(crate) fn argument_name(kind: EventKind) -> &'static str {
    match kind {
        EventKind::Born => "parent",
        EventKind::Touched => "other",
        EventKind::Entered | EventKind::Left => "zone",
    }
}

fn arguments(kind: EventKind, arity: usize) -> Vec<Type> {
    let first = match kind {
        EventKind::Born => Type::or_nothing(Kind::Unit),
        EventKind::Touched => Kind::Unit.into(),
        EventKind::Entered | EventKind::Left => Kind::Zone.into(),
    };
    [first, Kind::Me.into(), Kind::World.into()].into_iter().take(arity).collect()
}

/// Returns the types of the arguments of a function that the program calls: an entry point or a handler; `None` for
/// other functions. `bodies` are the functions of the script.
pub(crate) fn entry_arguments(bodies: &[Body], body: &Body) -> Option<Vec<Type>> {
    let arity = body.parameters.len();
    if Role::of_function(&body.name, arity).is_some() {
        return Some(catalog::arguments(&body.name).map(Type::from).to_vec());
    }
    let kind = EventKind::named(&body.name).filter(|_| (1..=MAX_ARGUMENTS).contains(&arity))?;
    let is_behavior = |it: &Body| Role::of_function(&it.name, it.parameters.len()) == Some(Role::Behavior);
    let is_own = body.file.is_none() && bodies.iter().any(|it| it.file.is_none() && is_behavior(it));
    let statements = bodies.iter().filter(|it| it.file.is_none()).map(|it| &*it.statements);
    (is_own && !is_called(statements, &body.name)).then(|| arguments(kind, arity))
}

/// Returns true if some of these statements call a function of a name.
fn is_called<'a>(all: impl Iterator<Item = &'a [Stmt]>, name: &str) -> bool {
    let is = |call: &FnCallExpr| !call.is_qualified() && call.name == name;
    let mut found = false;
    for statements in all {
        tree::each_node(statements, &mut |node| {
            found |= tree::call(node).is_some_and(is);
        });
    }
    found
}

/// Returns the handlers of a behavior.
///
/// # Errors
/// With the handlers that have too few or too many arguments.
pub(crate) fn handlers(
    source: Source<'_>,
    ast: &AST,
    role: Option<Role>,
) -> Result<Vec<Handler>, Vec<Fault>> {
    let is_possible = |name: &str| EventKind::named(name).is_some();
    if role != Some(Role::Behavior) || !tree::functions(ast).iter().any(|it| is_possible(&it.name)) {
        return Ok(Vec::new());
    }
    let bodies = tree::bodies(ast, None);
    let (mut found, mut faults) = (Vec::<Handler>::new(), Vec::new());
    for body in &bodies {
        let Some(kind) = EventKind::named(&body.name) else { continue };
        if is_called(bodies.iter().map(|it| &*it.statements), kind.name()) {
            continue;
        }
        let (arity, place) = (body.parameters.len(), source.function(kind.name()));
        if found.iter().any(|known| known.kind == kind) {
            let message = format!("there are two functions `{}`", kind.name());
            let fault = source.fault(body.place, message);
            faults.push(fault.help("the program calls one: remove the other"));
        } else if entry_arguments(&bodies, body).is_none() {
            faults.push(wrong_count(source, kind, arity, place));
        } else {
            found.push(Handler { kind, arity, place });
        }
    }
    found.sort_by_key(|handler| handler.kind);
    if faults.is_empty() { Ok(found) } else { Err(faults) }
}

fn wrong_count(source: Source<'_>, kind: EventKind, arity: usize, place: (usize, usize)) -> Fault {
    let (name, first) = (kind.name(), argument_name(kind));
    let message = format!("`fn {name}` takes 1 to 3 arguments, {first}, me and world, not {arity}");
    let fault = source.fault(place, message).wide(name.len());
    let help = format!("write `fn {name}({first}) {{ … }}`, or `fn {name}({first}, me, world) {{ … }}`");
    let (text, start) = (source.text, source.underlined(&fault).end);
    let end = text[start..].find(')').map_or(start, |end| start + end + 1);
    let new = if arity == 0 { format!("({first})") } else { format!("({first}, me, world)") };
    let fix = (end > start).then(|| Fix::replace(format!("write `{new}`"), start..end, new));
    fault.help(help).fixed(fix)
}

/// Returns a warning for each function that is never called and whose name is similar to that of a handler with the same
/// name of the first argument.
pub(crate) fn misspelled(source: Source<'_>, ast: &AST, role: Option<Role>) -> Vec<Fault> {
    if role != Some(Role::Behavior) {
        return Vec::new();
    }
    let bodies = tree::bodies(ast, None);
    let meant = |body: &Body| {
        let kinds = EventKind::ALL
            .into_iter()
            .filter(|kind| body.parameters.first().is_some_and(|first| first == argument_name(*kind)));
        let meant = closest(&body.name, kinds.map(EventKind::name))?;
        let is_free = bodies.iter().all(|it| it.name != meant) && meant != body.name;
        (is_free && !is_called(bodies.iter().map(|it| &*it.statements), &body.name)).then_some(meant)
    };
    let warning = |body: &Body| {
        let meant = meant(body)?;
        let message = format!("the function `{}` is never called", body.name);
        let fault = source.fault(source.function(&body.name), message).wide(body.name.len());
        let fix = source.instead(&fault, meant);
        Some(
            fault
                .help(format!("did you mean `{meant}`, which is called at an event?"))
                .fixed([fix])
                .warning(),
        )
    };
    bodies.iter().filter_map(warning).collect()
}

/// Returns a fault for each call in `born` that fails there, and a warning for each one in the functions that it calls.
pub(crate) fn failing_at_birth(source: Source<'_>, ast: &AST, handlers: &[Handler]) -> Vec<Fault> {
    let Some(born) = handlers.iter().find(|handler| handler.kind == EventKind::Born) else {
        return Vec::new();
    };
    let (bodies, mut faults) = (tree::bodies(ast, None), Vec::new());
    let mut reached = vec![(born.kind.name().to_owned(), born.arity)];
    let mut at = 0;
    while let Some((name, arity)) = reached.get(at).cloned() {
        let statements = bodies.iter().filter(|it| it.name == name && it.parameters.len() == arity);
        for body in statements {
            tree::each_node(&body.statements, &mut |node| {
                let Some(call) = tree::call(node) else { return };
                let receivers = usize::from(matches!(node, ASTNode::Expr(Expr::MethodCall(..))));
                let called = (call.name.to_string(), call.args.len() + receivers);
                let fails = api::named(&call.name)
                    .any(|row| row.has(Tag::NotAtBirth) && row.params.len() == called.1);
                if fails {
                    let fault = source.fault(text::place(node.position()).unwrap_or_default(), NOT_AT_BIRTH);
                    let fault = fault.wide(called.0.len());
                    faults.push(if at == 0 { fault } else { fault.warning() });
                } else if !call.is_qualified() && !reached.contains(&called) {
                    reached.push(called);
                }
            });
        }
        at += 1;
    }
    faults
}

/// Returns a warning for each handler that has neither memory nor `me`, so that it has no effect.
pub(crate) fn idle(source: Source<'_>, handlers: &[Handler], memory: &MemoryLayout) -> Vec<Fault> {
    let idle = handlers.iter().filter(|handler| handler.arity == 1 && memory.words() == 0);
    let warning = |handler: &Handler| {
        let (name, first) = (handler.kind.name(), argument_name(handler.kind));
        let message = format!("`fn {name}` has no memory to write to: it has no effect");
        let help = format!(
            "declare what is remembered, for example `const MEMORY = #{{ count: 0.0 }};`, or write `fn {name}({first}, me)`"
        );
        source.fault(handler.place, message).wide(name.len()).help(help).warning()
    };
    idle.map(warning).collect()
}
