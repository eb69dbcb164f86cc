//! The cost of behaviors, counted as deterministic work instead of time, so that it is the same on every machine, with
//! any number of threads and in every run.
//!
//! One unit of work is about a nanosecond of a current processor. API functions charge by their input: the points of a
//! path, the obstacles, the units of a list. A charge does not depend on results cached for other units or behaviors.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::failure::Failure;

/// Work of an operation, the unit in messages.
pub const OPERATION: u64 = 100;
/// Maximum work of one call of a behavior.
pub const CALL: u64 = 100_000 * OPERATION;
/// Cost of gathering the units of a list, once per call, in scans of the list.
pub const GATHERING: u64 = 8;
/// Cost of searching a list, in scans.
pub const SEARCHING: u64 = 2;
/// Cost of sorting a list, once per call, in scans.
pub const SORTING: u64 = 32;
/// Cost of a loop over a list in slot order, in scans, without its iterations.
pub const LOOP_SCANS: u64 = GATHERING + SEARCHING;
/// Minimum limit on the total work of a behavior for a group in a step.
const STEP: u64 = 10 * CALL;
/// Limit per unit on the total work of a behavior in a step.
const PER_UNIT: u64 = 100_000;
/// Work of a thread between two additions to the shared budget.
const FLUSH: u64 = 500_000;

/// Returns the limit on the total work of a behavior for `units` units in a step.
pub fn share(units: usize) -> u64 {
    STEP.max(PER_UNIT.saturating_mul(units as u64))
}

/// The failure of a behavior whose calls for `units` units exceed [`share`].
pub fn too_slow(units: usize) -> Failure {
    let max = share(units) / OPERATION;
    let help = "do less work in each call: shorter loops, smaller views, no repeated queries";
    Failure {
        help: Some(help.to_owned()),
        exhausted: true,
        ..Failure::new(format!("its calls for {units} units took more than {max} operations in one step"))
    }
}

/// A kind of API function that work is charged for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum WorkSource {
    /// Searching paths.
    Paths,
    /// Measuring distances to obstacles.
    Obstacles,
    /// Gathering and sorting units.
    Lists,
}

/// The work of one call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct CallWork {
    work: u64,
    /// By [`WorkSource`].
    by_source: [u64; 3],
}

impl CallWork {
    #[inline]
    pub(super) fn work(&self) -> u64 {
        self.work
    }

    #[inline]
    pub(super) fn set(&mut self, work: u64) {
        self.work = work;
    }

    #[inline]
    pub(super) fn charge(&mut self, work: u64) {
        self.work = self.work.saturating_add(work);
    }

    #[inline]
    pub(super) fn charge_for(&mut self, source: WorkSource, work: u64) {
        self.charge(work);
        self.note(source, work);
    }

    /// Attributes work to a source without adding to the total.
    #[inline]
    pub(super) fn note(&mut self, source: WorkSource, work: u64) {
        let sum = &mut self.by_source[source as usize];
        *sum = sum.saturating_add(work);
    }

    /// The source of at least a third of the limit of a call.
    pub(super) fn main_source(&self) -> Option<WorkSource> {
        let sources = [WorkSource::Paths, WorkSource::Obstacles, WorkSource::Lists];
        let mut sources = sources.into_iter();
        sources.find(|source| self.by_source[*source as usize] >= CALL / 3)
    }
}

/// The work of a group's behaviors in a step, summed over all threads.
///
/// A behavior's total does not depend on the others, so the set of behaviors that exceed their share does not depend on
/// the order of detection.
pub(super) struct StepBudget<'a> {
    used: Vec<AtomicU64>,
    share: u64,
    ended: AtomicBool,
    cancel: &'a AtomicBool,
}

