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
        let units = view.selection.units().iter().rev().filter(|_| view.prefs.preview);
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

    /// Ends the preview once previews are switched on or off, and logs which.
    pub(crate) fn announce_preview(&mut self, is_on: bool) {
        self.run.end_preview();
        let text = if is_on {
            "preview on: after a change, the selected units are shown over the next 5 s"
        } else {
            "preview off"
        };
        (self.needs_redraw, self.preview_seconds) = (true, 0.0);
        self.log.add(Tone::Plain, self.run.simulation.world().steps, text);
    }
}
