//! Behaviors tried on a few units.

use std::ops::Range;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::sim::{Behavior, Failure, Frozen, Senses, sampled};

/// How long a trial goes on: one unit is tried in any case, however slow the behavior is.
const MOST: Duration = Duration::from_millis(50);

/// What came of a trial.
#[derive(Debug, Default)]
pub(super) struct Trial {
    /// Units that the behavior was tried on.
    pub(super) count: usize,
    /// Why it failed for some of them. Nothing is tried after a limit was exhausted.
    pub(super) failures: Vec<Failure>,
}

impl Trial {
    /// Lets a behavior with the slot key `key` decide for some units of a group. `remember` gives each what
    /// it remembers, in place of how memory starts.
    pub(super) fn of(
        frozen: &Arc<Frozen>,
        group: usize,
        (behavior, key): (&dyn Behavior, u64),
        remember: impl Fn(usize, &mut [u32]) -> Result<(), Failure>,
    ) -> Self {
        let mut trial = Self::default();
        let mut senses = Senses::new(Arc::clone(frozen));
        let mut memory = vec![0; behavior.memory().words()];
        let start = Instant::now();
        for unit in sampled(&units(frozen, group)) {
            if trial.count > 0 && start.elapsed() > MOST {
                break;
            }
            trial.count += 1;
            senses.turn_to(unit);
            senses.begin(0, key);
            behavior.memory().reset(&mut memory);
            let remembered = remember(unit, &mut memory);
            let decided = remembered.and_then(|()| behavior.decide(&mut senses, &mut memory));
            if let Err(failure) = decided {
                let is_enough = failure.exhausted;
                trial.failures.push(failure);
                if is_enough {
                    break;
                }
            }
        }
        trial
    }
}

fn units(frozen: &Frozen, group: usize) -> Range<usize> {
    let group = frozen.world.groups.get(group);
    group.map_or(0..0, |group| group.units.clone())
}
