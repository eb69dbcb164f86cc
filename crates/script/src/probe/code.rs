//! The sites of a probed program: the position of each recorded value in the text, and its loops.

use std::ops::Range;
use std::sync::Arc;

/// The kind of a recorded value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SiteKind {
    /// The value of `let` or `const`, or the variable of a `for`.
    Let,
    /// The new value of an assignment's target.
    Assignment,
    /// The condition of `if`, `while`, `until` or a case, or the subject of a `switch`.
    Condition,
    /// The result of a function.
    Return,
    /// The last expression of a block, a case of a `switch`, or the list of a `for`.
    Value,
    /// No value: records only that a statement was reached.
    Statement,
}

/// A range of a text: lines and columns from 1, columns in characters, the end exclusive.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Span {
    /// Line and column of its first character.
    pub start: (usize, usize),
    /// Line and column after its last character.
    pub end: (usize, usize),
}

/// An expression or statement that is recorded.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Site {
    /// Its file, as an index into [`Code::files`].
    pub file: usize,
    /// The kind of value.
    pub kind: SiteKind,
    /// The declared or assigned variable.
    pub name: Option<String>,
    /// The expression with the value.
    pub span: Span,
    /// The index of its function.
    pub(super) function: usize,
    /// Its enclosing loops, outermost first.
    pub(super) loops: Vec<usize>,
    /// True if it is evaluated before the iteration to which it belongs, such as the condition of `while`.
    pub(super) is_ahead: bool,
}

/// A file whose functions are probed.
#[derive(Clone, Debug)]
pub struct ProbedFile {
    /// Its path as shown to the user.
    pub path: String,
    /// Its original text.
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

/// The sites of a probed program.
#[derive(Clone, Debug, Default)]
pub struct Code {
    /// The script itself, then its imported files.
    pub files: Vec<ProbedFile>,
    /// All sites.
    pub sites: Vec<Site>,
    pub(super) pieces: Vec<Piece>,
    /// For each loop the inner loops, whose indices follow it directly.
    pub(super) loops: Vec<Range<usize>>,
    /// The number of functions.
    pub(super) functions: usize,
}
