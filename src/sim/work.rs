//! What deciding costs, counted in work and not in time, so that every machine, every thread count and
//! every run comes to the same sum.
//!
//! One unit of work is about a nanosecond of a processor of today. What is built in charges for what it
//! does: by the points of a path, the obstacles, the units that are looked at. No charge depends on what
//! another unit or behavior asked before.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering::Relaxed};

use super::Failure;

/// Work of an operation, which is what users are told of.
pub const OPERATION: u64 = 100;
/// Most work of one call of a behavior.
pub const CALL: u64 = 100_000 * OPERATION;
/// Most work of all calls of a behavior for a group in a step, if there are few units.
const STEP: u64 = 10 * CALL;
/// The same for each unit, where there are many.
const PER_UNIT: u64 = 100_000;
/// Work between two looks at what others did meanwhile.
const LOOK: u64 = 500_000;

/// Most work of all calls of a behavior for `units` units in a step.
pub fn share(units: usize) -> u64 {
    STEP.max(PER_UNIT.saturating_mul(units as u64))
}

/// What is said of a behavior whose calls for `units` units take more than their share.
pub fn too_slow(units: usize) -> Failure {
    Failure {
        line: 0,
        column: 0,
        message: format!(
            "its calls for {units} units took more than {} operations in one step",
            share(units) / OPERATION
        ),
        help: Some(
            "let each call do less: shorter loops, smaller views, nothing asked twice".to_owned(),
        ),
        file: None,
        exhausted: true,
    }
}

/// What most of the work of a call went into.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Toll {
    /// Searching paths.
    Paths,
    /// Measuring distances to obstacles.
    Obstacles,
    /// Gathering and sorting units.
    Lists,
}

/// The work of one call.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Meter {
    work: u64,
    /// What went into the dearest kind of thing that is built in.
    tolls: [u64; 3],
}

impl Meter {
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
    pub(super) fn pay(&mut self, toll: Toll, work: u64) {
        self.charge(work);
        let sum = &mut self.tolls[toll as usize];
        *sum = sum.saturating_add(work);
    }

    /// What at least a third of a whole call's work went into.
    pub(super) fn dearest(&self) -> Option<Toll> {
        let tolls = [Toll::Paths, Toll::Obstacles, Toll::Lists];
        tolls
            .into_iter()
            .find(|toll| self.tolls[*toll as usize] >= CALL / 3)
    }
}

/// Keeps the behaviors of a group within their shares while threads decide for its units.
///
/// A behavior's total does not depend on the others, so which of them pass their share does not
/// depend on which is noticed first.
pub(super) struct Gate<'a> {
    spent: Vec<AtomicU64>,
    share: u64,
    closed: AtomicBool,
    cancel: &'a AtomicBool,
}

impl<'a> Gate<'a> {
    /// A gate for `behaviors` behaviors of `units` units, which is closed once `cancel` is set.
    pub(super) fn new(behaviors: usize, units: usize, cancel: &'a AtomicBool) -> Self {
        Self {
            spent: (0..behaviors).map(|_| AtomicU64::new(0)).collect(),
            share: share(units),
            closed: AtomicBool::new(false),
            cancel,
        }
    }

    /// Whether to go on.
    pub(super) fn is_open(&self) -> bool {
        !self.closed.load(Relaxed) && !self.is_cancelled()
    }

    pub(super) fn is_cancelled(&self) -> bool {
        self.cancel.load(Relaxed)
    }

    /// Adds up what each behavior took on one thread, which starts from nothing again; whether to go on.
    pub(super) fn book(&self, spent: &mut [u64]) -> bool {
        for (total, spent) in self.spent.iter().zip(spent) {
            let spent = std::mem::take(spent);
            if total.fetch_add(spent, Relaxed).saturating_add(spent) > self.share {
                self.closed.store(true, Relaxed);
            }
        }
        self.is_open()
    }

    /// The behaviors that passed their share.
    pub(super) fn over(&self) -> impl Iterator<Item = usize> {
        let over = |total: &AtomicU64| total.load(Relaxed) > self.share;
        (0..self.spent.len()).filter(move |at| over(&self.spent[*at]))
    }
}

/// What each behavior took on one thread since it was last booked.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    spent: Vec<u64>,
    since: u64,
}

impl Ledger {
    /// Starts anew for `behaviors` behaviors.
    pub(super) fn open(&mut self, behaviors: usize) {
        self.spent.clear();
        self.spent.resize(behaviors, 0);
        self.since = 0;
    }

    #[inline]
    pub(super) fn note(&mut self, behavior: usize, work: u64) {
        self.spent[behavior] += work;
        self.since += work;
    }

    /// Books, if there is enough to be worth it; whether to go on.
    #[inline]
    pub(super) fn settle(&mut self, gate: &Gate<'_>) -> bool {
        self.since < LOOK || self.close(gate)
    }

    /// Books; whether to go on.
    #[inline(never)]
    pub(super) fn close(&mut self, gate: &Gate<'_>) -> bool {
        self.since = 0;
        gate.book(&mut self.spent)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_gate_closes_for_whoever_passes_the_share_and_names_them() {
        let cancel = AtomicBool::new(false);
        let gate = Gate::new(3, 2, &cancel);
        let mut ledger = Ledger::default();
        ledger.open(3);
        ledger.note(0, STEP);
        assert!(ledger.settle(&gate));
        assert_eq!(gate.over().count(), 0);
        ledger.note(0, 1);
        ledger.note(2, STEP + 1);
        assert!(!ledger.close(&gate));
        assert!(!gate.is_open() && !gate.is_cancelled());
        assert!(gate.over().eq([0, 2]));
    }

    #[test]
    fn it_is_closed_when_the_step_is_cancelled() {
        let cancel = AtomicBool::new(false);
        let gate = Gate::new(1, 1, &cancel);
        assert!(gate.is_open());
        cancel.store(true, Relaxed);
        assert!(!gate.is_open() && gate.is_cancelled());
        assert_eq!(gate.over().count(), 0);
    }

    #[test]
    fn many_units_may_take_more_than_few() {
        assert_eq!(share(1), STEP);
        assert_eq!(share(10_000), 10_000 * PER_UNIT);
    }

    #[test]
    fn what_takes_most_of_a_call_is_known() {
        let mut meter = Meter::default();
        meter.pay(Toll::Obstacles, CALL / 3 - 1);
        assert_eq!(meter.dearest(), None);
        meter.pay(Toll::Obstacles, 1);
        assert_eq!(meter.dearest(), Some(Toll::Obstacles));
        assert_eq!(meter.work(), CALL / 3);
    }
}
