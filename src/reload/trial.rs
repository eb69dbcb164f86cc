//! Behaviors tried on a few units.

use std::ops::Range;
use std::sync::Arc;

use crate::sim::{Behavior, Failure, Frozen, UnitContext, sampled, work};

/// Work after which a trial is over: one unit is tried in any case, however slow the behavior is.
const MOST: u64 = 3 * work::CALL;

/// What came of a trial.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// Units that the behavior was tried on.
    pub(super) count: usize,
    /// Why it failed for some of them. Nothing is tried after a limit was exhausted.
    pub(super) failures: Vec<Failure>,
    /// What its calls took.
    work: u64,
}

impl Trial {
    /// Lets a behavior with the slot key `key` decide for some units of a group. `remember` gives each what
    /// it remembers, in place of how memory starts, and answers how much work that took.
    ///
    /// If calls like these for all units would take more than their share of a step, that is a failure.
    pub(super) fn of(
        frozen: &Arc<Frozen>,
        group: usize,
        (behavior, key): (&dyn Behavior, u64),
        remember: impl Fn(usize, &mut [u32]) -> (Result<(), Failure>, u64),
    ) -> Self {
        let mut trial = Self::default();
        let mut context = UnitContext::new(Arc::clone(frozen));
        let mut memory = vec![0; behavior.memory().words()];
        let (units, mut mapping) = (units(frozen, group), 0);
        for unit in sampled(&units) {
            if trial.work.max(mapping) > MOST {
                break;
            }
            trial.count += 1;
            context.set_unit(unit);
            context.set_behavior(0, key);
            behavior.memory().reset(&mut memory);
            let (remembered, work) = remember(unit, &mut memory);
            mapping += work;
            let decided = remembered.and_then(|()| behavior.decide(&mut context, &mut memory));
            trial.work += context.work();
            if let Err(failure) = decided {
                let is_enough = failure.exhausted;
                trial.failures.push(failure);
                if is_enough {
                    return trial;
                }
            }
        }
        trial.judge(mapping, units.len(), behavior.place());
        trial
    }
}

impl Trial {
    /// Whether `units` calls like those that were tried, or as many of `fn reloaded` like those that took
    /// `mapping`, would take too much.
    fn judge(&mut self, mapping: u64, units: usize, (line, column): (usize, usize)) {
        let tried = self.count.max(1) as u64;
        let all = (self.work.max(mapping) / tried).saturating_mul(units as u64);
        if all > work::share(units) {
            self.failures.push(Failure {
                line,
                column,
                ..work::too_slow(units)
            });
        }
    }
}

fn units(frozen: &Frozen, group: usize) -> Range<usize> {
    let group = frozen.world.groups.get(group);
    group.map_or(0..0, |group| group.units.clone())
}
