//! Mistakes in the syntax of a scene that have a plain cause: units of measure, comments of other languages, arithmetic.

use ron::error::Error;
use steerbox_core::diagnostics::{Fix, LookAlike, closing};
use steerbox_core::text::TextEdit;

use super::innermost::innermost;
use crate::{
    color::Color,
    node::Node,
    remedy,
    tokens::{Token, TokenKind, skip_blank, tokens},
    words::{RangeFault, quoted, short},
};

/// Detects a character that looks like one of scenes: the last one of the line up to an offset, outside of texts.
pub(super) fn look_alike(text: &str, at: usize) -> Option<RangeFault> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let end = at + text[at..].chars().next().map_or(0, char::len_utf8);
    let (mut is_text, mut last) = (false, None);
    for (place, c) in text[start..end].char_indices() {
        is_text ^= c == '"';
        if !is_text && LookAlike::is(c) {
            last = Some(start + place);
        }
    }
    let place = last?;
    let found = LookAlike::at(text, place)?;
    let here = place..place + text[place..].chars().next().map_or(0, char::len_utf8);
    let fault = RangeFault::new(here, format!("{} means nothing here", found.name));
    Some(fault.help(found.help).fixed(Some(found.fix)))
}

/// Detects a comment of another language, at an offset or at the start of its line.
pub(super) fn comment(text: &str, at: usize) -> Option<RangeFault> {
    let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
    let first = start + (text[start..].len() - text[start..].trim_start().len());
    let is_mark = |at: usize| {
        ["#", "--", "%", ";", "<!--", "REM "].into_iter().find(|mark| text[at..].starts_with(mark))
    };
    let (at, mark) = is_mark(at).map(|mark| (at, mark)).or_else(|| Some((first, is_mark(first)?)))?;
    if mark == ";" && at != first {
        let found = RangeFault::new(at..at + 1, "fields and values are parted by `,`, not by `;`");
        let is_ended = skip_blank(&text[at + 1..]).starts_with([',', ')', ']', '}']);
        return Some(found.help("write `,`").write(at..at + 1, if is_ended { "" } else { "," }));
    }
    let is_attribute = text[at..].starts_with("#!") || text[at..].starts_with("#[");
    let message = format!("{} begins no comment", quoted(mark.trim_end()));
    let place = at..at + mark.trim_end().len();
    let found = RangeFault::new(place.clone(), message);
    if is_attribute {
        return Some(found);
    }
    let found = found.help("a comment begins with `//`");
    let line = text[place.end..].lines().next().unwrap_or_default();
    let count = |brackets: &[char]| line.matches(brackets).count();
    let is_comment = count(&[')', ']', '}']) <= count(&['(', '[', '{']);
    Some(if is_comment { found.write(place, "//") } else { found })
}

/// Detects a color without quotes.
pub(super) fn hex_color(text: &str, at: usize) -> Option<RangeFault> {
    let digits = text[at..].strip_prefix('#')?;
    let end = at + 1 + digits.find(|c: char| !c.is_alphanumeric()).unwrap_or(digits.len());
    let color = &text[at..end];
    let found = RangeFault::new(at..end, "a color is written in quotes");
    Color::parse(color)
        .map(|_| found.help(format!("write \"{color}\"")).write(at..end, format!("\"{color}\"")))
}

/// Detects arithmetic.
pub(super) fn arithmetic(text: &str, at: usize) -> Option<RangeFault> {
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
    let found = RangeFault::new(sign..sign + 1, "values are numbers and texts, without arithmetic");
    let found = found.fixed(result(text, sign));
    (is_value(before) && is_value(after)).then(|| found.help("write the result, such as 1.5708"))
}

/// Returns the fix that replaces an operation of two numbers, with the sign at an offset, by its result.
fn result(text: &str, sign: usize) -> Option<Fix> {
    let is_of_number = |c: char| c.is_ascii_digit() || c == '.';
    let head = text[..sign].trim_end_matches(' ');
    let start = head.trim_end_matches(is_of_number).len();
    let tail = text[sign + 1..].trim_start_matches(' ');
    let end = text.len() - tail.len() + tail.find(|c| !is_of_number(c))?;
    let is_alone = text[..start].trim_end().ends_with(['(', '[', '{', ',', ':'])
        && skip_blank(&text[end..]).starts_with([',', ')', ']', '}']);
    let left: f64 = head[start..].parse().ok()?;
    let right: f64 = text[end - (tail.len() - text[end..].len())..end].parse().ok()?;
    let value = match &text[sign..=sign] {
        "+" => left + right,
        "-" => left - right,
        "*" => left * right,
        _ => left / right,
    };
    let value = (value * 1e6).round() / 1e6;
    let fix = || Fix::replace(format!("write the result, {value}"), start..end, value.to_string());
    (is_alone && value.is_finite()).then(fix)
}

