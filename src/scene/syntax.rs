//! Explanations of syntax faults, from the RON parser's error and its position.

use std::borrow::Cow;
use std::ops::Range;

use ron::error::Error;
use serde::{Deserialize, de::IgnoredAny};

use super::{
    color::Color,
    node::Node,
    remedy,
    span::Lines,
    tokens::{Token, TokenKind, tokens},
    words::{RangeFault, quoted, short},
};
use crate::diagnostics::closing;

/// Checks that `text` is one RON value.
///
/// # Errors
/// The first fault; the parser cannot continue after it.
pub(super) fn check(text: &str, lines: &Lines<'_>) -> Result<(), RangeFault> {
    let fault = |error: ron::error::SpannedError| {
        let end = error.span.end;
        explain(text, lines.offset((end.line, end.col)), &error.code, lines)
    };
    if text.trim().is_empty() {
        return Err(RangeFault::new(0..0, "the scene is empty")
            .help("a scene is written ( world: …, bodies: {…}, groups: […] )"));
    }
    let plain = without_first_values(text);
    let mut parser = ron::Deserializer::from_str(&plain).map_err(fault)?;
    if text.trim_start().starts_with("#!") {
        let start = text.len() - text.trim_start().len();
        return Err(
            RangeFault::new(start..start + 2, "a scene takes no attributes").help("leave out this line")
        );
    }
    IgnoredAny::deserialize(&mut parser)
        .and_then(|_| parser.end())
        .map_err(|error| fault(parser.span_error(error)))
}

/// Replaces each value before named ones, as in `Signal("fear", from: 0)`, by blanks: RON has no such form. Lines and
/// columns are preserved.
fn without_first_values(text: &str) -> Cow<'_, str> {
    use TokenKind::{Colon, Comma, Open, Plain, Quoted};
    const FORM: [TokenKind; 6] = [Plain, Open('('), Quoted, Comma, Plain, Colon];
    if !text.contains("Signal") {
        return Cow::Borrowed(text);
    }
    let solid = tokens(text).filter(|token| token.kind != TokenKind::Comment);
    let solid: Vec<Token> = solid.collect();
    let (mut plain, mut at) = (String::with_capacity(text.len()), 0);
    for form in solid.windows(FORM.len()) {
        let is_signal = text[form[0].range.clone()] == *"Signal";
        if is_signal && form.iter().map(|token| token.kind).eq(FORM) {
            let value = form[2].range.start..form[3].range.end;
            plain.push_str(&text[at..value.start]);
            let blank = |c: char| if c == '\n' { c } else { ' ' };
            plain.extend(text[value.clone()].chars().map(blank));
            at = value.end;
        }
    }
    plain.push_str(&text[at..]);
    Cow::Owned(plain)
}

fn explain(text: &str, at: usize, error: &Error, lines: &Lines<'_>) -> RangeFault {
    let here = at..text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let explanations = [unit_of_measure, hex_color, comment, arithmetic];
    if let Some(found) = explanations.iter().find_map(|explanation| explanation(text, at)) {
        return found;
    }
    let expects_closing = matches!(
        error,
        Error::Eof
            | Error::ExpectedComma
            | Error::ExpectedArrayEnd
            | Error::ExpectedMapEnd
            | Error::ExpectedStructLikeEnd
            | Error::UnexpectedChar(')' | ']' | '}')
    );
    if let Some((open, bracket)) = innermost(text, at).filter(|_| expects_closing) {
        let line = lines.at(open).0;
        match text[at..].chars().next() {
            None => {
                let message = format!("the file ends before this `{bracket}` is closed");
                return RangeFault::new(open..open + 1, message);
            }
            Some(found @ (')' | ']' | '}')) if found != closing(bracket) => {
                let message = format!(
                    "expected `{}` to close the `{bracket}` of line {line}, not `{found}`",
                    closing(bracket)
                );
                return RangeFault::new(here, message);
            }
            _ => {}
        }
    }
    if matches!(error, Error::ExpectedComma) {
        return missing_comma(text, at);
    }
    if let Some(found) = mistaken_map(text, at, error).or_else(|| run_on(text, at, error)) {
        return found;
    }
    let (message, help) = words(error);
    let found = RangeFault::new(pointed(text, here, error), message);
    let outside = matches!(error, Error::TrailingCharacters) && !opens(text);
    match help.or(outside.then_some("a scene is written in parentheses: ( … )")) {
        Some(help) => found.help(help),
        None => found,
    }
}

