//! A trial of new behaviors on a copy of the world, before they go live.

use std::sync::Arc;

use crate::diagnostics::Fault;
use crate::script::Script;
use crate::sim::{Behavior, Failure, Frozen, Senses};

/// Units that a behavior is tried on.
const TRIALS: usize = 8;

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
    let count = tried.len();
    for unit in tried {
        senses.turn_to(unit);
        senses.begin(0, 0);
        behavior.memory().reset(&mut memory);
        if let Err(failure) = behavior.decide(&mut senses, &mut memory) {
            if failure.exhausted {
                return Err(fault(script, &failure));
            }
            failures.push(failure);
        }
    }
    match failures.first() {
        Some(failure) if failures.len() == count => Err(fault(script, failure)),
        _ => Ok(()),
    }
}

fn fault(script: &Script, failure: &Failure) -> Fault {
    let place = (failure.line, failure.column);
    let fault = Fault::at(&script.path, &script.text, place, &failure.message);
    match &failure.help {
        Some(help) => fault.help(help),
        None => fault,
    }
}
