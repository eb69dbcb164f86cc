//! Quantities that can be plotted.

/// What can be plotted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Quantity {
    Polarization,
    Milling,
    Speed,
    Nearest,
    Touching,
    Count,
    Clusters,
    Force,
    Signal,
    Watched,
    /// The value of a line of a script; chosen there.
    Line,
}

impl Quantity {
    pub(in crate::app) const ALL: [Self; 10] = [
        Self::Polarization,
        Self::Milling,
        Self::Speed,
        Self::Nearest,
        Self::Touching,
        Self::Count,
        Self::Clusters,
        Self::Force,
        Self::Signal,
        Self::Watched,
    ];

    /// As the user reads it, and what it says.
    pub(in crate::app) fn words(self) -> (&'static str, &'static str) {
        match self {
            Self::Polarization => ("polarization", "1: all move in one direction; 0: disorder"),
            Self::Milling => ("milling", "1: all circle about the middle of their group"),
            Self::Speed => ("speed", "of a group: the mean"),
            Self::Nearest => ("nearest", "distance to the nearest unit; of a group: the mean"),
            Self::Touching => ("touching", "units in contact with another"),
            Self::Count => ("count", "units of a group"),
            Self::Clusters => {
                ("clusters", "separate parts of a group: no unit of one sees a unit of another")
            }
            Self::Force => ("force", "contribution of each rule after its gain; of a group: the mean length"),
            Self::Signal => ("signal", "of a group: the mean"),
            Self::Line => ("line", "the value of a line of a script"),
            Self::Watched => ("watched", "values of `me.watch`; of a group: the mean"),
        }
    }

    /// Returns true for quantities of groups that are computed on request.
    pub(super) fn is_costly(self) -> bool {
        matches!(self, Self::Clusters | Self::Force | Self::Watched)
    }

    /// Its greatest value, if it has one.
    pub(in crate::app) fn most(self) -> Option<f32> {
        matches!(self, Self::Polarization | Self::Milling).then_some(1.0)
    }
}
