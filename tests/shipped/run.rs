//! Every scene has its recorded hash on two threads, runs long without a failure, and every script is used by a scene.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelIterator, ParallelIterator};
use steerbox_core::world::SearchCost;

use crate::common::on_threads;
use crate::golden;
use crate::stage::{SHIPPED, steps};

/// Number of steps, and limit on unit-steps per scene: the largest ones make fewer steps.
const STEPS: usize = 2000;
const MOVES: usize = 400_000;

#[test]
fn every_scene_has_its_recorded_hash_on_two_threads_then_runs_without_a_failure_and_remains_finite() {
    on_threads(2, || {
        // In sequence: each step has both threads.
        let hashed: Vec<_> = (SHIPPED.iter())
            .map(|(scene, generation)| {
                let mut simulation = generation.start(None);
                let (count, hash) = golden::hash(&mut simulation);
                let line = golden::line(scene, hash);
                assert!(golden::has(&line), "{line} is not in golden.txt");
                (scene, simulation, count)
            })
            .collect();
        hashed.into_par_iter().for_each(|(scene, mut simulation, made)| {
            let count = STEPS.min(MOVES / simulation.world().units.len());
            steps(&mut simulation, count.saturating_sub(made), |_| {});
            assert_eq!(simulation.reports(), [], "{scene}");
            let units = &simulation.world().units;
            for unit in 0..units.len() {
                let finite = units.position[unit].is_finite()
                    && units.velocity[unit].is_finite()
                    && units.angular_velocity[unit].is_finite();
                let axes = [units.heading[unit], units.up[unit]];
                let square =
                    axes.iter().all(|axis| axis.is_normalized()) && axes[0].dot(axes[1]).abs() < 1e-4;
                assert!(finite && square, "{scene}: unit {unit}");
            }
        });
    });
}

#[test]
fn every_scene_has_a_hint_and_no_unit_starts_in_an_obstacle() {
    for (scene, generation) in SHIPPED.iter() {
        assert!(generation.scene.hint.is_some(), "{scene}");
        let world = on_threads(1, || generation.start(None).world().clone());
        for unit in 0..world.units.len() {
            let (at, radius) = (world.units.position[unit], world.group_of(unit).body.radius());
            let obstacles = world.obstacles_of(unit);
            let nearest = obstacles.nearest(at, &mut SearchCost::default());
            let gap = nearest.map_or(f32::INFINITY, |nearest| obstacles[nearest].distance_to(at) - radius);
            assert!(gap >= 0.0, "{scene}: unit {unit} at {at} overlaps an obstacle by {gap}");
        }
    }
}

#[test]
fn every_script_is_used_by_a_scene() {
    let scenes = SHIPPED.iter().map(|(_, generation)| &generation.scene);
    let scripts = scenes.flat_map(|scene| scene.scripts());
    let used: BTreeSet<_> = scripts.map(|used| used.script.as_str()).collect();
    let all = steerbox_project::reload::embedded_scripts();
    let unused: Vec<_> =
        all.map(|(file, _)| file.trim_end_matches(".rhai")).filter(|name| !used.contains(name)).collect();
    assert_eq!(unused, [""; 0]);
}
