//! Interleaved runs and their statistics.

use anyhow::{Context as _, Result};
use rayon::ThreadPool;

use crate::form::Form;
use crate::variant::{Kind, Variant};
use crate::workload;
use steerbox::world::World;

/// Stack size of the threads: scripts nest up to their limits.
const STACK: usize = 16 << 20;
/// Number of warm-up steps.
pub(crate) const WARM_UP: u32 = 20;

/// Median, minimum and maximum of some runs.
#[derive(Clone, Copy)]
pub(crate) struct Spread {
    pub(crate) median: f64,
    pub(crate) least: f64,
    pub(crate) most: f64,
}

impl Spread {
    pub(crate) fn of(runs: impl IntoIterator<Item = f64>) -> Self {
        let mut runs: Vec<_> = runs.into_iter().collect();
        runs.sort_by(f64::total_cmp);
        Self { median: runs[runs.len() / 2], least: runs[0], most: runs[runs.len() - 1] }
    }
}

/// Comparison of runs with others that were interleaved.
#[derive(Clone, Copy)]
pub(crate) struct Ratio {
    /// Ratios of neighboring runs.
    pub(crate) spread: Spread,
    /// Ratio of the best runs: other load on the machine only slows runs down.
    pub(crate) best: f64,
}

impl Ratio {
    pub(crate) fn of(above: &[f64], below: &[f64]) -> Self {
        let quotients = above.iter().zip(below).map(|(above, below)| above / below);
        let least = |runs: &[f64]| runs.iter().copied().fold(f64::INFINITY, f64::min);
        Self { spread: Spread::of(quotients), best: least(above) / least(below) }
    }

    /// Three cells of a table: median, from … to, best against best.
    pub(crate) fn cells(&self) -> String {
        let Spread { median, least, most } = self.spread;
        format!("{median:.2} | {least:.2} … {most:.2} | {:.2}", self.best)
    }
}

pub(crate) fn pool(threads: usize) -> Result<ThreadPool> {
    let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
    pool.stack_size(STACK).build().context("no threads")
}

/// A variant and its runs: nanoseconds of each phase per unit and step.
pub(crate) struct Row {
    pub(crate) variant: Variant,
    pub(crate) steps: u32,
    pub(crate) runs: Vec<[f64; 3]>,
}

impl Row {
    pub(crate) fn new(variant: Variant, steps: u32) -> Self {
        Self { steps: variant.affordable(steps), variant, runs: Vec::new() }
    }

    /// Adds a run.
    pub(crate) fn run(&mut self, pool: &ThreadPool) {
        let run = pool.install(|| self.variant.run(self.steps));
        self.runs.push(run);
    }

    /// Times of whole steps, one per run.
    pub(crate) fn totals(&self) -> Vec<f64> {
        self.runs.iter().map(|run| run.iter().sum()).collect()
    }

    /// Times of one phase, one per run.
    pub(crate) fn phase(&self, phase: usize) -> Vec<f64> {
        self.runs.iter().map(|run| run[phase]).collect()
    }
}

/// Runs all rows in turns on one thread; the first turn is a warm-up.
pub(crate) fn take_turns(rows: &mut [Row], rounds: u32) -> Result<()> {
    let pool = pool(1)?;
    for round in 0..=rounds {
        for row in &mut *rows {
            row.run(&pool);
            if round == 0 {
                row.runs.clear();
            }
        }
    }
    rows.iter().try_for_each(|row| row.variant.ensure_sound())
}

/// Returns the world of `count` units after the warm-up.
pub(crate) fn warm(count: usize) -> Result<World> {
    let start = workload::world(count);
    let mut variant = Variant::new(Kind::Rust, Form::Means, &start)?;
    pool(2)?.install(|| variant.run(WARM_UP));
    variant.world().cloned().context("a simulation has a world")
}

/// Returns the row of a kind and form.
pub(crate) fn find(rows: &[Row], kind: Kind, form: Form) -> Result<&Row> {
    rows.iter().find(|row| row.variant.kind == kind && row.variant.form == form).context("no such variant")
}
