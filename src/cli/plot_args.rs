//! Arguments of `steerbox plot`.

use std::path::PathBuf;

use clap::{Args as ClapArgs, ValueEnum};
use steerbox_project::plot::{Choice, Kind};

use super::common_args::Theme;
use super::numbers::within;

#[derive(Debug, ClapArgs)]
pub(super) struct PlotArgs {
    /// The table: of `sweep`, `merge` or `run --metrics`
    #[arg(value_name = "RESULTS.csv")]
    pub(super) table: PathBuf,
    /// The column of the x-axis [default: the first variable that varies, or the time]
    #[arg(long, value_name = "COLUMN")]
    x: Option<String>,
    /// The measures, a panel for each [default: all]
    #[arg(long, value_name = "MEASURE,…")]
    y: Vec<String>,
    /// The column whose values have colors; in a heat map, the column of the y-axis [default: the second variable that varies]
    #[arg(long, value_name = "COLUMN")]
    by: Option<String>,
    /// The kind of plot [default: the one that suits the columns]
    #[arg(long, value_enum)]
    kind: Option<KindArg>,
    /// A table of known values, drawn as circles with 95 % intervals. Its columns are variables (or the last parts of their
    /// names), `mean`, and `error` with `n`, or `low` and `high`
    #[arg(long, value_name = "FILE.csv")]
    pub(super) reference: Option<PathBuf>,
    /// Width in points [default: 960]
    #[arg(long, value_name = "POINTS", value_parser = within("a number", 100.0..=10_000.0_f32), allow_negative_numbers = true)]
    pub(super) width: Option<f32>,
    /// Height in points [default: that which suits the panels]
    #[arg(long, value_name = "POINTS", value_parser = within("a number", 100.0..=10_000.0_f32), allow_negative_numbers = true)]
    pub(super) height: Option<f32>,
    /// Pixels per point
    #[arg(long, default_value_t = 1.0, value_parser = within("a number", 0.5..=8.0_f32), allow_negative_numbers = true)]
    pub(super) scale: f32,
    /// The colors
    #[arg(long, value_enum, default_value_t = Theme::Light)]
    pub(super) theme: Theme,
    /// The file to write; its extension determines the format
    #[arg(long, value_name = "FILE.svg|.png")]
    pub(super) out: PathBuf,
}

impl PlotArgs {
    /// The chosen columns and kind.
    pub(super) fn choice(&self) -> Choice {
        let kind = self.kind.map(|kind| match kind {
            KindArg::Line => Kind::Line,
            KindArg::Heat => Kind::Heat,
            KindArg::Histogram => Kind::Histogram,
            KindArg::Scatter => Kind::Scatter,
        });
        Choice { x: self.x.clone(), y: self.y.clone(), by: self.by.clone(), kind }
    }
}

/// The kind of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum KindArg {
    /// Curves of means with confidence bands
    Line,
    /// Means as colors over two variables
    Heat,
    /// Numbers of runs by ranges of a measure
    Histogram,
    /// A point per run
    Scatter,
}
