//! Messages that static checks and run-time errors share.

use crate::foreign::{self, On};
use crate::types::Kind;
pub(crate) use crate::types::friendly;

/// A message and, if one is known, a remedy.
pub(crate) type Explanation = (String, Option<String>);

/// Builds a message with a remedy.
pub(crate) fn explanation(message: impl Into<String>, help: impl Into<String>) -> Explanation {
    (message.into(), Some(help.into()))
}

/// Explains a missing property of a value of this kind; `near` returns a similar name.
pub(crate) fn no_property(name: &str, kind: &str, near: impl FnOnce() -> Option<String>) -> Explanation {
    let kind = friendly(kind);
    let foreign = || foreign::help(On::Kind(&kind), name);
    let help = match kind.as_str() {
        "nothing" => Some(format!(
            "what stands before `.{name}` is `()` here, as there is none: check it first, `if x == () {{ return (); }}`"
        )),
        "me" => foreign().or_else(near).or_else(|| Some(remember(name))),
        "a list" => foreign().or_else(near).or_else(|| {
            let help = "ask one of its units: `list.nearest`, `list[0]` or `for unit in list`";
            Some(help.to_owned())
        }),
        _ => foreign().or_else(near),
    };
    (format!("`{name}` is not a property of {kind}"), help)
}

/// Returns the remedy that declares a memory field.
fn remember(name: &str) -> String {
    format!(
        "to remember something, declare it with its first value, for example `const MEMORY = #{{ {name}: 0.0 }};`, and \
         write `this.{name}`"
    )
}

/// Explains an assignment to a property that no value of this kind has.
pub(crate) fn cannot_add(name: &str, kind: &str) -> Explanation {
    let (message, help) = no_property(name, kind, || None);
    // A remedy for a read does not fit an assignment.
    let help = match friendly(kind).as_str() {
        "me" => help.filter(|help| !help.starts_with("write `")).or_else(|| Some(remember(name))),
        "a unit" => Some("a unit keeps what it remembers to itself; it can show a mark".to_owned()),
        _ => help,
    };
    (message, help)
}

/// Explains an assignment to a read-only property.
pub(crate) fn cannot_set(name: &str, kind: &str) -> Explanation {
    let help = match kind {
        "Me" | "Unit" => "units are moved by what steer returns: a push or a turn",
        _ => "it can only be read",
    };
    let message = format!("`{name}` cannot be set on {}", friendly(kind));
    (message, Some(help.to_owned()))
}

/// Explains a value that a memory field cannot hold.
pub(crate) fn cannot_hold(name: &str, declared: Kind, found: &str) -> String {
    let (declared, found) = (declared.describe(), friendly(found));
    format!("`this.{name}` is {declared}, as MEMORY declares it: it cannot hold {found}")
}

/// Explains `this` without a memory.
pub(crate) fn no_memory() -> Explanation {
    let help = "declare memory, for example `const MEMORY = #{ angle: 0.0 };`, and use it in steer or in functions of events";
    ("`this` needs a MEMORY".to_owned(), Some(help.to_owned()))
}
