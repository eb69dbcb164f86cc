//! One run of an experiment, and its line in the table.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};

use super::cells;
use super::plan::Plan;
use super::rules::Rules;
use crate::diagnostics::{caught, counted};
use crate::reload::Generation;
use crate::sim::{Measured, Simulation};

/// The start of the last cell of a run that failed.
pub(super) const ERROR: &str = "error: ";

/// The line of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RunLine {
    /// The line, with its end.
    pub text: String,
    /// True if the run failed; the last cell is the reason.
    pub is_failed: bool,
}

/// Makes runs one after the other. Consecutive runs of a point share its compiled rules.
pub struct Runner<'a> {
    plan: &'a Plan,
    rules: Rules,
    /// The point of the last run, and its rules or the reason why it has none.
    composed: Option<(Vec<usize>, Result<Generation, String>)>,
}

impl<'a> Runner<'a> {
    /// Creates a runner with its own copy of the rules.
    pub fn new(plan: &'a Plan, rules: Rules) -> Self {
        Self { plan, rules, composed: None }
    }

    /// Makes a run; `None` if `cancel` was set meanwhile.
    pub fn line(&mut self, run: u64, cancel: &AtomicBool) -> Option<RunLine> {
        let mut text = self.plan.prefix(run);
        let result = if let Some(result) = caught(|| self.results(run, cancel)) {
            result?
        } else {
            // The rules may be inconsistent after a panic.
            self.composed = None;
            Err("the program has a bug: the run panicked".to_owned())
        };
        let is_failed = result.is_err();
        match result {
            Ok(results) => {
                for mean in results.means {
                    cells::push_number(&mut text, mean);
                    text.push(',');
                }
                // Writing to a string does not fail.
                let _ = write!(text, "{:016x}", results.hash);
            }
            Err(reason) => {
                text.extend(self.plan.measures.iter().map(|_| ','));
                cells::push_text(&mut text, &format!("{ERROR}{reason}"));
            }
        }
        text.push('\n');
        Some(RunLine { text, is_failed })
    }

    /// Returns the results of a run, or the reason of its failure; `None` if it was canceled.
    fn results(&mut self, run: u64, cancel: &AtomicBool) -> Option<Result<Results, String>> {
        let plan = self.plan;
        let generation = match self.generation(run) {
            Ok(generation) => generation,
            Err(reason) => return Some(Err(reason)),
        };
        let mut simulation = generation.start(Some(plan.seed(run)));
        simulation.watching = plan.measures.iter().any(|(_, measure)| measure.is_watched());
        let mut sums = vec![Sum::default(); plan.measures.len()];
        for step in 1..=plan.steps {
            // A step without decisions does not check `cancel`.
            if cancel.load(Ordering::Relaxed) || !simulation.try_step(cancel) {
                return None;
            }
            if step > plan.warmup {
                let measured = Measured::new(&simulation);
                for (sum, (_, measure)) in sums.iter_mut().zip(&plan.measures) {
                    sum.add(measured.value(measure));
                }
            }
        }
        if let Some(reason) = failure(generation, &simulation) {
            return Some(Err(reason));
        }
        let means = sums.iter().map(Sum::mean).collect();
        Some(Ok(Results { means, hash: simulation.hash() }))
    }

    /// Returns the rules of a run.
    fn generation(&mut self, run: u64) -> Result<&Generation, String> {
        let point = self.plan.point(run);
        let indices: Vec<_> = point.iter().map(|(_, at)| *at).collect();
        let known = self.composed.take().filter(|(known, _)| *known == indices);
        let composed = known.unwrap_or_else(|| {
            let composed = self.rules.at(&point).map_err(|error| format!("{error:#}"));
            (indices, composed)
        });
        self.composed.insert(composed).1.as_ref().map_err(Clone::clone)
    }
}

/// The results of a run.
struct Results {
    means: Vec<Option<f64>>,
    hash: u64,
}

/// The sum of the values of a measure over steps in which it has one.
#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: f64,
    count: u64,
}

impl Sum {
    fn add(&mut self, value: Option<f64>) {
        if let Some(value) = value {
            self.sum += value;
            self.count += 1;
        }
    }

    fn mean(&self) -> Option<f64> {
        (self.count > 0).then(|| self.sum / self.count as f64)
    }
}

/// Returns the first failure of a script, as text.
fn failure(generation: &Generation, simulation: &Simulation) -> Option<String> {
    let report = simulation.reports().first()?;
    let fault = generation.fault(report).summary();
    let (unit, step) = (report.unit, report.first_step);
    let times = counted(report.count, ["failure", "failures"]);
    Some(format!("{fault} ({times}, first for unit {unit} in step {step})"))
}
