//! Messages that static checks and run-time errors share.

use crate::foreign::{self, On};
use crate::syntax::text::{Explanation, explanation, is_name, is_part_of_name};
use crate::types::Kind;
pub(crate) use crate::types::friendly;

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

/// Explains a word that means `()` in other languages, at an offset of a text.
pub(crate) fn nothing(word: &str, text: &str, at: usize) -> Explanation {
    let head = text[..at].rsplit(['\n', ';', '{', '}', '(']).next().unwrap_or_default().trim();
    let compared =
        ["==", "!="].into_iter().find_map(|operator| Some((head.strip_suffix(operator)?, operator)));
    let help = match compared {
        Some((value, operator)) => {
            let value = value.trim_end().rsplit(' ').next().unwrap_or_default();
            format!("write `{value} {operator} ()`")
        }
        None if head.ends_with('=') || head == "return" => format!("write `{head} ();`"),
        None => "write `()`: that is what stands for nothing".to_owned(),
    };
    explanation(format!("`{word}` does not exist here"), help)
}

/// Explains a closure at an offset of a text: at its `|` or its arrow.
pub(crate) fn no_closures(text: &str, at: usize) -> Explanation {
    let help = loop_of(text, at).unwrap_or_else(|| {
        "write a loop, `for unit in list { … }`, or a function at the top of the file: `fn far(unit) { … }`"
            .to_owned()
    });
    explanation("closures cannot be used here", help)
}

/// Returns the loop that replaces `list.filter(|unit| …)` or `list.filter(unit => …)`, as a remedy.
fn loop_of(text: &str, at: usize) -> Option<String> {
    let (head, rest) = (text[..at].trim_end(), &text[at..]);
    let (head, name, body) = if let Some(rest) = rest.strip_prefix('|') {
        let (name, body) = rest.split_once('|')?;
        (head, name.trim(), body)
    } else {
        let body = rest.strip_prefix("=>")?;
        let is_enclosed = head.ends_with(')');
        let head = head.trim_end_matches(')');
        let before = head.trim_end_matches(is_part_of_name);
        let name = &head[before.len()..];
        (before.strip_suffix('(').filter(|_| is_enclosed).unwrap_or(before), name, body)
    };
    let call = head.trim_end().strip_suffix('(')?;
    let before = call.trim_end_matches(is_part_of_name);
    let list = before.strip_suffix('.')?;
    let start = list.rfind(|c| !is_part_of_name(c) && c != '.').map_or(0, |at| at + 1);
    let list = list.get(start..).filter(|list| !list.is_empty())?;
    if name.is_empty() || !is_name(name) {
        return None;
    }
    let body = body.lines().next().and_then(|line| Some(&line[..closed(line)?])).unwrap_or_default().trim();
    let is_test =
        ["filter", "find", "any", "some", "all", "every", "retain", "where"].contains(&&call[before.len()..]);
    let inside = if is_test && !body.is_empty() && !body.contains('{') && body.len() <= 60 {
        format!("if {body} {{ … }}")
    } else {
        "…".to_owned()
    };
    Some(format!("write a loop: `for {name} in {list} {{ {inside} }}`"))
}

/// Returns the offset of a parenthesis that closes one opened before the line.
fn closed(line: &str) -> Option<usize> {
    let mut depth = 0;
    line.char_indices().find_map(|(at, c)| {
        match c {
            '(' => depth += 1,
            ')' if depth == 0 => return Some(at),
            ')' => depth -= 1,
            _ => {}
        }
        None
    })
}

/// Explains `this` without a memory.
pub(crate) fn no_memory() -> Explanation {
    let help = "declare memory, for example `const MEMORY = #{ angle: 0.0 };`, and use it in steer or in functions of events";
    ("`this` needs a MEMORY".to_owned(), Some(help.to_owned()))
}
