//! Arguments of `steerbox sweep`, and the experiment files that complete them.

use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::{Error, anyhow};
use clap::Args as ClapArgs;
use steerbox_project::experiment::{PointSet, Request, Shard};
use steerbox_project::reload::{
    EXPERIMENTS, LoadError, experiment_scene, in_project, is_experiment, may_be_file, read_experiment_text,
};
use steerbox_scene::{ExperimentFile, Written, read_experiment};

use super::common_args::Common;
use super::numbers::whole;
use super::setting::setting;
use super::usage::UsageError;

#[derive(Debug, ClapArgs)]
pub(super) struct SweepArgs {
    /// The scene to run, by file or name; or an experiment: experiments/NAME.ron has the scene and options
    pub(super) scene: PathBuf,
    /// Vary a parameter, `gain` or `enabled` of a behavior, or the number of units `GROUP.count`: n values from a to b, or a list
    #[arg(long, value_name = "GROUP.SCRIPT.PARAM=a..b:n|v1,v2,…")]
    pub(super) vary: Vec<String>,
    /// A table of points in place of --vary: paths of variables in the first line, then a line of values per point
    #[arg(long, value_name = "FILE.csv", conflicts_with_all = ["vary", "sample"])]
    pub(super) design: Option<PathBuf>,
    /// Draw N points from the ranges --vary PATH=a..b: a Latin hypercube, the sequence of Sobol, or points for `steerbox sensitivity`
    #[arg(long, value_name = "latin:N|sobol:N|morris:N|saltelli:N")]
    pub(super) sample: Option<PointSet>,
    /// The number of seeds of each point: the one of --seed or of the scene, and those that follow [default: 1]
    #[arg(long, value_name = "N", value_parser = whole(1..=1_000_000_000_u64), allow_negative_numbers = true)]
    pub(super) seeds: Option<u64>,
    /// Use other seeds for each point; otherwise all points have the same random numbers
    #[arg(long)]
    pub(super) independent_seeds: bool,
    /// The number of steps of each run
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: Option<u64>,
    /// The number of steps before measures count [default: 0]
    #[arg(long, value_name = "N", value_parser = whole(0..=u64::MAX), allow_negative_numbers = true)]
    pub(super) warmup: Option<u64>,
    /// Measures, such as `starlings.polarization`, of which the mean over steps counts, or `final(M)`, `min(M)`, `max(M)`, `argmax(M)`, `mean(M, from..to)`, `first(CONDITION)`
    #[arg(long, value_name = "M,…")]
    pub(super) measure: Vec<String>,
    /// End each run after the first step in which a condition holds, such as `starlings.polarization > 0.9`
    #[arg(long, value_name = "CONDITION")]
    pub(super) until: Option<String>,
    /// Stop runs that take longer: their rows are errors, which --retry repeats, and depend on the machine
    #[arg(long, value_name = "SECONDS", value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) time_limit: Option<u64>,
    /// The table to write, or to continue [default of an experiment: NAME.csv]
    #[arg(long, value_name = "FILE.csv")]
    pub(super) out: Option<PathBuf>,
    /// Write mean, standard deviation and 95 % interval of each measure over the seeds, a row per combination of values
    #[arg(long, value_name = "FILE.csv")]
    pub(super) summary: Option<PathBuf>,
    /// Make part I of N of the runs, for several machines; `steerbox merge` joins the tables
    #[arg(long, value_name = "I/N")]
    pub(super) shard: Option<Shard>,
    #[command(flatten)]
    pub(super) common: Common,
    /// Repeat the runs of the table that failed, in place of their rows
    #[arg(long)]
    pub(super) retry: bool,
    /// Print only errors
    #[arg(long, short)]
    pub(super) quiet: bool,
}

