//! Remedies for operators and functions called with values of the wrong kind. Kinds have the names of
//! [`crate::types::friendly`].

use crate::api::{self, Tag};

const CHECK_FIRST: &str =
    "one side is `()` here, as there is none: check it first, `if x == () { return (); }`";
const VECTORS: &str = "a vector is written `vec(1.0, 2.0)`";

/// Returns a remedy for an operator that does not accept these two operands.
pub(crate) fn help(operator: &str, left: &str, right: &str) -> Option<String> {
    let either = |kind: &str| left == kind || right == kind;
    let one_is = |test: fn(&str) -> bool| test(left) || test(right);
    let help = match operator {
        _ if either("nothing") => CHECK_FIRST,
        "^" if is_number(left) && is_number(right) => "a power is written `x ** 2.0`",
        "-" | "*" | "/" | "%" if one_is(is_text) => "a text is not a number; texts are joined with `+`",
        ".." | "..=" if one_is(is_text) => "texts are joined with `+`",
        ".." | "..=" => "a range goes between integers: `0..to_int(x)`",
        "*" if left == "a vector" && right == "a vector" => {
            "write `a.dot(b)` for a number, or `vec(a.x * b.x, a.y * b.y)`"
        }
        "/" if left == "a vector" && right == "a vector" => {
            "write `a / b.length`, or `vec(a.x / b.x, a.y / b.y)`"
        }
        "+" | "-" if either("a vector") && one_is(is_number) => {
            return Some(format!(
                "a vector and a number have no sum: write, for example, `{operator} vec(3, 3)`, or scale it with `*`"
            ));
        }
        "/" if right == "a vector" => "divide by its length: `x / v.length`",
        _ if one_is(is_body) => "ask where it is: `unit.position - me.position`",
        _ if either("a list") => "ask for one of it or for its mean: `list.mean_position`, `list.len`",
        _ if either("an array") || either("a map") => VECTORS,
        _ if either("a switch") => "a switch is not a number: write `if x { 1.0 } else { 0.0 }`",
        _ if either("a turn") => "a turn in the plane is a plain number",
        _ => return None,
    };
    Some(help.to_owned())
}

/// Returns a remedy for a unary operator; `written` is its source text.
pub(crate) fn help_alone(operator: &str, kind: &str, written: Option<&str>) -> Option<String> {
    (operator == "!").then(|| format!("write `{}`", test(kind, written, true)))
}

/// Returns a remedy for a function that does not accept values of these kinds.
pub(crate) fn help_called(name: &str, kinds: &[String]) -> Option<String> {
    let any = |kind: &str| kinds.iter().any(|known| known == kind);
    let is_misused = |tag| api::is_tagged(name, tag);
    let help = match name {
        _ if any("nothing") => "what is nothing here is `()`: check it first, `if x == () { return (); }`",
        _ if any("a vector") && is_misused(Tag::VectorForNumber) => {
            "this is for numbers: ask `v.length`, or `v.limit(most)`"
        }
        "param" => "write `param(default, least, most)`, `param(true)` or `param(\"a\", [\"a\", \"b\"])`",
        api::IN if any("a list") => {
            "`in` looks into maps and ranges: write `for unit in list { if unit == other { … } }`"
        }
        _ if any("a list") && is_misused(Tag::ListForUnit) => "ask for one of it: `list.nearest`",
        _ if kinds.iter().skip(1).any(|kind| is_body(kind)) && is_misused(Tag::BodyForPoint) => {
            "ask where it is: `unit.position`"
        }
        _ if any("an array") => VECTORS,
        _ if any("a vector") && is_misused(Tag::VectorForComponents) => {
            "write `vec(v.x, v.y)`; `v` alone is a vector already"
        }
        _ => return None,
    };
    Some(help.to_owned())
}

/// Returns a remedy for an index into a value of this kind.
pub(crate) fn help_indexed(kind: &str) -> Option<&'static str> {
    Some(match kind {
        "nothing" => "a map is written `#{ }`, an array `[ ]`; `{ }` is an empty block",
        "a vector" => "write `v.x`, `v.y` or `v.z`",
        "me" | "a unit" | "the world" => "ask a property: `unit.position`, `world.obstacles[0]`",
        _ => return None,
    })
}

/// Returns the remedy for a condition of this kind, which is not a bool; `written` is its source text.
pub(crate) fn condition(kind: &str, written: Option<&str>) -> String {
    let how = if is_list(kind) { "write" } else { "compare, such as" };
    format!("a condition is true or false: {how} `{}`", test(kind, written, false))
}

/// Returns the remedy for a comparison of a value of this kind, which is never `()`, with `()`.
pub(crate) fn never_nothing(kind: &str, written: &str, is_equal: bool) -> String {
    if is_list(kind) {
        return format!("write `{}`", test(kind, Some(written), is_equal));
    }
    "only a value that may be missing is `()`, such as `list.nearest` or `world.target`".to_owned()
}

/// A condition for a value that is not a bool: that it is there, or that it is not.
pub(crate) fn test(kind: &str, written: Option<&str>, is_missing: bool) -> String {
    let it = written.filter(|written| !written.contains('…'));
    let or = |name| it.unwrap_or(name);
    match kind {
        kind if is_list(kind) => format!("{}{}.is_empty", if is_missing { "" } else { "!" }, or("list")),
        "nothing" | "a unit" | "an obstacle" | "a path" | "a field" | "a hit" | "a vector" => {
            format!("{} {} ()", or("x"), if is_missing { "==" } else { "!=" })
        }
        _ => format!("{} {} 0", or("x"), if is_missing { "==" } else { ">" }),
    }
}

fn is_list(kind: &str) -> bool {
    kind == "a list" || kind == "the obstacles"
}

fn is_number(kind: &str) -> bool {
    kind == "a number" || kind == "an integer"
}

fn is_text(kind: &str) -> bool {
    kind == "a string"
}

fn is_body(kind: &str) -> bool {
    ["me", "a unit", "an obstacle"].contains(&kind)
}
