//! Explanations of forms of other languages that scripts do not have: words for nothing, and closures.

use super::text::{is_name, is_part_of_name};
use crate::messages::words::{Explanation, explanation};

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
