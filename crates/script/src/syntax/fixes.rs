//! Fixes of syntax errors. Each is tried: the parser must get further with it.

use std::ops::Range;
use steerbox_core::world::Extrema;

use steerbox_core::diagnostics::{Fault, Fix, LookAlike, closest, closing, offset_of, quotes};
use steerbox_core::text::TextEdit;

use super::forms;
use super::site::{Site, arguments, code_end, end_of_block, operand_after};
use super::text::{Missing, Open, Source, is_part_of_name, misspelled_function};
use crate::api;
use crate::foreign::{self, By};

/// Returns the possible fixes of the error at which the parser stopped, the likeliest first; `token` is the one that it
/// misses.
pub(crate) fn fixes(text: &str, at: usize, open: Option<Open>, token: &str) -> impl Iterator<Item = Fix> {
    let of_bracket = open.and_then(|open| bracket(text, open));
    let rest = || [forms::fix(text, at), of_token(text, at, token)];
    let others = if open.is_none() { rest() } else { [None, None] };
    std::iter::once(of_bracket).chain(others).flatten()
}

/// Returns the likely fix of the token at which the parser stopped.
fn of_token(text: &str, at: usize, token: &str) -> Option<Fix> {
    let (head, rest) = (&text[..at], &text[at..]);
    let end = code_end(head);
    if let Some((word, at)) = misspelled_function(text, at) {
        return Some(Fix::replace("write `fn`", at..at + word.len(), "fn"));
    }
    keyword(text, at).or_else(|| symbol(text, at)).or_else(|| {
        let insert = |token: &str| Some(Fix::insert(format!("insert `{token}`"), end, token));
        let is_adjacent = end == at;
        if is_adjacent
            && head.ends_with(|c: char| c.is_ascii_digit())
            && rest.starts_with(char::is_alphabetic)
        {
            return unit(text, at);
        }
        let is_head = || head[head.rfind('\n').map_or(0, |end| end + 1)..].trim_start().starts_with("fn ");
        match token {
            _ if is_head() && (rest.starts_with(':') || head.ends_with('-') || rest.starts_with("->")) => {
                types(text, at)
            }
            ";" | "," | ")" if rest.starts_with(':') => typed(text, at),
            ";" if rest.starts_with(',') => comma(text, at),
            ";" if !head[end..].contains('\n') && declares(head) => Some(Fix::insert("insert `=`", at, "= ")),
            ";" | "{" | "," if rest.starts_with("as ") => {
                let length = 3 + rest[3..].find(|c| !is_part_of_name(c)).unwrap_or(rest.len() - 3);
                Some(Fix::replace("leave it out", end..at + length, ""))
            }
            ";" if rest.starts_with('{') => {
                let line = head.rfind('\n').map_or(0, |end| end + 1);
                Some(Fix::insert("insert `fn`", line, "fn "))
            }
            ";" | "," if is_adjacent && rest.starts_with('"') => {
                let letter = head.char_indices().next_back()?.0;
                formatted(text, letter).or_else(|| Some(Fix::replace("leave out the letter", letter..at, "")))
            }
            "{" if rest.starts_with(';') => Some(Fix::replace("leave out the `;`", at..at + 1, "")),
            ")" if rest.starts_with(',') => {
                let open = head.rfind('(').filter(|open| !head[..*open].ends_with(is_part_of_name))?;
                Some(Fix::insert("write `vec(…)`", open, api::VECTOR))
            }
            ";" if head[end..].contains('\n') => insert(";"),
            "," => insert(","),
            _ => None,
        }
    })
}

