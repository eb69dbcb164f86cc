//! The cost of behaviors, counted in work and not in time: the same on every machine, with any number of
//! threads and in every run.
//!
//! One unit of work is about a nanosecond of a current processor. Functions of the API charge for what
//! they do: by the points of a path, the obstacles, the units of a list. No charge depends on what was
//! computed for another unit or behavior before.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::failure::Failure;

/// Work of an operation, the unit of messages.
pub const OPERATION: u64 = 100;
/// Most work of one call of a behavior.
pub const CALL: u64 = 100_000 * OPERATION;
/// Work of gathering the units of a list, once a call, and of searching them, in looks at it.
pub const GATHERING: u64 = 8;
/// See [`GATHERING`].
pub const SEARCHING: u64 = 2;
/// The same of sorting them, once a call.
pub const SORTING: u64 = 32;
/// The same of going through a list in the order of the grid, beside the rounds of the loop.
pub const LOOKS_OF_A_LOOP: u64 = GATHERING + SEARCHING;
/// Most work of all calls of a behavior for a group in a step, if there are few units.
const STEP: u64 = 10 * CALL;
/// The same for each unit, where there are many.
const PER_UNIT: u64 = 100_000;
/// Work of a thread between two additions to the shared budget.
const FLUSH: u64 = 500_000;

/// Most work of all calls of a behavior for `units` units in a step.
pub fn share(units: usize) -> u64 {
    STEP.max(PER_UNIT.saturating_mul(units as u64))
}

/// The failure of a behavior whose calls for `units` units take more than their share.
pub fn too_slow(units: usize) -> Failure {
    let most = share(units) / OPERATION;
    let help = "let each call do less: shorter loops, smaller views, nothing asked twice";
    Failure {
        help: Some(help.to_owned()),
        exhausted: true,
        ..Failure::new(format!("its calls for {units} units took more than {most} operations in one step"))
    }
}

/// A kind of built-in function that work is charged for.
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

    /// Adds to the work of a source alone.
    #[inline]
    pub(super) fn note(&mut self, source: WorkSource, work: u64) {
        let sum = &mut self.by_source[source as usize];
        *sum = sum.saturating_add(work);
    }

    /// The source of at least a third of a whole call's work.
    pub(super) fn main_source(&self) -> Option<WorkSource> {
        let sources = [WorkSource::Paths, WorkSource::Obstacles, WorkSource::Lists];
        let mut sources = sources.into_iter();
        sources.find(|source| self.by_source[*source as usize] >= CALL / 3)
    }
}

/// The work of a group's behaviors in a step, summed over all threads, and whether to go on.
///
/// A behavior's total does not depend on the others, so which of them exceed their share does not
/// depend on which is noticed first.
pub(super) struct StepBudget<'a> {
    spent: Vec<AtomicU64>,
    share: u64,
    ended: AtomicBool,
    cancel: &'a AtomicBool,
}

impl<'a> StepBudget<'a> {
    /// A budget for `behaviors` behaviors of `units` units; it ends once `cancel` is set.
    pub(super) fn new(behaviors: usize, units: usize, cancel: &'a AtomicBool) -> Self {
        Self {
            spent: (0..behaviors).map(|_| AtomicU64::new(0)).collect(),
            share: share(units),
            ended: AtomicBool::new(false),
            cancel,
        }
    }

    /// Whether to go on.
    pub(super) fn goes_on(&self) -> bool {
        !self.ended.load(Relaxed) && !self.is_canceled()
    }

    pub(super) fn is_canceled(&self) -> bool {
        self.cancel.load(Relaxed)
    }

    /// Adds what each behavior took on one thread, and sets that to zero; whether to go on.
    pub(super) fn add(&self, spent: &mut [u64]) -> bool {
        for (total, spent) in self.spent.iter().zip(spent) {
            let spent = std::mem::take(spent);
            if total.fetch_add(spent, Relaxed).saturating_add(spent) > self.share {
                self.ended.store(true, Relaxed);
            }
        }
        self.goes_on()
    }

    /// The behaviors that exceeded their share.
    pub(super) fn exceeded(&self) -> impl Iterator<Item = usize> {
        let over = |total: &AtomicU64| total.load(Relaxed) > self.share;
        (0..self.spent.len()).filter(move |at| over(&self.spent[*at]))
    }
}

/// What each behavior took on one thread since it was last added to the budget.
#[derive(Debug, Default)]
pub(super) struct ThreadWork {
    spent: Vec<u64>,
    since: u64,
}

impl ThreadWork {
    /// Starts anew for `behaviors` behaviors.
    pub(super) fn reset(&mut self, behaviors: usize) {
        self.spent.clear();
        self.spent.resize(behaviors, 0);
        self.since = 0;
    }

    #[inline]
    pub(super) fn add(&mut self, behavior: usize, work: u64) {
        self.spent[behavior] += work;
        self.since += work;
    }

    /// As [`ThreadWork::flush`], if there is enough to be worth it.
    #[inline]
    pub(super) fn flush_if_due(&mut self, budget: &StepBudget<'_>) -> bool {
        self.since < FLUSH || self.flush(budget)
    }

    /// Adds everything to the budget; whether to go on.
    #[inline(never)]
    pub(super) fn flush(&mut self, budget: &StepBudget<'_>) -> bool {
        self.since = 0;
        budget.add(&mut self.spent)
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
        assert!(!budget.goes_on() && !budget.is_canceled());
        assert!(budget.exceeded().eq([0, 2]));
    }

    #[test]
    fn it_ends_when_the_step_is_canceled() {
        let cancel = AtomicBool::new(false);
        let budget = StepBudget::new(1, 1, &cancel);
        assert!(budget.goes_on());
        cancel.store(true, Relaxed);
        assert!(!budget.goes_on() && budget.is_canceled());
        assert_eq!(budget.exceeded().count(), 0);
    }

    #[test]
    fn many_units_may_take_more_than_few() {
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
