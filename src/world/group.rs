//! What the units of a group have in common.

use std::ops::Range;

use super::Body;

/// A group of units with one body, one view and one set of masks.
#[derive(Clone, Debug, PartialEq)]
pub struct Group {
    /// Its name in the scene.
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
    /// Its units in the arrays.
    pub units: Range<usize>,
}
