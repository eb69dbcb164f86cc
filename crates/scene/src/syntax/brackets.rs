//! The first bracket of a scene that is not closed, closed twice, or closed by a bracket of another kind.

use std::ops::Range;

use steerbox_core::diagnostics::{Fix, closing};

use crate::tokens::{Token, TokenKind, tokens, with_comma};

/// Fields of a scene that no other part has. One inside a nested part follows a bracket that is not closed.
const OF_SCENES: [&str; 8] =
    ["title", "hint", "world", "bodies", "views", "groups", "scatter", "obstacle_color"];

/// A fault of the brackets.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Unbalanced {
    /// The bracket at `open` must be closed at `at`.
    Missing { open: usize, bracket: char, at: usize },
    /// The text ends at `at`, before the bracket at `open` and those around it are closed.
    Ends { open: usize, bracket: char, at: usize, closing: String },
    /// The closing bracket closes nothing; a comma that no item precedes is in the range.
    Extra { bracket: char, range: Range<usize> },
    /// The closing bracket is of another kind than the opening one.
    Other { bracket: char, at: usize, wanted: char },
}

impl Unbalanced {
    /// Returns the fix.
    pub(super) fn fix(self) -> Fix {
        match self {
            Self::Missing { bracket, at, .. } => {
                let closing = closing(bracket);
                Fix::insert(format!("close the `{bracket}` with `{closing}`"), at, closing)
            }
            Self::Ends { at, closing, .. } => Fix::insert(format!("close it with `{closing}`"), at, closing),
            Self::Extra { bracket, range } => Fix::replace(format!("leave out the `{bracket}`"), range, ""),
            Self::Other { at, wanted, .. } => Fix::replace(format!("write `{wanted}`"), at..at + 1, wanted),
        }
    }
}

/// An open bracket.
#[derive(Clone, Copy)]
struct Open {
    bracket: char,
    at: usize,
    /// The number and the indentation of its line.
    line: (usize, usize),
}

/// Numbers of opening and closing brackets of a kind.
#[derive(Clone, Copy, Default)]
struct Count {
    open: usize,
    closed: usize,
}

/// Returns the first fault, if its cause is certain enough to continue after it.
pub(super) fn unbalanced(text: &str) -> Option<Unbalanced> {
    let mut counts = [Count::default(); 3];
    for token in tokens(text) {
        match token.kind {
            TokenKind::Open(bracket) => counts[index(bracket)].open += 1,
            TokenKind::Close(bracket) => counts[index(bracket)].closed += 1,
            _ => {}
        }
    }
    Scan { text, counts, open: Vec::new(), suspects: [None; 3], line: (1, 0), reached: 0, end: 0, last: 0 }
        .run()
}

fn index(bracket: char) -> usize {
    match bracket {
        '(' | ')' => 0,
        '[' | ']' => 1,
        _ => 2,
    }
}

struct Scan<'a> {
    text: &'a str,
    counts: [Count; 3],
    open: Vec<Open>,
    /// Of each kind the first bracket whose content, by its indentation or names, is outside of it; and the offset at which
    /// it ends.
    suspects: [Option<(Open, usize)>; 3],
    /// The current line and its start.
    line: (usize, usize),
    reached: usize,
    /// The end of the last token that is not a comment or comma.
    end: usize,
    /// The end of the last token that is not a comment.
    last: usize,
}

