//! The use of lists by a behavior, from which the cost of a step is estimated.

/// The queries of a behavior per unit and step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Queries {
    /// Use of the units in its group's view, if any.
    pub neighbors: Option<ListUse>,
    /// Use of the enemies in sense range, if any.
    pub enemies: Option<ListUse>,
    /// True if it queries the obstacles.
    pub obstacles: bool,
    /// True if it queries its group's path.
    pub path: bool,
    /// True if it is interpreted.
    pub interpreted: bool,
}

/// The use of a list of units by a behavior.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ListUse {
    /// Means or counts.
    Sum,
    /// The nearest unit.
    Nearest,
    /// Either of them, depending on parameters.
    Either,
    /// A loop over the units.
    Each,
}
