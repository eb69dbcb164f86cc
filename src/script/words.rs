//! Words that are the same wherever a script goes wrong, before it runs or while it does.

use super::foreign::{self, On};
use super::text::Explanation;
use super::types::Kind;
pub(super) use super::types::friendly;

/// A property that a value of this kind does not have; `near` is what else may have been meant.
pub(super) fn no_property(name: &str, kind: &str, near: impl FnOnce() -> Option<String>) -> Explanation {
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

/// How a unit remembers something.
fn remember(name: &str) -> String {
    format!(
        "to remember something, declare it, `const MEMORY = #{{ {name}: 0.0 }};`, and write `this.{name}`"
    )
}

/// A property that is given a value and that nothing of this kind has.
pub(super) fn cannot_add(name: &str, kind: &str) -> Explanation {
    let (message, help) = no_property(name, kind, || None);
    // A remedy for reading it does not help where it is set.
    let help = match friendly(kind).as_str() {
        "me" => help.filter(|help| !help.starts_with("write `")).or_else(|| Some(remember(name))),
        "a unit" => Some("a unit keeps what it remembers to itself; it can show a mark".to_owned()),
        _ => help,
    };
    (message, help)
}

/// A property that can only be read.
pub(super) fn cannot_set(name: &str, kind: &str) -> Explanation {
    let help = match kind {
        "Me" | "Unit" => "units are moved by what steer returns: a push or a turn",
        _ => "it can only be read",
    };
    let message = format!("`{name}` cannot be set on {}", friendly(kind));
    (message, Some(help.to_owned()))
}

/// A value that a field of the memory cannot hold.
pub(super) fn cannot_hold(name: &str, declared: Kind, found: &str) -> String {
    let (declared, found) = (declared.describe(), friendly(found));
    format!("`this.{name}` is {declared}, as MEMORY declares it: it cannot hold {found}")
}

/// A function without a name.
pub(super) fn no_closures() -> (&'static str, String) {
    let help = "declare a function at the top of the file: `fn far(unit) { … }`";
    ("closures are not supported", help.to_owned())
}

/// `this` without a memory.
pub(super) fn no_memory() -> Explanation {
    let help = "declare what is remembered, `const MEMORY = #{ angle: 0.0 };`, and ask for it in steer alone";
    ("`this` needs a MEMORY".to_owned(), Some(help.to_owned()))
}
