//! Makes a text readable while it is edited: open quotes and brackets are closed, missing commas and values inserted.
//!
//! The repairs of `syntax` follow the faults of the parser and drop what they cannot repair. Here every part remains, and
//! the cost is linear: editors request the result at each key press.

use std::borrow::Cow;
use std::ops::Range;

use steerbox_core::diagnostics::closing;

use crate::tokens::{Token, TokenKind, tokens};

/// The word in place of a missing value or name.
pub(super) const MISSING: &str = "_";

/// A text that brackets, commas and values were added to.
pub(super) struct Mended<'a> {
    pub(super) text: Cow<'a, str>,
    added: Vec<Added>,
}

/// An addition.
struct Added {
    /// Its offset in the mended text.
    start: usize,
    length: usize,
    /// The length of all additions before it.
    before: usize,
}

impl Mended<'_> {
    /// Converts an offset of the mended text; one within an addition becomes the place of the addition.
    fn original_offset(&self, at: usize) -> usize {
        let after = self.added.partition_point(|added| added.start < at);
        match self.added[..after].last() {
            Some(Added { start, length, before }) if at < start + length => start - before,
            Some(added) => at - added.before - added.length,
            None => at,
        }
    }

    /// Converts a range of the mended text.
    pub(super) fn original(&self, range: &Range<usize>) -> Range<usize> {
        self.original_offset(range.start)..self.original_offset(range.end)
    }

    /// Converts an offset of the original text; at an addition, its start.
    pub(super) fn of_original(&self, at: usize) -> usize {
        let after = self.added.partition_point(|added| added.start - added.before < at);
        at + self.added[..after].last().map_or(0, |added| added.before + added.length)
    }
}

/// Closes, separates and completes the parts of a text; `missing` is a place at which a value or name is inserted.
pub(super) fn mended(text: &str, missing: Option<usize>) -> Mended<'_> {
    let mut mender = Mender { text, additions: Vec::new(), stray: Vec::new() };
    mender.run(missing);
    let Mender { additions, stray, .. } = mender;
    if additions.is_empty() && stray.is_empty() {
        return Mended { text: Cow::Borrowed(text), added: Vec::new() };
    }
    let (mut new, mut added) = (String::with_capacity(text.len() + 64), Vec::new());
    let (mut at, mut before) = (0, 0);
    for (place, addition) in additions {
        new.push_str(&text[at..place]);
        added.push(Added { start: new.len(), length: addition.len(), before });
        new.push_str(addition);
        before += addition.len();
        at = place;
    }
    new.push_str(&text[at..]);
    let mut mended = Mended { text: Cow::Borrowed(""), added };
    for place in stray {
        let place = mended.of_original(place + 1) - 1;
        new.replace_range(place..=place, " ");
    }
    mended.text = Cow::Owned(new);
    mended
}

/// An open bracket and the indentation of its line.
struct Open {
    bracket: char,
    line: Line,
}

/// A line: its start and its indentation, in bytes.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Line {
    start: usize,
    indent: usize,
}

struct Mender<'a> {
    text: &'a str,
    /// Places in ascending order, and what is inserted there.
    additions: Vec<(usize, &'static str)>,
    /// Places of closing brackets without an open one.
    stray: Vec<usize>,
}

