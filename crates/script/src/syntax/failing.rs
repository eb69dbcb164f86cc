//! Fixes of calls and operators that fail, by the kinds of their operands.

use std::ops::Range;

use steerbox_core::diagnostics::{Fault, Fix};
use steerbox_core::text::TextEdit;

use super::site::{Site, operand_after, operand_before};
use super::text::Source;
use crate::api;

/// Returns the fix of a failure at run time.
pub(crate) fn fix(source: Source<'_>, fault: &Fault) -> Option<Fix> {
    let text = source.text;
    let range = source.underlined(fault);
    let rest = text.get(range.start..)?;
    if rest.starts_with('^') {
        return Some(Fix::replace("write `**`", range.start..range.start + 1, "**"));
    }
    let message = &*fault.message;
    if let Some((_, kinds)) = message.split_once(" does not work between ") {
        let (left, right) = kinds.split_once(" and ")?;
        return operator(text, range.start, [left, right]);
    }
    if message.ends_with(" does not take (a vector)") {
        let arguments = Site::read(text, range.start)?.arguments?;
        return Some(property(text, arguments.first()?, ".length"));
    }
    if message.ends_with(", a list)") {
        let arguments = Site::read(text, range.start)?.arguments?;
        return Some(property(text, arguments.first()?, ".nearest"));
    }
    match message {
        "a vector cannot be indexed" => index(text, range.start),
        _ if message.starts_with("`for` goes over") => {
            let list = operand_after(text, range.start)?;
            Some(Fix::insert("write `0..` before it", list.start, "0.."))
        }
        _ => None,
    }
}

/// Returns the fix that writes a property of a value in place of the value.
fn property(text: &str, value: &Range<usize>, property: &str) -> Fix {
    let written = &text[value.clone()];
    let new = if written.contains(' ') && !written.ends_with([')', ']']) {
        format!("({written}){property}")
    } else {
        format!("{written}{property}")
    };
    Fix::replace(format!("write `{new}`"), value.clone(), new)
}

/// Returns the fix of a component of a vector that is written as an index.
fn index(text: &str, at: usize) -> Option<Fix> {
    let open = at + text[at..].find('[')?;
    let end = open + text[open..].find(']')? + 1;
    let axis = match text[open + 1..end - 1].trim() {
        "0" => ".x",
        "1" => ".y",
        "2" => ".z",
        _ => return None,
    };
    Some(Fix::replace(format!("write `{axis}`"), open..end, axis))
}

/// Returns the fix of an operator between two kinds of values.
fn operator(text: &str, at: usize, kinds: [&str; 2]) -> Option<Fix> {
    let end = at + text[at..].find(|c: char| !"+-*/%<>=!.".contains(c))?;
    let sides = [operand_before(text, at)?, operand_after(text, end)?];
    let part = |side: usize| &text[sides[side].clone()];
    let replace =
        |side: usize, new: String| Some(Fix::replace(format!("write `{new}`"), sides[side].clone(), new));
    let side_of = |kind: &str| kinds.iter().position(|known| *known == kind);
    let is_number = |kind: &str| ["a number", "an integer"].contains(&kind);
    let is_body = |kind: &str| ["me", "a unit", "an obstacle"].contains(&kind);
    match &text[at..end] {
        ".." if kinds.contains(&"a string") => Some(Fix::replace("write `+`", at..end, "+")),
        ".." | "..=" if kinds.iter().all(|kind| is_number(kind)) => {
            let side = side_of("a number")?;
            replace(side, format!("to_int({})", part(side)))
        }
        "*" if kinds == ["a vector", "a vector"] => {
            let new = format!("{}.dot({})", part(0), part(1));
            Some(Fix::replace(format!("write `{new}`"), sides[0].start..sides[1].end, new))
        }
        _ if kinds.iter().any(|kind| is_body(kind)) => {
            let bodies = (0..2).filter(|side| is_body(kinds[*side]));
            let edits = bodies.map(|side| TextEdit::insert(sides[side].end, ".position"));
            Some(Fix::new("take the positions", edits.collect()))
        }
        _ if let Some(side) = side_of("an array") => {
            let items = part(side).strip_prefix('[')?.strip_suffix(']')?;
            let is_vector = (2..=3).contains(&items.split(',').count());
            is_vector.then(|| replace(side, format!("{}({items})", api::VECTOR)))?
        }
        _ if let Some(side) = side_of("a string") => {
            let number = part(side).trim_matches('"');
            number.parse::<f32>().ok()?;
            replace(side, number.to_owned())
        }
        _ if let Some(side) = side_of("a switch") => {
            let inner = part(side).strip_prefix('(').and_then(|inner| inner.strip_suffix(')'));
            replace(side, format!("(if {} {{ 1.0 }} else {{ 0.0 }})", inner.unwrap_or(part(side))))
        }
        _ => None,
    }
}

/// Returns the fix of a chain of two comparisons at the second operator: `1 < x < 3`.
pub(crate) fn joined(text: &str, at: usize) -> Option<Fix> {
    let middle = operand_before(text, at)?;
    let before = text[..middle.start].trim_end();
    if !before.ends_with(['<', '>', '=']) {
        return None;
    }
    let joined = format!(" && {}", &text[middle.clone()]);
    Some(Fix::insert("join them by `&&`", middle.end, joined))
}

/// Returns the fix that compares the length of the vector beside an operator.
pub(crate) fn length(text: &str, at: usize, is_left: bool) -> Option<Fix> {
    let end = at + text[at..].find(|c: char| !"<>=!".contains(c))?;
    let vector = if is_left { operand_before(text, at) } else { operand_after(text, end) }?;
    Some(property(text, &vector, ".length"))
}

/// Returns the fix of a call that other languages need for a value that may be missing.
pub(crate) fn unwrapped(source: Source<'_>, fault: &Fault) -> Option<Fix> {
    let site = Site::read(source.text, source.underlined(fault).start)?;
    let is_unwrap = ["unwrap", "expect"].contains(&&source.text[site.name.clone()]);
    let range = site.receiver?.end..site.end;
    (is_unwrap && site.arguments.is_some()).then(|| Fix::replace("leave it out", range, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operands_of_wrong_kinds_are_adapted() {
        for (text, kinds, fixed) in [
            ("a.b[0] §- me;", "a unit and me", Some("a.b[0].position - me.position;")),
            ("x §* (a > 3)", "a number and a switch", Some("x * (if a > 3 { 1.0 } else { 0.0 })")),
            ("for i in 0§..me.speed {", "an integer and a number", Some("for i in 0..to_int(me.speed) {")),
            ("\"3\" §* 2", "a string and an integer", Some("3 * 2")),
            ("p §+ [1.0, 2.0]", "a vector and an array", Some("p + vec(1.0, 2.0)")),
            ("me.a §* f(b, 1).c;", "a vector and a vector", Some("me.a.dot(f(b, 1).c);")),
        ] {
            let at = text.find('§').expect("it marks the operator");
            let text = text.replace('§', "");
            let (left, right) = kinds.split_once(" and ").expect("there are two");
            let found = operator(&text, at, [left, right]).and_then(|fix| fix.apply(&text));
            assert_eq!(found.as_deref(), fixed, "{text}");
        }
        assert_eq!(index("v[1]", 1).and_then(|fix| fix.apply("v[1]")).as_deref(), Some("v.y"));
        let text = "1 < a.b < 3";
        assert_eq!(joined(text, 8).and_then(|fix| fix.apply(text)).as_deref(), Some("1 < a.b && a.b < 3"));
    }
}
