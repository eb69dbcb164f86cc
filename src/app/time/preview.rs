//! When a save shows where selected units will be, and for how long.

use std::time::Duration;

use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::app::model::view_state::ViewState;
use crate::session::MAX_PREVIEWED;

/// Seconds for which it is shown while the scene runs; paused, it stays.
const SHOWN: f32 = 8.0;

impl LiveSession {
    /// Lets every change of the rules preview the selected units; a preview that has been shown for long goes.
    pub(in crate::app) fn preview_selected(&mut self, view: &ViewState, seconds: f32) {
        let keys = &self.run.simulation.world().units.key;
        let units = view.selection.units().iter().rev().filter(|_| view.preview);
        let units = units.filter_map(|unit| keys.get(*unit).copied());
        let units: Vec<u64> = units.take(MAX_PREVIEWED).collect();
        self.run.preview_units(units);
        if self.run.settle_preview(Duration::ZERO) {
            (self.previewed, self.news) = (0.0, true);
        }
        if self.run.preview().is_some() && !self.paused {
            self.previewed += seconds;
            if self.previewed > SHOWN {
                self.run.end_preview();
                self.news = true;
            }
        }
    }
}

impl ViewState {
    /// Previews what saves lead to, or no longer.
    pub(in crate::app) fn toggle_preview(&mut self, session: &mut LiveSession) {
        self.preview = !self.preview;
        session.run.end_preview();
        let text = if self.preview {
            "preview on: after a change, the selected units are shown over the next 5 s"
        } else {
            "preview off"
        };
        let step = session.run.simulation.world().steps;
        (session.news, session.previewed) = (true, 0.0);
        session.log.say(Tone::Plain, step, text);
    }
}