/// Detects a comment of another language, at an offset or at the start of its line.
fn comment(text: &str, at: usize) -> Option<RangeFault> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let first = start + (text[start..].len() - text[start..].trim_start().len());
    let is_mark = |at: usize| {
        ["#", "--", "%", ";", "<!--", "REM "].into_iter().find(|mark| text[at..].starts_with(mark))
    };
    let (at, mark) = is_mark(at).map(|mark| (at, mark)).or_else(|| Some((first, is_mark(first)?)))?;
    if mark == ";" && at != first {
        let found = RangeFault::new(at..at + 1, "fields and values are parted by `,`, not by `;`");
        return Some(found.help("write `,`"));
    }
    let is_attribute = text[at..].starts_with("#!") || text[at..].starts_with("#[");
    let message = format!("{} begins no comment", quoted(mark.trim_end()));
    let found = RangeFault::new(at..at + mark.trim_end().len(), message);
    (!is_attribute).then(|| found.help("a comment begins with `//`"))
}

/// Detects a color without quotes.
fn hex_color(text: &str, at: usize) -> Option<RangeFault> {
    let digits = text[at..].strip_prefix('#')?;
    let end = at + 1 + digits.find(|c: char| !c.is_alphanumeric()).unwrap_or(digits.len());
    let color = &text[at..end];
    let found = RangeFault::new(at..end, "a color is written in quotes");
    Color::parse(color).map(|_| found.help(format!("write \"{color}\"")))
}

/// Detects arithmetic.
fn arithmetic(text: &str, at: usize) -> Option<RangeFault> {
    let is_sign = |c: char| "+-*/".contains(c);
    // The parser reads `/` as the start of a comment and stops after it.
    let sign =
        if text[at..].starts_with(is_sign) { at } else { text[..at].trim_end().strip_suffix('/')?.len() };
    let before = text[..sign].trim_end_matches(' ').chars().next_back()?;
    let after = text[sign + 1..].trim_start_matches(' ').chars().next()?;
    let is_value = |c: char| c.is_alphanumeric() || ".()".contains(c);
    if text[sign..].starts_with('-') && !before.is_ascii_digit() {
        return None;
    }
    let found = RangeFault::new(sign..sign + 1, "a scene has values, and no arithmetic");
    (is_value(before) && is_value(after)).then(|| found.help("write the result, such as 1.5708"))
}

/// Detects a number with a unit: `270°`, `1.5s`.
fn unit_of_measure(text: &str, at: usize) -> Option<RangeFault> {
    let is_of_number = |c: char| c.is_ascii_digit() || ".+-_".contains(c);
    let is_of_unit = |c: char| c.is_alphabetic() || "°%".contains(c);
    // The parser stops before or after the unit.
    let head = text[..at].trim_end_matches(is_of_unit);
    let number = &head[head.trim_end_matches(is_of_number).len()..];
    let is_in_name = head[..head.len() - number.len()].ends_with(char::is_alphanumeric);
    let value: f32 = number.parse().ok().filter(|_| !is_in_name)?;
    let rest = &text[head.len()..];
    let unit = &rest[..rest.find(|c| !is_of_unit(c)).unwrap_or(rest.len())];
    let (what, value) = match unit.to_lowercase().as_str() {
        "°" | "deg" | "degrees" => ("angles are in degrees", value),
        "rad" => ("angles are in degrees", (value.to_degrees() * 100.0).round() / 100.0),
        "s" | "sec" | "seconds" => ("times are in seconds", value),
        "ms" => ("times are in seconds", value / 1000.0),
        "%" => ("shares are numbers from 0 to 1", value / 100.0),
        "f" | "px" | "m" | "cm" | "mm" | "km" | "kg" | "x" | "hz" => ("numbers stand alone", value),
        _ => return None,
    };
    let start = head.len() - number.len();
    let found = RangeFault::new(start..head.len() + unit.len(), "a number has no unit of measure behind it");
    Some(found.help(format!("{what}: write {value}")))
}

