//! Recorded steps made once more beside the run, for samples that were not stored when the steps were made.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use super::explained::{Explained, Inspected};
use super::fork::unobserved;
use super::observer::Observer;
use super::running_scene::Session;
use super::task::{Task, pool};
use crate::reload::Generation;
use crate::sim::Simulation;
use crate::world::World;

/// The recorded states to compute once more, and the figures of each.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ReplayOrder {
    /// The number of steps made by each state. All are recorded, and none is the oldest recorded one.
    pub steps: BTreeSet<u64>,
    /// The unit to explain, by its key.
    pub unit: Option<u64>,
    /// True to record the values beside the lines of its scripts.
    pub values: bool,
    /// True to record the values that behaviors watch.
    pub watching: bool,
}

/// A replay under way. It is canceled when this is dropped.
pub struct Replay<T> {
    /// The first step that is made once more: the one after the keyframe before `last`.
    pub first: u64,
    /// The last step that is made once more: the newest of the order.
    pub last: u64,
    task: Task<Vec<T>>,
}

impl<T> Replay<T> {
    /// The notes of the ordered steps, oldest first, or an empty list if the replay failed; `None` if it is not finished
    /// within `patience`.
    pub fn finish(&self, patience: Duration) -> Option<Vec<T>> {
        self.task.wait(patience).map(Option::unwrap_or_default)
    }

    /// The time at which the work began.
    pub fn since(&self) -> Instant {
        self.task.since
    }
}

impl<O: Observer> Session<O> {
    /// The number of times that recorded steps were replaced by others.
    pub fn rewrites(&self) -> u64 {
        self.simulation.history.rewrites()
    }

    /// Begins to make the newest of the ordered steps once more, on a copy and on a thread of its own, and passes the
    /// state after each to `note`. The run does not depend on it. `None` if nothing is recorded or no thread starts.
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
        // On one thread, so that steps of the run never wait for a replay.
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
                    Some(inspected) => inspected.step(simulation, cancel),
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

/// The unit with a key, to be inspected by the behaviors of a generation; `None` if no unit has it.
fn inspected_by_key(generation: &Generation, world: &World, (key, values): (u64, bool)) -> Option<Inspected> {
    let unit = world.units.key.iter().position(|other| *other == key)?;
    Inspected::new(&generation.behaviors, world, (unit, values), None)
}