impl Mender<'_> {
    fn run(&mut self, missing: Option<usize>) {
        let solid = solid(self.text, missing);
        let is_balanced = is_balanced(&solid);
        let mut open: Vec<Open> = Vec::new();
        let mut line = Line { start: 0, indent: indent(self.text) };
        let mut before: Option<(TokenKind, usize)> = None;
        for (at, Solid { token: Token { kind, range }, addition }) in solid.iter().enumerate() {
            let start = before.map_or(0, |(_, end)| end);
            let is_first = self.advance(&mut line, start, range.start);
            let is_close = matches!(kind, TokenKind::Close(_));
            if is_first && !is_balanced && !is_close {
                let is_outside =
                    |open: &Open| open.line.start < line.start && line.indent <= open.line.indent;
                while open.len() > 1 && open.last().is_some_and(is_outside) {
                    self.close(&mut open, &mut before);
                }
            }
            if let Some((last, end)) = before {
                let next = solid.get(at + 1).map(|next| next.token.kind);
                self.separate((last, *kind, next), end, is_first);
            }
            match kind {
                TokenKind::Open(bracket) => open.push(Open { bracket: *bracket, line }),
                TokenKind::Close(found) => {
                    if !open.iter().any(|open| closing(open.bracket) == *found) {
                        self.stray.push(range.start);
                        continue;
                    }
                    while open.last().is_some_and(|open| closing(open.bracket) != *found) {
                        self.close(&mut open, &mut before);
                    }
                    open.pop();
                }
                _ => {}
            }
            self.additions.extend(addition.map(|addition| (range.end, addition)));
            before = Some((*kind, range.end));
        }
        if let Some((TokenKind::Colon, end)) = before {
            self.additions.push((end, MISSING));
        }
        while !open.is_empty() {
            self.close(&mut open, &mut before);
        }
    }

    /// Closes the innermost bracket after the last token.
    fn close(&mut self, open: &mut Vec<Open>, before: &mut Option<(TokenKind, usize)>) {
        let (Some(Open { bracket, .. }), Some((last, end))) = (open.pop(), before.as_mut()) else {
            return;
        };
        if *last == TokenKind::Colon {
            self.additions.push((*end, MISSING));
        }
        let close = closing(bracket);
        let written = match close {
            ')' => ")",
            ']' => "]",
            _ => "}",
        };
        *last = TokenKind::Close(close);
        self.additions.push((*end, written));
    }

    /// Inserts what is missing between the last token, which ends at `end`, and the current one.
    fn separate(&mut self, kinds: (TokenKind, TokenKind, Option<TokenKind>), end: usize, is_first: bool) {
        use TokenKind::{Close, Colon, Comma, Open, Plain, Quoted};
        let missing = match kinds {
            (Plain, Open('('), _) if !is_first => return,
            (Plain | Quoted | Close(_), Plain | Quoted | Open(_), _) => ",",
            (Colon, Comma | Close(_), _) => MISSING,
            (Colon, Plain, Some(Colon)) => "_,",
            _ => return,
        };
        self.additions.push((end, missing));
    }

    /// Advances to a token; returns true if it is the first one of its line.
    fn advance(&self, line: &mut Line, reached: usize, at: usize) -> bool {
        let Some(end) = self.text[reached..at].rfind('\n') else {
            return false;
        };
        let start = reached + end + 1;
        *line = Line { start, indent: indent(&self.text[start..]) };
        true
    }
}

/// A token that is not a comment.
struct Solid {
    token: Token,
    /// The text inserted at its end.
    addition: Option<&'static str>,
}

/// Returns the tokens of a text. A word at `missing` is added unless a token is there, and open quotes are closed.
fn solid(text: &str, mut missing: Option<usize>) -> Vec<Solid> {
    let word = |solid: &[Solid], at| {
        let is_free = solid.last().is_none_or(|last| last.token.range.end <= at);
        let token = Token { kind: TokenKind::Plain, range: at..at };
        is_free.then_some(Solid { token, addition: Some(MISSING) })
    };
    let mut quotes = Quotes { text, end: 0, left: 0 };
    let (mut solid, mut from) = (Vec::new(), 0);
    'open: loop {
        for Token { kind, range } in tokens(&text[from..]).filter(|token| token.kind != TokenKind::Comment) {
            let range = from + range.start..from + range.end;
            let due = missing.take_if(|at| *at <= range.start);
            solid.extend(due.and_then(|at| word(&solid, at)));
            if kind == TokenKind::Quoted && quotes.is_open(&range) {
                from = range.start + open_end(&text[range.start..]);
                let token = Token { kind, range: range.start..from };
                solid.push(Solid { token, addition: Some("\"") });
                continue 'open;
            }
            solid.push(Solid { token: Token { kind, range }, addition: None });
        }
        solid.extend(missing.take().and_then(|at| word(&solid, at)));
        return solid;
    }
}

/// The quotes of the current line.
struct Quotes<'a> {
    text: &'a str,
    /// The end of the line.
    end: usize,
    /// The number of quotes from the current token to the end of the line.
    left: usize,
}

impl Quotes<'_> {
    /// Returns true if a quoted token is not closed where it begins: it extends over the end of its line and something else
    /// than the end of a value follows, or it has brackets and the number of quotes in the line is odd.
    fn is_open(&mut self, token: &Range<usize>) -> bool {
        let written = &self.text[token.clone()];
        if !written.starts_with('"') {
            return false;
        }
        if token.start >= self.end {
            let rest = &self.text[token.start..];
            let line = &rest[..rest.find('\n').unwrap_or(rest.len())];
            (self.end, self.left) = (token.start + line.len(), line.matches('"').count());
        }
        let is_odd = self.left % 2 == 1;
        let ends_value =
            || self.text[token.end..].trim_start_matches(' ').starts_with([',', ')', ']', '}', '\n']);
        let is_closed =
            written.len() > 1 && written.ends_with('"') && (token.end <= self.end || ends_value());
        if token.end > self.end && is_closed {
            return false;
        }
        let is_open = !is_closed || (is_odd && written.contains(['(', ')', '[', ']', '{', '}', ':']));
        self.left = self.left.saturating_sub(if is_open { 1 } else { written.matches('"').count() });
        is_open
    }
}

