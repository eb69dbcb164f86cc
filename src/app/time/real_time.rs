//! The session in real time: generations swapped in, steps made as time passes.

use std::time::{Duration, Instant};

use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::app::model::reload_log;
use crate::reload::Generation;
use crate::session::{Outcome, Swapped};

/// Simulated time that one frame may make up for, seconds of wall time.
const MOST_LAG: f32 = 0.1;

impl LiveSession {
    /// Takes over the steps that were under way, and swaps in the generations that have become ready.
    pub(in crate::app) fn receive(&mut self) {
        self.collect(Duration::ZERO);
        self.run.send_sample();
        self.ready.extend(self.run.ready());
        let busy = self.run.simulation.busy();
        if busy.is_none() {
            self.run.preview_draft();
            self.run.update_lookahead();
        }
        if busy.is_none_or(|busy| busy >= self.swap_wait) {
            for generation in std::mem::take(&mut self.ready) {
                self.swap(generation);
            }
        }
        self.receive_compared();
        let saving = self.saving;
        for saved in self.run.answers() {
            self.news = true;
            self.tell_saved(saved);
        }
        self.lose_patience(Instant::now());
        self.news |= saving != self.saving;
    }

    /// Lets a generation run in place of the one before.
    fn swap(&mut self, generation: Generation) {
        self.news = true;
        let Swapped { before, events, notes, saved, polling, refused } = self.run.swap(generation);
        let generation = self.run.newest();
        self.reloaded |= events.iter().any(|event| event.kind.runs());
        self.strays.follow(&before, &generation.scene);
        for script in &generation.changed {
            self.log.close_reports(script);
        }
        let step = self.run.simulation.world().steps;
        self.faulty.note(&events);
        reload_log::tell(&mut self.log, step, &events, generation);
        // A tuned value repairs no file.
        if !events.is_empty() && self.faulty.shown(generation).is_empty() {
            self.log.settle();
        }
        // After the errors of files are settled: this one stays.
        if let Some(error) = refused {
            self.log.say(Tone::Bad, 0, format!("{error:#}"));
        }
        if let Some(saved) = saved {
            self.tell_saved(saved);
        } else if !notes.is_empty() {
            let text = format!("scene: {}", notes.join(", "));
            self.log.say(Tone::Plain, step, text);
        }
        if let Some(trouble) = polling {
            let text = format!("no file events ({trouble}): polling instead");
            self.log.say(Tone::Warning, step, text);
        }
    }

    /// Makes the steps that `seconds` of wall time ask for. What is not done in time comes back later.
    pub(in crate::app) fn advance(&mut self, seconds: f32) {
        let due = self.due(seconds);
        if let Some(at) = self.run.looked_at() {
            self.travel(at, due as u64);
            if !self.run.is_seeking() {
                self.run.complete();
            }
            self.share = 1.0;
            self.blend();
            return;
        }
        if self.run.simulation.busy().is_none() {
            let singles = std::mem::take(&mut self.singles);
            let due = (due as u32).saturating_add(singles);
            if self.pause_when.is_some() {
                self.advance_until(due);
            } else {
                self.run.simulation.start(due);
            }
            if self.paused {
                self.run.complete();
            }
            self.collect(self.frame_wait);
        }
        let mut late = self.paused;
        if due > 0.0 {
            let made = std::mem::take(&mut self.made) as f32;
            self.pace += (made / due - self.pace) * 0.1;
            if made < due {
                // What could not be made in time is dropped: the window stays responsive instead.
                (self.lag, late) = (0.0, true);
            }
        }
        let late = late || self.run.simulation.busy().is_some();
        let share = if late { 1.0 } else { self.lag / self.run.simulation.world().step };
        self.news |= share != self.share;
        self.share = share;
        self.blend();
    }

    /// Brings up to date where units are drawn: paused or late, at their last state.
    pub(in crate::app) fn blend(&mut self) {
        let simulation = &self.run.simulation;
        self.shown.blend(simulation.world(), simulation.poses_before(), self.share);
        self.blend_compared(self.share);
    }

    /// How many steps real time asks for, after `seconds` more of it.
    fn due(&mut self, seconds: f32) -> f32 {
        let step = self.run.simulation.world().step;
        if self.paused || self.run.waits() {
            // The last state is shown: from it, what is shown goes on.
            self.lag = step;
            self.made = 0;
            return 0.0;
        }
        let rate = self.run.generation.scene.speed * self.speed;
        self.lag = (self.lag + seconds * rate).min(MOST_LAG * rate + step);
        let due = (self.lag / step).floor();
        self.lag -= due * step;
        due
    }

    /// Takes over the steps under way once they are done, after at most `patience`.
    pub(in crate::app) fn collect(&mut self, patience: Duration) {
        match self.run.simulation.finish(patience) {
            Outcome::Nothing => {}
            Outcome::Made(made) => {
                self.news = true;
                self.made += made;
                let steps = self.run.simulation.world().steps;
                let seen = std::mem::replace(&mut self.reported, steps).min(steps);
                let reports = self.run.simulation.reports().iter();
                for report in reports.filter(|report| report.last_step >= seen) {
                    self.log.report(report, || self.run.generation.fault(report));
                }
            }
            Outcome::Explained => self.news = true,
            Outcome::Panicked => {
                (self.news, self.paused) = (true, true);
                let (step, text) = (self.run.simulation.world().steps, "an internal error");
                let text = format!("{text} stopped the next step: paused before it");
                self.log.say(Tone::Bad, step, text);
            }
        }
    }
}