/// Detects `=` instead of a colon, and braces around a list.
fn mistaken_map(text: &str, at: usize, error: &Error) -> Option<RangeFault> {
    if !matches!(error, Error::ExpectedMapColon) {
        return None;
    }
    if text[at..].starts_with('=') {
        let message = "a field and its value are parted by `:`, not by `=`";
        let name = text[..at].trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        return Some(RangeFault::new(at..at + 1, message).help(format!("write {}: …", short(name))));
    }
    let (open, _) = innermost(text, at).filter(|(_, bracket)| *bracket == '{')?;
    let holds_parts = text[open + 1..].trim_start().starts_with(['(', '[']);
    holds_parts.then(|| {
        RangeFault::new(open..open + 1, "these braces hold a list, not names with values")
            .help("a list is written [ … ]")
    })
}

/// Detects several values of a field: `size: 800, 600`.
fn run_on(text: &str, at: usize, error: &Error) -> Option<RangeFault> {
    let expects_name = matches!(
        error,
        Error::ExpectedIdentifier
            | Error::ExpectedNamedStructLike(_)
            | Error::SuggestRawIdentifier(_)
            | Error::ExpectedMapColon
    );
    let (open, _) = innermost(text, at).filter(|(_, bracket)| expects_name && *bracket == '(')?;
    let inside = Node { text: &text[open..], start: open };
    let (name, values, written) = remedy::run_on(&inside.parts('(')?)?;
    let message = format!("{} takes one value", quoted(name));
    Some(RangeFault::new(values, message).help(written))
}

/// Returns the range to underline: for an unclosed item, its start.
fn pointed(text: &str, here: Range<usize>, error: &Error) -> Range<usize> {
    let before = &text[..here.start];
    match error {
        Error::ExpectedStringEnd => before.rfind('"').map_or(here, |at| at..at + 1),
        Error::UnclosedBlockComment => before.rfind("/*").map_or(here, |at| at..at + 2),
        _ => here,
    }
}

/// Explains a missing comma. It belongs after the previous value, which may be lines above the position of the parser's
/// error.
fn missing_comma(text: &str, at: usize) -> RangeFault {
    if let Some(found) = text_not_closed(text, at) {
        return found;
    }
    let end = last_value_end(text, at);
    let start =
        text[..end].rfind(|c: char| c.is_whitespace() || "([{:,".contains(c)).map_or(0, |before| before + 1);
    let start = text.floor_char_boundary(start.min(end.saturating_sub(1)));
    // Only the end of a value in brackets is underlined.
    let is_closed = text[..end].ends_with([')', ']', '}']);
    let start = if is_closed { end - 1 } else { start };
    let found = |message: String| RangeFault::new(start..end, message);
    let first = &text[start..end];
    let word = first.starts_with(char::is_alphabetic) && !first.contains(['"', '\'']);
    if word && text[at..].starts_with(['{', '[']) {
        let message = format!("the fields of {} are in parentheses", quoted(first));
        return RangeFault::new(at..at + 1, message).help(format!("write {}( … )", short(first)));
    }
    let next =
        text[at..].split(|c: char| c.is_whitespace() || ",:()[]{}".contains(c)).next().unwrap_or_default();
    if text[at..].starts_with(':') {
        return match first.strip_prefix('"') {
            Some(name) => {
                let name = quoted(name.trim_end_matches('"'));
                found("the name of a field is written without quotes".to_owned())
                    .help(format!("write {name}"))
            }
            None => unnamed(text, at).unwrap_or_else(|| {
                found("values with and without a name do not mix".to_owned()).help("name each value, or none")
            }),
        };
    }
    if word && end == at && next.starts_with('-') {
        let name = quoted(&format!("{first}{next}"));
        return found(format!("{name} is not a name")).help("names have letters, digits and _ only");
    }
    if next.is_empty() || next.chars().all(|c| c.is_ascii_punctuation() && c != '"') {
        let here = at..at + text[at..].chars().next().map_or(0, char::len_utf8);
        let what = quoted(&text[here.clone()]);
        return RangeFault::new(here, format!("expected a comma here, not {what}"));
    }
    let value = text[..start].trim_end().ends_with(':');
    let next = quoted(next);
    if word && !value {
        return found(format!("a colon or a comma is missing between this and {next}"));
    }
    let found = found(format!("a comma is missing between this and {next}"));
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
    Some(RangeFault::new(open..open + 1, message).help(remedy::item(&inside.parts('[')?)))
}

