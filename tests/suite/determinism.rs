//! Equal scenes, seeds and scripts give equal states, on any number of threads.

use glam::Vec3;
use steerbox_core::sim::{Contribution, Simulation, UnitContext};
use steerbox_core::world::World;
use steerbox_project::reload::{Generation, Loader, Place};
use steerbox_scene::{self as scenes, Scene};

use crate::common::{driven, file, on_threads};

const STEPS: usize = 200;

fn flock() -> Generation {
    scene("flock")
}

fn scene(name: &str) -> Generation {
    let place = Place::of_scene(&file(&format!("scenes/{name}.ron")));
    Loader::load(place, Vec::new()).expect("it reads").1
}

fn run(simulation: &mut Simulation, steps: usize) -> u64 {
    for _ in 0..steps {
        simulation.step();
    }
    simulation.hash()
}

#[test]
fn threads_restarts_and_snapshots_do_not_change_the_result() {
    // Units of the second are born and die.
    ["flock", "wolf_sheep"].into_iter().for_each(one_result);
}

fn one_result(name: &str) {
    let generation = scene(name);
    let (one, again) = on_threads(1, || {
        let mut simulation = generation.start(None);
        let half = run(&mut simulation, STEPS / 2);
        let snapshot = simulation.snapshot();
        assert_eq!(snapshot.steps(), STEPS as u64 / 2);
        let straight = run(&mut simulation, STEPS / 2);
        assert_ne!(straight, half);
        simulation.restore(&snapshot);
        assert_eq!(simulation.hash(), half, "restored");
        (straight, run(&mut simulation, STEPS / 2))
    });
    assert_eq!(one, again, "after a return to a snapshot");
    let hash = on_threads(3, || run(&mut generation.start(None), STEPS));
    assert_eq!(one, hash, "with 3 threads");
    let hash = on_threads(2, || run(&mut scene(name).start(None), STEPS));
    assert_eq!(one, hash, "loaded and started anew, with 2 threads");
}

#[test]
fn another_seed_gives_another_run() {
    let generation = flock();
    on_threads(2, || {
        let (mut one, mut other) = (generation.start(Some(1)), generation.start(Some(2)));
        assert_ne!(one.world().units.position, other.world().units.position);
        assert_ne!(run(&mut one, 5), run(&mut other, 5));
    });
}

#[test]
fn an_additional_last_group_does_not_change_the_draws_of_the_others() {
    let before = flock().scene;
    let mut after = Scene::clone(&before);
    let mut newcomers = after.groups[0].clone();
    newcomers.common.name = "newcomers".to_owned();
    newcomers.count = 50;
    after.groups.push(newcomers);

    let (old, new) = (scenes::build(&before, None), scenes::build(&after, None));
    let units = old.units.len();
    assert_eq!(new.units.len(), units + 50);
    assert_eq!(old.units.position, new.units.position[..units]);
    assert_eq!(old.units.heading, new.units.heading[..units]);
    assert_eq!(old.units.velocity, new.units.velocity[..units]);
    assert_eq!(drawn(old, units), drawn(new, units), "draws while they decide");
}

/// Returns the draws of the first units in the second step.
fn drawn(world: World, units: usize) -> Vec<Contribution> {
    let mut simulation = driven(world, |context: &mut UnitContext| {
        Contribution::Push(Vec3::new(context.random(), context.random(), 0.0))
    });
    run(&mut simulation, 2);
    let decisions = (0..units).flat_map(|unit| simulation.decisions(unit));
    decisions.map(|(_, decided)| decided).collect()
}
