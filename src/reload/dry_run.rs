//! A trial of new behaviors on a copy of the world, before they go live.

use std::sync::Arc;
use std::time::{Duration, Instant};

use crate::diagnostics::Fault;
use crate::script::Script;
use crate::sim::{Behavior, Failure, Frozen, Senses};

/// Units that a behavior is tried on.
const TRIALS: usize = 8;

/// How long a trial goes on: one unit is tried in any case, however slow the behavior is.
const MOST: Duration = Duration::from_millis(50);

/// Tries `behavior` on some units of a group. A script is refused if it exhausts a limit for any of
/// them, or fails for all: with the fault.
pub(super) fn dry_run(
    frozen: &Arc<Frozen>,
    group: usize,
    behavior: &dyn Behavior,
    script: &Script,
) -> Result<(), Fault> {
    let units = frozen
        .world
        .groups
        .get(group)
        .map_or(0..0, |group| group.units.clone());
    let mut senses = Senses::new(Arc::clone(frozen));
    let mut memory = vec![0; behavior.memory().words()];
    let mut failures: Vec<Failure> = Vec::new();
    let stride = (units.len() / TRIALS).max(1);
    let tried = units.step_by(stride).take(TRIALS);
    let start = Instant::now();
    let mut count = 0;
    for unit in tried {
        if start.elapsed() > MOST {
            break;
        }
        count += 1;
        senses.turn_to(unit);
        senses.begin(0, 0);
        behavior.memory().reset(&mut memory);
        if let Err(failure) = behavior.decide(&mut senses, &mut memory) {
            if failure.exhausted {
                return Err(script.fault(&failure));
            }
            failures.push(failure);
        }
    }
    match failures.first() {
        Some(failure) if failures.len() == count => Err(script.fault(failure)),
        _ => Ok(()),
    }
}
