//! Interleaved runs and their statistics.

use anyhow::{Context as _, Result};
use rayon::ThreadPool;

use crate::form::Form;
pub(crate) use crate::ratio::{Ratio, Spread};
use steerbox_core::world::World;

use crate::variant::{Kind, Variant};
use crate::workload;

/// Stack size of the threads: scripts nest up to their limits.
const STACK: usize = 16 << 20;
/// Number of warm-up steps.
pub(crate) const WARM_UP: u32 = 20;

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
