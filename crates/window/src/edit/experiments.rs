//! Checks of experiments in the editor. They do not run in a window.

use std::time::Instant;

use crate::model::editor::buffer::Buffer;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

impl ViewState {
    /// Checks the experiments that are due, one at a time: all of them if files of the scene may have changed.
    pub(super) fn check_experiments(&mut self, session: &mut LiveSession, now: Instant) {
        if let Some(checked) = session.experiments.checked() {
            session.needs_redraw = true;
            if let Some(buffer) = self.editor.get_mut(&checked.name) {
                buffer.note_checked(checked);
            }
        }
        let is_outdated = session.experiments.is_outdated(session.run.newest().number);
        let experiments = self.editor.buffers_mut().iter_mut().filter(|buffer| buffer.is_experiment());
        let mut due = None;
        for buffer in experiments {
            if is_outdated {
                buffer.check_again();
            }
            if due.is_none() && session.experiments.is_idle() {
                due = buffer.due(now).map(|content| (buffer.name.clone(), content));
            }
        }
        if is_outdated {
            self.editor.assist.expire();
        }
        if let Some(due) = due {
            self.editor.update(&session.place, now);
            let assist = &self.editor.assist;
            session.experiments.check(assist.workspace.clone(), assist.path_of(&due.0), due);
        }
    }

    /// True if an experiment is shown.
    pub(super) fn shows_experiment(&self) -> bool {
        self.editor.shown().is_some_and(Buffer::is_experiment)
    }
}
