//! Checks a text with the RON parser, and explains its first fault.

use std::borrow::Cow;
use std::ops::Range;

use ron::error::Error;
use serde::{Deserialize, de::IgnoredAny};
use steerbox_core::diagnostics::{Fix, closing};
use steerbox_core::text::TextEdit;

use super::brackets::{Unbalanced, unbalanced};
use super::innermost::innermost;
use super::{missing_comma, mistakes};
use crate::{
    ron_file::RonFile,
    span::Lines,
    tokens::{Token, TokenKind, tokens},
    words::{RangeFault, quoted},
};

/// The fault at which the parser stopped.
pub(super) struct Stop {
    pub(super) found: RangeFault,
    pub(super) at: usize,
    pub(super) cause: Cause,
}

/// The kind of a fault, as far as its repair depends on it.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    /// A bracket is not closed, or not by its own kind.
    Bracket,
    /// The file ends within brackets.
    End,
    /// A text is not closed in its line.
    Text,
    /// Brackets are nested too deeply for any repair.
    Depth,
    Other,
}

impl Stop {
    fn new(found: RangeFault, at: usize) -> Self {
        Self { found, at, cause: Cause::Other }
    }
}

/// Returns true if `text` has no syntax faults.
pub(crate) fn is_valid(text: &str) -> bool {
    check(text, &Lines::new(text), RonFile::Scene).is_ok()
}

/// Checks that `text` is one RON value.
///
/// # Errors
/// The first fault; the parser cannot continue after it.
pub(super) fn check(text: &str, lines: &Lines<'_>, file: RonFile) -> Result<(), Stop> {
    let fault = |error: ron::error::SpannedError| {
        let end = error.span.end;
        let at = lines.offset((end.line, end.col));
        explain(text, at, &error.code, (lines, file))
    };
    if text.trim().is_empty() {
        let (title, template) = file.template();
        let found = RangeFault::new(0..0, format!("the {} is empty", file.noun()))
            .help(format!("{} is written {}", file.owner(), file.form()))
            .fixed([Fix::replace(title, 0..text.len(), template)]);
        return Err(Stop::new(found, 0));
    }
    let plain = without_first_values(text);
    let mut parser = ron::Deserializer::from_str(&plain).map_err(fault)?;
    if text.trim_start().starts_with("#!") {
        let start = text.len() - text.trim_start().len();
        let message = format!("{} takes no attributes", file.owner());
        let found = RangeFault::new(start..start + 2, message).help("leave out this line");
        let end = text[start..].find(']').map_or(text.len(), |end| start + end + 1);
        let found = found.fixed([Fix::replace("leave out the attribute", start..end, "")]);
        return Err(Stop::new(found, start));
    }
    IgnoredAny::deserialize(&mut parser)
        .and_then(|_| parser.end())
        .map_err(|error| fault(parser.span_error(error)))
}

/// Cases with a value before named ones.
const MIXED: [&str; 2] = ["Signal", "File"];

