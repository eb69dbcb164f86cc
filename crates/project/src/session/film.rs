//! Replays of all states of a part of the record, for pictures and recordings of the past.

use std::ops::RangeInclusive;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use steerbox_core::sim::Simulation;
use steerbox_scene::Scene;

use super::fork::unobserved;
use super::observer::Observer;
use super::running_scene::Session;
use super::task::{Task, pool};

/// A running replay of successive states. It is canceled when this is dropped.
pub struct Film<T> {
    /// The first and the last repeated step.
    steps: (u64, u64),
    done: Arc<AtomicU64>,
    task: Task<T>,
}

impl<T> Film<T> {
    /// Returns the result: `None` if it is not finished within `patience`, and `Some(None)` if the replay failed.
    pub fn finish(&self, patience: Duration) -> Option<Option<T>> {
        self.task.wait(patience).map(Result::ok)
    }

    /// Returns the share of its steps that are made, 0 to 1.
    pub fn progress(&self) -> f32 {
        let (first, last) = self.steps;
        let done = self.done.load(Ordering::Relaxed).saturating_sub(first);
        done as f32 / (last.saturating_sub(first)).max(1) as f32
    }
}

impl<O: Observer> Session<O> {
    /// Starts a replay of recorded steps on a copy and on a thread of its own. Passes the state after each to `note`,
    /// with the scene that it belongs to, preceded by those since the last keyframe; then passes `true` to `end`. The
    /// run does not depend on it. The replay ends early when `note` returns false; `end` then receives `false`, as it
    /// does after a cancellation. Returns `None` if nothing is recorded or no thread starts.
    pub fn film<S: Send + 'static, T: Send + 'static>(
        &mut self,
        steps: RangeInclusive<u64>,
        mut state: S,
        mut note: impl FnMut(&mut S, &Arc<Scene>, &Simulation) -> bool + Send + 'static,
        end: impl FnOnce(S, bool) -> T + Send + 'static,
    ) -> Option<Film<T>> {
        let history = &self.simulation.history;
        let mut plan = history.plan_range(steps)?;
        let (first, last) = (plan.from.steps(), plan.to);
        let mut generations = history.generations(first, last).into_iter().skip(1).peekable();
        let mut scene = Arc::clone(&history.generation(first).scene);
        let mut simulation = unobserved(self.simulation.state.simulation.clone(), false);
        let done = Arc::new(AtomicU64::new(first));
        let counter = Arc::clone(&done);
        self.films = self.films.take().or_else(|| pool(1).ok());
        let task = Task::spawn(self.films.as_ref()?, move |cancel| {
            simulation.restore_exactly(&plan.from);
            let mut made = note(&mut state, &scene, &simulation);
            made = made
                && plan.run(&mut simulation, |simulation, _| {
                    let step = simulation.world().steps + 1;
                    while let Some((_, generation)) = generations.next_if(|(at, _)| *at < step) {
                        scene = Arc::clone(&generation.scene);
                    }
                    let made = simulation.try_step(cancel) && note(&mut state, &scene, simulation);
                    counter.store(step, Ordering::Relaxed);
                    made
                });
            end(state, made)
        });
        Some(Film { steps: (first, last), done, task })
    }
}
