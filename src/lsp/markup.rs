//! Markdown for the editor.

use gen_lsp_types::{Documentation, MarkupContent, MarkupKind};

/// Returns Markdown for the editor.
pub(super) fn markdown(text: &str) -> MarkupContent {
    MarkupContent { kind: MarkupKind::Markdown, value: text.to_owned() }
}

/// Returns documentation as Markdown; `None` if there is none.
pub(super) fn documentation(text: &str) -> Option<Documentation> {
    (!text.is_empty()).then(|| Documentation::MarkupContent(markdown(text)))
}