impl<'a> StepBudget<'a> {
    /// Creates a budget for `behaviors` behaviors of `units` units; setting `cancel` ends it.
    pub(super) fn new(behaviors: usize, units: usize, cancel: &'a AtomicBool) -> Self {
        Self {
            used: (0..behaviors).map(|_| AtomicU64::new(0)).collect(),
            share: share(units),
            ended: AtomicBool::new(false),
            cancel,
        }
    }

    /// Returns false if the budget is exceeded or the step canceled.
    pub(super) fn continues(&self) -> bool {
        !self.ended.load(Relaxed) && !self.is_canceled()
    }

    pub(super) fn is_canceled(&self) -> bool {
        self.cancel.load(Relaxed)
    }

    /// Adds and resets the work of each behavior on one thread; returns [`StepBudget::continues`].
    pub(super) fn add(&self, used: &mut [u64]) -> bool {
        for (total, used) in self.used.iter().zip(used) {
            let used = std::mem::take(used);
            if total.fetch_add(used, Relaxed).saturating_add(used) > self.share {
                self.ended.store(true, Relaxed);
            }
        }
        self.continues()
    }

    /// The behaviors that exceeded their share.
    pub(super) fn exceeded(&self) -> impl Iterator<Item = usize> {
        let over = |total: &AtomicU64| total.load(Relaxed) > self.share;
        (0..self.used.len()).filter(move |at| over(&self.used[*at]))
    }
}

/// Work of each behavior on one thread since it was last added to the budget.
#[derive(Debug, Default)]
pub(super) struct ThreadWork {
    used: Vec<u64>,
    since: u64,
}

impl ThreadWork {
    /// Resets it for `behaviors` behaviors.
    pub(super) fn reset(&mut self, behaviors: usize) {
        self.used.clear();
        self.used.resize(behaviors, 0);
        self.since = 0;
    }

    #[inline]
    pub(super) fn add(&mut self, behavior: usize, work: u64) {
        self.used[behavior] += work;
        self.since += work;
    }

    /// [`ThreadWork::flush`] if enough work has accumulated.
    #[inline]
    pub(super) fn flush_if_due(&mut self, budget: &StepBudget<'_>) -> bool {
        self.since < FLUSH || self.flush(budget)
    }

    /// Adds all work to the budget; returns [`StepBudget::continues`].
    #[inline(never)]
    pub(super) fn flush(&mut self, budget: &StepBudget<'_>) -> bool {
        self.since = 0;
        budget.add(&mut self.used)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_ends_with_the_behaviors_that_exceed_their_share() {
        let cancel = AtomicBool::new(false);
        let budget = StepBudget::new(3, 2, &cancel);
        let mut thread = ThreadWork::default();
        thread.reset(3);
        thread.add(0, STEP);
        assert!(thread.flush_if_due(&budget));
        assert_eq!(budget.exceeded().count(), 0);
        thread.add(0, 1);
        thread.add(2, STEP + 1);
        assert!(!thread.flush(&budget));
        assert!(!budget.continues() && !budget.is_canceled());
        assert!(budget.exceeded().eq([0, 2]));
    }

    #[test]
    fn it_ends_when_the_step_is_canceled() {
        let cancel = AtomicBool::new(false);
        let budget = StepBudget::new(1, 1, &cancel);
        assert!(budget.continues());
        cancel.store(true, Relaxed);
        assert!(!budget.continues() && budget.is_canceled());
        assert_eq!(budget.exceeded().count(), 0);
    }

    #[test]
    fn the_limit_grows_with_the_number_of_units() {
        assert_eq!(share(1), STEP);
        assert_eq!(share(10_000), 10_000 * PER_UNIT);
    }

    #[test]
    fn the_main_source_of_a_call_is_known() {
        let mut call = CallWork::default();
        call.charge_for(WorkSource::Obstacles, CALL / 3 - 1);
        assert_eq!(call.main_source(), None);
        call.charge_for(WorkSource::Obstacles, 1);
        assert_eq!(call.main_source(), Some(WorkSource::Obstacles));
        assert_eq!(call.work(), CALL / 3);
    }
}
