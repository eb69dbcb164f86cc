//! Every scene runs long without a failure, and every script is used by one.

use std::collections::BTreeSet;

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use crate::stage::{load, on_threads, scenes};

/// Steps that a scene makes, and the most units it moves in all: the largest make fewer steps here.
const STEPS: usize = 2000;
const MOVES: usize = 400_000;

#[test]
fn every_scene_runs_without_a_failure_and_stays_finite() {
    on_threads(2, || {
        scenes().into_par_iter().for_each(|scene| {
            let mut simulation = load(&scene, &[]).start(None);
            let count = STEPS.min(MOVES / simulation.world().units.len());
            for _ in 0..count {
                simulation.step();
            }
            assert!(
                simulation.reports().is_empty(),
                "{scene}: {:?}",
                simulation.reports()
            );
            let units = &simulation.world().units;
            for unit in 0..units.len() {
                let finite = units.position[unit].is_finite()
                    && units.velocity[unit].is_finite()
                    && units.angular_velocity[unit].is_finite();
                let axes = [units.heading[unit], units.up[unit]];
                let square = axes.iter().all(|axis| axis.is_normalized())
                    && axes[0].dot(axes[1]).abs() < 1e-4;
                assert!(finite && square, "{scene}: unit {unit}");
            }
        });
    });
}

#[test]
fn every_script_is_shown_in_a_scene() {
    let used: BTreeSet<String> = scenes()
        .iter()
        .flat_map(|scene| {
            let generation = load(scene, &[]);
            let scripts = generation.scene.scripts();
            scripts.map(|used| used.script.clone()).collect::<Vec<_>>()
        })
        .collect();
    let all = steerbox::reload::embedded_scripts();
    let unused: Vec<_> = all
        .map(|(file, _)| file.trim_end_matches(".rhai"))
        .filter(|name| !used.contains(*name))
        .collect();
    assert_eq!(unused, [""; 0]);
}
