//! The state hash of every shipped scene after some steps, on every platform: here on one thread, in `run` on two.
//!
//! A change of a scene, a script or the step changes it. If that is intended, copy the table that the test prints to
//! `golden.txt`.

use std::fmt::Write as _;

use steerbox_core::sim::Simulation;

use crate::common::on_threads;
use crate::stage::{SHIPPED, steps};

/// Number of steps; a tenth of it for the largest scene.
const STEPS: usize = 100;

const GOLDEN: &str = include_str!("golden.txt");

/// Makes the steps from the start to the recorded state, and returns them and the hash of the state.
pub(crate) fn hash(simulation: &mut Simulation) -> (usize, u64) {
    let large = simulation.world().units.len() > 5000;
    let count = if large { STEPS / 10 } else { STEPS };
    steps(simulation, count, |_| {});
    (count, simulation.hash())
}

/// Returns the line of a scene in `golden.txt`.
pub(crate) fn line(scene: &str, hash: u64) -> String {
    format!("{scene} {hash:016x}")
}

/// Returns true if `golden.txt` has a line.
pub(crate) fn has(line: &str) -> bool {
    GOLDEN.lines().any(|recorded| recorded == line)
}

#[test]
fn every_scene_has_its_recorded_hash_on_one_thread() {
    let mut found = String::new();
    on_threads(1, || {
        for (scene, generation) in SHIPPED.iter() {
            let (_, hash) = hash(&mut generation.start(None));
            let _ = writeln!(found, "{}", line(scene, hash));
        }
    });
    assert_eq!(found, GOLDEN, "copy this to golden.txt if the change is intended:\n{found}");
}
