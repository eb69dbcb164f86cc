//! The session in real time: swaps in generations, and makes steps as time passes.

use std::time::{Duration, Instant};

use steerbox_project::reload::Generation;
use steerbox_project::session::{Incident, IncidentKind, Outcome, ReplayEnd, Swapped};

use crate::model::live_session::LiveSession;
use crate::model::log::Tone;
use crate::model::reload_log;

/// Maximum backlog that one frame may catch up with, seconds of wall time.
const MAX_LAG: f32 = 0.1;

impl LiveSession {
    /// Receives finished steps, and swaps in the generations that are ready.
    pub(crate) fn receive(&mut self) {
        self.log.clock = self.run.clock();
        self.collect(Duration::ZERO);
        self.run.send_sample();
        self.run.resume_rewritten();
        self.ready.extend(self.run.ready());
        let busy = self.run.simulation.busy();
        if busy.is_none() {
            self.run.preview_draft();
        }
        if busy.is_none_or(|busy| busy >= self.swap_wait) {
            for generation in std::mem::take(&mut self.ready) {
                self.swap(generation);
            }
        }
        self.receive_compared();
        let saving = self.saving;
        for saved in self.run.answers() {
            self.needs_redraw = true;
            self.log_saved(saved);
        }
        self.report_slow_save(Instant::now());
        self.needs_redraw |= saving != self.saving;
    }

    /// Runs a generation in place of the one before.
    fn swap(&mut self, generation: Generation) {
        self.needs_redraw = true;
        let swapped = self.run.swap(generation);
        self.log.clock = self.run.clock();
        let generation = self.run.newest();
        let news = swapped.news(generation);
        let Swapped { before, events, incidents, dropped, saved, polling, refused, .. } = swapped;
        self.reloaded |= events.iter().any(|event| event.kind.runs());
        self.moved_scatter.follow(&before, &generation.scene);
        for script in &generation.changed {
            self.log.close_reports(script);
        }
        let step = self.run.simulation.world().steps;
        self.faulty.note(&events);
        reload_log::log_news(&mut self.log, step, news);
        // Tuning a value repairs no file.
        if !events.is_empty() && self.faulty.shown(generation).is_empty() {
            self.log.settle();
        }
        self.log_resumed(&incidents);
        self.add_dropped(&dropped);
        // Added after errors of files are dismissed: this one stays.
        if let Some(error) = refused {
            self.log.add(Tone::Bad, 0, format!("{error:#}"));
        }
        if let Some(saved) = saved {
            self.log_saved(saved);
        }
        if let Some(trouble) = polling {
            let text = format!("no file events ({trouble}): polling instead");
            self.log.add(Tone::Warning, step, text);
        }
    }

    /// Logs the behaviors that are no longer suspended.
    fn log_resumed(&mut self, incidents: &[Incident]) {
        for incident in incidents.iter().filter(|incident| incident.kind == IncidentKind::Resumed) {
            self.log.close_reports(&incident.script);
            reload_log::log_news(&mut self.log, incident.step, incident.news());
        }
    }

    /// Pauses at the end of a replay, and compares its last state with the recorded one.
    fn end_replay(&mut self) {
        let Some(ReplayEnd { steps, is_same }) = self.run.take_replay_end() else { return };
        (self.paused, self.needs_redraw) = (true, true);
        let (tone, text) = if is_same {
            (Tone::Good, "the replay ends with the recorded state")
        } else {
            (Tone::Warning, "the replay ends with another state than the recorded one")
        };
        self.log.add(tone, steps, text.to_owned());
    }

    /// Makes the steps due after `seconds` of wall time. Steps that are not finished in time arrive later.
    pub(crate) fn advance(&mut self, seconds: f32) {
        self.end_replay();
        let due = self.due(seconds);
        if let Some(at) = self.run.past_step() {
            self.travel(at, due as u64);
            if !self.run.is_seeking() {
                self.run.complete();
            }
            self.share = 1.0;
            self.blend();
            return;
        }
        if self.run.simulation.busy().is_none() {
            let singles = std::mem::take(&mut self.requested_steps);
            let due = (due as u32).saturating_add(singles);
            if self.pause_when.is_some() {
                self.advance_until(due);
            } else {
                self.run.start(due);
            }
            if self.paused {
                self.run.complete();
            }
            self.collect(self.frame_wait);
        }
        let mut late = self.paused;
        if due > 0.0 {
            let made = std::mem::take(&mut self.steps_made) as f32;
            self.pace += (made / due - self.pace) * 0.1;
            if made < due {
                // The remaining backlog is dropped, so that the window stays responsive.
                (self.lag, late) = (0.0, true);
            }
        }
        let late = late || self.run.simulation.busy().is_some();
        let share = if late { 1.0 } else { self.lag / self.run.simulation.world().step };
        self.needs_redraw |= share != self.share;
        self.share = share;
        self.blend();
    }

    /// Updates the poses at which units are drawn; while paused or late, those of the last state.
    pub(crate) fn blend(&mut self) {
        let simulation = &self.run.simulation;
        self.poses.blend(simulation.world(), simulation.poses_before(), self.share);
        self.blend_compared(self.share);
    }

    /// Number of steps that are due after `seconds` more of real time.
    fn due(&mut self, seconds: f32) -> f32 {
        let step = self.run.simulation.world().step;
        if self.paused || self.run.waits() {
            // The last state is shown, and interpolation continues from it.
            self.lag = step;
            self.steps_made = 0;
            return 0.0;
        }
        let rate = self.run.generation.scene.speed * self.speed;
        self.lag = (self.lag + seconds * rate).min(MAX_LAG * rate + step);
        let due = (self.lag / step).floor();
        self.lag -= due * step;
        due
    }

    /// Receives the current steps once they are finished; waits at most `patience`.
    pub(crate) fn collect(&mut self, patience: Duration) {
        match self.run.simulation.finish(patience) {
            Outcome::Nothing => {}
            Outcome::Made(made) => {
                self.needs_redraw = true;
                self.steps_made += made;
                let incidents = self.run.note_failures();
                self.log_resumed(&incidents);
                let steps = self.run.simulation.world().steps;
                let seen = std::mem::replace(&mut self.reported_step, steps).min(steps);
                let reports = self.run.simulation.reports().iter();
                for report in reports.filter(|report| report.last_step >= seen) {
                    self.log.report(report, || self.run.generation.fault(report));
                }
                let simulation = &self.run.simulation;
                for full in simulation.full_groups().iter().filter(|full| full.step >= seen) {
                    if let Some(message) = full.message(&simulation.world().groups) {
                        self.log.add_once(Tone::Plain, full.step, &message);
                    }
                }
            }
            Outcome::Explained => self.needs_redraw = true,
            Outcome::Panicked => {
                (self.needs_redraw, self.paused) = (true, true);
                let (step, text) = (self.run.simulation.world().steps, "an internal error");
                let text = format!("{text} stopped the next step: paused before it");
                self.log.add(Tone::Bad, step, text);
            }
        }
    }
}
