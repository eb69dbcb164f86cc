//! The state hash of every shipped scene after some steps, on every platform.
//!
//! A change of a scene, a script or the step changes it. If that is intended, copy the table that the test prints to
//! `golden.txt`.

use std::fmt::Write as _;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::common::on_threads;
use crate::stage::{SHIPPED, steps};

/// Number of steps; a tenth of it for the largest scene.
const STEPS: usize = 100;

const GOLDEN: &str = include_str!("golden.txt");

#[test]
fn every_scene_has_its_recorded_hash_on_one_thread_and_on_two() {
    let mut found = String::new();
    for (scene, generation) in SHIPPED.iter() {
        let hash = |threads| {
            on_threads(threads, || {
                let mut simulation = generation.start(None);
                let large = simulation.world().units.len() > 5000;
                steps(&mut simulation, if large { STEPS / 10 } else { STEPS }, |_| {});
                simulation.hash()
            })
        };
        let hashes: Vec<u64> = [1, 2].par_iter().map(|threads| hash(*threads)).collect();
        assert_eq!(hashes[0], hashes[1], "{scene} on one thread and on two");
        let _ = writeln!(found, "{scene} {:016x}", hashes[0]);
    }
    assert_eq!(found, GOLDEN, "copy this to golden.txt if the change is intended:\n{found}");
}
