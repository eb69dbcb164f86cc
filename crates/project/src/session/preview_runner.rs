//! Previews: trajectories of units over the next seconds, by the rules before and after a change.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};

use rayon::ThreadPool;
use steerbox_core::sim::Simulation;
use steerbox_core::world::minimum_image;

use super::task::{Task, pool};
use super::trajectories::{Ahead, Trajectory};
use crate::reload::Generation;

/// Simulated seconds of a preview.
const PREVIEW_SECONDS: f32 = 5.0;
/// Wall time limit of the first portion of a preview, which is shown while the rest is computed; in tests, the rest is always
/// a portion of its own.
const FIRST_PORTION: Duration = Duration::from_millis(if cfg!(test) { 0 } else { 30 });
/// Wall time limit of the rest. Where steps take long, the trajectories are shorter.
const TIME_LIMIT: Duration = Duration::from_secs(1);
/// Maximum number of previewed units.
pub const MAX_PREVIEWED: usize = 16;
/// Value changes within this time of each other count as one, such as those of a dragged slider.
const COALESCE: Duration = Duration::from_millis(700);

/// Trajectories of units over the next seconds, by the rules before the last change and by the present ones.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Number of steps before the first position.
    pub from: u64,
    /// Keys of the units.
    pub keys: Vec<u64>,
    /// Trajectories by unit under the earlier rules; empty if the unit did not exist.
    pub before: Vec<Trajectory>,
    /// Trajectories by unit under the present rules.
    pub now: Vec<Trajectory>,
}

impl Preview {
    fn new(from: u64, keys: Vec<u64>, [mut before, mut now]: [Vec<Trajectory>; 2]) -> Self {
        // One of the two may be shorter, as its steps took longer.
        for (before, now) in before.iter_mut().zip(&mut now).filter(|(before, _)| !before.is_empty()) {
            let both = before.len().min(now.len());
            before.truncate(both);
            now.truncate(both);
        }
        Self { from, keys, before, now }
    }

    /// Returns the distance between the ends of a unit's two trajectories, world units; `wrap` as in
    /// [`minimum_image`].
    pub fn difference(&self, unit: usize, wrap: Option<glam::Vec2>) -> Option<f32> {
        let ends = self.before.get(unit)?.last().zip(self.now.get(unit)?.last());
        ends.map(|(before, now)| minimum_image(*now - *before, wrap).length())
    }
}

/// The trajectories by the rules before and after a change, as far as they are computed.
struct Runs {
    keys: Vec<u64>,
    from: u64,
    before: Ahead,
    now: Ahead,
    /// True while nothing but the first portion is computed.
    is_first: bool,
}

impl Runs {
    /// Makes the steps of the next portion, both runs in parallel.
    fn extend(&mut self, other: &ThreadPool, cancel: &AtomicBool) {
        let Self { before, now, is_first, .. } = self;
        let limit = if *is_first { FIRST_PORTION } else { TIME_LIMIT };
        other.in_place_scope(|scope| {
            scope.spawn(|_| before.advance(limit, cancel));
            now.advance(limit, cancel);
        });
    }

    /// Returns true if the next portion is to be computed.
    fn is_partial(&self) -> bool {
        self.is_first && (self.before.is_partial() || self.now.is_partial())
    }

    fn preview(&self) -> Preview {
        let trajectories = [&self.before, &self.now].map(|ahead| ahead.trajectories().to_vec());
        Preview::new(self.from, self.keys.clone(), trajectories)
    }
}

/// Computes the preview of each change of the rules.
#[derive(Default)]
pub(super) struct PreviewRunner {
    /// Keys of the units to preview.
    pub(super) units: Vec<u64>,
    /// The rules before the last change.
    earlier: Option<Earlier>,
    running: Option<Task<Runs>>,
    /// Expected result of a save, if the running or shown preview is of it.
    draft: Option<Box<Generation>>,
    /// Simulations of the next preview: of the same change, from the step at which it was confirmed.
    next: Option<Box<[Simulation; 2]>>,
    pub(super) shown: Option<Preview>,
    pools: Option<Pools>,
}