/// Detects an unclosed text in a line with an odd number of quotes; the parser reports a missing comma there.
fn text_not_closed(text: &str, at: usize) -> Option<RangeFault> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let line = text[start..].lines().next()?;
    let is_odd = line.matches('"').count() % 2 == 1;
    let first = start + line.find('"').filter(|_| is_odd)?;
    let found = RangeFault::new(first..first + 1, "a text in this line is not closed");
    Some(found.help("every text begins and ends with `\"`"))
}

/// Returns the end of the last token before `at` that is not a comment.
fn last_value_end(text: &str, at: usize) -> usize {
    let solid = tokens(&text[..at]).filter(|token| token.kind != TokenKind::Comment);
    solid.last().map_or(0, |token| token.range.end)
}

fn words(error: &Error) -> (String, Option<&'static str>) {
    let plain = match error {
        Error::Eof => "the file ends in the middle of a value",
        Error::ExpectedMapColon => "expected `:` and a value here",
        Error::ExpectedIdentifier | Error::ExpectedNamedStructLike(_) => {
            return (
                "expected the name of a field here".to_owned(),
                Some("names of fields are written without quotes, such as radius: 40"),
            );
        }
        Error::ExpectedStructLikeEnd => "expected `)` here",
        Error::ExpectedArrayEnd => "expected `]` here",
        Error::ExpectedMapEnd => "expected `}` here",
        Error::ExpectedStringEnd => "a text that begins with `\"` is not closed",
        Error::UnclosedBlockComment => "a comment that begins with `/*` is not closed",
        Error::TrailingCharacters => "the scene has ended, but more text follows",
        Error::ExceededRecursionLimit => "brackets are nested too deeply",
        Error::InvalidEscape(_) => "a text has an escape that does not exist",
        Error::IntegerOutOfBounds => "this number is too large",
        Error::ExpectedFloat | Error::ExpectedInteger => "expected a number here",
        Error::UnexpectedChar(found) => {
            let message = format!("expected a value here, not {}", quoted(&found.to_string()));
            return (message, None);
        }
        Error::SuggestRawIdentifier(name) => {
            let message = format!("expected the name of a field here, not {}", quoted(name));
            return (message, Some("names have letters, digits and _ only"));
        }
        other => {
            let message = other.to_string();
            let lower = message.chars().take(1).flat_map(char::to_lowercase);
            return (lower.chain(message.chars().skip(1)).collect(), None);
        }
    };
    (plain.to_owned(), None)
}

/// Returns the innermost open bracket at byte `at`, and its position.
fn innermost(text: &str, at: usize) -> Option<(usize, char)> {
    let mut open = Vec::new();
    for token in tokens(&text[..at]) {
        match token.kind {
            TokenKind::Open(bracket) => open.push((token.range.start, bracket)),
            TokenKind::Close(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}

/// Returns true if the first token of `text` is a parenthesis.
fn opens(text: &str) -> bool {
    let first = tokens(text).find(|token| token.kind != TokenKind::Comment);
    first.is_some_and(|token| token.kind == TokenKind::Open('('))
}
