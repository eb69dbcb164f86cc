//! The language service: answers for editors about scenes and scripts, on disk or in unsaved buffers.
//!
//! All answers derive from the checkers and readers that run scenes and scripts; there is no second parser and no second
//! type checker. Positions are byte offsets into the text of a document; front ends convert them to their own units.
//! Front ends are the window, `steerbox lsp` and `steerbox check`.

mod check;
mod document;
mod experiment;
mod fixes;
mod model;
mod navigation;
mod queries;
mod scene;
mod script;
mod workspace;

pub use check::{CheckedScene, CheckedScript, is_shown_at};
pub use document::{Document, DocumentKind};
pub use experiment::CheckedExperiment;
pub use model::{
    Action, ActionKind, Color, Completion, CompletionKind, Diagnostic, Fold, Hover, Location, Signature,
    Symbol, SymbolKind, Token, TokenKind, WorkspaceEdit,
};
pub use scene::color_texts;
pub use workspace::{FOLDERS, Workspace};