/// Replaces each value before named ones, as in `Signal("fear", from: 0)`, by blanks: RON has no such form. Lines and
/// columns are preserved.
fn without_first_values(text: &str) -> Cow<'_, str> {
    use TokenKind::{Colon, Comma, Open, Plain, Quoted};
    const FORM: [TokenKind; 6] = [Plain, Open('('), Quoted, Comma, Plain, Colon];
    if !MIXED.iter().any(|case| text.contains(case)) {
        return Cow::Borrowed(text);
    }
    let solid = tokens(text).filter(|token| token.kind != TokenKind::Comment);
    let solid: Vec<Token> = solid.collect();
    let (mut plain, mut at) = (String::with_capacity(text.len()), 0);
    for form in solid.windows(FORM.len()) {
        if MIXED.contains(&&text[form[0].range.clone()]) && form.iter().map(|token| token.kind).eq(FORM) {
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

fn explain(text: &str, at: usize, error: &Error, (lines, file): (&Lines<'_>, RonFile)) -> Stop {
    let explanations = [
        mistakes::look_alike,
        mistakes::unit_of_measure,
        mistakes::hex_color,
        mistakes::comment,
        mistakes::arithmetic,
    ];
    if let Some(found) = explanations.iter().find_map(|explanation| explanation(text, at)) {
        return Stop::new(found, at);
    }
    if let Some(stop) = not_closed(text, at, error, lines) {
        return stop;
    }
    if let Some(found) = missing_comma::text_not_closed(text, at, error) {
        return Stop { cause: Cause::Text, ..Stop::new(found, at) };
    }
    let cause = match error {
        Error::ExceededRecursionLimit => Cause::Depth,
        Error::ExpectedStringEnd => Cause::Text,
        _ => Cause::Other,
    };
    Stop { cause, ..Stop::new(plain(text, at, error, file), at) }
}

/// Explains an error without a bracket at fault.
fn plain(text: &str, at: usize, error: &Error, file: RonFile) -> RangeFault {
    if matches!(error, Error::ExpectedComma) {
        return missing_comma::explain(text, at);
    }
    if let Some(found) = mistakes::map(text, at, error).or_else(|| mistakes::run_on(text, at, error)) {
        return found;
    }
    let here = at..text[at..].chars().next().map_or(at, |c| at + c.len_utf8());
    let (message, help) = words(error, file);
    let fixes = fix(text, here.clone(), error);
    let found = RangeFault::new(pointed(text, here, error), message).fixed(fixes);
    let outside = matches!(error, Error::TrailingCharacters) && !opens(text);
    let in_parentheses = || format!("{} is written in parentheses: ( … )", file.owner());
    match help.map(str::to_owned).or_else(|| outside.then(in_parentheses)) {
        Some(help) => found.help(help),
        None => found,
    }
}

/// Explains a bracket that is not closed, or not by its own kind.
fn not_closed(text: &str, at: usize, error: &Error, lines: &Lines<'_>) -> Option<Stop> {
    let (open, bracket) = innermost(text, at)?;
    let next = text[at..].chars().next();
    let is_closing = matches!(
        error,
        Error::Eof
            | Error::ExpectedComma
            | Error::ExpectedArrayEnd
            | Error::ExpectedMapEnd
            | Error::ExpectedStructLikeEnd
            | Error::UnexpectedChar(')' | ']' | '}')
    );
    let is_mismatch = |found: char| ")]}".contains(found) && found != closing(bracket);
    if is_closing && next.is_none() {
        let cause = unbalanced(text);
        let (open, bracket) = match &cause {
            Some(Unbalanced::Missing { open, bracket, .. }) => (*open, *bracket),
            _ => (open, bracket),
        };
        let is_end = matches!(cause, Some(Unbalanced::Ends { .. }));
        let message = format!("the file ends before this `{bracket}` is closed");
        let found = RangeFault::new(open..open + 1, message).fixed(cause.map(Unbalanced::fix));
        let cause = if is_end { Cause::End } else { Cause::Bracket };
        return Some(Stop { cause, ..Stop::new(found, at) });
    }
    let word = next_word(text, at);
    let cause = unbalanced(text);
    let is_before = match &cause {
        Some(Unbalanced::Missing { open: first, at: end, .. }) => *first == open && *end <= at,
        _ => false,
    };
    let is_at_fault = (is_closing && next.is_some_and(is_mismatch)) || (is_before && !word.is_empty());
    is_at_fault.then(|| {
        let (line, wanted) = (lines.at(open).0, closing(bracket));
        let message =
            format!("expected `{wanted}` to close the `{bracket}` of line {line}, not {}", quoted(word));
        let found = RangeFault::new(at..at + word.len(), message).fixed(cause.map(Unbalanced::fix));
        Stop { cause: Cause::Bracket, ..Stop::new(found, at) }
    })
}

/// Returns the bracket or word at an offset.
fn next_word(text: &str, at: usize) -> &str {
    let rest = &text[at..];
    let first = rest.chars().next().map_or(0, char::len_utf8);
    let word = rest.find(|c: char| !c.is_alphanumeric() && c != '_').unwrap_or(rest.len());
    &rest[..word.max(first)]
}

/// Returns the fix of an error that [`words`] explains.
fn fix(text: &str, here: Range<usize>, error: &Error) -> Option<Fix> {
    let before = &text[..here.start];
    match error {
        Error::TrailingCharacters if !opens(text) => {
            let start = text.len() - text.trim_start().len();
            let edits = [TextEdit::insert(start, "("), TextEdit::insert(text.trim_end().len(), ")")];
            let is_named = mistakes::named(text, here.start) || text[here.start..].starts_with(':');
            is_named.then(|| Fix::new("put it in parentheses", edits.to_vec()))
        }
        Error::TrailingCharacters => unbalanced(text).map(Unbalanced::fix),
        Error::ExpectedStringEnd => before.rfind('"').and_then(|at| missing_comma::closing_quote(text, at)),
        Error::UnclosedBlockComment => {
            let at = before.rfind("/*")?;
            Some(Fix::replace("write `//`", at..at + 2, "//"))
        }
        Error::ExpectedIdentifier | Error::ExpectedNamedStructLike(_) if text[here.clone()] == *"," => {
            Some(Fix::replace("leave out the comma", here, ""))
        }
        Error::ExpectedIdentifier | Error::ExpectedNamedStructLike(_) => {
            mistakes::quoted_name(text, here.start)
        }
        Error::ExpectedMapColon
            if text[here.clone()].starts_with(|c: char| c.is_alphanumeric() || "([{\"-".contains(c)) =>
        {
            Some(Fix::insert("insert a colon", before.trim_end().len(), ":"))
        }
        Error::UnexpectedChar(',') if before.trim_end().ends_with([',', '(', '[', '{']) => {
            Some(Fix::replace("leave out the comma", here, ""))
        }
        _ => None,
    }
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

fn words(error: &Error, file: RonFile) -> (String, Option<&'static str>) {
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
        Error::TrailingCharacters => {
            return (format!("the {} has ended, but more text follows", file.noun()), None);
        }
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

/// Returns true if the first token of `text` is a parenthesis.
fn opens(text: &str) -> bool {
    let first = tokens(text).find(|token| token.kind != TokenKind::Comment);
    first.is_some_and(|token| token.kind == TokenKind::Open('('))
}
