//! Answers of the language service.

use std::ops::Range;
use std::path::PathBuf;

use steerbox_core::diagnostics::Fault;
use steerbox_core::text::TextEdit;

/// A fault of a document and its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Diagnostic {
    /// The underlined part, bytes; the first line for a fault of the whole file.
    pub range: Range<usize>,
    /// The fault.
    pub fault: Fault,
}

/// Edits of several files, and files to be renamed after the edits.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WorkspaceEdit {
    /// The edits of each file, by its absolute path.
    pub edits: Vec<(PathBuf, Vec<TextEdit>)>,
    /// Old and new paths.
    pub renames: Vec<(PathBuf, PathBuf)>,
}

/// The kind of an action.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionKind {
    /// Removes a fault.
    Fix,
    /// Changes the text without a fault.
    Refactoring,
}

/// A change that an editor offers at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Action {
    /// Its title, a sentence without a full stop.
    pub title: String,
    /// Its kind.
    pub kind: ActionKind,
    /// Its edits.
    pub edit: WorkspaceEdit,
    /// The message of the fault that it removes.
    pub fault: Option<String>,
    /// A place of the name that it introduces, in the edited text, bytes: an editor offers to rename it.
    pub new_name: Option<Range<usize>>,
}

/// The kind of a completion, for its icon.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of editors")]
pub enum CompletionKind {
    Property,
    Method,
    Function,
    Variable,
    Constant,
    Keyword,
    Snippet,
    Module,
    Field,
    Case,
    File,
    Name,
}

/// An entry of the completion list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Completion {
    /// The text in the list, by which editors filter.
    pub label: String,
    /// Its kind.
    pub kind: CompletionKind,
    /// Type or signature, one line.
    pub detail: String,
    /// Documentation as Markdown; may be empty.
    pub documentation: String,
    /// The edit that it makes. Its range includes the prefix that is already typed.
    pub edit: TextEdit,
    /// True if the new text has tab stops: `${1:text}`, `$0`.
    pub is_snippet: bool,
}

/// Information about the name at a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Hover {
    /// The part that it describes, bytes.
    pub range: Range<usize>,
    /// Markdown.
    pub markdown: String,
}

/// The signature of a call that contains a place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Signature {
    /// The signature, such as `clamp(x: number, least: number, most: number) -> number`.
    pub label: String,
    /// The part of the label of each parameter, bytes.
    pub parameters: Vec<Range<usize>>,
    /// The index of the parameter at the place.
    pub active: usize,
    /// Documentation as Markdown.
    pub documentation: String,
}

/// A part of a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Location {
    /// The absolute path.
    pub path: PathBuf,
    /// The part, bytes.
    pub range: Range<usize>,
}

/// The kind of a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of editors")]
pub enum SymbolKind {
    Function,
    Constant,
    Parameter,
    Memory,
    Import,
    Group,
    Item,
}

/// An entry of a document's outline.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Symbol {
    /// Its name.
    pub name: String,
    /// Further information, such as a value; may be empty.
    pub detail: String,
    /// Its kind.
    pub kind: SymbolKind,
    /// The whole item, bytes.
    pub range: Range<usize>,
    /// Its name in the text, bytes.
    pub selection: Range<usize>,
    /// Its parts.
    pub children: Vec<Symbol>,
}

/// Lines that can be folded to the first of them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fold {
    /// The first line, from 0.
    pub start: usize,
    /// The last hidden line, from 0.
    pub end: usize,
    /// True for comments.
    pub is_comment: bool,
}

/// The kind of a token, for its color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names of editors")]
pub enum TokenKind {
    Comment,
    Text,
    Number,
    Keyword,
    Operator,
    Variable,
    Parameter,
    Constant,
    Function,
    Method,
    Property,
    Module,
    Field,
    Case,
    Name,
}

/// A part of a text with one color.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// The part, bytes, within one line.
    pub range: Range<usize>,
    /// Its kind.
    pub kind: TokenKind,
    /// True for a declaration.
    pub is_declaration: bool,
    /// True for names of the program: the API and the scene format.
    pub is_built_in: bool,
}

/// A color in a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Color {
    /// The text of the color with its quotes, bytes.
    pub range: Range<usize>,
    /// Red, green and blue, from 0 to 1.
    pub color: [f32; 3],
    /// Opacity, from 0 to 1.
    pub alpha: f32,
}
