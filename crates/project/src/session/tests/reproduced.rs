//! One run, repeated in every way.

use steerbox_core::sim::Simulation;

use super::*;
use crate::reload::Texts;

/// A scene with the script `own`.
pub(super) fn texts(scene: &str, own: &str) -> Texts {
    let scripts = [("own".to_owned(), own.to_owned())].into();
    Texts { name: "s.ron".to_owned(), scene: scene.to_owned(), scripts, ..Texts::default() }
}

pub(super) fn generation_of(scene: &str, own: &str) -> Generation {
    generation_as(scene, own, Execution::Native)
}

pub(super) fn generation_as(scene: &str, own: &str, execution: Execution) -> Generation {
    Loader::load_as(Place::of_texts(texts(scene, own)), Vec::new(), execution).unwrap().1
}

/// Makes steps in which no behavior fails; returns the hash after them.
pub(super) fn stepped(simulation: &mut Simulation, steps: usize) -> u64 {
    (0..steps).for_each(|_| simulation.step());
    assert_eq!(simulation.reports(), []);
    simulation.hash()
}

/// Asserts that any number of threads, rewinds, saved states and reloads give the same run; returns its hash after 130
/// steps.
pub(super) fn assert_reproduced(generation: &Generation) -> u64 {
    let run = |threads: usize| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| stepped(&mut generation.start(None), 130))
    };
    let hash = run(1);
    assert_eq!(run(3), hash);
    let parts = |simulation: &Simulation| {
        let world = simulation.world();
        (world.obstacles.clone(), world.flows.clone(), world.bodies.clone())
    };
    let mut simulation = generation.start(None);
    let start = simulation.snapshot();
    stepped(&mut simulation, 50);
    let (snapshot, saved, at_50) = (simulation.snapshot(), simulation.saved_state(), parts(&simulation));
    assert_eq!(stepped(&mut simulation, 80), hash);
    for restore in [Simulation::restore, Simulation::restore_exactly] {
        restore(&mut simulation, &snapshot);
        assert_eq!(parts(&simulation), at_50);
        assert_eq!(stepped(&mut simulation, 80), hash, "rewound");
        restore(&mut simulation, &start);
        assert_eq!(stepped(&mut simulation, 130), hash, "rewound to the start");
    }
    let mut other = generation.start(None);
    other.load_state(&saved).unwrap();
    assert_eq!(parts(&other), at_50);
    assert_eq!(stepped(&mut other, 80), hash, "loaded");
    let mut swapped = generation.start(None);
    stepped(&mut swapped, 50);
    generation.swap_into(&mut swapped, &generation.scene, None);
    assert_eq!(stepped(&mut swapped, 80), hash, "reloaded");
    hash
}
