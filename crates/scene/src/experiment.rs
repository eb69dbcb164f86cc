//! The options of a sweep in a file.

use super::span::Span;

/// A text in a file, and its place.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Written {
    /// The text without its quotes.
    pub text: String,
    /// Its place with its quotes.
    pub span: Span,
}

/// The options of a sweep. Names and values are those of the command line; what is missing has its default there.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExperimentFile {
    /// The scene: a name, or a file relative to the project.
    pub scene: Written,
    /// The variables with their values.
    pub vary: Vec<Written>,
    /// A file with a table of points.
    pub design: Option<Written>,
    /// `latin:N`, `sobol:N`, `morris:N` or `saltelli:N`.
    pub sample: Option<Written>,
    /// The first seed.
    pub seed: Option<u64>,
    /// The number of seeds of each point, above 0.
    pub seeds: Option<u64>,
    /// True if no two runs have the same seed.
    pub independent_seeds: bool,
    /// The number of steps of a run, above 0.
    pub steps: Option<u64>,
    /// The number of steps before measures count.
    pub warmup: Option<u64>,
    /// The measures and statistics.
    pub measure: Vec<Written>,
    /// The condition whose first step is the last one of a run.
    pub until: Option<Written>,
    /// The real time of a run, seconds, above 0.
    pub time_limit: Option<u64>,
    /// The settings that all runs share: `GROUP.SCRIPT.PARAM=V`.
    pub set: Vec<Written>,
    /// The table.
    pub out: Option<Written>,
    /// The summary.
    pub summary: Option<Written>,
}
