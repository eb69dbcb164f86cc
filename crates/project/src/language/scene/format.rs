//! Formatting of a scene.

use steerbox_core::text::TextEdit;

use crate::language::document::Document;
use steerbox_scene as scene;

/// Returns the edits that format a scene; none if it has syntax faults.
pub(in crate::language) fn format(document: &Document) -> Vec<TextEdit> {
    scene::format(&document.text).unwrap_or_default()
}
