//! New behaviors on a copy of the world, before they go live.

use super::running::Stage;
use super::trial::Trial;
use crate::diagnostics::Fault;
use crate::script::Script;
use crate::sim::Behavior;

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
    let trial = Trial::of(&stage.frozen, group, (behavior, key), |unit, memory| {
        let Some((layout, old)) = stage.memory(unit, key) else {
            return (Ok(()), 0);
        };
        behavior.memory().migrate(memory, layout, old);
        behavior.reloaded((layout, old), memory)
    });
    let fails_for_all = trial.failures.len() == trial.count;
    let mut fatal = trial.failures.iter();
    match fatal.find(|failure| fails_for_all || failure.exhausted) {
        Some(failure) => Err(script.fault(failure)),
        None => Ok(()),
    }
}
