//! What the units of a group have in common.

use std::ops::Range;

use super::body::Body;

/// A group of units with one body, one view and one set of masks.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Group {
    /// Its name in the scene, which no other group has.
    pub name: String,
    /// The body of each of its units.
    pub body: Body,
    /// What its units are, as bits.
    pub kinds: u64,
    /// Kinds whose units count as neighbors beside the group's own.
    pub friends: u64,
    /// Kinds whose units count as enemies.
    pub enemies: u64,
    /// Which of the world's views its units look through; without one they have no neighbors.
    pub view: Option<usize>,
    /// How far enemies are sensed; the distance itself is outside.
    pub sense: f32,
    /// Which of the world's paths its units follow.
    pub path: Option<usize>,
    /// Which of the world's flow fields its units follow.
    pub flow: Option<usize>,
    /// How contributions become one steering.
    pub blend: Blend,
    /// Its units in the arrays.
    pub units: Range<usize>,
}

/// How the contributions to a unit, times their gains, become one steering.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub enum Blend {
    /// They are summed.
    #[default]
    Sum,
    /// They are served in the order of the behaviors until the budget is used up; the one that
    /// exceeds it is cut to what is left, and later ones get nothing. C. W. Reynolds, "Flocks, herds,
    /// and schools", SIGGRAPH 1987.
    Priority {
        /// In steering forces: a turn costs its length, a push its length over the steering force.
        /// Above zero.
        budget: f32,
    },
}
