//! The options of an experiment, before they are checked against a scene.

use std::time::Duration;

use super::point_set::PointSet;

/// The options of an experiment.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Request {
    /// The variables: `PATH=VALUES`, where `PATH` is `GROUP.SCRIPT.PARAM` or `GROUP.count`, and `VALUES` is `a..b:n` or
    /// `v1,v2,…`, or `a..b` for a sample.
    pub vary: Vec<String>,
    /// The text of a table of points, in place of `vary`: the paths of variables, then a line per point.
    pub design: Option<String>,
    /// The sample of the ranges of `vary`.
    pub sample: Option<PointSet>,
    /// The measures or statistics, separated by commas.
    pub measures: Vec<String>,
    /// The condition whose first step is the last one of a run.
    pub until: Option<String>,
    /// The seed of the first run, in place of the scene's.
    pub seed: Option<u64>,
    /// The number of seeds of each point.
    pub seeds: u64,
    /// True if no two runs have the same seed; otherwise all points have the same seeds.
    pub independent_seeds: bool,
    /// The number of steps of a run, the greatest one if there is a condition.
    pub steps: u64,
    /// The number of steps before measures count.
    pub warmup: u64,
    /// The real time after which a run fails.
    pub time_limit: Option<Duration>,
}
