//! Inserts probes into a script's text.
//!
//! The engine exposes the syntax tree of function bodies for reading only, so the probes are inserted as calls into
//! the text, which is then parsed as any other. No line is added. `__value(3, …)` records a value and returns it;
//! after `x += …`, `__after(4, x)` reads the assigned variable again.
//!
//! Only the outline of a function is parsed here: statements, blocks, and the bounds of expressions.

use std::ops::Range;

use rhai::Token;

use super::code::{Code, Piece, Site, SiteKind, Span};
use super::tokens::{Lexeme, tokens};
use crate::syntax::text::Offsets;

/// The names of the probe functions.
pub(super) const VALUE: &str = "__value";
pub(super) const AFTER: &str = "__after";
pub(super) const ITERATION: &str = "__round";
pub(super) const ENTER: &str = "__enter";
pub(super) const REACH: &str = "__reach";

/// Returns the text of file `file` of `code` with probes in its functions, whose sites are added to `code`; and the
/// new positions of the tokens at `places`, lines and columns.
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
    let is_ours = |name: &str| [VALUE, AFTER, ITERATION, ENTER, REACH].contains(&name);
    let mut names = lexemes.iter().filter_map(|lexeme| match &lexeme.token {
        Token::Identifier(name) => Some(name.as_str()),
        _ => None,
    });
    if let Some(name) = names.find(|name| is_ours(name)) {
        return Err(format!("it uses the name `{name}`, which values are recorded by"));
    }
    let mut splicer = Splicer {
        text,
        offsets: Offsets::new(text),
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
    // Insertions at the same position retain their order.
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

/// The result of parsing, or the reason why a file cannot be probed.
pub(super) type Spliced = Result<(), String>;

/// A parser over the tokens of a file, which collects insertions.
pub(super) struct Splicer<'a> {
    pub(super) text: &'a str,
    offsets: Offsets<'a>,
    pub(super) lexemes: &'a [Lexeme],
    /// The index of the next token.
    pub(super) at: usize,
    file: usize,
    pub(super) code: &'a mut Code,
    /// The loops that enclose the next token.
    pub(super) loops: Vec<usize>,
    /// Insertions with their byte offsets.
    pub(super) insertions: Vec<(usize, String)>,
}

impl Splicer<'_> {
    pub(super) fn token(&self) -> &Token {
        self.lexemes.get(self.at).map_or(&Token::EOF, |lexeme| &lexeme.token)
    }

    pub(super) fn is(&self, token: &Token) -> bool {
        self.token() == token
    }

    /// The offset of the next token.
    pub(super) fn offset(&self) -> usize {
        self.lexemes.get(self.at).map_or(self.text.len(), |lexeme| lexeme.at)
    }

    /// The offset after the last token.
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

    /// Skips the next token if it equals `token`; returns true if it does.
    pub(super) fn take(&mut self, token: &Token) -> bool {
        let found = self.is(token);
        self.at += usize::from(found);
        found
    }

    pub(super) fn expect(&mut self, token: &Token) -> Spliced {
        if self.take(token) { Ok(()) } else { Err(self.unknown()) }
    }

    /// The error for a text whose outline could not be parsed.
    pub(super) fn unknown(&self) -> String {
        let (line, column) = self.place(self.offset());
        format!("line {line}, column {column} is written in a way that cannot be probed")
    }

    pub(super) fn place(&self, byte: usize) -> (usize, usize) {
        self.offsets.place(byte)
    }

    /// Returns the position of a token after all insertions, which add no lines.
    fn moved(&self, (line, column): (usize, usize)) -> (usize, usize) {
        let before = self.offsets.at((line, 1))..=self.offsets.at((line, column));
        let inserted = self.insertions.iter().filter(|(at, _)| before.contains(at));
        (line, column + inserted.map(|(_, text)| text.chars().count()).sum::<usize>())
    }

    pub(super) fn span(&self, bytes: Range<usize>) -> Span {
        Span { start: self.place(bytes.start), end: self.place(bytes.end) }
    }

    pub(super) fn insert(&mut self, at: usize, text: impl Into<String>) {
        self.insertions.push((at, text.into()));
    }

    /// Adds a site and returns its number.
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

    /// Records a piece from `start` to the last token, with the sites since `first`.
    pub(super) fn piece(&mut self, start: usize, first: usize) {
        let (span, sites) = (self.span(start..self.end()), first..self.code.sites.len());
        if !sites.is_empty() {
            self.code.pieces.push(Piece { file: self.file, span, sites });
        }
    }
}
