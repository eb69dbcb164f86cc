//! What the probes of a program stand for: where each value comes up in the text, and in which loops.

use std::ops::Range;
use std::sync::Arc;

/// What kind of value a probe records.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// Of `let` or `const`, or the variable of a `for`.
    Let,
    /// The new value of what is assigned to.
    Assignment,
    /// Of `if`, `while`, `until`, a case's `if`, and what a `switch` decides by.
    Condition,
    /// What a function returns.
    Return,
    /// The last expression of a block, a case of a `switch`, or what a `for` goes over.
    Value,
    /// No value: only whether a statement was reached.
    Statement,
}

/// A piece of a text: lines and columns from 1, columns in characters, its end not included.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Line and column of its first character.
    pub start: (usize, usize),
    /// Line and column behind its last character.
    pub end: (usize, usize),
}

/// A place of the text whose value is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// The file that it stands in, by its index in [`Code::files`].
    pub file: usize,
    /// The kind of value.
    pub kind: SiteKind,
    /// What is declared or assigned to.
    pub name: Option<String>,
    /// The expression that gives the value.
    pub span: Span,
    /// The function that it stands in, by its index.
    pub(super) function: usize,
    /// The loops that it stands in, outermost first.
    pub(super) loops: Vec<usize>,
    /// Whether it comes before the round that it belongs to, as the condition of `while` does.
    pub(super) is_ahead: bool,
}

/// A file whose functions are probed.
#[derive(Clone, Debug)]
pub struct ProbedFile {
    /// The file as the user would name it.
    pub path: String,
    /// Its text, as it was written.
    pub text: Arc<str>,
}

/// A statement, a block, a case or a function.
#[derive(Clone, Debug)]
pub(super) struct Piece {
    pub(super) file: usize,
    pub(super) span: Span,
    /// The sites in it. It was reached if one of them was.
    pub(super) sites: Range<usize>,
}

/// What the probes of a program stand for.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The script itself, then the files that it imports.
    pub files: Vec<ProbedFile>,
    /// Every place that is recorded.
    pub sites: Vec<Site>,
    pub(super) pieces: Vec<Piece>,
    /// For each loop the loops within it, which come right behind it.
    pub(super) loops: Vec<Range<usize>>,
    /// How many functions there are.
    pub(super) functions: usize,
}
