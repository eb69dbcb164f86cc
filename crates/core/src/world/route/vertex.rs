//! Nodes and turns of the search.

use glam::Vec3;

/// The end of a list of turns.
pub(super) const NONE: u32 = u32::MAX;

/// The first leg of a path.
#[derive(Clone, Copy, Debug)]
pub(super) struct Leg {
    /// Its end: the next turn, or the goal.
    pub(super) toward: Vec3,
    /// The point that vectors lead to: a turn with some room around it, or the goal.
    pub(super) aim: Vec3,
    /// The length of the path from there, 0 for the goal.
    pub(super) rest: f32,
    /// The length of the path.
    pub(super) length: f32,
}

/// A node or a turn.
#[derive(Clone, Copy, Debug)]
pub(super) struct Vertex {
    pub(super) point: Vec3,
    /// As in [`Leg`].
    pub(super) aim: Vec3,
    /// The nearest node.
    pub(super) node: u32,
    /// The signed distance to the nearest obstacle.
    pub(super) gap: f32,
    pub(super) leg: Leg,
    /// The number of the pass that has found the leg, 0 before.
    pub(super) pass: u8,
    /// The next turn about the same node, or [`NONE`].
    pub(super) next: u32,
}

impl Vertex {
    pub(super) fn new(point: Vec3, aim: Vec3, gap: f32, node: usize) -> Self {
        let leg = Leg { toward: point, aim, rest: f32::INFINITY, length: f32::INFINITY };
        Self { point, aim, node: node as u32, gap, leg, pass: 0, next: NONE }
    }
}
