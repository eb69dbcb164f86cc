//! Playback of the recorded past: steps, jumps, and the return to the present.

use std::time::Instant;

use steerbox_core::world::Controls;

use crate::model::edits::{Edit, EditStep};
use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::time::timeline::MarkKind;

impl LiveSession {
    /// Shows a recorded step. If the present was shown, the scene pauses.
    pub(crate) fn show_step(&mut self, step: u64) {
        let before = self.run.past_step();
        self.run.show_step(step);
        match (before, self.run.past_step()) {
            (None, Some(_)) => {
                self.resumes_on_return = !self.paused;
                self.paused = true;
            }
            (Some(_), None) => self.arrive(),
            _ => {}
        }
        self.needs_redraw = true;
    }

    /// The shown step, or the one that is being computed.
    pub(crate) fn at(&self) -> u64 {
        self.run.past_step().unwrap_or(self.run.simulation.world().steps)
    }

    /// Shows the previous step.
    pub(crate) fn step_back(&mut self) {
        let before = self.at().saturating_sub(1);
        self.backwards = false;
        self.show_step(before);
        self.paused = true;
    }

    /// Plays the recorded steps backwards, or stops.
    pub(crate) fn play_backwards(&mut self) {
        if self.backwards {
            (self.paused, self.backwards) = (true, false);
            return;
        }
        self.show_step(self.at().saturating_sub(1));
        if self.run.past_step().is_some() {
            (self.paused, self.backwards) = (false, true);
        }
    }

    /// Goes to the next event, or to the previous one.
    pub(crate) fn jump(&mut self, forward: bool) {
        let (at, marks) = (self.at(), self.marks());
        let recorded = marks.iter().filter(|mark| mark.kind != MarkKind::Pending);
        let mut steps = recorded.map(|mark| mark.step);
        let step = if forward { steps.find(|step| *step > at) } else { steps.rfind(|step| *step < at) };
        let ends =
            self.run.recorded().map(|recorded| if forward { *recorded.end() } else { *recorded.start() });
        if let Some(step) = step.or(ends) {
            self.show_step(step);
        }
    }

    /// Returns to the present, paused or running as before.
    pub(crate) fn return_to_present(&mut self) {
        if self.run.past_step().is_some() {
            self.run.return_to_present();
            self.paused = !self.resumes_on_return;
            self.arrive();
        }
    }

    /// Continues from the recorded step that is shown.
    pub(crate) fn continue_here(&mut self) {
        if self.run.past_step().is_some() {
            self.run.continue_here();
            self.arrive();
            let step = self.run.simulation.world().steps;
            self.log.add(Tone::Plain, step, format!("continued from step {step}"));
        }
    }

    /// Returns to the original run and to its tuned values.
    pub(crate) fn discard(&mut self) {
        if self.run.past_step().is_some() {
            let tuned = self.run.original().map(|original| original.tuned().collect::<Vec<_>>());
            self.run.discard();
            self.arrive();
            if let Some(tuned) = tuned {
                self.set_all_values(&tuned);
            }
        }
    }

    /// Resets the playback after a return to the present.
    fn arrive(&mut self) {
        (self.backwards, self.needs_redraw, self.requested_steps) = (false, true, 0);
    }

    /// Plays the past, backwards or forwards, by `due` steps and the requested single steps. At the end of the record,
    /// the present continues.
    pub(crate) fn travel(&mut self, at: u64, due: u64) {
        let due = due + u64::from(std::mem::take(&mut self.requested_steps));
        if due > 0 && !self.run.is_seeking() {
            let to = if self.backwards { at.saturating_sub(due) } else { at + due };
            self.show_step(to);
            if self.run.past_step() == Some(at) {
                // There is no later recorded step.
                (self.paused, self.backwards) = (true, false);
            }
        }
        let was_running_anew = self.run.is_rerunning();
        self.needs_redraw |= self.run.settle(self.frame_wait) || self.run.first_difference().is_some();
        if was_running_anew && !self.run.is_rerunning() {
            self.log_divergence();
        }
    }

    /// Logs the divergence of the new run and the old one.
    fn log_divergence(&mut self) {
        let step = self.run.simulation.world().steps;
        match self.run.run_pair() {
            Some(pair) => {
                let [words, details] = self.words_of(pair, ["before", "now"]);
                let text = if details.is_empty() { words } else { format!("{words}; {details}") };
                self.log.add(Tone::Plain, step, text);
            }
            None => self.log.add(Tone::Warning, step, "the steps since then cannot be computed again"),
        }
    }

    /// Restarts the scene.
    pub(crate) fn restart(&mut self) {
        self.return_to_present();
        let ended = EditStep::Run(Some(Box::new(self.run.restart())));
        self.edits.add(Edit::new("restart", ended, EditStep::Run(None)), Instant::now());
        self.follow_run();
        self.log.add(Tone::Plain, 0, "restarted: Ctrl+Z returns to the run before, with its past");
    }

    /// Adapts to another run of the scene.
    pub(crate) fn follow_run(&mut self) {
        self.log.clock = self.run.clock();
        // Held keys are recorded again.
        self.controls = Controls::default();
        self.reported_step = self.run.simulation.world().steps;
        self.moved_scatter.clear();
    }
}
