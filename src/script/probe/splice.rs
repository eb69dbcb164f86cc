//! Probes put into a script's text.
//!
//! The engine keeps the syntax tree of function bodies to itself, so calls are put into the text, which is
//! then parsed as any other. No line is added. A value is recorded by `__value(3, …)`, which gives back
//! what it is given; what is assigned by `x += …` is read again behind it, by `__after(4, x)`.
//!
//! Only the outline of a function is parsed here: statements, blocks, and where expressions begin and end.

use std::ops::Range;

use rhai::Token;

use super::code::{Code, Piece, Site, SiteKind, Span};
use super::tokens::{Lexeme, line_starts, tokens};

/// The functions that are put into a text.
pub(super) const VALUE: &str = "__value";
pub(super) const AFTER: &str = "__after";
pub(super) const ROUND: &str = "__round";
pub(super) const ENTER: &str = "__enter";
pub(super) const REACH: &str = "__reach";

/// The text of file `file` of `code` with probes in its functions, which are added to `code`; and where the
/// tokens at `places`, lines and columns, stand in it.
///
/// # Errors
/// With the reason why it cannot be probed.
pub(super) fn splice(
    text: &str,
    file: usize,
    places: &[(usize, usize)],
    code: &mut Code,
) -> Result<(String, Vec<(usize, usize)>), String> {
    let lexemes = tokens(text);
    let is_ours = |name: &str| [VALUE, AFTER, ROUND, ENTER, REACH].contains(&name);
    let mut names = lexemes.iter().filter_map(|lexeme| match &lexeme.token {
        Token::Identifier(name) => Some(name.as_str()),
        _ => None,
    });
    if let Some(name) = names.find(|name| is_ours(name)) {
        return Err(format!("it uses the name `{name}`, which values are recorded by"));
    }
    let mut splicer = Splicer {
        text,
        starts: line_starts(text),
        lexemes: &lexemes,
        at: 0,
        file,
        code,
        loops: Vec::new(),
        insertions: Vec::new(),
    };
    splicer.file()?;
    let moved = places.iter().map(|place| splicer.moved(*place)).collect();
    let mut insertions = splicer.insertions;
    // What stands at one place stays in the order in which it was put there.
    insertions.sort_by_key(|(at, _)| *at);
    let mut spliced = String::with_capacity(text.len() * 2);
    let mut done = 0;
    for (at, inserted) in insertions {
        spliced.push_str(&text[done..at]);
        spliced.push_str(&inserted);
        done = at;
    }
    spliced.push_str(&text[done..]);
    Ok((spliced, moved))
}

/// Nothing, or the reason why a file cannot be probed.
pub(super) type Spliced = Result<(), String>;

/// A way through the tokens of a file, and what is put into its text.
pub(super) struct Splicer<'a> {
    pub(super) text: &'a str,
    /// The byte at which each line begins.
    starts: Vec<usize>,
    pub(super) lexemes: &'a [Lexeme],
    /// The next token.
    pub(super) at: usize,
    file: usize,
    pub(super) code: &'a mut Code,
    /// The loops around the next token.
    pub(super) loops: Vec<usize>,
    /// What is put where, in bytes of the text.
    pub(super) insertions: Vec<(usize, String)>,
}

impl Splicer<'_> {
    pub(super) fn token(&self) -> &Token {
        self.lexemes.get(self.at).map_or(&Token::EOF, |lexeme| &lexeme.token)
    }

    pub(super) fn is(&self, token: &Token) -> bool {
        self.token() == token
    }

    /// The byte at which the next token begins.
    pub(super) fn offset(&self) -> usize {
        self.lexemes.get(self.at).map_or(self.text.len(), |lexeme| lexeme.at)
    }

    /// The byte behind the last token.
    pub(super) fn end(&self) -> usize {
        let Some(last) = self.at.checked_sub(1).and_then(|at| self.lexemes.get(at)) else {
            return 0;
        };
        let token = &self.text[last.at..self.offset().max(last.at)];
        let is_text = matches!(last.token, Token::StringConstant(_) | Token::CharConstant(_));
        let comment = if is_text { None } else { token.find("//").or_else(|| token.find("/*")) };
        last.at + token[..comment.unwrap_or(token.len())].trim_end().len()
    }

    pub(super) fn skip(&mut self) {
        self.at += 1;
    }

    /// Goes past the next token if it is this one.
    pub(super) fn take(&mut self, token: &Token) -> bool {
        let found = self.is(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, token: &Token) -> Spliced {
        if self.take(token) { Ok(()) } else { Err(self.unknown()) }
    }

    /// That the outline of the text is not understood.
    pub(super) fn unknown(&self) -> String {
        let (line, column) = self.place(self.offset());
        format!("line {line}, column {column} is written in a way that cannot be probed")
    }

    pub(super) fn place(&self, byte: usize) -> (usize, usize) {
        let line = self.starts.partition_point(|start| *start <= byte);
        let start = self.starts[line - 1];
        (line, self.text[start..byte].chars().count() + 1)
    }

    /// Where a token stands once everything is put into the text, which adds no lines.
    fn moved(&self, (line, column): (usize, usize)) -> (usize, usize) {
        let start = self.starts[line - 1];
        let before = self.text[start..].chars().take(column - 1).map(char::len_utf8).sum::<usize>();
        let inserted = self.insertions.iter().filter(|(at, _)| (start..=start + before).contains(at));
        (line, column + inserted.map(|(_, text)| text.chars().count()).sum::<usize>())
    }

    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        Span { start: self.place(bytes.start), end: self.place(bytes.end) }
    }

    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.insertions.push((at, text.into()));
    }

    /// A new site; its number.
    pub(super) fn site(&mut self, kind: SiteKind, name: Option<&str>, bytes: Range<usize>) -> usize {
        let site = Site {
            file: self.file,
            kind,
            name: name.map(str::to_owned),
            span: self.span(bytes),
            function: self.code.functions,
            loops: self.loops.clone(),
            is_ahead: false,
        };
        self.code.sites.push(site);
        self.code.sites.len() - 1
    }

    /// Notes that what begins at a byte ends here, with the sites since `first`.
    pub(super) fn piece(&mut self, start: usize, first: usize) {
        let (span, sites) = (self.span(start..self.end()), first..self.code.sites.len());
        if !sites.is_empty() {
            self.code.pieces.push(Piece { file: self.file, span, sites });
        }
    }
}
