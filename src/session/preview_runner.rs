//! Where units would be over the next seconds: a copy of the simulation is run ahead, beside the one that goes on.

use std::sync::Arc;
use std::time::{Duration, Instant};

use rayon::ThreadPool;

use super::lookahead::{Lookahead, LookaheadCache, Trajectory};
use super::task::{Task, pool};
use crate::reload::Generation;
use crate::sim::Simulation;
use crate::world::minimum_image;

/// Simulated seconds that a preview looks ahead.
const PREVIEW_SECONDS: f32 = 5.0;
/// A course is kept ahead where all its steps take no longer than this.
const QUICK: Duration = Duration::from_millis(150);
/// Most units that are previewed at once.
pub const MAX_PREVIEWED: usize = 16;
/// Changes of values within this time of each other are one: a slider that is dragged.
const COALESCE: Duration = Duration::from_millis(700);

/// Where units would be over the next seconds, by the rules of before the last change and as they are now.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Steps that were made before both begin.
    pub from: u64,
    /// The units, by their keys.
    pub keys: Vec<u64>,
    /// Of each unit, as the rules were before. Empty where it was not there.
    pub before: Vec<Trajectory>,
    /// Of each unit, as the rules are now.
    pub now: Vec<Trajectory>,
}

impl Preview {
    fn of(from: u64, keys: Vec<u64>, [mut before, mut now]: [Vec<Trajectory>; 2]) -> Self {
        // One of both may have been slower.
        for (before, now) in before.iter_mut().zip(&mut now).filter(|(before, _)| !before.is_empty()) {
            let both = before.len().min(now.len());
            before.truncate(both);
            now.truncate(both);
        }
        Self { from, keys, before, now }
    }

    /// How far a unit's courses are apart at their ends, world units; `wrap` as [`minimum_image`] has it.
    pub fn difference(&self, unit: usize, wrap: Option<glam::Vec2>) -> Option<f32> {
        let ends = self.before.get(unit)?.last().zip(self.now.get(unit)?.last());
        ends.map(|(before, now)| minimum_image(*now - *before, wrap).length())
    }
}

/// Previews of what each change of the rules leads to.
#[derive(Default)]
pub(super) struct PreviewRunner {
    /// Units that are to be previewed, by their keys.
    pub(super) units: Vec<u64>,
    /// The rules of before the last change.
    earlier: Option<Earlier>,
    running: Option<Task<Preview>>,
    /// What a save most likely leads to, if the preview under way or shown is of that.
    draft: Option<Box<Generation>>,
    /// What is run ahead next: the same once more, from the step at which it came to be sure.
    next: Option<Box<[Simulation; 2]>>,
    pub(super) shown: Option<Preview>,
    /// Where the units go as things are.
    lookahead: LookaheadCache,
    pools: Option<Pools>,
}

/// Threads for previews: no step waits for them.
struct Pools {
    /// One for each course: neither waits for the other.
    each: [Arc<ThreadPool>; 2],
    /// All processors for one course, where the other is known.
    all: Arc<ThreadPool>,
}

impl Pools {
    fn new() -> Option<Self> {
        let pool = |threads: usize| pool(threads).ok().map(Arc::new);
        Some(Self { each: [pool(1)?, pool(1)?], all: pool(0)? })
    }
}

/// What ran before a change.
struct Earlier {
    generation: Generation,
    /// Whether values alone were changed.
    is_of_values: bool,
    changed: Instant,
}

impl PreviewRunner {
    /// The rules of before a change from `running`. Changes of values that follow each other closely are one.
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

    /// Begins to run both ahead; where the system gives no threads, there is no preview.
    pub(super) fn begin(&mut self, before: Simulation, now: Simulation) {
        self.end();
        self.run(before, now);
    }

    /// The same with what a save most likely leads to, after so many changes of the simulation.
    pub(super) fn start_draft(
        &mut self,
        changes: u64,
        before: Simulation,
        now: Simulation,
        draft: Generation,
    ) {
        let lookahead = self.lookahead.take(changes, &self.units);
        self.end();
        self.draft = Some(Box::new(draft));
        match lookahead {
            Some(lookahead) => self.run_with_lookahead(lookahead, before, now),
            None => self.run(before, now),
        }
    }

