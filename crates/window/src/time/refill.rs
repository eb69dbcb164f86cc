//! Plots and sparklines, filled from the recorded past: one interval between keyframes after the other, newest first.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use steerbox_project::session::{Replay, ReplayOrder};

use crate::model::live_session::LiveSession;
use crate::model::plots::Computed;
use crate::model::refill::{Request, Sample};
use crate::model::view_state::ViewState;

impl ViewState {
    /// Updates the figures over time, and completes them from the recorded past.
    pub(crate) fn follow_figures(&mut self, session: &mut LiveSession) {
        let (run, is_present) = (&session.run, session.run.past_step().is_none());
        let (simulation, world) = (&run.simulation, run.simulation.world());
        let explained = simulation.explained().map(|explained| &**explained);
        let unit = self.selection.inspected();
        let keyed = unit.and_then(|unit| Some((unit, *world.units.key.get(unit)?)));
        let last = run.recorded().map_or(world.steps, |recorded| *recorded.end());
        self.plots.follow(is_present.then_some(world), (last, run.rewrites()), keyed);
        self.history.follow(keyed.map(|(_, key)| key), (last, run.rewrites()));
        if is_present {
            self.plots.note(simulation, explained);
            self.history.note(world, explained);
            self.note_compared(session.run.variant());
        }
        self.refill(session, keyed.map(|(_, key)| key));
    }

    fn refill(&mut self, session: &mut LiveSession, unit: Option<u64>) {
        let request = Request {
            rewrites: session.run.rewrites(),
            resets: self.plots.resets,
            open: self.plots.open,
            unit,
            plotted: self.history.plotted,
            computed: [self.plots.wanted(), self.history.wanted()],
        };
        let step = session.run.simulation.world().step;
        // A replay for another request is canceled.
        let running = self.refill.running.take().filter(|(running, _)| *running == request);
        if let Some((_, replay)) = running {
            match replay.finish(Duration::ZERO) {
                None => self.refill.running = Some((request, replay)),
                Some(samples) => {
                    self.fill(&replay, samples, request.computed, step);
                    let spent = replay.since().elapsed();
                    self.refill.pause_end = Instant::now().checked_add(spent).filter(|_| !session.paused);
                    session.needs_redraw = true;
                }
            }
        }
        let pauses = self.refill.pause_end.is_some_and(|end| Instant::now() < end && !session.paused);
        let Some(recorded) = session.run.recorded().filter(|_| !pauses && self.refill.running.is_none())
        else {
            return;
        };
        let missing = [self.plots.missing(&recorded, step), self.history.missing(&recorded, step)];
        let steps: BTreeSet<u64> = missing.iter().flatten().copied().collect();
        if steps.is_empty() {
            return;
        }
        let (values, watching) = (request.plotted.is_some(), self.plots.watches());
        let (plots, rules) = (self.plots.sampler(), self.history.sampler());
        let replay = session.run.replay(
            ReplayOrder { steps, unit, values, watching },
            move |simulation, explained| {
                let at = (simulation.world().steps, simulation.world().time());
                let [for_plots, for_rules] = missing.each_ref().map(|steps| steps.contains(&at.0));
                Sample {
                    at,
                    plots: for_plots.then(|| plots(simulation, explained)),
                    rules: for_rules.then(|| rules(explained)),
                }
            },
        );
        self.refill.running = replay.map(|replay| (request, replay));
    }

    /// Stores the samples of a replay.
    fn fill(
        &mut self,
        replay: &Replay<Sample>,
        samples: Vec<Sample>,
        [plots, rules]: [Computed; 2],
        step: f32,
    ) {
        for sample in samples {
            if let Some(figures) = sample.plots {
                self.plots.series_mut().store(sample.at, plots, figures);
            }
            if let Some(forces) = sample.rules {
                self.history.series_mut().store(sample.at, rules, forces);
            }
        }
        let steps = replay.first..=replay.last;
        if self.plots.open {
            self.plots.series_mut().complete(&steps, plots, step);
        }
        self.history.series_mut().complete(&steps, rules, step);
    }
}
