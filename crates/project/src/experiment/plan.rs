//! The runs of an experiment: every point of its design with every seed.

use std::time::Duration;

use anyhow::{Context as _, anyhow, ensure};
use steerbox_core::sim::{Measure, MeasureNames, Measured};
use steerbox_script::Condition;

use super::cells;
use super::design::{Design, distinct_counts};
use super::order::Order;
use super::point_set::PointSet;
use super::request::Request;
use super::rules::Rules;
use super::shard::Shard;
use super::statistic::{Statistic, split_list};
use super::variable::{Variable, check_distinct};

/// Maximum number of runs.
const MAX_RUNS: u64 = 1_000_000_000;

/// The runs of an experiment.
#[derive(Clone, Debug, PartialEq)]
pub struct Plan {
    /// The variables.
    pub variables: Vec<Variable>,
    /// The statistics of a run: the columns of the table.
    pub statistics: Vec<Statistic>,
    /// The condition whose first step is the last one of a run.
    pub until: Option<Condition>,
    /// The sample of the ranges of the variables.
    pub(super) sample: Option<PointSet>,
    /// True if a value that scripts watch is used.
    pub(super) watching: bool,
    /// The runs by point and seed.
    pub(super) order: Order,
    /// The number of steps of a run, the greatest one if there is a condition.
    pub steps: u64,
    /// The number of steps before measures count.
    pub warmup: u64,
    /// The real time after which a run fails. It depends on the machine and does not identify the sweep.
    pub time_limit: Option<Duration>,
    /// The part of the runs that is made.
    pub shard: Shard,
}

impl Plan {
    /// Checks a request against a scene.
    ///
    /// # Errors
    /// If the scene has no such variable or measure, a value does not fit, or a number is out of range.
    pub fn new(request: &Request, rules: &Rules, shard: Shard) -> anyhow::Result<Self> {
        let seed = request.seed.unwrap_or(rules.base.scene.world.seed);
        let Design { variables, is_paired } = Design::of(request, seed, &rules.base)?;
        check_distinct(&variables, &rules.settings)?;
        for variable in &variables {
            for counts in distinct_counts(variable) {
                let checked = rules.scene_text(&[counts]);
                checked.with_context(|| format!("--vary {}={}", variable.name, counts.1))?;
            }
        }
        let Request { steps, warmup, time_limit, sample, .. } = *request;
        ensure!(request.seeds > 0, "--seeds 0: there would be no run");
        ensure!(warmup < steps, "--warmup {warmup}: the run has {steps} steps, none would be measured");
        let lengths = variables.iter().map(|variable| variable.values.len()).collect();
        let order =
            Order { lengths, is_paired, seed, seeds: request.seeds, independent: request.independent_seeds };
        ensure!(order.runs() <= MAX_RUNS, "an experiment has at most {MAX_RUNS} runs");
        ensure!(order.has_seeds(), "--seeds: they exceed the largest seed");
        let start = rules.base.start(None);
        let names = MeasureNames::of(&start);
        let at_start = (&names, &Measured::new(&start));
        let statistics = statistics(&request.measures, steps, at_start)?;
        let until = request.until.as_ref().map(|text| until(text, at_start)).transpose()?;
        let mut plan = Self {
            variables,
            statistics,
            until,
            sample,
            watching: false,
            order,
            steps,
            warmup,
            time_limit,
            shard,
        };
        let is_watched = plan.measures().any(Measure::is_watched);
        plan.watching = is_watched;
        Ok(plan)
    }

    /// The measures of all statistics and of the condition.
    pub(super) fn measures(&self) -> impl Iterator<Item = &Measure> {
        let of_statistics = self.statistics.iter().flat_map(Statistic::measures);
        of_statistics.chain(self.until.iter().flat_map(Condition::measures))
    }

    /// Returns the number of runs of the part.
    pub fn len(&self) -> u64 {
        self.shard.len_of(self.order.runs())
    }

    /// Returns true if the part has no runs.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the point of a run: each variable with the index of its value.
    pub fn point(&self, run: u64) -> Vec<(&Variable, usize)> {
        self.variables.iter().zip(self.order.indices(run)).collect()
    }

    /// Returns the seed of a run.
    pub fn seed(&self, run: u64) -> u64 {
        self.order.seed_of(run)
    }

    /// Returns the first line of the table, with its end.
    pub fn header(&self) -> String {
        let names = self.variables.iter().map(|variable| variable.name.as_str());
        cells::header(names, self.statistics.iter().map(|statistic| statistic.name.as_str()))
    }

    /// Returns the start of the line of a run: its values and its seed.
    pub fn prefix(&self, run: u64) -> String {
        let mut line = String::new();
        for (variable, at) in self.point(run) {
            cells::push_text(&mut line, &variable.values[at]);
            line.push(',');
        }
        line.push_str(&self.seed(run).to_string());
        line.push(',');
        line
    }
}

fn statistics(
    texts: &[String],
    steps: u64,
    (names, start): (&MeasureNames, &Measured<'_>),
) -> anyhow::Result<Vec<Statistic>> {
    let mut statistics: Vec<Statistic> = Vec::new();
    for text in texts.iter().flat_map(|text| split_list(text)).map(str::trim) {
        let statistic = Statistic::parse(text, names, steps);
        let statistic = statistic.and_then(|statistic| statistic.check(start).map(|()| statistic));
        let statistic = statistic.map_err(|error| anyhow!("--measure {text}: {error}"))?;
        ensure!(statistics.iter().all(|other| other.name != text), "--measure {text}: it is listed twice");
        statistics.push(statistic);
    }
    Ok(statistics)
}

fn until(text: &str, (names, start): (&MeasureNames, &Measured<'_>)) -> anyhow::Result<Condition> {
    let condition = Condition::parse(text.trim(), names);
    let condition = condition.and_then(|condition| condition.holds(start).map(|_| condition));
    condition.map_err(|error| anyhow!("--until {text}: {error}"))
}