/// Returns the fix of a parameter whose default is outside of its range, or whose range is upside down.
pub(crate) fn param(source: Source<'_>, fault: &Fault) -> Option<Fix> {
    let start = source.underlined(fault).start;
    let site = Site::read(source.text, start).filter(|site| source.text[site.name.clone()] == *"param")?;
    let part = |range: &Range<usize>| &source.text[range.clone()];
    let arguments = site.arguments?;
    let (default, least, most) = match &arguments[..] {
        [default, least, most] => (default, least, most),
        [default, words] if part(words).starts_with('[') => {
            let words = part(words).split('"').skip(1).step_by(2);
            let near =
                closest(part(default).trim_matches('"'), words.clone()).or_else(|| words.clone().next());
            let new = format!("\"{}\"", near?);
            return Some(Fix::replace(format!("write {new}"), default.clone(), new));
        }
        _ => return None,
    };
    let [v, low, high] = [default, least, most].map(|range| part(range).parse::<f64>().ok());
    let (low, high) = (low?, high?);
    let nearest = |v: f64| if v < low.lesser(high) { low <= high } else { low > high };
    let clamped = |v: f64| TextEdit::replace(default.clone(), part(if nearest(v) { least } else { most }));
    let is_inside = |v: &f64| (low.lesser(high)..=low.greater(high)).contains(v);
    if low > high {
        let mut edits =
            vec![TextEdit::replace(least.clone(), part(most)), TextEdit::replace(most.clone(), part(least))];
        edits.extend(v.filter(|v| !is_inside(v)).map(clamped));
        return Some(Fix::new("exchange least and most", edits));
    }
    let edit = clamped(v.unwrap_or(low - 1.0));
    Some(Fix::new(format!("write {}", edit.text), vec![edit]))
}

/// Returns the fix of a memory at the offset of its name: a field that starts as a number, or a map.
pub(crate) fn memory(text: &str, at: usize, field: Option<&str>) -> Option<Fix> {
    let start = at + text[at..].find('=')? + 1;
    let Some(field) = field else {
        let length = text[start..].find(';')?;
        return Some(Fix::replace("write a map", start..start + length, " #{ angle: 0.0 }"));
    };
    let name = start + text[start..].find(&format!("{field}:"))?;
    let value = operand_after(text, name + field.len() + 1)?;
    Some(Fix::replace("start as `0.0`", value, "0.0"))
}

/// Adapts a fix of a repaired text to the original one; `None` if they differ in a replaced part.
pub(crate) fn of_original(source: Source<'_>, now: &str, fix: Fix) -> Option<Fix> {
    let edits = fix.edits.iter().map(|edit| {
        let place = |at| steerbox_core::diagnostics::line_and_column(now, at);
        let [start, end] = [edit.range.start, edit.range.end].map(|at| offset_of(source.text, place(at)));
        let is_same = source.text.get(start..end) == now.get(edit.range.clone());
        is_same.then(|| TextEdit::replace(start..end, edit.text.clone()))
    });
    Some(Fix::new(fix.title, edits.collect::<Option<_>>()?))
}

fn bracket(text: &str, open: Open) -> Option<Fix> {
    Some(match open {
        Open::Comment(at) => Fix::replace("write `//`", at..at + 2, "//"),
        Open::Text(at) => {
            let line = text[at..].lines().next()?;
            let quote = line.chars().next()?;
            let length = line.trim_end_matches([' ', '\t', '\r', ';', ')', ',']).len().max(1);
            Fix::insert(format!("close the text with `{quote}`"), at + length, quote)
        }
        Open::Bracket(bracket, _, Some(Missing::Before(_, end) | Missing::AtEnd(end))) => {
            let closing = closing(bracket);
            Fix::insert(format!("insert `{closing}`"), code_end(&text[..end]), closing)
        }
        Open::Bracket('{', at, None) => {
            let (end, indent) = end_of_block(text, at);
            Fix::insert("insert `}`", end, format!("\n{indent}}}"))
        }
        Open::Bracket(bracket, at, None) => {
            let line = at + text[at..].lines().next()?.len();
            let closing = closing(bracket);
            Fix::insert(format!("insert `{closing}`"), code_end(&text[..line]), closing)
        }
        Open::Hidden(at) => Fix::replace("write `/`", at..at + 2, "/"),
        Open::Nothing(bracket, at) => Fix::replace(format!("leave out the `{bracket}`"), at..at + 1, ""),
    })
}

