//! Help while a text is edited: completions, fixes, definitions, the field of a renaming.

use std::time::Instant;

use steerbox_core::diagnostics::line_and_column;
use steerbox_project::reload::shown_name;

use crate::commands::action::AssistStep;
use crate::model::editor::Request;
use crate::model::editor::assist::ShownSignature;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

impl ViewState {
    /// Executes a step of the help.
    pub(crate) fn assist(&mut self, step: AssistStep, session: &mut LiveSession) {
        session.needs_redraw = true;
        self.editor.update(&session.place, Instant::now());
        let Some((buffer, assist)) = self.editor.shown_and_assist() else {
            return;
        };
        match step {
            AssistStep::Complete(at) => assist.complete(buffer, at),
            AssistStep::Offer(range) => {
                assist.offer_actions(buffer, range);
                if assist.offer.is_none() {
                    session.refuse("nothing can be changed here");
                }
            }
            AssistStep::Choose(by) => {
                if let Some(offer) = &mut assist.offer {
                    let count = offer.entries.len();
                    offer.chosen = (offer.chosen + count).saturating_add_signed(by) % count.max(1);
                }
            }
            AssistStep::Accept(index) => {
                let offer = assist.offer.take();
                let entry = offer.and_then(|offer| {
                    let index = index.unwrap_or(offer.chosen);
                    offer.entries.into_iter().nth(index)
                });
                if let Some(entry) = entry {
                    self.edit_buffers(entry.edits, session);
                    self.editor.request = entry.selects.map(Request::Select);
                    if let Some(name) = entry.new_name {
                        self.start_renaming(name.start);
                    }
                }
            }
            AssistStep::Dismiss => {
                assist.offer = None;
                if assist.renaming.take().is_some() {
                    self.editor.request = Some(Request::Focus);
                }
            }
            AssistStep::Sign(label) => {
                assist.signature = label.map(|label| ShownSignature { label, is_closed: false });
            }
            AssistStep::Define(at) => {
                let path = assist.path_of(&buffer.name);
                let found = assist.workspace.definition(&path, at).into_iter().next();
                match found {
                    Some(found) => {
                        let text = assist.workspace.document(&found.path).map(|found| found.text.clone());
                        let (line, column) = line_and_column(&text.unwrap_or_default(), found.range.start);
                        self.open_text(&shown_name(&found.path), session);
                        self.editor.request = Some(Request::GoTo(line, column));
                    }
                    None => session.refuse("no file of the project defines a name here"),
                }
            }
            AssistStep::StartRenaming(at) => {
                if !self.start_renaming(at) {
                    session.refuse("there is no name here that can be changed");
                }
            }
            AssistStep::TypeName(new) => {
                if let Some(renaming) = &mut assist.renaming {
                    (renaming.new, renaming.refusal) = (new, None);
                }
            }
            AssistStep::Rename => self.rename(session),
        }
    }

    /// Opens the field for a new name of the one at a place of the shown text. Returns false if it cannot be renamed.
    fn start_renaming(&mut self, at: usize) -> bool {
        self.editor.follow();
        let buffer = self.editor.shown().cloned();
        let range = buffer.and_then(|buffer| self.editor.assist.start_renaming(&buffer, at));
        if let Some(range) = range.clone() {
            self.editor.request = Some(Request::FocusName(range));
        }
        range.is_some()
    }
}
