//! The preview of a save: conditions and duration.

use std::time::Duration;

use steerbox_project::session::MAX_PREVIEWED;

use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::view_state::ViewState;

/// Duration of a preview while the scene runs, seconds; while paused, it stays.
const DURATION: f32 = 8.0;

impl LiveSession {
    /// Starts a preview of the selected units after every change of the rules, and ends an old preview.
    pub(crate) fn preview_selected(&mut self, view: &ViewState, seconds: f32) {
        let keys = &self.run.simulation.world().units.key;
        let units = view.selection.units().iter().rev().filter(|_| view.preview);
        let units = units.filter_map(|unit| keys.get(*unit).copied());
        let units: Vec<u64> = units.take(MAX_PREVIEWED).collect();
        self.run.preview_units(units);
        if self.run.settle_preview(Duration::ZERO) {
            (self.preview_seconds, self.needs_redraw) = (0.0, true);
        }
        if self.run.preview().is_some() && !self.paused {
            self.preview_seconds += seconds;
            if self.preview_seconds > DURATION {
                self.run.end_preview();
                self.needs_redraw = true;
            }
        }
    }
}

impl ViewState {
    /// Switches previews on or off.
    pub(crate) fn toggle_preview(&mut self, session: &mut LiveSession) {
        self.preview = !self.preview;
        session.run.end_preview();
        let text = if self.preview {
            "preview on: after a change, the selected units are shown over the next 5 s"
        } else {
            "preview off"
        };
        let step = session.run.simulation.world().steps;
        (session.needs_redraw, session.preview_seconds) = (true, 0.0);
        session.log.add(Tone::Plain, step, text);
    }
}
