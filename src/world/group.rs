//! Groups: the properties that all units of a group share.

use std::ops::Range;

use super::body::Body;

/// A group of units with one body, one view and one set of masks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its unique name in the scene.
    pub name: String,
    /// The body of its units.
    pub body: Body,
    /// The kinds of its units, as a mask.
    pub kinds: u64,
    /// Kinds whose units are neighbors in addition to its own units.
    pub friends: u64,
    /// Kinds whose units are enemies.
    pub enemies: u64,
    /// Index of its view in the world's views; units of a group without a view have no neighbors.
    pub view: Option<usize>,
    /// Sense range for enemies, exclusive.
    pub sense: f32,
    /// Index of the path that its units follow, in the world's paths.
    pub path: Option<usize>,
    /// Index of the flow field that its units follow, in the world's flow fields.
    pub flow: Option<usize>,
    /// Blending of contributions to one steering.
    pub blend: Blend,
    /// The indices of its units.
    pub units: Range<usize>,
}

/// Blending: the rule that combines the contributions to a unit, times their gains, into one steering.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blend {
    /// The sum.
    #[default]
    Sum,
    /// Contributions are added in the order of the behaviors until the budget is spent. The one that exceeds it is
    /// truncated and later ones are dropped. C. W. Reynolds, "Flocks, herds, and schools", SIGGRAPH 1987.
    Priority {
        /// In steering forces, above zero: a turn consumes its length, a push its length divided by the steering force.
        budget: f32,
    },
}
