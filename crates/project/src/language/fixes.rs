//! Fixes of faults as actions.

use std::ops::Range;
use std::path::Path;

use steerbox_core::diagnostics::Fix;
use steerbox_core::text::TextEdit;

use super::document::Document;
use super::model::{Action, ActionKind, Diagnostic, WorkspaceEdit};
use super::workspace::Workspace;

impl Workspace {
    /// Returns the fixes of those diagnostics of a document that touch a part of it.
    pub fn fixes(&self, path: &Path, diagnostics: &[Diagnostic], range: &Range<usize>) -> Vec<Action> {
        let touches = |one: &&Diagnostic| one.range.start <= range.end && range.start <= one.range.end;
        let Some(document) = self.document(path) else {
            return Vec::new();
        };
        diagnostics.iter().filter(touches).flat_map(|one| one.actions(document)).collect()
    }
}

impl Diagnostic {
    /// Returns its fixes, the likeliest first; `document` is the text that was checked.
    pub fn actions(&self, document: &Document) -> Vec<Action> {
        // Ranges of faults do not count a byte order mark.
        let start = if document.text.starts_with('\u{feff}') { '\u{feff}'.len_utf8() } else { 0 };
        let fixes = self.fault.fixes.iter();
        let action = |fix: &Fix| {
            let edit = |edit: &TextEdit| {
                let range = edit.range.start + start..edit.range.end + start;
                TextEdit::replace(range, edit.text.clone())
            };
            let edits = fix.edits.iter().map(edit).collect();
            let edit = WorkspaceEdit { edits: vec![(document.path.clone(), edits)], renames: Vec::new() };
            let fault = Some(self.fault.message.clone());
            Action { title: capitalized(&fix.title), kind: ActionKind::Fix, edit, fault, new_name: None }
        };
        fixes.map(action).collect()
    }
}

/// Returns a title with a capital first letter, as other actions have.
fn capitalized(title: &str) -> String {
    let mut letters = title.chars();
    letters.next().map_or_else(String::new, |first| first.to_uppercase().chain(letters).collect())
}

#[cfg(test)]
mod tests {
    use steerbox_core::text::apply;

    use super::*;

    #[test]
    fn a_fix_removes_its_fault_also_after_a_byte_order_mark() {
        let path = Path::new("/p/a.ron");
        for mark in ["", "\u{feff}"] {
            let text = format!(
                "{mark}(world: Plane(size: (8, 6)), bodies: {{\"f\": Mover()}}, groups: [(name: \"a\", body: \"f\", count: 2])"
            );
            let mut workspace = Workspace::default();
            workspace.set_buffer(path, text.as_str().into());
            let diagnostics = workspace.diagnostics(path);
            let found = workspace.fixes(path, &diagnostics, &(0..text.len()));
            assert!(found[0].title.starts_with(char::is_uppercase), "{}", found[0].title);
            let fixed = apply(&text, &found[0].edit.edits[0].1).expect("the edits fit");
            workspace.set_buffer(path, fixed.as_str().into());
            assert!(workspace.diagnostics(path).is_empty(), "{fixed}");
            assert!(workspace.fixes(path, &diagnostics, &(0..0)).is_empty());
        }
    }
}
