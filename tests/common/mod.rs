//! What the suites share: project folders, the program called in them, chance, threads, simulations.
#![allow(dead_code, reason = "no suite uses all of it")]
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

pub(crate) mod dice;
pub(crate) mod project;

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox::reload::SCRIPT_STACK;
use steerbox::sim::{Behavior, Simulation, Slot, slot_key};
use steerbox::world::World;

/// A file of this repository.
pub(crate) fn file(path: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join(path)
}

/// Runs `work` on this many threads of their own, with the stack that scripts may need.
pub(crate) fn on_threads<R: Send>(threads: usize, work: impl FnOnce() -> R + Send) -> R {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.stack_size(SCRIPT_STACK).build().unwrap().install(work)
}

/// A simulation in which every unit runs `rule` alone.
pub(crate) fn driven(world: World, rule: impl Behavior + 'static) -> Simulation {
    let rule: Arc<dyn Behavior> = Arc::new(rule);
    let slot = Slot::new("rule", slot_key("rule", 0), Some(rule));
    let slots = vec![vec![slot]; world.groups.len()];
    Simulation::new(world, slots)
}

/// The behaviors of every group.
pub(crate) fn slots(simulation: &Simulation) -> Vec<Vec<Slot>> {
    let groups = 0..simulation.world().groups.len();
    groups.map(|group| simulation.slots(group).to_vec()).collect()
}
