//! Replays of recorded steps, for samples that were not stored when the steps were made.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use steerbox_core::sim::Simulation;
use steerbox_core::world::World;

use super::explained::{Explained, Inspected};
use super::fork::unobserved;
use super::observer::Observer;
use super::running_scene::Session;
use super::task::{Task, pool};
use crate::reload::Generation;

/// The recorded states to reproduce, and the figures of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayOrder {
    /// Number of steps before each state. All are recorded, and none is the oldest one.
    pub steps: BTreeSet<u64>,
    /// Key of the unit to explain.
    pub unit: Option<u64>,
    /// True to record the values of the lines of its scripts.
    pub values: bool,
    /// True to record the values that behaviors watch.
    pub watching: bool,
}

/// A running replay. It is canceled when this is dropped.
pub struct Replay<T> {
    /// First repeated step: the one after the keyframe before `last`.
    pub first: u64,
    /// Last repeated step: the newest of the order.
    pub last: u64,
    task: Task<Vec<T>>,
}

impl<T> Replay<T> {
    /// Returns the notes of the ordered steps, oldest first; an empty list if the replay failed, `None` if it is not
    /// finished within `patience`.
    pub fn finish(&self, patience: Duration) -> Option<Vec<T>> {
        self.task.wait(patience).map(Result::unwrap_or_default)
    }

    /// Returns the start time.
    pub fn since(&self) -> Instant {
        self.task.since
    }
}

impl<O: Observer> Session<O> {
    /// Returns the number of times that recorded steps were replaced.
    pub fn rewrites(&self) -> u64 {
        self.simulation.history.rewrites()
    }

    /// Starts a replay up to the newest of the ordered steps, on a copy and on a thread of its own, and passes the
    /// state after each to `note`. The run does not depend on it. Returns `None` if nothing is recorded or no thread
    /// starts.
    pub fn replay<T: Send + 'static>(
        &mut self,
        order: ReplayOrder,
        mut note: impl FnMut(&Simulation, Option<&Explained>) -> T + Send + 'static,
    ) -> Option<Replay<T>> {
        let ReplayOrder { steps, unit, values, watching } = order;
        let history = &self.simulation.history;
        let mut plan = history.plan(*steps.last()?, None)?;
        let (first, last) = (plan.from.steps() + 1, plan.to);
        let mut generations = history.generations(plan.from.steps(), last).into_iter().peekable();
        let mut simulation = unobserved(self.simulation.state.simulation.clone(), watching);
        // One thread, so that steps of the run never wait for a replay.
        self.replays = self.replays.take().or_else(|| pool(1).ok());
        let task = Task::spawn(self.replays.as_ref()?, move |cancel| {
            let (mut notes, mut behaviors, mut inspected) = (Vec::new(), None, None);
            let made = plan.run(&mut simulation, |simulation, _| {
                let step = simulation.world().steps + 1;
                while let Some((_, generation)) = generations.next_if(|(at, _)| *at < step) {
                    (behaviors, inspected) = (Some(generation), None);
                }
                if !steps.contains(&step) {
                    return simulation.try_step(cancel);
                }
                if let (None, Some(key), Some(generation)) = (&inspected, unit, &behaviors) {
                    inspected = inspected_by_key(generation, simulation.world(), (key, values));
                }
                let (made, explained) = match &inspected {
                    Some(inspected) => inspected.step(simulation, true, cancel),
                    None => (simulation.try_step(cancel), None),
                };
                if made {
                    notes.push(note(simulation, explained.as_ref()));
                }
                made
            });
            if made { notes } else { Vec::new() }
        });
        Some(Replay { first, last, task })
    }
}

/// Returns the unit with a key, for inspection under the behaviors of a generation; `None` if there is no such unit.
fn inspected_by_key(generation: &Generation, world: &World, (key, values): (u64, bool)) -> Option<Inspected> {
    let unit = world.units.key.iter().position(|other| *other == key)?;
    Inspected::new(&generation.behaviors, world, (unit, values), None)
}
