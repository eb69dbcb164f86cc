//! Any text is read as a scene, and a scene that is sound is built and takes a step.
#![no_main]

use libfuzzer_sys::fuzz_target;
use steerbox_core::sim::Simulation;
use steerbox_scene as scene;

/// More units than this teach nothing new and take long.
const MAX_UNITS: usize = 300;

fuzz_target!(|text: &str| {
    let Ok(scene) = scene::read("fuzz.ron", text) else {
        return;
    };
    let units: usize = scene.groups.iter().map(|group| group.count).sum();
    let scattered: usize = scene.scatter.iter().map(|scatter| scatter.count).sum();
    if units > MAX_UNITS || scattered > MAX_UNITS {
        return;
    }
    let world = scene::build(&scene, None);
    assert_eq!(world.units.len(), units);
    let mut simulation = Simulation::new(world, Vec::new());
    for _ in 0..2 {
        simulation.step();
    }
    for unit in 0..units {
        let position = simulation.world().units.position[unit];
        assert!(position.is_finite(), "unit {unit} is at {position}");
    }
    // A scene that replaces itself leaves everything as it is.
    let same = scene::reconcile(&scene, &scene, simulation.world(), None);
    assert_eq!(same.world.units.len(), units);
});
