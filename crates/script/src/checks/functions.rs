//! Checks the functions of a script: its entry point must exist, and no function may shadow one of the API.

use rhai::AST;
use steerbox_core::diagnostics::{Fault, Fix, closest};
use steerbox_core::sim::MemoryLayout;

use crate::interpret::catalog;
use crate::syntax::text::Source;
use crate::syntax::tree;

/// The function that maps memory after a reload; it takes one argument.
pub(crate) const RELOADED: &str = "reloaded";

/// The purpose of a script, by its entry point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// `fn steer(me, world)`: a behavior.
    Behavior,
    /// `fn flow(point, world)`: the vectors of a flow field.
    Flow,
    /// `fn measure(group, world)`: a measure of groups.
    Measure,
    /// No entry point: other scripts import it.
    Imported,
}

/// The start of the names of measures: they are in a folder of this name among the scripts.
pub const MEASURES: &str = "measures/";

impl Role {
    /// The roles with an entry point.
    const ENTRIES: [Self; 3] = [Self::Behavior, Self::Flow, Self::Measure];
    /// The entry points that are called for no unit.
    pub(crate) const WITHOUT_UNIT: [&str; 2] = ["flow", "measure"];

    /// Returns the role of the entry point with this name and number of parameters.
    pub(crate) fn of_function(name: &str, arity: usize) -> Option<Self> {
        Self::ENTRIES.into_iter().find(|role| role.entry() == name && arity == 2)
    }

    /// Returns true for the name of an entry point.
    pub fn is_entry(name: &str) -> bool {
        Self::ENTRIES.iter().any(|role| role.entry() == name)
    }

    /// Returns the role that a script is expected to have, by its path.
    fn expected(path: &str) -> Self {
        if path.starts_with(MEASURES) { Self::Measure } else { Self::Behavior }
    }

    /// The parameters of the entry point.
    fn parameters(self) -> &'static str {
        match self {
            Self::Behavior => "me, world",
            Self::Flow => "point, world",
            Self::Measure => "group, world",
            Self::Imported => "",
        }
    }

    /// A script of this role, in messages.
    fn describe(self) -> &'static str {
        match self {
            Self::Behavior => "a behavior",
            Self::Flow => "a flow field",
            Self::Measure => "a measure",
            Self::Imported => "an import",
        }
    }

    /// The entry point with the simplest result.
    fn template(self) -> String {
        format!("fn {}({}) {{\n    0.0\n}}\n", self.entry(), self.parameters())
    }

    /// The form of the entry point, as a remedy.
    pub fn form(self) -> String {
        let (what, entry, parameters) = (self.describe(), self.entry(), self.parameters());
        format!("{what} has a function `fn {entry}({parameters}) {{ … }}`")
    }

    /// The name of the entry point.
    pub(crate) fn entry(self) -> &'static str {
        match self {
            Self::Behavior => "steer",
            Self::Flow => "flow",
            Self::Measure => "measure",
            Self::Imported => "",
        }
    }
}

/// Returns the role of a script; one that others import may have no entry point.
///
/// # Errors
/// With a fault if the entry point is missing. `is_whole` is false if parts of the file did not parse, which may
/// contain it.
pub(crate) fn role(
    source: Source<'_>,
    ast: &AST,
    is_imported: bool,
    is_whole: bool,
) -> Result<Role, Vec<Fault>> {
    let wanted = Role::expected(source.path);
    let (mut role, mut near): (Option<Role>, Option<(String, usize)>) = (None, None);
    for function in tree::functions(ast) {
        let (name, arity) = (function.name.as_str(), function.params.len());
        match Role::of_function(name, arity) {
            Some(Role::Flow) if wanted == Role::Behavior => role = role.or(Some(Role::Flow)),
            Some(found) if found == wanted => role = Some(found),
            None if name == wanted.entry() || closest(name, [wanted.entry()]).is_some() => {
                near = Some((name.to_owned(), arity));
            }
            Some(_) | None => {}
        }
    }
    let is_other = is_imported || (!is_whole && near.is_none());
    role.or(is_other.then_some(Role::Imported)).ok_or_else(|| vec![missing(source, ast, wanted, near)])
}

/// Returns a fault for each function that would shadow one of the API.
pub(crate) fn shadowing(source: Source<'_>, ast: &AST) -> Vec<Fault> {
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

/// Builds the fault of a script without the entry point of a role; `near` is a function that may be meant.
fn missing(source: Source<'_>, ast: &AST, wanted: Role, near: Option<(String, usize)>) -> Fault {
    let (entry, parameters, form) = (wanted.entry(), wanted.parameters(), wanted.form());
    match near {
        Some((name, arity)) if name == entry => {
            let words = parameters.replace(", ", " and ");
            let message = format!("`fn {entry}` takes 2 arguments, {words}, not {arity}");
            let fault = source.fault(source.function(&name), message);
            let text = source.text;
            let open = source.underlined(&fault).start
                + text[source.underlined(&fault).start..].find('(').unwrap_or(0);
            let end = text[open..].find(')').map_or(open, |end| open + end + 1);
            let new = format!("({parameters})");
            let fix = Fix::replace(format!("write `{new}`"), open..end, new);
            fault.wide(entry.len()).help(form).fixed((end > open).then_some(fix))
        }
        Some((name, arity)) => {
            let message = format!("there is no `fn {entry}`, but a `fn {name}`");
            let fault = source.fault(source.function(&name), message);
            let fault = fault.wide(name.len()).help(format!("did you mean `{entry}`?"));
            let fix = source.instead(&fault, entry);
            fault.fixed((arity == 2).then_some(fix))
        }
        None => {
            let text = source.text;
            let gap = if text.is_empty() || text.ends_with('\n') { "" } else { "\n" };
            let fix =
                Fix::insert(format!("add `fn {entry}`"), text.len(), format!("{gap}{}", wanted.template()));
            let other = tree::functions(ast).into_iter();
            let mut other = other.filter_map(|it| Role::of_function(&it.name, it.params.len()));
            let place = match other.next() {
                Some(Role::Measure) => Some("a measure is a file in `scripts/measures`"),
                Some(_) => Some("only measures are in `scripts/measures`"),
                None => None,
            };
            let help = place.map_or(form, str::to_owned);
            Fault::of_file(source.path, format!("there is no `fn {entry}`")).help(help).fixed([fix])
        }
    }
}

/// Returns the position of `fn reloaded`, which must take one argument and requires a memory.
pub(crate) fn check_reloaded(
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
