//! Playback of the recorded past: steps, jumps, and the return to the present.

use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::world::Controls;

impl LiveSession {
    /// Looks at a step of the past. From the present, the scene pauses for it.
    pub(in crate::app) fn look_at(&mut self, step: u64) {
        let before = self.run.looked_at();
        self.run.look_at(step);
        match (before, self.run.looked_at()) {
            (None, Some(_)) => {
                self.resumes = !self.paused;
                self.paused = true;
            }
            (Some(_), None) => self.arrive(),
            _ => {}
        }
        self.news = true;
    }

    /// The step that is shown or looked for.
    pub(in crate::app) fn at(&self) -> u64 {
        self.run.looked_at().unwrap_or(self.run.simulation.world().steps)
    }

    /// One step back.
    pub(in crate::app) fn step_back(&mut self) {
        let before = self.at().saturating_sub(1);
        self.backwards = false;
        self.look_at(before);
        self.paused = true;
    }

    /// Runs the recorded steps backwards, or no longer.
    pub(in crate::app) fn play_backwards(&mut self) {
        if self.backwards {
            (self.paused, self.backwards) = (true, false);
            return;
        }
        self.look_at(self.at().saturating_sub(1));
        if self.run.looked_at().is_some() {
            (self.paused, self.backwards) = (false, true);
        }
    }

    /// Goes to the next thing that happened, or to the one before.
    pub(in crate::app) fn jump(&mut self, forward: bool) {
        let (at, marks) = (self.at(), self.marks());
        let mut steps = marks.iter().map(|mark| mark.step);
        let step = if forward { steps.find(|step| *step > at) } else { steps.rfind(|step| *step < at) };
        let ends =
            self.run.recorded().map(|recorded| if forward { *recorded.end() } else { *recorded.start() });
        if let Some(step) = step.or(ends) {
            self.look_at(step);
        }
    }

    /// Returns to the present, which goes on as it did before.
    pub(in crate::app) fn return_to_present(&mut self) {
        if self.run.looked_at().is_some() {
            self.run.return_to_present();
            self.paused = !self.resumes;
            self.arrive();
        }
    }

    /// Goes on from the step that is looked at.
    pub(in crate::app) fn go_on(&mut self) {
        if self.run.looked_at().is_some() {
            self.run.go_on();
            self.arrive();
            let step = self.run.simulation.world().steps;
            self.log.say(Tone::Plain, step, format!("continued from step {step}"));
        }
    }

    /// Returns to the run of before the past was changed.
    pub(in crate::app) fn discard(&mut self) {
        if self.run.looked_at().is_some() {
            self.run.discard();
            self.arrive();
        }
    }

    /// The present is there again.
    fn arrive(&mut self) {
        (self.backwards, self.news, self.singles) = (false, true, 0);
    }

    /// Goes on in the past, backwards or forwards, by as many steps as `due` and those that were asked for
    /// one by one; where it ends, the present goes on.
    pub(in crate::app) fn travel(&mut self, at: u64, due: u64) {
        let due = due + u64::from(std::mem::take(&mut self.singles));
        if due > 0 && !self.run.is_seeking() {
            let to = if self.backwards { at.saturating_sub(due) } else { at + due };
            self.look_at(to);
            if self.run.looked_at() == Some(at) {
                // There is nothing further on.
                (self.paused, self.backwards) = (true, false);
            }
        }
        let was_running_anew = self.run.is_rerunning();
        self.news |= self.run.settle(self.frame_wait) || self.run.first_difference().is_some();
        if was_running_anew && !self.run.is_rerunning() {
            self.tell_runs();
        }
    }

    /// Tells in the log where the new run and the old one part.
    fn tell_runs(&mut self) {
        let step = self.run.simulation.world().steps;
        match self.run.run_pair() {
            Some(pair) => {
                let [words, details] = self.words_of(pair, ["before", "now"]);
                let text = if details.is_empty() { words } else { format!("{words}; {details}") };
                self.log.say(Tone::Plain, step, text);
            }
            None => self.log.say(Tone::Warning, step, "the steps since then cannot be computed again"),
        }
    }

    /// Starts the scene anew.
    pub(in crate::app) fn restart(&mut self) {
        self.return_to_present();
        self.run.restart();
        // Keys that are held are sent again.
        self.controls = Controls::default();
        self.reported = 0;
        self.strays.clear();
        self.log.say(Tone::Plain, 0, "restarted");
    }
}