    /// Keeps the course of the present rules ahead, where its steps take no longer than `step_time`, so that the next
    /// save leaves only the other to be made. To be called again and again.
    pub(super) fn update_lookahead(&mut self, simulation: &Simulation, changes: u64, step_time: Duration) {
        let steps = steps_of(simulation);
        let is_quick = step_time.saturating_mul(steps as u32) <= QUICK;
        if !is_quick || self.units.is_empty() || self.is_busy() {
            self.lookahead = LookaheadCache::default();
            return;
        }
        self.pools = self.pools.take().or_else(Pools::new);
        if let Some(Pools { each: [_, pool], .. }) = &self.pools {
            self.lookahead.update(simulation, changes, &self.units, steps, pool);
        }
    }

    /// Whether the last draft is what now runs. If it is not, its preview ends.
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

    /// Runs both ahead after what is under way, whose preview is shown until then.
    pub(super) fn follow(&mut self, before: Simulation, now: Simulation) {
        if self.is_busy() {
            self.next = Some(Box::new([before, now]));
        } else {
            self.run(before, now);
        }
    }

    fn run(&mut self, before: Simulation, now: Simulation) {
        self.pools = self.pools.take().or_else(Pools::new);
        if let Some(Pools { each: [pool, other], .. }) = &self.pools {
            let (from, steps) = (now.world().steps, steps_of(&now));
            let (keys, other) = (self.units.clone(), Arc::clone(other));
            self.running = Some(Task::spawn(pool, move |cancel| {
                let ahead =
                    |simulation| Lookahead::new(simulation, &keys).reach(from, steps, cancel).trajectories();
                let (mut earlier, mut later) = (Vec::new(), Vec::new());
                other.in_place_scope(|scope| {
                    scope.spawn(|_| earlier = ahead(before));
                    later = ahead(now);
                });
                Preview::of(from, keys, [earlier, later])
            }));
        }
    }

    /// Runs ahead by the rules of now alone, on all processors, and then the little that lacks of what is kept.
    fn run_with_lookahead(
        &mut self,
        lookahead: impl FnOnce() -> Option<Lookahead> + Send + 'static,
        before: Simulation,
        now: Simulation,
    ) {
        if let Some(Pools { all, .. }) = &self.pools {
            let (from, steps) = (now.world().steps, steps_of(&now));
            let keys = self.units.clone();
            self.running = Some(Task::spawn(all, move |cancel| {
                let later = Lookahead::new(now, &keys).reach(from, steps, cancel);
                let earlier =
                    lookahead().unwrap_or_else(|| Lookahead::new(before, &keys)).reach(from, steps, cancel);
                Preview::of(from, keys, [earlier.trajectories(), later.trajectories()])
            }));
        }
    }

    /// Whether a course is kept that is true after so many changes of the simulation.
    #[cfg(test)]
    pub(super) fn has_lookahead(&self, changes: u64) -> bool {
        self.lookahead.is_of(changes, &self.units)
    }

    /// The rules of before the last change, if any are known.
    pub(super) fn earlier(&self) -> Option<&Generation> {
        self.earlier.as_ref().map(|earlier| &earlier.generation)
    }

    /// Takes over what is done within `patience`; whether anything is.
    pub(super) fn settle(&mut self, patience: Duration) -> bool {
        let Some(done) = Task::take(&mut self.running, patience) else {
            return false;
        };
        self.shown = done;
        if let Some(next) = self.next.take() {
            let [before, now] = *next;
            self.run(before, now);
        }
        true
    }

    /// Whether one is being made.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Ends what is under way or shown.
    pub(super) fn end(&mut self) {
        (self.running, self.shown, self.draft, self.next) = (None, None, None, None);
    }
}

/// How many steps a preview looks ahead.
fn steps_of(simulation: &Simulation) -> u64 {
    (PREVIEW_SECONDS / simulation.world().step).round() as u64
}
