//! Where units would be over the next seconds: a copy of the simulation is run ahead, beside the one that goes on.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::RecvTimeoutError;
use std::time::{Duration, Instant};

use glam::Vec3;
use rayon::{ThreadPool, ThreadPoolBuilder};

use super::task::Task;
use crate::reload::{Generation, SCRIPT_STACK};
use crate::sim::Simulation;
use crate::world::minimum_image;

/// Simulated seconds that a preview looks ahead.
const AHEAD: f32 = 5.0;
/// Wall time that it may take: where steps take long, it looks less far.
const LONGEST: Duration = Duration::from_secs(1);
/// Most units that are previewed at once.
pub(super) const MOST: usize = 16;
/// Changes of values within this time of each other are one: a slider that is dragged.
const TOGETHER: Duration = Duration::from_millis(700);

/// Positions of a unit after 0, 1, 2 … steps, world units.
pub type Course = Vec<Vec3>;

/// Where units would be over the next seconds, by the rules of before the last change and as they are now.
#[derive(Clone, Debug, PartialEq)]
pub struct Preview {
    /// Steps that were made before both begin.
    pub from: u64,
    /// The units, by their keys.
    pub keys: Vec<u64>,
    /// Of each unit, as the rules were before. Empty where it was not there.
    pub before: Vec<Course>,
    /// Of each unit, as the rules are now.
    pub now: Vec<Course>,
}

impl Preview {
    fn of(from: u64, keys: Vec<u64>, [mut before, mut now]: [Vec<Course>; 2]) -> Self {
        // One of both may have been slower.
        for (before, now) in before.iter_mut().zip(&mut now).filter(|(before, _)| !before.is_empty()) {
            let both = before.len().min(now.len());
            before.truncate(both);
            now.truncate(both);
        }
        Self { from, keys, before, now }
    }

    /// How far a unit's courses are apart at their ends, world units; `wrap` as [`minimum_image`] has it.
    pub fn apart(&self, unit: usize, wrap: Option<glam::Vec2>) -> Option<f32> {
        let ends = self.before.get(unit)?.last().zip(self.now.get(unit)?.last());
        ends.map(|(before, now)| minimum_image(*now - *before, wrap).length())
    }
}

/// Previews of what each change of the rules leads to.
#[derive(Default)]
pub(super) struct Previews {
    /// Units that are to be previewed, by their keys.
    pub(super) units: Vec<u64>,
    /// The rules of before the last change.
    earlier: Option<Earlier>,
    running: Option<Task<Preview>>,
    pub(super) shown: Option<Preview>,
    /// A thread for each course: no step waits for a preview, and neither course for the other.
    pools: Option<[Arc<ThreadPool>; 2]>,
}

/// What ran before a change.
struct Earlier {
    generation: Generation,
    /// Whether values alone were changed.
    is_of_values: bool,
    changed: Instant,
}

impl Previews {
    /// The rules of before a change from `running`. Changes of values that follow each other closely are one.
    pub(super) fn before_change(
        &mut self,
        running: Generation,
        is_of_values: bool,
        now: Instant,
    ) -> &Generation {
        let goes_on = self.earlier.take().filter(|earlier| {
            earlier.is_of_values && is_of_values && now.saturating_duration_since(earlier.changed) < TOGETHER
        });
        let generation = goes_on.map_or(running, |earlier| earlier.generation);
        &self.earlier.insert(Earlier { generation, is_of_values, changed: now }).generation
    }

    /// Begins to run both ahead; where the system gives no threads, there is no preview.
    pub(super) fn begin(&mut self, before: Simulation, now: Simulation) {
        (self.running, self.shown) = (None, None);
        if self.pools.is_none() {
            let pool = || ThreadPoolBuilder::new().num_threads(1).stack_size(SCRIPT_STACK);
            let pool = || pool().panic_handler(|_| ()).build().ok().map(Arc::new);
            self.pools = pool().zip(pool()).map(<[_; 2]>::from);
        }
        if let Some([pool, other]) = &self.pools {
            let (from, keys, other) = (now.world().steps, self.units.clone(), Arc::clone(other));
            self.running = Some(Task::spawn(pool, move |cancel| {
                let (mut earlier, mut later) = (Vec::new(), Vec::new());
                other.in_place_scope(|scope| {
                    scope.spawn(|_| earlier = ahead(before, &keys, cancel));
                    later = ahead(now, &keys, cancel);
                });
                Preview::of(from, keys, [earlier, later])
            }));
        }
    }

    /// The rules of before the last change, if any are known.
    pub(super) fn earlier(&self) -> Option<&Generation> {
        self.earlier.as_ref().map(|earlier| &earlier.generation)
    }

    /// Takes over what is done within `patience`; whether anything is.
    pub(super) fn settle(&mut self, patience: Duration) -> bool {
        let Some(done) = self.running.as_ref().map(|running| running.wait(patience)) else {
            return false;
        };
        if let Err(RecvTimeoutError::Timeout) = done {
            return false;
        }
        (self.running, self.shown) = (None, done.ok());
        true
    }

    /// Whether one is being made.
    pub(super) fn is_busy(&self) -> bool {
        self.running.is_some()
    }

    /// Ends what is under way or shown.
    pub(super) fn end(&mut self) {
        (self.running, self.shown) = (None, None);
    }
}

/// The courses of units by their keys; empty for those that are not there.
fn ahead(mut simulation: Simulation, keys: &[u64], cancel: &AtomicBool) -> Vec<Course> {
    (simulation.drawing, simulation.watching, simulation.costing) = (false, false, false);
    let begin = Instant::now();
    let units: Vec<_> = {
        let all = &simulation.world().units.key;
        keys.iter().map(|key| all.iter().position(|other| other == key)).collect()
    };
    let steps = (AHEAD / simulation.world().step).round() as usize;
    let mut courses = vec![Course::new(); units.len()];
    for step in 0..=steps {
        if step > 0 && (begin.elapsed() > LONGEST || !simulation.try_step(cancel)) {
            break;
        }
        let positions = &simulation.world().units.position;
        for (course, unit) in courses.iter_mut().zip(&units) {
            course.extend(unit.and_then(|unit| positions.get(unit)));
        }
    }
    courses
}