/// A thread for each of the two simulations, so that no step waits for them.
struct Pools([Arc<ThreadPool>; 2]);

impl Pools {
    fn new() -> Option<Self> {
        let pool = || pool(1).ok().map(Arc::new);
        Some(Self([pool()?, pool()?]))
    }
}

/// The rules before a change.
struct Earlier {
    generation: Generation,
    /// True if the change was of values alone.
    is_of_values: bool,
    changed: Instant,
}

impl PreviewRunner {
    /// Stores `running` as the rules before a change and returns them. Successive changes of values within a short
    /// time leave the first baseline unchanged.
    pub(super) fn before_change(
        &mut self,
        running: Generation,
        is_of_values: bool,
        now: Instant,
    ) -> &Generation {
        let goes_on = self.earlier.take().filter(|earlier| {
            earlier.is_of_values && is_of_values && now.saturating_duration_since(earlier.changed) < COALESCE
        });
        let generation = goes_on.map_or(running, |earlier| earlier.generation);
        &self.earlier.insert(Earlier { generation, is_of_values, changed: now }).generation
    }

    /// Starts a preview; there is none where the system provides no threads.
    pub(super) fn begin(&mut self, before: Simulation, now: Simulation) {
        self.end();
        self.run(before, now);
    }

    /// Starts a preview of the expected result of a save.
    pub(super) fn start_draft(&mut self, before: Simulation, now: Simulation, draft: Generation) {
        self.end();
        self.draft = Some(Box::new(draft));
        self.run(before, now);
    }

    /// Returns true if the last draft is the generation that runs now; otherwise ends its preview.
    pub(super) fn confirm_draft(&mut self, generation: &Generation) -> bool {
        match self.draft.take() {
            Some(draft) if draft.runs_like(generation) => true,
            Some(_) => {
                self.end();
                false
            }
            None => false,
        }
    }

    /// Starts a preview after the running one, which is shown until then.
    pub(super) fn follow(&mut self, before: Simulation, now: Simulation) {
        if self.is_busy() {
            self.next = Some(Box::new([before, now]));
        } else {
            self.run(before, now);
        }
    }

    fn run(&mut self, before: Simulation, now: Simulation) {
        let (keys, from, steps) = (self.units.clone(), now.world().steps, steps_of(&now));
        self.spawn(move || {
            let [before, now] = [before, now].map(|simulation| Ahead::new(simulation, &keys, steps));
            Runs { keys, from, before, now, is_first: true }
        });
    }

    /// Computes the next portion of the runs that `runs` returns.
    fn spawn(&mut self, runs: impl FnOnce() -> Runs + Send + 'static) {
        self.pools = self.pools.take().or_else(Pools::new);
        if let Some(Pools([pool, other])) = &self.pools {
            let other = Arc::clone(other);
            self.running = Some(Task::spawn(pool, move |cancel| {
                let mut runs = runs();
                runs.extend(&other, cancel);
                runs
            }));
        }
    }

    /// Returns the rules before the last change.
    pub(super) fn earlier(&self) -> Option<&Generation> {
        self.earlier.as_ref().map(|earlier| &earlier.generation)
    }

    /// Shows the preview if a portion is finished within `patience`; returns true if one is.
    pub(super) fn settle(&mut self, patience: Duration) -> bool {
        let Some(done) = Task::take(&mut self.running, patience) else {
            return false;
        };
        let done = done.ok();
        self.shown = done.as_ref().map(Runs::preview);
        match (self.next.take(), done) {
            (Some(next), _) => {
                let [before, now] = *next;
                self.run(before, now);
            }
            (None, Some(mut runs)) if runs.is_partial() => {
                runs.is_first = false;
                self.spawn(|| runs);
            }
            _ => {}
        }
        true
    }

    /// Returns true while a preview is computed.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Removes the running and the shown preview.
    pub(super) fn end(&mut self) {
        (self.running, self.shown, self.draft, self.next) = (None, None, None, None);
    }
}

/// Returns the number of steps of a preview.
fn steps_of(simulation: &Simulation) -> u64 {
    (PREVIEW_SECONDS / simulation.world().step).round() as u64
}