/// Returns the fix of a keyword of another language at an offset, or before it.
fn keyword(text: &str, at: usize) -> Option<Fix> {
    let head = text[..at].trim_end();
    let before = head.trim_end_matches(is_part_of_name).len();
    let word_at = |at: usize| {
        let rest = &text[at..];
        &rest[..rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len())]
    };
    [at, before].into_iter().filter(|at| !text[..*at].ends_with('.')).find_map(|at| {
        let word = word_at(at);
        let end = at + word.len();
        let write = |by: &str| Some(Fix::replace(format!("write `{by}`"), at..end, by));
        let spaced = || end + text[end..].len() - text[end..].trim_start_matches(' ').len();
        match foreign::replacement(word) {
            By::Text(by) => write(by),
            By::Joined("") => Some(Fix::replace(format!("leave out `{word}`"), at..spaced(), "")),
            By::Joined(by) => Some(Fix::replace(format!("write `{by}`"), at..spaced(), by)),
            By::LowerCase => write(&word.to_lowercase()),
            By::Other if foreign::is_nothing(word) => write("()"),
            By::Other => None,
        }
    })
}

/// Returns the fix of a symbol of another language at an offset.
fn symbol(text: &str, at: usize) -> Option<Fix> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let first = line + text[line..].len() - text[line..].trim_start().len();
    let marks = ["#", "--", "%"];
    if let Some(mark) = marks.iter().find(|mark| text[first..].starts_with(**mark) && first <= at) {
        return Some(Fix::replace("write `//`", first..first + mark.len(), "//"));
    }
    if let Some(rest) = text[at..].strip_prefix("++").or_else(|| text[at..].strip_prefix("--")) {
        let name = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
        if name > 0 {
            let by = format!("{} {}= 1", &rest[..name], &text[at..=at]);
            return Some(Fix::replace(format!("write `{by}`"), at..at + 2 + name, by));
        }
    }
    if text[at..].starts_with('.') && text[at + 1..].starts_with(|c: char| c.is_ascii_digit()) {
        return Some(Fix::insert("write a digit before the point", at, "0"));
    }
    if text[at..].starts_with('&') {
        return Some(Fix::replace("leave out the `&`", at..at + 1, ""));
    }
    if text[at..].starts_with('°') {
        let start = text[..at].trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
        let by = format!("({} * PI / 180.0)", &text[start..at]);
        return Some(Fix::replace(format!("write `{by}`"), start..at + '°'.len_utf8(), by));
    }
    // The parser may stop within a symbol.
    let starts = [at, at.saturating_sub(1), at.saturating_sub(2)];
    for at in starts.into_iter().filter(|at| text.is_char_boundary(*at)) {
        let rest = &text[at..];
        if let Some((symbol, by)) = foreign::leading_operator(rest) {
            return Some(Fix::replace(format!("write `{}`", by.trim()), at..at + symbol.len(), by));
        }
        if let Some(found) = LookAlike::at(text, at) {
            return Some(found.fix);
        }
    }
    let rest = &text[at..];
    if rest.starts_with('=') && !rest.starts_with("=>") {
        return Some(Fix::replace("write `==`", at..at + 1, "=="));
    }
    if rest.starts_with('#') {
        return Some(Fix::replace("write `//`", at..at + 1, "//"));
    }
    if rest.starts_with(':') && text[..at].ends_with(is_part_of_name) {
        let is_name = rest[1..].starts_with(char::is_alphabetic);
        return is_name.then(|| Fix::replace("write a dot", at..at + 1, "."));
    }
    quotes(text, at)
}

/// Returns the fix of a text with values, `f"{a}"`, at its letter.
fn formatted(text: &str, letter: usize) -> Option<Fix> {
    let inside = text[letter..].strip_prefix("f\"")?;
    let inside = &inside[..inside.find('"')?];
    let new = format!("`{}`", inside.replace('{', "${"));
    let range = letter..letter + inside.len() + 3;
    (!inside.contains('`')).then(|| Fix::replace("write it between backticks", range, new))
}

