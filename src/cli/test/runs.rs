//! Runs of a scene that its tests compare and judge.

use std::sync::Arc;

use glam::Vec3;
use rayon::ThreadPool;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use steerbox_core::sim::{Report, Simulation};
use steerbox_project::reload::Generation;
use steerbox_project::session::{Divergence, Verdict, Verdicts};

use crate::cli::interrupt;

/// A run with a seed.
pub(super) struct SeedRun {
    pub(super) seed: u64,
    /// Positions and velocities in the first and the last state. The hash of a state includes the seed.
    pub(super) motions: [Vec<Vec3>; 2],
    pub(super) reports: Vec<Report>,
    pub(super) verdicts: Vec<Verdict>,
}

/// Makes a run with each seed. The results have the order of the seeds.
pub(super) fn with_seeds(
    generation: &Generation,
    seeds: std::ops::Range<u64>,
    steps: u64,
    pool: &ThreadPool,
) -> Vec<SeedRun> {
    pool.install(|| seeds.into_par_iter().map(|seed| with_seed(generation, seed, steps)).collect())
}

fn with_seed(generation: &Generation, seed: u64, steps: u64) -> SeedRun {
    let scene = &generation.scene;
    let mut simulation = generation.start(Some(seed));
    let first = motion(&simulation);
    let mut verdicts = Verdicts::new(scene, &simulation);
    simulation.watching = verdicts.need_watching();
    for _ in 0..steps {
        // A step without decisions does not check the flag.
        if interrupt::is_requested() || !simulation.try_step(interrupt::flag()) {
            break;
        }
        verdicts.observe(&simulation);
    }
    SeedRun {
        seed,
        motions: [first, motion(&simulation)],
        reports: [simulation.reports(), &simulation.measures().reports()].concat(),
        verdicts: verdicts.all().map(|(_, verdict)| verdict).collect(),
    }
}

fn motion(simulation: &Simulation) -> Vec<Vec3> {
    let units = &simulation.world().units;
    [&*units.position, &*units.velocity].concat()
}

/// A version of a scene and the threads on which it runs.
pub(super) type Side<'a> = (&'a Arc<Generation>, &'a ThreadPool);

/// Makes two runs step by step, and returns their first difference.
pub(super) fn divergence(sides: [Side<'_>; 2], seed: u64, steps: u64) -> Option<Divergence> {
    let [mut a, mut b] = sides.map(|(generation, _)| generation.start(Some(seed)));
    let [(_, of_a), (_, of_b)] = sides;
    for _ in 0..steps {
        let made =
            of_a.install(|| a.try_step(interrupt::flag())) && of_b.install(|| b.try_step(interrupt::flag()));
        if !made || interrupt::is_requested() {
            return None;
        }
        let found = Divergence::find(&a, &b);
        if found.is_some() {
            return found;
        }
    }
    None
}
