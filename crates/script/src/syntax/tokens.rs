//! A scanner for brackets, words and ends of statements, for texts that need not parse.

pub(crate) use super::lexemes::is_part_of_name;
use super::lexemes::{self, LexemeKind};

/// A bracket, a word or the end of a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Token<'a> {
    Open(char),
    Close(char),
    Word(&'a str),
    /// A `;`.
    End,
}

impl Token<'_> {
    /// Returns its length in bytes.
    fn length(self) -> usize {
        match self {
            Self::Word(word) => word.len(),
            Self::Open(_) | Self::Close(_) | Self::End => 1,
        }
    }
}

/// A delimiter error; offsets are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Open {
    /// A `/*` at this offset.
    Comment(usize),
    /// A text with its opening quote at this offset.
    Text(usize),
    /// An unclosed bracket, its offset, and the position at which it should be closed, if that is certain.
    Bracket(char, usize, Option<Missing>),
    /// A comment at this offset, after code, that contains the missing brace.
    Hidden(usize),
    /// A closing bracket without an opening one.
    Nothing(char, usize),
}

impl Open {
    /// The offset of the error.
    pub(crate) fn at(self) -> usize {
        match self {
            Self::Comment(at)
            | Self::Text(at)
            | Self::Bracket(_, at, _)
            | Self::Hidden(at)
            | Self::Nothing(_, at) => at,
        }
    }
}

/// The position at which a bracket is missing; offsets are bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Missing {
    /// Before this character at the offset.
    Before(char, usize),
    /// At the end of the line that contains the offset.
    AtEnd(usize),
}

/// An iterator over brackets, words and ends of statements; it skips comments and texts.
pub(crate) struct Tokens<'a> {
    text: &'a str,
    at: usize,
    /// The first comment after code that contains the end of a block.
    pub(crate) hides: Option<usize>,
    /// The end of the code up to the last token, without trailing comments and white space.
    pub(crate) end: usize,
    /// The offset that the search for line starts has reached, and the last line start before it.
    line: (usize, usize),
}

impl<'a> Tokens<'a> {
    pub(crate) fn from(text: &'a str, at: usize) -> Self {
        let (hides, line) = (None, (0, 0));
        Self { text, at, hides, end: at, line }
    }

    /// Returns the indentation in bytes of the line of an offset. Offsets must not decrease from call to call.
    pub(crate) fn indent(&mut self, at: usize) -> usize {
        let (searched, start) = self.line;
        let end = self.text[searched..at].rfind('\n');
        self.line = (at, end.map_or(start, |end| searched + end + 1));
        let line = &self.text[self.line.1..];
        line.len() - line.trim_start_matches([' ', '\t']).len()
    }

    /// Records a comment with more closing than opening braces.
    fn comment(&mut self, at: usize, comment: &str) {
        let start = self.text[..at].rfind('\n').map_or(0, |end| end + 1);
        let is_behind_code = !self.text[start..at].trim().is_empty();
        if is_behind_code && comment.matches('}').count() > comment.matches('{').count() {
            self.hides = self.hides.or(Some(at));
        }
    }

    /// Returns the next token and its offset.
    ///
    /// # Errors
    /// If a comment or a text is unclosed.
    pub(crate) fn next(&mut self) -> Result<Option<(Token<'a>, usize)>, Open> {
        loop {
            let blank = self.text[self.at..].len() - self.text[self.at..].trim_start().len();
            self.at += blank;
            let (at, rest) = (self.at, &self.text[self.at..]);
            if rest.is_empty() {
                return Ok(None);
            }
            let (kind, length) = lexemes::first(rest).map_err(|kind| match kind {
                LexemeKind::Comment => Open::Comment(at),
                _ => Open::Text(at),
            })?;
            self.at += length;
            let token = match kind {
                LexemeKind::Comment => {
                    self.comment(at, &rest[..length]);
                    continue;
                }
                LexemeKind::Open(bracket) => Some(Token::Open(bracket)),
                LexemeKind::Close(bracket) => Some(Token::Close(bracket)),
                LexemeKind::End => Some(Token::End),
                LexemeKind::Word | LexemeKind::Number => Some(Token::Word(&rest[..length])),
                LexemeKind::Text | LexemeKind::Symbol => None,
            };
            self.end = self.at;
            if let Some(token) = token {
                return Ok(Some((token, at + length - token.length())));
            }
        }
    }
}
