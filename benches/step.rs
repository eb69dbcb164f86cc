//! Unit-steps per second: the default scene at several sizes with the same density.
//!
//! Custom harness: a step of many units takes a second, so a few long runs, interleaved and compared by medians, are more
//! significant than thousands of short ones.
#![allow(clippy::print_stdout, reason = "the program prints tables")]

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context as _, Result};
use rayon::ThreadPool;
use scaled::scaled;
use steerbox_core::sim::{Phases, Simulation, Snapshot};
use steerbox_project::reload::{Generation, Loader, Place};

#[path = "scenes/scaled.rs"]
mod scaled;

/// Numbers of units, and of the steps in a run.
const SIZES: [(usize, u32); 3] = [(1_000, 80), (10_000, 8), (50_000, 2)];
/// Numbers of threads.
const THREADS: [usize; 2] = [1, 2];
/// Number of runs of each combination.
const RUNS: usize = 5;
/// Number of warm-up steps, in which flocks start to form.
const WARM_UP: u32 = 30;
/// Stack size of the threads: scripts nest up to their limits.
const STACK: usize = 16 << 20;

/// A row of the table.
struct Row {
    size: usize,
    steps: u32,
    threads: usize,
    /// Seconds of each phase over all steps of a run, one per run.
    runs: Vec<[f64; 3]>,
}

fn main() -> Result<()> {
    let scene = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenes/flock.ron");
    let (_, generation) = Loader::load(Place::of_scene(&scene), Vec::new())?;
    let pools = THREADS.map(|threads| (threads, pool(threads)));
    println!("| units | threads | unit-steps/s | ms a step | perceive | decide | act | runs from … to |");
    println!("|--:|--:|--:|--:|--:|--:|--:|--:|");
    for (size, steps) in SIZES {
        let scene = Arc::new(scaled(&generation.scene, size, None));
        let mut simulation = Generation { scene, ..generation.clone() }.start(None);
        let mut rows = THREADS.map(|threads| Row { size, steps, threads, runs: Vec::new() });
        let (_, widest) = &pools[THREADS.len() - 1];
        let widest = widest.as_ref().context("no threads")?;
        widest.install(|| (0..WARM_UP).for_each(|_| simulation.step()));
        let start = simulation.snapshot();
        for _ in 0..RUNS {
            for (row, (_, pool)) in rows.iter_mut().zip(&pools) {
                let pool = pool.as_ref().context("no threads")?;
                row.runs.push(measure(&mut simulation, &start, steps, pool));
            }
        }
        rows.iter().for_each(print);
    }
    Ok(())
}

fn pool(threads: usize) -> Option<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.stack_size(STACK).build().ok()
}

/// Returns seconds of each phase over `steps` steps from `start`.
fn measure(simulation: &mut Simulation, start: &Snapshot, steps: u32, pool: &ThreadPool) -> [f64; 3] {
    simulation.restore(start);
    let mut sum = [0.0; 3];
    for _ in 0..steps {
        pool.install(|| simulation.step());
        let Phases { perceive, decide, act } = simulation.phases;
        for (sum, phase) in sum.iter_mut().zip([perceive, decide, act]) {
            *sum += phase.as_secs_f64();
        }
    }
    sum
}

fn print(row: &Row) {
    let mut runs = row.runs.clone();
    let total = |run: &[f64; 3]| run.iter().sum::<f64>();
    runs.sort_by(|a, b| total(a).total_cmp(&total(b)));
    let median = runs[runs.len() / 2];
    let rate = |run: &[f64; 3]| row.size as f64 * f64::from(row.steps) / total(run);
    let share = |phase: f64| 100.0 * phase / total(&median);
    let [perceive, decide, act] = median.map(share);
    println!(
        "| {} | {} | {:.0} | {:.2} | {perceive:.1} % | {decide:.1} % | {act:.1} % | {:.0} … {:.0} |",
        row.size,
        row.threads,
        rate(&median),
        1e3 * total(&median) / f64::from(row.steps),
        rate(&runs[runs.len() - 1]),
        rate(&runs[0]),
    );
}
