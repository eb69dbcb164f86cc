//! Helpers that the suites share: project folders, runs of the program, random choices, threads, simulations.
#![allow(dead_code, reason = "each suite uses a part")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub(crate) mod dice;
pub(crate) mod project;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::sim::{Behavior, Simulation, Slot, slot_key};
use steerbox_core::world::World;
use steerbox_project::reload::SCRIPT_STACK;

/// Returns the path of a file of this repository.
pub(crate) fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Returns the number in an environment variable, or `usual`.
///
/// # Panics
/// If it is not a number.
pub(crate) fn number_of(variable: &str, usual: u64) -> u64 {
    std::env::var(variable).map_or(usual, |set| set.parse().expect(variable))
}

/// Runs `work` in a pool of `threads` threads with the stack size that scripts may need.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.stack_size(SCRIPT_STACK).build().unwrap().install(work)
}

/// Creates a simulation in which every unit runs `rule` only.
pub(crate) fn driven(world: World, rule: impl Behavior + 'static) -> Simulation {
    let rule: Arc<dyn Behavior> = Arc::new(rule);
    let slot = Slot::new("rule", slot_key("rule", 0), Some(rule));
    let slots = vec![vec![slot]; world.groups.len()];
    Simulation::new(world, slots)
}

/// Returns the behaviors of every group.
pub(crate) fn slots(simulation: &Simulation) -> Vec<Vec<Slot>> {
    let groups = 0..simulation.world().groups.len();
    groups.map(|group| simulation.slots(group).to_vec()).collect()
}
