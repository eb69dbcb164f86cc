//! Execution of changes of several files, after a question if files are written.

use std::time::Instant;

use steerbox_core::diagnostics::counted;
use steerbox_project::reload::Write;

use crate::commands::action::SessionAction;
use crate::model::editor::file_changes::{FilesChange, Origin};
use crate::model::live_session::LiveSession;
use crate::model::question::{Question, Waiting};
use crate::model::view_state::ViewState;

impl ViewState {
    /// Undoes or redoes a change of several files in all of them, if undo or redo of a text began that.
    pub(super) fn follow_undo(&mut self, name: &str, is_redo: bool, session: &mut LiveSession) {
        let begun = self.editor.get(name).and_then(|buffer| self.editor.changes.begun_by(buffer, is_redo));
        if let Some((change, origin)) = begun {
            self.request_files(change, origin, session);
        }
    }

    /// Executes a change of several files; opens a question first if one of them is written.
    pub(super) fn request_files(&mut self, change: FilesChange, origin: Origin, session: &mut LiveSession) {
        if let Some(name) = change.changed_since(self.editor.buffers()) {
            let [old, new] = &change.names;
            let why = format!("{old} was not renamed to {new} in all files: {name} has unsaved changes");
            session.refuse(&why);
        } else if change.writes.is_empty() {
            self.change_files(change, origin, session);
        } else {
            let (verb, otherwise) = match origin {
                Origin::New => ("Rename", "Cancel"),
                Origin::Undo => ("Undo in all files", "Only in this text"),
                Origin::Redo => ("Rename in all files", "Only in this text"),
            };
            let text = question(&change, origin);
            let question = Question::new(text, verb, Waiting::Files(change, origin));
            self.question = Some(Question { otherwise, ..question });
        }
    }

    /// Writes the files of a change together; then, edits the texts that remain unsaved.
    pub(crate) fn change_files(&mut self, change: FilesChange, origin: Origin, session: &mut LiveSession) {
        if change.writes.is_empty() {
            return self.complete_files(change, origin, session);
        }
        let writes = change.writes.clone();
        self.editor.changes.begin(change, origin);
        session.act(&SessionAction::WriteTexts(writes));
    }

    /// Notes the result of a write that belongs to a change of several files.
    pub(super) fn note_change(&mut self, write: &Write, is_written: bool, session: &mut LiveSession) {
        if let Some((change, origin)) = self.editor.changes.note(write, is_written) {
            self.complete_files(change, origin, session);
        }
    }

    fn complete_files(&mut self, change: FilesChange, origin: Origin, session: &mut LiveSession) {
        for text in &change.texts {
            let [old, name] = &text.names;
            let known = if self.editor.get(name).is_some() { name } else { old };
            if let Err(fault) = self.editor.add(known, session.saved_text(known)) {
                session.log.fault(session.run.simulation.world().steps, &fault);
            }
            if let Some(buffer) = self.editor.get_mut(known) {
                buffer.edit(text.texts[1].clone(), Instant::now());
            }
        }
        self.editor.changes.complete(change, origin);
        session.needs_redraw = true;
    }
}

/// Returns the question before a change: the number of files, those that are renamed and those that remain unsaved.
fn question(change: &FilesChange, origin: Origin) -> String {
    let [old, new] = &change.names;
    let files = counted(change.writes.len(), ["file is", "files are"]);
    let first = match origin {
        Origin::New => format!("Rename {old} to {new}? {files} written."),
        Origin::Undo => format!("Undo the renaming of {new} to {old} in all files? {files} written."),
        Origin::Redo => format!("Rename {old} to {new} again in all files? {files} written."),
    };
    let mut parts = vec![first];
    let renamed = change.writes.iter().filter(|write| write.from.is_some());
    parts.extend(renamed.map(|write| format!("{} becomes {}.", write.old_name(), write.name)));
    if !change.texts.is_empty() {
        let names: Vec<_> = change.texts.iter().map(|text| text.names[0].as_str()).collect();
        parts.push(format!("The unsaved text of {} is edited, too, and stays unsaved.", names.join(", ")));
    }
    parts.join(" ")
}
