//! The plots of the window: their names, kinds and series.

use super::quantity::{Measure, Quantity};
use super::series::{Key, Subject};

/// The name of a plot.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum PlotName {
    /// A measure of all shown subjects.
    Measure(Measure),
    /// The forces of all rules of a subject.
    Forces(Subject),
}

impl PlotName {
    /// The plot of a series.
    pub(super) fn of(key: &Key) -> Self {
        match key.quantity {
            Quantity::Force => Self::Forces(key.subject),
            _ => Self::Measure(key.measure()),
        }
    }
}

/// The kind of a plot.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum PlotKind {
    /// Lines over time.
    #[default]
    OverTime,
    /// Numbers of units in the shown step; of a measure without values of units, numbers of samples.
    Histogram,
    /// A point per sample, against another measure at the same time.
    Against(Measure),
}

impl PlotKind {
    /// The kind behind the name of a plot.
    pub(crate) fn words(&self) -> String {
        match self {
            Self::OverTime => "over time".to_owned(),
            Self::Histogram => "as a histogram".to_owned(),
            Self::Against(measure) => format!("against {}", measure.title()),
        }
    }
}

/// A plot.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Plot {
    pub(crate) name: PlotName,
    pub(crate) kind: PlotKind,
    /// Its series, at least one.
    pub(crate) keys: Vec<Key>,
}
