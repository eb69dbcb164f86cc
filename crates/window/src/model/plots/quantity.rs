//! Quantities that can be plotted.

use steerbox_core::sim::metrics::{FIGURES, Figure};

/// A plotted quantity.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Quantity {
    /// A figure of [`FIGURES`], by its index.
    Figure(usize),
    Force,
    Signal,
    Watched,
    /// The measures that scripts compute.
    Computed,
    /// The value of a script line; selected in the script.
    Line,
}

impl Quantity {
    /// Returns all quantities that the panel offers, in the order of plots.
    pub(crate) fn all() -> impl Iterator<Item = Self> {
        let others = [Self::Force, Self::Signal, Self::Watched, Self::Computed];
        (0..FIGURES.len()).map(Self::Figure).chain(others)
    }

    /// Returns the quantity with a name.
    pub(crate) fn named(name: &str) -> Option<Self> {
        Self::all().find(|quantity| quantity.words().0 == name)
    }

    /// Returns the name and a description.
    pub(crate) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Figure(at) => FIGURES.get(at).map_or(("", ""), |figure| (figure.name, figure.about)),
            Self::Force => ("force", "contribution of each rule after its gain; of a group: the mean length"),
            Self::Signal => ("signal", "of a group: the mean"),
            Self::Line => ("line", "the value of a line of a script"),
            Self::Computed => ("measures", "the measures of `scripts/measures`, of groups"),
            Self::Watched => ("watched", "values of `me.watch`; of a group: the mean"),
        }
    }

    /// Returns true for quantities of groups that are computed on request.
    pub(super) fn is_costly(self) -> bool {
        match self {
            Self::Figure(at) => FIGURES.get(at).is_some_and(|figure| figure.is_costly),
            Self::Force | Self::Watched | Self::Computed => true,
            Self::Signal | Self::Line => false,
        }
    }

    /// Returns true if all values are whole numbers.
    pub(super) fn is_count(self) -> bool {
        matches!(self, Self::Figure(at) if FIGURES.get(at).is_some_and(Figure::is_count))
    }

    /// Returns the greatest value, if there is one.
    pub(crate) fn most(self) -> Option<f32> {
        if let Self::Figure(at) = self { FIGURES.get(at)?.max } else { None }
    }
}

/// A measure of any subject.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Measure {
    pub(crate) quantity: Quantity,
    /// The name of the rule, the signal or the watched value; empty for quantities without names.
    pub(crate) name: String,
}

impl Measure {
    /// The quantity with its name.
    pub(crate) fn title(&self) -> String {
        let (words, _) = self.quantity.words();
        if self.name.is_empty() { words.to_owned() } else { format!("{words} {}", self.name) }
    }
}
