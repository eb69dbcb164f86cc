//! Explanations of values without a comma between them.

use ron::error::Error;
use steerbox_core::diagnostics::Fix;
use steerbox_core::text::TextEdit;

use super::innermost::innermost;
use super::mistakes;
use crate::{
    node::Node,
    remedy,
    tokens::{Token, TokenKind, tokens},
    words::{RangeFault, quoted, short},
};

/// Explains a missing comma. It belongs after the previous value, which may be lines above the position of the parser's
/// error.
pub(super) fn explain(text: &str, at: usize) -> RangeFault {
    let end = last_value_end(text, at);
    let start =
        text[..end].rfind(|c: char| c.is_whitespace() || "([{:,".contains(c)).map_or(0, |before| before + 1);
    let start = text.floor_char_boundary(start.min(end.saturating_sub(1)));
    // Only the end of a value in brackets is underlined.
    let is_closed = text[..end].ends_with([')', ']', '}']);
    let start = if is_closed { end - 1 } else { start };
    let found = |message: String| RangeFault::new(start..end, message);
    let comma = || Fix::insert("insert a comma", end, ",");
    let first = &text[start..end];
    let word = first.starts_with(char::is_alphabetic) && !first.contains(['"', '\'']);
    if word && text[at..].starts_with(['{', '[']) {
        let message = format!("the fields of {} are in parentheses", quoted(first));
        return RangeFault::new(at..at + 1, message)
            .help(format!("write {}( … )", short(first)))
            .fixed(mistakes::rebracketed(text, at, '('));
    }
    let next =
        text[at..].split(|c: char| c.is_whitespace() || ",:()[]{}".contains(c)).next().unwrap_or_default();
    if text[at..].starts_with(':') {
        return match first.strip_prefix('"') {
            Some(name) => {
                let name = quoted(name.trim_end_matches('"'));
                found("the name of a field is written without quotes".to_owned())
                    .help(format!("write {name}"))
                    .fixed(mistakes::quoted_name(text, start))
            }
            None => unnamed(text, at).unwrap_or_else(|| {
                found("values with and without a name do not mix".to_owned()).help("name each value, or none")
            }),
        };
    }
    if word && end == at && next.starts_with('-') {
        let name = format!("{first}{next}");
        let found = found(format!("{} is not a name", quoted(&name)));
        let found = found.help("names have letters, digits and _ only");
        return found.write(start..at + next.len(), name.replace('-', "_"));
    }
    if next.is_empty() || next.chars().all(|c| c.is_ascii_punctuation() && c != '"') {
        let here = at..at + text[at..].chars().next().map_or(0, char::len_utf8);
        let what = quoted(&text[here.clone()]);
        let is_value = text[at..].starts_with(['(', '[', '{']);
        let found = RangeFault::new(here, format!("expected a comma here, not {what}"));
        return found.fixed(is_value.then(comma));
    }
    let value = text[..start].trim_end().ends_with(':');
    let next = quoted(next);
    if word && !value {
        let found = found(format!("a colon or a comma is missing between this and {next}"));
        let is_item = innermost(text, at).is_some_and(|(_, bracket)| bracket == '[');
        return match mistakes::named(text, at) {
            _ if is_item => found.fixed([comma()]),
            false => found.fixed([Fix::insert("insert a colon", end, ":")]),
            true => found,
        };
    }
    let found = found(format!("a comma is missing between this and {next}"));
    let fix = if word && !mistakes::named(text, at) { words(text, start) } else { Some(comma()) };
    let found = found.fixed(fix);
    if word {
        return found.help("a text of several words is written in \"quotes\"");
    }
    found
}

/// Detects fields in a list without the parentheses of their item: `[script: "q"]`; the colon is at `at`.
fn unnamed(text: &str, at: usize) -> Option<RangeFault> {
    let (open, _) = innermost(text, at).filter(|(_, bracket)| *bracket == '[')?;
    let inside = Node { text: &text[open..], start: open };
    let message = "an item of a list with fields is in parentheses";
    Some(
        RangeFault::new(open..open + 1, message)
            .help(remedy::item(&inside.parts('[')?))
            .fixed(items(text, open)),
    )
}

