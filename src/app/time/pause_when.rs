//! Pausing when a condition on the figures of the run comes true.

use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::app::model::pause_when::PauseWhen;
use crate::script::{Condition, ConditionFigures};
use crate::sim::Simulation;
use crate::sim::metrics;

impl LiveSession {
    /// Pauses as soon as an expression comes true; with none, no longer.
    pub(in crate::app) fn pause_when(&mut self, text: &str) {
        self.pause_when = None;
        if text.trim().is_empty() {
            return;
        }
        let text = text.trim();
        let simulation = &self.run.simulation;
        let read = Condition::read(text).and_then(|condition| {
            // Watched values exist after the first step.
            if simulation.world().steps > 0 {
                condition.holds(&figures_of(simulation))?;
            }
            Ok(condition)
        });
        match read {
            Ok(condition) => self.pause_when = Some(PauseWhen { condition, seen: None }),
            Err(error) => self.tell_condition(Tone::Warning, &format!("cannot pause when {text}: {error}")),
        }
    }

    /// Makes up to `due` steps one by one, and pauses where the condition comes true.
    pub(in crate::app) fn advance_until(&mut self, due: u32) {
        self.pauses_now();
        for _ in 0..due {
            self.run.simulation.start(1);
            self.collect(self.frame_wait);
            if self.run.simulation.busy().is_some() || self.pauses_now() {
                return;
            }
        }
    }

    /// Whether the condition has come true with the last step, so that it pauses here.
    fn pauses_now(&mut self) -> bool {
        let simulation = &self.run.simulation;
        let step = simulation.world().steps;
        let Some(watched) =
            self.pause_when.as_mut().filter(|watched| watched.seen.is_none_or(|(at, _)| at != step))
        else {
            return false;
        };
        let was = watched.seen.is_some_and(|(_, was)| was);
        match watched.condition.holds(&figures_of(simulation)) {
            Ok(is) => {
                watched.seen = Some((step, is));
                if is && !was {
                    let text = format!("paused in step {step}: {}", watched.condition.text());
                    self.paused = true;
                    self.tell_condition(Tone::Good, &text);
                    return true;
                }
            }
            // What scripts watch is known with the next step.
            Err(_) if watched.seen.is_none() => watched.seen = Some((step, false)),
            Err(error) => {
                let text = format!("stopped pausing when {}: {error}", watched.condition.text());
                self.pause_when = None;
                self.tell_condition(Tone::Warning, &text);
            }
        }
        false
    }

    fn tell_condition(&mut self, tone: Tone, text: &str) {
        let step = self.run.simulation.world().steps;
        self.log.say(tone, step, text);
    }
}

/// What conditions can name.
fn figures_of(simulation: &Simulation) -> ConditionFigures {
    let world = simulation.world();
    let of_groups = metrics::of_groups(world).into_iter().zip(&world.groups).enumerate();
    let watched = metrics::watched(simulation);
    let groups = of_groups.map(|(at, (figures, group))| {
        let known = figures.iter().map(|(figure, value)| (figure.name.to_owned(), value));
        let watched = watched.iter().filter(|watched| watched.group == at);
        let watched = watched.map(|watched| (watched.name.clone(), watched.mean));
        (group.name.clone(), known.chain(watched).collect())
    });
    ConditionFigures {
        step: world.steps,
        time: world.time(),
        errors: simulation.reports().iter().map(|report| report.count).sum(),
        groups: groups.collect(),
    }
}
