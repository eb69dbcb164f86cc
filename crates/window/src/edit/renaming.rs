//! Renaming in all files of a project.
//!
//! A renaming within the shown text is an edit of that text. Any other one is a change of several files: those without unsaved
//! text are written and renamed together after a question, and unsaved texts are edited and remain unsaved.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use steerbox_core::text::{TextEdit, apply};
use steerbox_project::language::WorkspaceEdit;
use steerbox_project::reload::{Write, shown_name};

use crate::model::editor::Request;
use crate::model::editor::assist::Renaming;
use crate::model::editor::buffer::Buffer;
use crate::model::editor::file_changes::{FilesChange, Origin, UnsavedChange};
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

impl ViewState {
    /// Renames as requested, or opens a question if this concerns other files than the shown one. The field remains open with
    /// the reason if the new name does not fit.
    pub(super) fn rename(&mut self, session: &mut LiveSession) {
        let assist = &mut self.editor.assist;
        let Some(renaming) = assist.renaming.take() else {
            return;
        };
        let Renaming { name, at, new, .. } = &renaming;
        self.editor.request = Some(Request::Focus);
        let path = assist.path_of(name);
        let range = assist.workspace.renamed_at(&path, *at);
        let document = assist.workspace.document(&path);
        let old = document.zip(range).and_then(|(document, range)| document.text.get(range));
        let old = old.unwrap_or_default().to_owned();
        if old == *new {
            return;
        }
        let old_length = old.len();
        let change = match assist.workspace.rename(&path, *at, new) {
            Ok(edit) if edit.renames.is_empty() && edit.edits.iter().all(|(edited, _)| *edited == path) => {
                return self.edit_buffers(edit.edits, session);
            }
            Ok(edit) => self.files_change([old, new.clone()], edit),
            Err(why) => Err(why),
        };
        match change {
            Ok(change) => self.request_files(change, Origin::New, session),
            Err(why) => {
                self.editor.request = Some(Request::FocusName(renaming.at..renaming.at + old_length));
                self.editor.assist.renaming = Some(Renaming { refusal: Some(why), ..renaming });
            }
        }
    }

    /// Divides a renaming in several files: texts to be written, and edits of unsaved texts.
    ///
    /// # Errors
    /// If a file to be renamed came with the program, or an edit does not fit its text.
    fn files_change(&self, names: [String; 2], edit: WorkspaceEdit) -> Result<FilesChange, String> {
        let WorkspaceEdit { edits, renames } = edit;
        let (mut writes, mut texts) = (Vec::new(), Vec::new());
        for (old, new) in &renames {
            let name = shown_name(old);
            if !old.is_file() {
                return Err(format!("{name} came with the program: save it as a file first"));
            }
            if !edits.iter().any(|(edited, _)| edited == old) || self.is_unsaved(old) {
                writes.push(self.write(old, &[], Some(new))?);
            }
        }
        for (path, edits) in edits {
            let new = renames.iter().find(|(old, _)| *old == path).map(|(_, new)| new);
            if self.is_unsaved(&path) {
                let name = shown_name(&path);
                let buffer = self.editor.get(&name).ok_or_else(|| has_changed(&path))?;
                let before = buffer.text().to_owned();
                let after = apply(&before, &edits).ok_or_else(|| has_changed(&path))?;
                let renamed = new.map_or_else(|| name.clone(), |new| shown_name(new));
                texts.push(UnsavedChange { names: [name, renamed], texts: [before, after] });
            } else {
                writes.push(self.write(&path, &edits, new)?);
            }
        }
        Ok(FilesChange { names, writes, texts })
    }

    /// Returns the write of a file with edits, at a new path if it is renamed. For a file with unsaved text, that is its saved
    /// content.
    fn write(&self, path: &Path, edits: &[TextEdit], new: Option<&PathBuf>) -> Result<Write, String> {
        let changed = || has_changed(path);
        let (base, text) = match self.buffer_at(path) {
            Some(buffer) if buffer.is_unsaved() => {
                let base = buffer.base.clone().ok_or_else(changed)?;
                (Arc::clone(&base), base)
            }
            Some(buffer) => {
                let mut edited = buffer.clone();
                edited.edit(apply(buffer.text(), edits).ok_or_else(changed)?, Instant::now());
                (Arc::clone(buffer.content()), Arc::clone(edited.content()))
            }
            None => {
                let document = self.editor.assist.workspace.document(path).ok_or_else(changed)?;
                let without_mark = |text: &str| Arc::from(text.strip_prefix('\u{feff}').unwrap_or(text));
                let edited = apply(&document.text, edits).ok_or_else(changed)?;
                (without_mark(&document.text), without_mark(&edited))
            }
        };
        let from = new.map(|_| path.to_owned());
        let path = new.map_or_else(|| path.to_owned(), PathBuf::clone);
        Ok(Write { name: shown_name(&path), path, text, base: Some(base), from })
    }

    /// Edits texts of the editor; a file of the scene without an open text becomes an unsaved one.
    pub(super) fn edit_buffers(&mut self, edits: Vec<(PathBuf, Vec<TextEdit>)>, session: &mut LiveSession) {
        for (path, edits) in edits {
            let name = shown_name(&path);
            if let Err(fault) = self.editor.add(&name, session.saved_text(&name)) {
                session.refuse(&fault.summary());
            }
            let Some(buffer) = self.editor.get_mut(&name) else {
                continue;
            };
            match apply(buffer.text(), &edits) {
                Some(text) => buffer.edit(text, Instant::now()),
                None => session.refuse(&format!("{name} has changed: try again")),
            }
        }
    }

    /// Returns true if a path is that of a file of the scene, by its name in messages.
    fn is_own(&self, path: &Path) -> bool {
        self.editor.assist.path_of(&shown_name(path)) == path
    }

    fn buffer_at(&self, path: &Path) -> Option<&Buffer> {
        self.editor.get(&shown_name(path)).filter(|_| self.is_own(path))
    }

    /// Returns true if a file has unsaved text, or came with the program, so that an edit of it is unsaved.
    fn is_unsaved(&self, path: &Path) -> bool {
        !path.is_file() || self.buffer_at(path).is_some_and(Buffer::is_unsaved)
    }
}

fn has_changed(path: &Path) -> String {
    format!("{} has changed: try again", shown_name(path))
}
