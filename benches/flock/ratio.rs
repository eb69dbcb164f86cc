//! Statistics of interleaved runs.

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
