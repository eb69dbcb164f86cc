//! A script line by line for display, with the values of one call next to its lines.

use std::collections::BTreeMap;

use super::code::{Site, SiteKind, Span};
use super::recorder::SiteLog;
use super::recording::Recording;

/// The number of values of a loop that are shown, besides the last.
const MAX_SHOWN: usize = 3;

/// A line of a script, with its values.
#[derive(Clone, Debug, PartialEq)]
pub struct Line<'a> {
    /// Its number, from 1.
    pub number: usize,
    /// Its source text.
    pub text: &'a str,
    /// Its source text in pieces.
    pub pieces: Vec<Piece<'a>>,
    /// The values that begin on it, formatted.
    pub values: Vec<String>,
    /// The message of the failure on this line.
    pub failure: Option<&'a str>,
}

/// A piece of a line.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Piece<'a> {
    /// Its source text.
    pub text: &'a str,
    /// True for code that the call did not reach.
    pub is_unreached: bool,
}

/// Returns the lines of a file from the first line of code on; none for an imported file of which nothing ran.
pub fn lines(recording: &Recording, file: usize) -> Vec<Line<'_>> {
    let mut values = values_by_line(recording, file);
    if values.is_empty() && file > 0 {
        return Vec::new();
    }
    let text = &recording.code.files[file].text;
    let unreached = recording.unreached(file);
    let failure = recording.result.as_ref().err();
    let failure = failure.filter(|failure| recording.file_of(failure) == file);
    let is_head = |line: &&str| line.trim().is_empty() || line.trim_start().starts_with("//");
    let first = text.lines().take_while(is_head).count();
    let numbered = text.lines().zip(1..).skip(first);
    let line = |(text, number)| Line {
        number,
        text,
        pieces: pieces(number, text, &unreached),
        values: values.remove(&number).unwrap_or_default(),
        failure: failure.filter(|failure| failure.line == number).map(|failure| &*failure.message),
    };
    numbered.map(line).collect()
}

/// Splits a line at the boundaries of code that was not reached.
fn pieces<'a>(number: usize, text: &'a str, unreached: &[Span]) -> Vec<Piece<'a>> {
    let is_unreached_at = |column: usize| {
        let place = (number, column);
        unreached.iter().any(|span| span.start <= place && place < span.end)
    };
    let mut pieces: Vec<Piece<'a>> = Vec::new();
    let mut start = 0;
    for ((at, letter), column) in text.char_indices().zip(1..) {
        let (end, is_unreached) = (at + letter.len_utf8(), is_unreached_at(column));
        if let Some(piece) = pieces.last_mut().filter(|piece| piece.is_unreached == is_unreached) {
            piece.text = &text[start..end];
        } else {
            start = at;
            pieces.push(Piece { text: &text[at..end], is_unreached });
        }
    }
    pieces
}

/// Formats the values of a file, by the line on which they begin.
fn values_by_line(recording: &Recording, file: usize) -> BTreeMap<usize, Vec<String>> {
    let mut lines: BTreeMap<usize, Vec<String>> = BTreeMap::new();
    for (site, log) in recording.values().into_iter().filter(|(site, _)| site.file == file) {
        lines.entry(site.span.start.0).or_default().push(shown(site, log));
    }
    lines
}

/// Formats the values of a site.
fn shown(site: &Site, log: &SiteLog) -> String {
    let values: Vec<_> = log.entries().map(|entry| entry.value.to_string()).collect();
    let few = match &values[..] {
        [] => String::new(),
        [value] => value.clone(),
        [first @ .., last] if values.len() <= MAX_SHOWN + 1 && log.last.is_none() => {
            format!("{}, {last}", first.join(", "))
        }
        [.., last] => format!("{} … {last} ({} times)", values[..MAX_SHOWN].join(", "), log.count),
    };
    match (&site.name, site.kind) {
        (Some(name), _) => format!("{name} = {few}"),
        (None, SiteKind::Return | SiteKind::Value) => format!("→ {few}"),
        (None, _) => few,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_split_at_the_bounds_of_unreached_code() {
        let span = |start, end| Span { start, end };
        let unreached = [span((1, 2), (1, 3)), span((1, 4), (2, 2))];
        let cut = |number, text| -> Vec<_> {
            let pieces = pieces(number, text, &unreached).into_iter();
            pieces.map(|piece| (piece.text, piece.is_unreached)).collect()
        };
        assert_eq!(cut(1, "äöüß"), [("ä", false), ("ö", true), ("ü", false), ("ß", true)]);
        assert_eq!(cut(2, "abc"), [("a", true), ("bc", false)]);
        assert_eq!(cut(3, "abc"), [("abc", false)]);
        assert_eq!(cut(3, ""), []);
    }
}
