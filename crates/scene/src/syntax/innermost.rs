//! The bracket around a place.

use crate::tokens::{TokenKind, tokens};

/// Returns the innermost open bracket at byte `at`, and its position.
pub(super) fn innermost(text: &str, at: usize) -> Option<(usize, char)> {
    let mut open = Vec::new();
    for token in tokens(&text[..at]) {
        match token.kind {
            TokenKind::Open(bracket) => open.push((token.range.start, bracket)),
            TokenKind::Close(_) => {
                open.pop();
            }
            _ => {}
        }
    }
    open.pop()
}