impl Scan<'_> {
    fn run(mut self) -> Option<Unbalanced> {
        let mut solid = tokens(self.text).filter(|token| token.kind != TokenKind::Comment).peekable();
        while let Some(Token { kind, range }) = solid.next() {
            let is_first = self.advance(range.start);
            let next = solid.peek().map(|token| token.kind);
            if let TokenKind::Close(found) = kind {
                let open = self.open.pop();
                let Some(open) = open.filter(|open| closing(open.bracket) == found) else {
                    return self.mismatch(open, found, range.start);
                };
                let suspect = &mut self.suspects[index(found)];
                let is_aligned = is_first && range.start - self.line.1 == open.line.1;
                if suspect.is_some_and(|(suspect, _)| suspect.at == open.at && is_aligned) {
                    *suspect = None;
                }
                if self.open.is_empty() && goes_on(next) {
                    return Some(Unbalanced::Extra { bracket: found, range });
                }
            } else {
                self.suspect(is_first, kind, &range, next);
                if let TokenKind::Open(bracket) = kind {
                    let line = (self.line.0, indent(&self.text[self.line.1..]));
                    self.open.push(Open { bracket, at: range.start, line });
                }
            }
            self.last = range.end;
            if kind != TokenKind::Comma {
                self.end = range.end;
            }
        }
        let Open { bracket, at: open, .. } = *self.open.last()?;
        if let Some((Open { bracket, at: open, .. }, at)) = self.first_suspect() {
            return Some(Unbalanced::Missing { open, bracket, at });
        }
        let closing = self.open.iter().rev().map(|open| closing(open.bracket)).collect();
        Some(Unbalanced::Ends { open, bracket, at: self.last, closing })
    }

    /// Advances to a token; returns true if it is the first one of its line.
    fn advance(&mut self, at: usize) -> bool {
        let between = &self.text[self.reached..at];
        if let Some(end) = between.rfind('\n') {
            self.line.0 += between.matches('\n').count();
            self.line.1 = self.reached + end + 1;
        }
        self.reached = at;
        self.text[self.line.1..at].trim().is_empty()
    }

    /// Records the innermost bracket if this token must be outside of it.
    fn suspect(&mut self, is_first: bool, kind: TokenKind, range: &Range<usize>, next: Option<TokenKind>) {
        let [_, .., top] = self.open[..] else {
            return;
        };
        let is_named = next == Some(TokenKind::Colon);
        let is_outside = is_first && self.line.0 > top.line.0 && {
            let begins = is_named || matches!(kind, TokenKind::Open(_));
            begins && range.start - self.line.1 <= top.line.1
        };
        let is_of_scene = is_named && OF_SCENES.contains(&&self.text[range.clone()]);
        let suspect = &mut self.suspects[index(top.bracket)];
        if suspect.is_none() && (is_outside || is_of_scene) {
            *suspect = Some((top, self.end));
        }
    }

    /// Returns the first suspect of a kind that is closed too seldom.
    fn first_suspect(&self) -> Option<(Open, usize)> {
        let suspects = self.suspects.iter().zip(self.counts).filter(|(_, count)| count.open > count.closed);
        suspects.filter_map(|(suspect, _)| *suspect).min_by_key(|(_, end)| *end)
    }

    /// Returns the fault at a closing bracket that does not match the innermost open one.
    fn mismatch(self, open: Option<Open>, found: char, at: usize) -> Option<Unbalanced> {
        let is_after_comma = self.text[self.end..at].contains(',');
        let range = if is_after_comma { with_comma(self.text, at..at + 1) } else { at..at + 1 };
        let extra = Unbalanced::Extra { bracket: found, range };
        let Some(open) = open else {
            return Some(extra);
        };
        if let Some((suspect, end)) = self.first_suspect() {
            return Some(Unbalanced::Missing { open: suspect.at, bracket: suspect.bracket, at: end });
        }
        let [mine, its] = [open.bracket, found].map(|bracket| self.counts[index(bracket)]);
        match (mine.open > mine.closed, its.closed > its.open) {
            (true, true) => Some(Unbalanced::Other { bracket: found, at, wanted: closing(open.bracket) }),
            (true, false) => Some(Unbalanced::Missing { open: open.at, bracket: open.bracket, at: self.end }),
            (false, true) => Some(extra),
            (false, false) => None,
        }
    }
}

/// Returns true if a scene continues with this token after its last bracket.
fn goes_on(next: Option<TokenKind>) -> bool {
    matches!(next, Some(TokenKind::Comma | TokenKind::Close(_)))
}

/// Returns the indentation of a line in bytes.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_bracket_at_fault_is_found_by_indentation_names_and_balance() {
        for (text, fixed) in [
            ("(\n  a: (1, 2,\n  b: 3,\n)", "(\n  a: (1, 2),\n  b: 3,\n)"),
            ("(a: (b: 1, groups: [])", "(a: (b: 1), groups: [])"),
            ("(a: [1, 2), b: 3)", "(a: [1, 2], b: 3)"),
            ("(a: (c: [1, 2), b: (3))", "(a: (c: [1, 2]), b: (3))"),
            ("(a: [1, 2]), b: 3)", "(a: [1, 2], b: 3)"),
            ("(a: [(1, 2)), (3)], b: 3)", "(a: [(1, 2), (3)], b: 3)"),
            ("(a: {\"]\": 1}\n", "(a: {\"]\": 1})\n"),
            ("(a: 1))", "(a: 1)"),
            ("(a: [(b: {", "(a: [(b: {})])"),
            ("(a: [1, // b", "(a: [1,]) // b"),
            ("(a: [(b: 1)),\n), (c: 2)])", "(a: [(b: 1),\n), (c: 2)])"),
            (
                "(\n  a: [\n    (\n      b: 1,\n    (\n      b: 1,\n    ),\n  ],\n)",
                "(\n  a: [\n    (\n      b: 1),\n    (\n      b: 1,\n    ),\n  ],\n)",
            ),
        ] {
            let found = unbalanced(text).map(Unbalanced::fix).and_then(|fix| fix.apply(text));
            assert_eq!(found.as_deref(), Some(fixed), "{text}");
        }
        for sound in ["(a: [1], b: {}) // )", "(\na: (\nb: 1,\n),\n)"] {
            assert_eq!(unbalanced(sound), None, "{sound}");
        }
    }
}
