//! The word at a place of a scene that is being edited.

use std::ops::Range;

use steerbox_scene::{TokenKind, tokens};

/// The form of the word at a place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Written {
    /// There is no word.
    Missing,
    /// A word without quotes.
    Bare,
    /// A text in quotes, of which the second may be missing.
    Quoted { is_closed: bool },
}

/// The word at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Cursor {
    pub(super) at: usize,
    /// The word without quotes.
    pub(super) word: Range<usize>,
    pub(super) written: Written,
    /// The text after the word, its quote and white space.
    pub(super) next: Option<char>,
}

impl Cursor {
    /// Returns the word at a place; `None` where nothing can be inserted: in a comment, or directly after a value.
    /// Quotes count from the start of the line, so that one left open before it has no effect.
    pub(super) fn new(text: &str, at: usize) -> Option<Self> {
        let start = text[..at].rfind('\n').map_or(0, |end| end + 1);
        let line = &text[start..];
        let line = line[..line.find('\n').unwrap_or(line.len())].trim_end_matches('\r');
        for token in tokens(line) {
            let range = start + token.range.start..start + token.range.end;
            if range.start > at || (range.start == at && token.kind != TokenKind::Plain) {
                break;
            }
            let cursor = match token.kind {
                TokenKind::Comment if range.end >= at => return None,
                TokenKind::Plain if range.end >= at => {
                    Self { at, word: range, written: Written::Bare, next: None }
                }
                TokenKind::Quoted if text[range.clone()].starts_with('"') => {
                    match Self::within_quotes(text, at, range.clone()) {
                        Some(cursor) => cursor,
                        None if range.end >= at => return None,
                        None => continue,
                    }
                }
                TokenKind::Quoted | TokenKind::Close(_) if range.end == at => return None,
                _ => continue,
            };
            return Some(cursor.before(text));
        }
        Some(Self { at, word: at..at, written: Written::Missing, next: None }.before(text))
    }

    /// Returns the word in a quoted token, if the place is in it.
    fn within_quotes(text: &str, at: usize, token: Range<usize>) -> Option<Self> {
        let written = &text[token.clone()];
        let has_closing = written.len() > 1 && written.ends_with('"');
        // A quote before a letter opens the next text.
        let is_next = text[token.end..].starts_with(|c: char| c.is_alphanumeric() || c == '_');
        let is_closed = has_closing && !is_next && !written.contains(['(', ')', '[', ']', '{', '}', ':']);
        let end = if is_closed {
            token.end - 1
        } else {
            let ends = |c: char| c.is_control() || "\",()[]{}:".contains(c);
            let end = written[1..].find(ends).map_or(token.end, |end| token.start + 1 + end);
            token.start + 1 + text[token.start + 1..end].trim_end().len()
        };
        let word = token.start + 1..end;
        let written = Written::Quoted { is_closed };
        (word.start <= at && at <= word.end).then_some(Self { at, word, written, next: None })
    }

    fn before(mut self, text: &str) -> Self {
        let quote = usize::from(self.written == Written::Quoted { is_closed: true });
        self.next = text[self.word.end + quote..].trim_start().chars().next();
        self
    }

    /// Returns true if nothing is written at the place.
    pub(super) fn is_missing(&self) -> bool {
        self.written == Written::Missing
    }

    /// Returns true if a recorded part is the word at the place.
    pub(super) fn is_at(&self, range: &Range<usize>) -> bool {
        match self.written {
            Written::Missing => *range == (self.at..self.at),
            Written::Bare => *range == self.word,
            Written::Quoted { .. } => range.start + 1 == self.word.start,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_found_in_quotes_and_without_them_also_unclosed_ones() {
        for (marked, word) in [
            ("(na|me: 1)", "Bare name :"),
            ("(name:| 1)", "Missing  1"),
            ("(a: \"x|y\", b)", "Quoted { is_closed: true } xy ,"),
            ("(a: \"|\")", "Quoted { is_closed: true }  )"),
            ("(a: \"x|), (b: \"y\")", "Quoted { is_closed: false } x )"),
            ("(a: \"x|", "Quoted { is_closed: false } x -"),
            ("{\"|\"b\": 1}", "Quoted { is_closed: false }  \""),
            ("{\"x|\"b\": 1}", "Quoted { is_closed: false } x \""),
            ("\"\n(a: \"x|\")", "Quoted { is_closed: true } x )"),
            ("(|)", "Missing  )"),
            ("|", "Missing  -"),
        ] {
            let at = marked.find('|').expect("a mark");
            let text = marked.replace('|', "");
            let cursor = Cursor::new(&text, at).expect("a word");
            let next = cursor.next.unwrap_or('-');
            assert_eq!(
                format!("{:?} {} {next}", cursor.written, &text[cursor.word.clone()]),
                word,
                "{marked}"
            );
        }
        for none in ["(a: 1 // x|", "(a)|", "(a: \"x\"|)", "(a: /* | */ 1)"] {
            let at = none.find('|').expect("a mark");
            assert_eq!(Cursor::new(&none.replace('|', ""), at), None, "{none}");
        }
    }
}
