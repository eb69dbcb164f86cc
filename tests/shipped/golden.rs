//! The state of every scene after some steps, as it always was on one platform.
//!
//! A change of a scene, of a script or of the step changes them: where that was meant, take over the
//! table that the test prints.

use std::fmt::Write as _;

use rayon::iter::{IntoParallelRefIterator, ParallelIterator};

use crate::common::on_threads;
use crate::stage::{SHIPPED, steps};

/// Steps; a tenth of it for the largest scene.
const STEPS: usize = 100;

const GOLDEN: &str = include_str!("golden.txt");

#[test]
#[cfg(all(target_arch = "x86_64", target_os = "linux"))]
fn every_scene_gives_the_hash_that_it_always_gave_on_one_thread_and_on_two() {
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
    assert_eq!(found, GOLDEN, "take over what was found if the change was meant:\n{found}");
}