/// Returns the fix of letters behind a number.
fn unit(text: &str, at: usize) -> Option<Fix> {
    let (head, rest) = (&text[..at], &text[at..]);
    let start = head.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.').len();
    let letters = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
    let number = &text[start..at];
    let replace = |by: String| Some(Fix::replace(format!("write `{by}`"), start..at + letters, by));
    match &rest[..letters] {
        "deg" | "degrees" => replace(format!("({number} * PI / 180.0)")),
        "f" if !number.contains('.') => replace(format!("{number}.0")),
        "f" | "rad" | "s" | "sec" | "px" | "m" => replace(number.to_owned()),
        word => replace(format!("({number} * {word})")),
    }
}

/// Returns true if a text ends with the declaration of a variable without a value.
fn declares(head: &str) -> bool {
    let line = head.lines().next_back().unwrap_or_default().trim();
    line.strip_prefix("let ").is_some_and(|name| name.trim().chars().all(is_part_of_name))
}

/// Returns the fix of a comma outside of brackets: of a decimal, a vector, or a second variable.
fn comma(text: &str, at: usize) -> Option<Fix> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let head = text[line..at].trim_start();
    let tail = text[at + 1..].split([';', '\n', '}']).next()?;
    if head.starts_with("let ") {
        return Some(Fix::replace("declare them one by one", at..at + 1, "; let"));
    }
    if head.ends_with(|c: char| c.is_ascii_digit()) && tail.starts_with(|c: char| c.is_ascii_digit()) {
        return Some(Fix::replace("write a point", at..at + 1, "."));
    }
    let start = at - head.strip_prefix("return ").unwrap_or(head).len();
    let edits = vec![TextEdit::insert(start, "vec("), TextEdit::insert(at + 1 + tail.trim_end().len(), ")")];
    Some(Fix::new("write `vec(…)`", edits))
}

/// Returns the fix that removes the types of a function's head.
fn types(text: &str, at: usize) -> Option<Fix> {
    let line = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let open = line + text[line..].find('(')?;
    let (parameters, after) = arguments(text, open)?;
    let typed = parameters.into_iter().filter_map(|parameter| {
        let colon = parameter.start + text[parameter.clone()].find(':')?;
        Some(TextEdit::replace(colon..parameter.end, ""))
    });
    let mut edits: Vec<_> = typed.collect();
    let brace = after + text[after..].find('{')?;
    if text[after..brace].trim_start().starts_with("->") {
        edits.push(TextEdit::replace(after..brace, " "));
    }
    (!edits.is_empty()).then(|| Fix::new("leave out the types", edits))
}

/// Returns the fix that removes the type of a variable.
fn typed(text: &str, at: usize) -> Option<Fix> {
    let rest = &text[at..];
    let end = rest.find(['=', ';'])?;
    let part = rest[..end].trim_end();
    let is_type = part[1..].trim().chars().all(|c| is_part_of_name(c) || "<>".contains(c));
    is_type.then(|| Fix::replace("leave out the type", at..at + part.len(), ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn symbols_and_keywords_of_other_languages_are_rewritten() {
        for (text, token, fixed) in [
            ("if a §and b {}", "{", "if a && b {}"),
            ("a §≠ b", ";", "a != b"),
            ("let n§: int = 0;", ";", "let n = 0;"),
            ("let a = 90§deg;", ";", "let a = (90 * PI / 180.0);"),
            ("let a = (1§, 2);", ")", "let a = vec(1, 2);"),
            ("a.is(§'fish')", "", "a.is(\"fish\")"),
            ("a // b\n§c", ";", "a; // b\nc"),
        ] {
            let at = text.find('§').expect("it marks the error");
            let text = text.replace('§', "");
            let found = of_token(&text, at, token).and_then(|fix| fix.apply(&text));
            assert_eq!(found.as_deref(), Some(fixed));
        }
    }
}
