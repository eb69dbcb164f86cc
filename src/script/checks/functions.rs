//! The functions of a script: whether it has the one that its role asks for, and none that it must not have.

use rhai::AST;

use crate::diagnostics::{Fault, closest};
use crate::script::text::Source;
use crate::script::{catalog, tree};
use crate::sim::MemoryLayout;

/// The function that maps memory after a reload; it takes one argument.
pub(in crate::script) const RELOADED: &str = "reloaded";

/// What a script is for, by the function that it has.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `fn steer(me, world)`: a behavior.
    Behavior,
    /// `fn flow(point, world)`: the vectors of a flow field.
    Flow,
    /// Neither: other scripts import it.
    Imported,
}

impl Role {
    /// The function that the role asks for.
    pub(in crate::script) fn entry(self) -> &'static str {
        match self {
            Self::Behavior => "steer",
            Self::Flow => "flow",
            Self::Imported => "",
        }
    }
}

/// What a script is for; one that others import may be for nothing else.
///
/// # Errors
/// With a fault if it has no function to call. `is_whole` is false if parts of the file could not be parsed, so that
/// it may have one.
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

/// Functions that would replace one of the API.
pub(in crate::script) fn hijackers(source: Source<'_>, ast: &AST) -> Vec<Fault> {
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
            fault.wide(5).help(form)
        }
        Some((name, _)) => {
            let message = format!("there is no `fn steer`, but a `fn {name}`");
            let fault = source.fault(source.function(&name), message);
            fault.wide(name.len()).help("did you mean `steer`?")
        }
        None => Fault::of_file(source.path, "there is no `fn steer`").help(form),
    }
}

/// Where `fn reloaded` is. It must take one argument, and there must be something to write to.
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