/// Detects a number with a unit: `270°`, `1.5s`.
pub(super) fn unit_of_measure(text: &str, at: usize) -> Option<RangeFault> {
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
    let place = head.len() - number.len()..head.len() + unit.len();
    let found = RangeFault::new(place.clone(), "a number has no unit of measure behind it");
    Some(found.help(format!("{what}: write {value}")).write(place, value.to_string()))
}

/// Detects `=` instead of a colon, and braces around a list.
pub(super) fn map(text: &str, at: usize, error: &Error) -> Option<RangeFault> {
    if !matches!(error, Error::ExpectedMapColon) {
        return None;
    }
    if text[at..].starts_with('=') {
        let message = "a field and its value are parted by `:`, not by `=`";
        let name = text[..at].trim_end().rsplit(|c: char| !c.is_alphanumeric() && c != '_').next()?;
        let found = RangeFault::new(at..at + 1, message).help(format!("write {}: …", short(name)));
        let end = at + text[at..].len() - text[at..].trim_start_matches(['=', '>']).len();
        return Some(found.write(at..end, ":"));
    }
    let (open, _) = innermost(text, at).filter(|(_, bracket)| *bracket == '{')?;
    let holds_parts = text[open + 1..].trim_start().starts_with(['(', '[']);
    holds_parts.then(|| {
        RangeFault::new(open..open + 1, "these braces hold a list, not names with values")
            .help("a list is written [ … ]")
            .fixed(rebracketed(text, open, '['))
    })
}

/// Detects several values of a field: `size: 800, 600`.
pub(super) fn run_on(text: &str, at: usize, error: &Error) -> Option<RangeFault> {
    let expects_name = matches!(
        error,
        Error::ExpectedIdentifier
            | Error::ExpectedNamedStructLike(_)
            | Error::SuggestRawIdentifier(_)
            | Error::ExpectedMapColon
    );
    let (open, _) = innermost(text, at).filter(|(_, bracket)| expects_name && *bracket == '(')?;
    let inside = Node { text: &text[open..], start: open };
    let found = remedy::run_on(&inside.parts('(')?)?;
    let message = format!("{} takes one value", quoted(found.name));
    Some(RangeFault::new(found.values.clone(), message).help(found.help).write(found.values, found.written))
}

/// Returns the fix that writes the brackets opened at `open` as `bracket`.
pub(super) fn rebracketed(text: &str, open: usize, bracket: char) -> Option<Fix> {
    let mut depth = 0_usize;
    let end = tokens(&text[open..]).find(|token| {
        match token.kind {
            TokenKind::Open(_) => depth += 1,
            TokenKind::Close(_) => depth = depth.saturating_sub(1),
            _ => {}
        }
        depth == 0
    })?;
    let end = open + end.range.start;
    let close = closing(bracket);
    let edits = vec![TextEdit::replace(open..open + 1, bracket), TextEdit::replace(end..end + 1, close)];
    Some(Fix::new(format!("write {bracket} … {close}"), edits))
}

/// Returns the fix that removes the quotes around the name of a field at an offset.
pub(super) fn quoted_name(text: &str, at: usize) -> Option<Fix> {
    let mut solid = tokens(&text[at..]).filter(|token| token.kind != TokenKind::Comment);
    let Token { kind: TokenKind::Quoted, range } = solid.next()? else {
        return None;
    };
    let is_named = solid.next()?.kind == TokenKind::Colon;
    let name = text[at + range.start..at + range.end].trim_matches(['"', '\'']);
    let is_name = is_named && name.chars().all(|c| c.is_alphanumeric() || c == '_');
    is_name.then(|| Fix::replace(format!("write {}", quoted(name)), at..at + range.end, name))
}

/// Returns true if the token at an offset is followed by a colon.
pub(super) fn named(text: &str, at: usize) -> bool {
    let mut solid = tokens(&text[at..]).filter(|token| token.kind != TokenKind::Comment);
    solid.nth(1).is_some_and(|token| token.kind == TokenKind::Colon)
}