impl SweepArgs {
    /// Adds the options of the experiment file, if one is named; those of the command line precede.
    ///
    /// # Errors
    /// If the file cannot be read or has a fault.
    pub(super) fn with_experiment(mut self) -> anyhow::Result<Self> {
        let Some(path) = experiment(&self.scene) else { return Ok(self) };
        let Experiment { file, .. } = Experiment::read(&path)?;
        let texts = |all: Vec<Written>| all.into_iter().map(|one| one.text).collect::<Vec<_>>();
        let path_of = |one: Written| PathBuf::from(one.text);
        let of_file = |option: &str, error: String| anyhow!("{}: {option}: {error}", path.display());
        self.scene = scene_of(&path, &file);
        if self.vary.is_empty() && self.design.is_none() {
            self.vary = texts(file.vary);
            self.design = file.design.map(|design| in_project(&path, &design.text));
            let parsed =
                |one: Written| one.text.parse::<PointSet>().map_err(|error| of_file("sample", error));
            self.sample = self.sample.or(file.sample.map(parsed).transpose()?);
        }
        let set = file.set.iter().map(|Written { text, .. }| {
            setting(text).map_err(|error| of_file("set", format!("{text}: {error}")))
        });
        let set = set.collect::<anyhow::Result<Vec<_>>>()?;
        self.common.set.splice(0..0, set);
        self.common.seed = self.common.seed.or(file.seed);
        self.seeds = self.seeds.or(file.seeds);
        self.independent_seeds |= file.independent_seeds;
        self.steps = self.steps.or(file.steps);
        self.warmup = self.warmup.or(file.warmup);
        if self.measure.is_empty() {
            self.measure = texts(file.measure);
        }
        self.until = self.until.or(file.until.map(|until| until.text));
        self.time_limit = self.time_limit.or(file.time_limit);
        let name = || Some(Path::new(path.file_name()?).with_extension("csv"));
        self.out = self.out.or(file.out.map(path_of)).or_else(name);
        self.summary = self.summary.or(file.summary.map(path_of));
        Ok(self)
    }

    /// Returns the options of the experiment.
    ///
    /// # Errors
    /// If the number of steps is missing, or the table of points cannot be read.
    pub(super) fn request(&self) -> anyhow::Result<Request> {
        let steps = self
            .steps
            .ok_or_else(|| UsageError("--steps N: the number of steps of a run is missing".to_owned()))?;
        Ok(Request {
            vary: self.vary.clone(),
            design: self.design.as_deref().map(read_experiment_text).transpose().map_err(Error::msg)?,
            sample: self.sample,
            measures: self.measure.clone(),
            until: self.until.clone(),
            seed: self.common.seed,
            seeds: self.seeds.unwrap_or(1),
            independent_seeds: self.independent_seeds,
            steps,
            warmup: self.warmup.unwrap_or(0),
            time_limit: self.time_limit.map(Duration::from_secs),
        })
    }

    /// The table.
    ///
    /// # Errors
    /// If it is missing.
    pub(super) fn out(&self) -> Result<&Path, UsageError> {
        self.out.as_deref().ok_or_else(|| UsageError("--out FILE.csv: the table is missing".to_owned()))
    }
}

/// Returns the experiment file that an argument names: a file in a folder `experiments`, or one of the name there.
fn experiment(argument: &Path) -> Option<PathBuf> {
    if is_experiment(argument) {
        return may_be_file(argument).then(|| argument.to_owned());
    }
    let is_name = argument.parent() == Some(Path::new("")) && argument.extension().is_none();
    let named = Path::new(EXPERIMENTS).join(argument).with_extension("ron");
    (is_name && may_be_file(&named)).then_some(named)
}

/// An experiment file and its text.
pub(super) struct Experiment {
    pub(super) text: String,
    pub(super) file: ExperimentFile,
}

impl Experiment {
    /// Reads an experiment file.
    ///
    /// # Errors
    /// If it cannot be read, or the faults of its fields.
    pub(super) fn read(path: &Path) -> anyhow::Result<Self> {
        let text = read_experiment_text(path).map_err(Error::msg)?;
        match read_experiment(&path.display().to_string(), &text) {
            (Some(file), faults) if faults.is_empty() => Ok(Self { text, file }),
            (_, faults) => Err(LoadError(faults).into()),
        }
    }
}

/// Returns the scene of an experiment: a file of its project, or else the name.
pub(super) fn scene_of(experiment: &Path, file: &ExperimentFile) -> PathBuf {
    let mut files = experiment_scene(experiment, &file.scene.text).into_iter();
    files.find(|scene| may_be_file(scene)).unwrap_or_else(|| PathBuf::from(&file.scene.text))
}
