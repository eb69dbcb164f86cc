//! Fixes of whole statements in the form of another language.

use std::ops::Range;

use steerbox_core::diagnostics::Fix;
use steerbox_core::text::TextEdit;

use super::site::{arguments, end_of_block, operand_after};
use super::text::is_part_of_name;
use crate::api;
use crate::foreign;

/// The statement around an offset: a part of its line.
struct Line<'a> {
    text: &'a str,
    /// The offset of its first character that is not a space.
    start: usize,
    /// Its code, without the `;` at the end.
    code: &'a str,
}

impl<'a> Line<'a> {
    fn of(text: &'a str, at: usize) -> Self {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = text[start..].lines().next().unwrap_or_default();
        let code = line.trim();
        let start = start + line.len() - line.trim_start().len();
        Self { text, start, code: code.strip_suffix(';').unwrap_or(code) }
    }

    fn replace(&self, new: String) -> Fix {
        Fix::replace(format!("write `{new}`"), self.start..self.start + self.code.len(), new)
    }
}

/// Returns the fix of the statement in which the parser stopped.
pub(super) fn fix(text: &str, at: usize) -> Option<Fix> {
    let line = Line::of(text, at);
    let forms: [fn(&Line<'_>) -> Option<Fix>; 6] =
        [counting, condition_behind, choice, taken_apart, in_a_row, if_let];
    forms
        .iter()
        .find_map(|form| form(&line))
        .or_else(|| converted(text, at))
        .or_else(|| word(text, at))
        .or_else(|| block_without_braces(&line, at))
        .or_else(|| library(&line))
}

/// `for (let i = 0; i < n; i++)` becomes `for i in 0..n`.
fn counting(line: &Line<'_>) -> Option<Fix> {
    let open = line.code.find("for (").or_else(|| line.code.find("for("))?;
    let open = open + line.code[open..].find('(')?;
    let (_, end) = arguments(line.code, open)?;
    let mut parts = line.code[open + 1..end - 1].split(';').map(str::trim);
    let (first, test, step) = (parts.next()?, parts.next()?, parts.next()?);
    let (name, from) = first.split_once('=').map(|(name, from)| (name.trim(), from.trim()))?;
    let name = name.rsplit(' ').next()?;
    let (most, range) = match test.strip_prefix(name)?.trim_start() {
        test if test.starts_with("<=") => (&test[2..], "..="),
        test => (test.strip_prefix('<')?, ".."),
    };
    let step: String = step.split_whitespace().collect();
    let is_by_one = [format!("{name}++"), format!("++{name}"), format!("{name}+=1")].contains(&step);
    let new = format!("{name} in {from}{range}{}", most.trim());
    let range = line.start + open..line.start + end;
    is_by_one.then(|| Fix::replace(format!("write `for {new}`"), range, new))
}

/// `a if b else c` becomes `if b { a } else { c }`.
fn condition_behind(line: &Line<'_>) -> Option<Fix> {
    let (value, rest) = line.code.split_once(" if ")?;
    let (condition, other) = rest.split_once(" else ")?;
    let (head, value) = split_head(value);
    let is_plain = !value.is_empty() && !line.code.contains(['{', '}']);
    is_plain.then(|| line.replace(format!("{head}if {condition} {{ {value} }} else {{ {other} }}")))
}

/// `a ? b : c` becomes `if a { b } else { c }`.
fn choice(line: &Line<'_>) -> Option<Fix> {
    let (condition, rest) = line.code.split_once(" ? ")?;
    let (value, other) = rest.split_once(" : ")?;
    let (head, condition) = split_head(condition);
    let is_plain = !line.code.contains(['{', '}']) && !other.contains(" ? ");
    let condition = condition.replace("===", "==").replace("!==", "!=");
    is_plain.then(|| line.replace(format!("{head}if {condition} {{ {value} }} else {{ {other} }}")))
}

/// Splits the start of a statement from its value.
fn split_head(code: &str) -> (&str, &str) {
    let assigned = || Some(code.find(" = ")? + 3);
    let head = if code.starts_with("return ") { Some(7) } else { assigned() };
    code.split_at(head.unwrap_or(0))
}

/// `let (a, b) = (1, 2)` becomes `let a = 1; let b = 2`.
fn taken_apart(line: &Line<'_>) -> Option<Fix> {
    let (names, values) = line.code.strip_prefix("let ")?.split_once('=')?;
    let items = |code: &str| -> Option<Vec<String>> {
        let open = code.find(['(', '['])?;
        let (items, _) = arguments(code, open)?;
        Some(items.into_iter().map(|item| code[item].to_owned()).collect())
    };
    let (names, values) = (items(names)?, items(values)?);
    let is_even = names.len() == values.len();
    let declared = names.iter().zip(&values).map(|(name, value)| format!("let {name} = {value}"));
    is_even.then(|| line.replace(declared.collect::<Vec<_>>().join("; ")))
}

/// `let a = b = 3` becomes `let b = 3; let a = b`.
fn in_a_row(line: &Line<'_>) -> Option<Fix> {
    let mut parts = line.code.split(" = ");
    let (first, second, value) = (parts.next()?, parts.next()?, parts.next()?);
    let is_plain = parts.next().is_none() && second.chars().all(is_part_of_name);
    let declares = if first.starts_with("let ") { "let " } else { "" };
    is_plain.then(|| line.replace(format!("{declares}{second} = {value}; {first} = {second}")))
}

/// `if let x = y {` becomes `let x = y; if x != () {`.
fn if_let(line: &Line<'_>) -> Option<Fix> {
    let (name, _) = line.code.strip_prefix("if let ")?.split_once('=')?;
    let open = line.start + line.code.find('{')?;
    let end = line.text[..open].trim_end().len();
    let edits = vec![
        TextEdit::replace(line.start..line.start + "if let".len(), "let"),
        TextEdit::insert(end, format!("; if {} != ()", name.trim())),
    ];
    Some(Fix::new("declare it first", edits))
}

/// Returns the fix of the word or bracket at which the parser stopped.
fn word(text: &str, at: usize) -> Option<Fix> {
    let (head, rest) = (&text[..at], &text[at..]);
    let length = rest.find(|c| !is_part_of_name(c)).unwrap_or(rest.len());
    let word = &rest[..length];
    let range = at..at + length;
    match word {
        "break" | "continue" => Some(Fix::replace("write `return ()`", range, "return ()")),
        api::IS => {
            let value = rest[length..].trim_start();
            let end = value.find(|c| !is_part_of_name(c)).unwrap_or(value.len());
            let range = at..text.len() - value.len() + end;
            foreign::is_nothing(&value[..end]).then(|| Fix::replace("write `== ()`", range, "== ()"))
        }
        "new" => {
            let class = rest[length..].trim_start();
            let end = class.find(|c| !is_part_of_name(c))?;
            let is_vector = class[..end].to_lowercase().contains(api::VECTOR);
            let range = at..text.len() - class.len() + end;
            let new = api::VECTOR;
            (is_vector && class[end..].starts_with('('))
                .then(|| Fix::replace(format!("write `{new}`"), range, new))
        }
        "then" | "THEN" | "begin" => between(text, range),
        "fn" => {
            let name = rest[length..].trim_start();
            let end = text.len() - name.len() + name.find(|c| !is_part_of_name(c))?;
            Some(Fix::insert("give it another name", end, "_2"))
        }
        _ if !word.is_empty() && head.trim_end().ends_with("let") => {
            let edits = places(text, word).map(|place| TextEdit::insert(place.end, "_"));
            let is_reserved = foreign::word(word).is_some();
            is_reserved.then(|| Fix::new(format!("rename it `{word}_`"), edits.collect()))
        }
        name if rest[length..].trim_start().starts_with('=') => {
            let constant = format!("const {name} ");
            let at = head.rfind(&constant).filter(|at| head[..*at].ends_with(' '))?;
            Some(Fix::replace("declare it with `let`", at..at + "const".len(), "let"))
        }
        number if number.parse::<f32>().is_ok() && head.trim_end().ends_with("while") => {
            Some(Fix::replace("write `true`", range, "true"))
        }
        _ => None,
    }
}

/// Writes braces instead of a word and the `end` of its block.
fn between(text: &str, begin: Range<usize>) -> Option<Fix> {
    let rest = &text[begin.end..];
    let line = begin.end + rest.find('\n').unwrap_or(rest.len());
    let is_end = |words: &str| {
        let mut words = words.split_whitespace();
        words.next().is_some_and(|word| foreign::replacement(word) == foreign::By::Text("}"))
    };
    let end = if let Some(head) = text[begin.end..line].strip_suffix(" end") {
        begin.end + head.len() + 1..line
    } else {
        let (block, _) = end_of_block(text, begin.start);
        let last = block + text[block..].find(|c: char| !c.is_whitespace())?;
        last..last + text[last..].lines().next()?.trim_end().len()
    };
    is_end(&text[end.clone()]).then(|| {
        Fix::new("put the block in braces", vec![TextEdit::replace(begin, "{"), TextEdit::replace(end, "}")])
    })
}

/// `(float) x` becomes `to_float(x)`.
fn converted(text: &str, at: usize) -> Option<Fix> {
    let head = text[..at].trim_end();
    let open = head.strip_suffix(')')?.rfind('(')?;
    let value = operand_after(text, at)?;
    let written = &text[value.clone()];
    let new = match &head[open + 1..head.len() - 1] {
        "float" | "double" | "f32" => format!("to_float({written})"),
        "int" | "i32" => format!("to_int({written})"),
        _ => return None,
    };
    Some(Fix::replace(format!("write `{new}`"), open..value.end, new))
}

/// Returns the places of a word.
fn places<'a>(text: &'a str, word: &'a str) -> impl Iterator<Item = Range<usize>> + 'a {
    text.match_indices(word).map(|(at, word)| at..at + word.len()).filter(move |place| {
        !text[..place.start].ends_with(is_part_of_name) && !text[place.end..].starts_with(is_part_of_name)
    })
}

/// Puts the branch of an `if` in braces: the rest of the line, or the lines below that are indented more.
fn block_without_braces(line: &Line<'_>, at: usize) -> Option<Fix> {
    let is_head = ["if ", "else", "for ", "while ", "elif "].iter().any(|word| line.code.starts_with(word));
    if !is_head || line.code.contains('{') || at < line.start {
        return None;
    }
    let end = line.start + line.code.len();
    if line.text[at..].starts_with(':') && line.code.ends_with(':') {
        let (block, indent) = end_of_block(line.text, at);
        let edits =
            vec![TextEdit::replace(at..at + 1, " {"), TextEdit::insert(block, format!("\n{indent}}}"))];
        return Some(Fix::new("put the block in braces", edits));
    }
    let is_inside = line.start < at && at < end && line.text[..at].ends_with(' ');
    let end = end + usize::from(line.text[end..].starts_with(';'));
    let edits = vec![TextEdit::insert(at, "{ "), TextEdit::insert(end, " }")];
    is_inside.then(|| Fix::new("put the branch in braces", edits))
}

/// Leaves out the import of a library of another language.
fn library(line: &Line<'_>) -> Option<Fix> {
    let first = line.code.split(' ').next()?;
    let is_import = ["use", "require", "include", "using", "from", "package"].contains(&first);
    let end = line.start + line.code.len();
    let end = end + usize::from(line.text[end..].starts_with(';'));
    is_import.then(|| Fix::replace("leave out the line", line.start..end, ""))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn statements_of_other_languages_are_rewritten() {
        for (text, fixed) in [
            ("for §(let i = 0; i < n; i++) {", "for i in 0..n {"),
            ("  1.0 §if a > 3 else 0.0", "  if a > 3 { 1.0 } else { 0.0 }"),
            ("return a === 3 §? b : c;", "return if a == 3 { b } else { c };"),
            ("let §(a, b) = (1, f(2, 3));", "let a = 1; let b = f(2, 3);"),
            ("let a = b §= 3;", "let b = 3; let a = b;"),
            ("if §let x = f() { 1 }", "let x = f(); if x != () { 1 }"),
            ("if a §is None { 1 }", "if a == () { 1 }"),
            ("§new Vector2(1, 0)", "vec(1, 0)"),
            ("while §1 { }", "while true { }"),
            ("let §match = 1;\nmatch", "let match_ = 1;\nmatch_"),
            ("if a > 3 §return 1;", "if a > 3 { return 1; }"),
            ("if a > 3§:\n    1\n2", "if a > 3 {\n    1\n}\n2"),
            ("§use std::f32;\n", "\n"),
            ("if a > 3 §then return 1 end", "if a > 3 { return 1 }"),
            ("if a > 3 §then\n  1\nend\n2", "if a > 3 {\n  1\n}\n2"),
            ("(float) §a.b(1) / 2", "to_float(a.b(1)) / 2"),
            ("  const A = 1;\n§A = 2;", "  let A = 1;\nA = 2;"),
        ] {
            let at = text.find('§').expect("it marks the error");
            let text = text.replace('§', "");
            let found = fix(&text, at).and_then(|fix| fix.apply(&text));
            assert_eq!(found.as_deref(), Some(fixed), "{text}");
        }
    }
}
