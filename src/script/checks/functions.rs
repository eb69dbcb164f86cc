//! Checks the functions of a script: its entry point must exist, and no function may shadow one of the API.

use rhai::AST;

use crate::diagnostics::{Fault, Fix, closest};
use crate::script::front::catalog;
use crate::script::syntax::text::Source;
use crate::script::syntax::tree;
use crate::sim::MemoryLayout;

/// The function that maps memory after a reload; it takes one argument.
pub(in crate::script) const RELOADED: &str = "reloaded";

/// The entry point of a behavior that does nothing.
const TEMPLATE: &str = "fn steer(me, world) {\n    0.0\n}\n";

/// The purpose of a script, by its entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `fn steer(me, world)`: a behavior.
    Behavior,
    /// `fn flow(point, world)`: the vectors of a flow field.
    Flow,
    /// No entry point: other scripts import it.
    Imported,
}

impl Role {
    /// The name of the entry point.
    pub(in crate::script) fn entry(self) -> &'static str {
        match self {
            Self::Behavior => "steer",
            Self::Flow => "flow",
            Self::Imported => "",
        }
    }
}

/// Returns the role of a script; one that others import may have no entry point.
///
/// # Errors
/// With a fault if the entry point is missing. `is_whole` is false if parts of the file did not parse, which may
/// contain it.
pub(in crate::script) fn role(
    source: Source<'_>,
    ast: &AST,
    is_imported: bool,
    is_whole: bool,
) -> Result<Role, Vec<Fault>> {
    let mut role = None;
    let mut near: Option<(String, usize)> = None;
    for function in tree::functions(ast) {
        let (name, arity) = (function.name.as_str(), function.params.len());
        if name == "steer" && arity == 2 {
            role = Some(Role::Behavior);
        } else if name == "flow" && arity == 2 {
            role = role.or(Some(Role::Flow));
        } else if name == "steer" || closest(name, ["steer"]).is_some() {
            near = Some((name.to_owned(), arity));
        }
    }
    let is_other = is_imported || (!is_whole && near.is_none());
    role.or(is_other.then_some(Role::Imported)).ok_or_else(|| vec![missing_steer(source, near)])
}

/// Returns a fault for each function that would shadow one of the API.
pub(in crate::script) fn shadowing(source: Source<'_>, ast: &AST) -> Vec<Fault> {
    let taken = (tree::functions(ast).into_iter())
        .filter(|function| catalog::is_taken(&function.name, function.params.len()));
    let faults = taken.map(|function| {
        let name = function.name.as_str();
        let message = format!("`fn {name}` would replace the built-in function of that name");
        let fault = source.fault(source.function(name), message);
        fault.wide(name.len()).help("give it another name")
    });
    faults.collect()
}

fn missing_steer(source: Source<'_>, near: Option<(String, usize)>) -> Fault {
    let form = "a behavior has a function `fn steer(me, world) { … }`";
    match near {
        Some((name, arity)) if name == "steer" => {
            let message = format!("`fn steer` takes 2 arguments, me and world, not {arity}");
            let fault = source.fault(source.function(&name), message);
            let text = source.text;
            let open = source.underlined(&fault).start
                + text[source.underlined(&fault).start..].find('(').unwrap_or(0);
            let end = text[open..].find(')').map_or(open, |end| open + end + 1);
            let fix = Fix::replace("write `(me, world)`", open..end, "(me, world)");
            fault.wide(5).help(form).fixed((end > open).then_some(fix))
        }
        Some((name, arity)) => {
            let message = format!("there is no `fn steer`, but a `fn {name}`");
            let fault = source.fault(source.function(&name), message);
            let fault = fault.wide(name.len()).help("did you mean `steer`?");
            let fix = source.instead(&fault, "steer");
            fault.fixed((arity == 2).then_some(fix))
        }
        None => {
            let text = source.text;
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let fix = Fix::insert("add `fn steer`", text.len(), format!("{gap}{TEMPLATE}"));
            Fault::of_file(source.path, "there is no `fn steer`").help(form).fixed([fix])
        }
    }
}

/// Returns the position of `fn reloaded`, which must take one argument and requires a memory.
pub(in crate::script) fn check_reloaded(
    source: Source<'_>,
    ast: &AST,
    memory: &MemoryLayout,
) -> Result<Option<(usize, usize)>, Vec<Fault>> {
    let mut functions = tree::functions(ast).into_iter();
    let Some(function) = functions.find(|it| it.name == RELOADED) else {
        return Ok(None);
    };
    let place = source.function(RELOADED);
    let fault = |message: String, help: &str| {
        let fault = source.fault(place, message).wide(RELOADED.len());
        vec![fault.help(help)]
    };
    match function.params.len() {
        1 if memory.words() == 0 => Err(fault(
            "`fn reloaded` has no memory to write to".to_owned(),
            "declare what is remembered, for example `const MEMORY = #{ angle: 0.0 };`",
        )),
        1 => Ok(Some(place)),
        count => Err(fault(
            format!("`fn reloaded` takes 1 argument, what was remembered before, not {count}"),
            "write `fn reloaded(old) { this.angle = old.heading; }`",
        )),
    }
}
