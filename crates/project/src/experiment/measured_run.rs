//! One run of an experiment, and its line in the table.

use std::fmt::Write as _;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use steerbox_core::diagnostics::{caught, counted};
use steerbox_core::sim::{Measured, Simulation};

use super::cells;
use super::plan::Plan;
use super::rules::Rules;
use super::statistic::Accumulator;
use crate::reload::Generation;

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
                for (number, statistic) in results.numbers.into_iter().zip(&self.plan.statistics) {
                    cells::push_number(&mut text, number, statistic.is_count());
                    text.push(',');
                }
                // Writing to a string does not fail.
                let _ = write!(text, "{:016x}", results.hash);
            }
            Err(reason) => {
                text.extend(self.plan.statistics.iter().map(|_| ','));
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
        simulation.watching = plan.watching;
        let mut accumulators = vec![Accumulator::default(); plan.statistics.len()];
        let begin = plan.time_limit.map(|limit| (Instant::now(), limit));
        for step in 1..=plan.steps {
            if let Some((_, limit)) = begin.filter(|(begin, limit)| step > 1 && begin.elapsed() >= *limit) {
                return Some(Err(stopped(limit, step - 1, plan.steps)));
            }
            // A step without decisions does not check `cancel`.
            if cancel.load(Ordering::Relaxed) || !simulation.try_step(cancel) {
                return None;
            }
            let measured = Measured::new(&simulation);
            for (accumulator, statistic) in accumulators.iter_mut().zip(&plan.statistics) {
                if let Err(error) = accumulator.add(statistic, (step, &measured), step > plan.warmup) {
                    return Some(Err(format!("{}: {error}", statistic.name)));
                }
            }
            match plan.until.as_ref().filter(|_| step > plan.warmup).map(|until| until.holds(&measured)) {
                Some(Ok(true)) => break,
                Some(Err(error)) => return Some(Err(format!("--until: {error}"))),
                Some(Ok(false)) | None => {}
            }
        }
        if let Some(reason) = failure(generation, &simulation) {
            return Some(Err(reason));
        }
        let results = accumulators.iter().zip(&plan.statistics);
        let numbers = results.map(|(accumulator, statistic)| accumulator.result(statistic)).collect();
        Some(Ok(Results { numbers, hash: simulation.hash() }))
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
    /// The values of the statistics.
    numbers: Vec<Option<f64>>,
    hash: u64,
}

/// Returns the reason of a run that exceeds the limit of its real time.
fn stopped(limit: Duration, done: u64, steps: u64) -> String {
    format!("stopped after {} s by --time-limit: {done} of {steps} steps are done", limit.as_secs())
}

/// Returns the first failure of a script, as text.
fn failure(generation: &Generation, simulation: &Simulation) -> Option<String> {
    let of_measures = simulation.measures().reports();
    let (of_behaviors, of_measures) = (simulation.reports().first(), of_measures.first());
    let report = of_behaviors.or(of_measures)?;
    let fault = generation.fault(report).summary();
    let unit = if of_behaviors.is_some() { format!(" for unit {}", report.unit) } else { String::new() };
    let (step, times) = (report.first_step, counted(report.count, ["failure", "failures"]));
    Some(format!("{fault} ({times}, first{unit} in step {step})"))
}
