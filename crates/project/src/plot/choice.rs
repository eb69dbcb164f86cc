//! The columns and the kind of a plot, as a user names them.

use std::fmt::{self, Display, Formatter};

/// The kind of a plot.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// Curves of means with the 95 % confidence band over runs.
    Line,
    /// Means as colors over two variables.
    Heat,
    /// Numbers of runs by ranges of a measure.
    Histogram,
    /// A point per run.
    Scatter,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Self; 4] = [Self::Line, Self::Heat, Self::Histogram, Self::Scatter];
}

impl Display for Kind {
    fn fmt(&self, f: &mut Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Line => "line",
            Self::Heat => "heat",
            Self::Histogram => "histogram",
            Self::Scatter => "scatter",
        })
    }
}

/// The options of a plot; those that are missing follow from the table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Choice {
    /// The column of the x-axis.
    pub x: Option<String>,
    /// The measures, a plot for each.
    pub y: Vec<String>,
    /// The column whose values have colors; of a heat map, that of the y-axis.
    pub by: Option<String>,
    /// The kind.
    pub kind: Option<Kind>,
}
