//! Words that are the same wherever a script goes wrong, before it runs or while it does.

use crate::diagnostics::closest;
use crate::sim::FieldKind;

/// A cause and, if one is known, a remedy.
type Cause = (String, Option<String>);

/// A property that a value of this kind does not have.
pub(super) fn no_property(name: &str, kind: &str) -> Cause {
    let kind = friendly(kind);
    let help = match kind.as_str() {
        "nothing" => Some(format!(
            "what stands before `.{name}` is `()` here, as there is none: check it first, `if x == () {{ return (); }}`"
        )),
        "a list" => {
            Some("ask one of its units: `list.nearest`, `list[0]` or `for unit in list`".to_owned())
        }
        _ => None,
    };
    (format!("`{name}` is not a property of {kind}"), help)
}

/// A property that can only be read.
pub(super) fn cannot_set(name: &str, kind: &str) -> Cause {
    let help = match kind {
        "Me" | "Unit" => "units are moved by what steer returns: a push or a turn",
        _ => "it can only be read",
    };
    let message = format!("`{name}` cannot be set on {}", friendly(kind));
    (message, Some(help.to_owned()))
}

/// A value that a field of the memory cannot hold.
pub(super) fn cannot_hold(name: &str, declared: FieldKind, found: &str) -> String {
    let declared = match declared {
        FieldKind::Number => "a number",
        FieldKind::Switch => "a switch",
        FieldKind::Vector => "a vector",
    };
    let found = friendly(found);
    format!("`this.{name}` is {declared}, as MEMORY declares it: it cannot hold {found}")
}

/// `this` without a memory.
pub(super) fn no_memory() -> Cause {
    let help = "declare what is remembered, `const MEMORY = #{ angle: 0.0 };`, and ask for it in steer alone";
    ("`this` needs a MEMORY".to_owned(), Some(help.to_owned()))
}

/// The name that was likely meant, as a remedy.
pub(super) fn did_you_mean<'a>(
    name: &str,
    known: impl IntoIterator<Item = &'a str>,
) -> Option<String> {
    closest(name, known).map(|near| format!("did you mean `{near}`?"))
}

/// A kind of value as the user would call it; `kind` is the engine's name for it.
pub(super) fn friendly(kind: &str) -> String {
    let plain = match kind.rsplit("::").next().unwrap_or(kind) {
        "f32" | "float" => "a number",
        "i64" | "int" => "an integer",
        "bool" => "a switch",
        "string" | "&str" | "ImmutableString" | "&str | ImmutableString | String" => "a string",
        "()" => "nothing",
        "array" => "an array",
        "map" => "a map",
        "Vec3" | "Vector" => "a vector",
        "Me" => "me",
        "Unit" => "a unit",
        "Units" | "List" => "a list",
        "Universe" | "World" => "the world",
        "Obstructing" | "Obstacle" => "an obstacle",
        "Obstacles" | "ObstacleList" => "the obstacles",
        "Route" | "Path" => "a path",
        "Field" => "a field",
        "Turn" => "a turn",
        "Remembered" | "Memory" => "the memory",
        other => other,
    };
    plain.to_owned()
}
