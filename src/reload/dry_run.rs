//! A trial of new behaviors on a copy of the world, before they go live.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::running::Stage;
use crate::diagnostics::Fault;
use crate::script::Script;
use crate::sim::{Behavior, Failure, Senses, sampled};

/// How long a trial goes on: one unit is tried in any case, however slow the behavior is.
const MOST: Duration = Duration::from_millis(50);

/// Lets `behavior`, the new version of the one that units know by `key`, decide for some units of a
/// group, on what they remember. A script is refused if it exhausts a limit for any of them, or fails
/// for all: with the fault.
pub(super) fn dry_run(
    stage: &Stage,
    group: usize,
    behavior: &dyn Behavior,
    key: u64,
    script: &Script,
) -> Result<(), Fault> {
    let groups = &stage.frozen.world.groups;
    let units = groups.get(group).map_or(0..0, |group| group.units.clone());
    let mut senses = Senses::new(Arc::clone(&stage.frozen));
    let mut memory = vec![0; behavior.memory().words()];
    let mut failures: Vec<Failure> = Vec::new();
    let start = Instant::now();
    let mut tried = 0;
    for unit in sampled(&units) {
        if start.elapsed() > MOST {
            break;
        }
        tried += 1;
        senses.turn_to(unit);
        senses.begin(0, key);
        behavior.memory().reset(&mut memory);
        let mapped = match stage.memory(unit, key) {
            Some((layout, old)) => {
                behavior.memory().migrate(&mut memory, layout, old);
                behavior.reloaded((layout, old), &mut memory)
            }
            None => Ok(()),
        };
        let decided = mapped.and_then(|()| behavior.decide(&mut senses, &mut memory));
        if let Err(failure) = decided {
            if failure.exhausted {
                return Err(script.fault(&failure));
            }
            failures.push(failure);
        }
    }
    match failures.first() {
        Some(failure) if failures.len() == tried => Err(script.fault(failure)),
        _ => Ok(()),
    }
}
