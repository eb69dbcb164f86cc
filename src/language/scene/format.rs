//! Formatting of a scene.

use crate::language::document::Document;
use crate::scene;
use crate::text::TextEdit;

/// Returns the edits that format a scene; none if it has syntax faults.
pub(in crate::language) fn format(document: &Document) -> Vec<TextEdit> {
    scene::format(&document.text).unwrap_or_default()
}