/// Returns the length of a text without its closing quote.
fn open_end(rest: &str) -> usize {
    let ends = |c: char| c.is_control() || "\",()[]{}:".contains(c);
    let end = rest[1..].find(ends).map_or(rest.len(), |end| end + 1);
    rest[..end].trim_end().len()
}

/// Returns true if each bracket is closed by one of its kind.
fn is_balanced(solid: &[Solid]) -> bool {
    let mut open = Vec::new();
    let is_matched = solid.iter().all(|solid| match solid.token.kind {
        TokenKind::Open(bracket) => {
            open.push(bracket);
            true
        }
        TokenKind::Close(found) => open.pop().is_some_and(|bracket| closing(bracket) == found),
        _ => true,
    });
    is_matched && open.is_empty()
}

/// Returns the indentation at the start of `rest`, in bytes.
fn indent(rest: &str) -> usize {
    rest.len() - rest.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn open_parts_are_closed_and_completed() {
        for (text, whole) in [
            ("(a: [1, (b: 2, c: \"x", "(a: [1, (b: 2, c: \"x\")])"),
            ("(a: , b:)", "(a:_ , b:_)"),
            ("(a: \"x (\n y\", b: 2)", "(a: \"x (\n y\", b: 2)"),
            ("(a: \"x,\n b: \"y\")", "(a: \"x\",\n b: \"y\")"),
            ("(a: \n b: 2)", "(a:_, \n b: 2)"),
            ("(a: 1 b: D (x) c)", "(a: 1, b: D (x), c)"),
            ("(a: [(b: {, c: 1], d: 2)", "(a: [(b: {, c: 1})], d: 2)"),
            ("(a: 1]) }", "(a: 1 )  "),
            ("(s: \"co), (s: \"x\"),", "(s: \"co\"), (s: \"x\"),"),
            ("(s: \"co\n  t: 1)", "(s: \"co\",\n  t: 1)"),
            (
                "(\n  g: [\n    (\n      a: 1,\n    (\n      b: 2,\n    ),\n  ],\n)",
                "(\n  g: [\n    (\n      a: 1,),\n    (\n      b: 2,\n    ),\n  ],\n)",
            ),
            ("(\n  g: [\n  o: 1,\n)", "(\n  g: [],\n  o: 1,\n)"),
            ("", ""),
        ] {
            assert_eq!(mended(text, None).text, whole, "{text}");
        }
    }

    #[test]
    fn a_missing_name_or_value_is_inserted_with_its_commas() {
        for (marked, whole) in [
            ("(a: 1, | )", "(a: 1, _ )"),
            ("(a: | b: 2)", "(a: _, b: 2)"),
            ("(a: [|])", "(a: [_])"),
            ("(a: [(b: 1), |\n(c: 2)])", "(a: [(b: 1), _,\n(c: 2)])"),
            ("(a: {|", "(a: {_})"),
            ("|", "_"),
        ] {
            let at = marked.find('|').expect("a mark");
            let text = marked.replace('|', "");
            let found = mended(&text, Some(at));
            assert_eq!(found.text, whole, "{marked}");
            let place = found.text.find('_').expect("the name");
            assert_eq!((found.original(&(place..place + 1)), found.of_original(at)), (at..at, place));
        }
    }

    #[test]
    fn no_word_is_inserted_inside_of_a_token() {
        for marked in ["(a: \"b|c\", d: 1)", "(a: \"b|c\")", "(a: \"|\")", "(ab|c: 1)", "a|b"] {
            let at = marked.find('|').expect("a mark");
            let text = marked.replace('|', "");
            assert_eq!(mended(&text, Some(at)).text, text, "{marked}");
        }
    }

    #[test]
    fn sound_texts_are_unchanged_and_offsets_convert_back() {
        for (_, text) in crate::testing::shipped() {
            assert!(matches!(mended(text, None).text, Cow::Borrowed(_)));
        }
        let text = "(é: [1 2, (x: \"y";
        let found = mended(text, None);
        for (at, c) in text.char_indices().filter(|(_, c)| c.is_alphanumeric()) {
            let there = found.text.find(c).expect("the letter");
            assert_eq!(found.original(&(there..there + c.len_utf8())), at..at + c.len_utf8());
        }
    }
}