/// Returns the fix that puts the fields in a list into parentheses. A repeated name begins the next item.
fn items(text: &str, open: usize) -> Option<Fix> {
    let inside = Node { text: &text[open..], start: open };
    let mut items: Vec<(usize, usize)> = Vec::new();
    let mut names = Vec::new();
    for (name, value) in inside.parts('[')? {
        let name = name?;
        match items.last_mut() {
            Some((_, end)) if !names.contains(&name.text) => *end = value.range().end,
            _ => {
                names.clear();
                items.push((name.start, value.range().end));
            }
        }
        names.push(name.text);
    }
    let edits =
        items.iter().flat_map(|(start, end)| [TextEdit::insert(*start, "("), TextEdit::insert(*end, ")")]);
    Some(Fix::new("put the fields in parentheses", edits.collect()))
}

/// Returns the fix that puts several words in quotes.
fn words(text: &str, start: usize) -> Option<Fix> {
    let mut end = start;
    for token in tokens(&text[start..]) {
        match token.kind {
            TokenKind::Plain if !text[end..start + token.range.start].contains('\n') => {
                end = start + token.range.end;
            }
            TokenKind::Comma | TokenKind::Close(_) => break,
            _ => return None,
        }
    }
    Some(Fix::replace("put it in quotes", start..end, format!("\"{}\"", &text[start..end])))
}

/// Detects an unclosed text in a line with an odd number of quotes, where the parser misses a comma or a colon.
pub(super) fn text_not_closed(text: &str, at: usize, error: &Error) -> Option<RangeFault> {
    if !matches!(error, Error::ExpectedComma | Error::ExpectedMapColon) {
        return None;
    }
    // A text that contains the end of its line was closed by the start of the next one.
    let is_spread = |token: &Token| {
        token.kind == TokenKind::Quoted && text[token.range.clone()].contains('\n') && token.range.end >= at
    };
    let spread = tokens(text).take_while(|token| token.range.start <= at).find(is_spread);
    let at = spread.map_or(at, |token| token.range.start);
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let is_odd = line.matches('"').count() % 2 == 1;
    let first = start + line.find('"').filter(|_| is_odd)?;
    let found = RangeFault::new(first..first + 1, "a text in this line is not closed");
    Some(found.help("every text begins and ends with `\"`").fixed(closing_quote(text, first)))
}

/// Returns the fix that closes a text of a line with an odd number of quotes, the first at `first`: the first text that
/// contains the start of another field, or else the last one.
pub(super) fn closing_quote(text: &str, first: usize) -> Option<Fix> {
    let line = text[first..].lines().next()?;
    let mut at = 0;
    loop {
        let open = at + line[at..].find('"')? + 1;
        let end = line[open..].find('"').map(|length| open + length);
        let inside = &line[open..end.unwrap_or(line.len())];
        if let Some(length) = before_field(inside) {
            return Some(Fix::insert("close the text", first + open + length, "\""));
        }
        let Some(end) = end else {
            let length = inside.trim_end_matches([' ', '\t', ',', ')', ']', '}']).len();
            return Some(Fix::insert("close the text", first + open + length, "\""));
        };
        at = end + 1;
    }
}

/// Returns the length of a text before a comma with the name of a field behind it.
fn before_field(inside: &str) -> Option<usize> {
    let mut commas = inside.match_indices(',');
    let comma = commas.find(|(at, _)| {
        let rest = inside[at + 1..].trim_start();
        let name = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
        name > 0 && rest[name..].trim_start().starts_with(':')
    });
    comma.map(|(at, _)| inside[..at].trim_end_matches([')', ']', '}']).len())
}

/// Returns the end of the last token before `at` that is not a comment.
fn last_value_end(text: &str, at: usize) -> usize {
    let solid = tokens(&text[..at]).filter(|token| token.kind != TokenKind::Comment);
    solid.last().map_or(0, |token| token.range.end)
}
