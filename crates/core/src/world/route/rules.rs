//! The rules of a field of shortest paths.

use glam::{UVec3, Vec3};

use crate::world::obstacle::Obstacle;

/// The goal of a route.
#[derive(Clone, Debug, PartialEq)]
pub enum Goal {
    /// A point.
    Point(Vec3),
    /// The inside of a shape.
    Area(Obstacle),
}

/// The rules of a field of shortest paths.
#[derive(Clone, Debug, PartialEq)]
pub struct Route {
    /// The goal.
    pub goal: Goal,
    /// Nodes along each axis, at least one.
    pub nodes: UVec3,
    /// The distance from obstacles that paths maintain where there is room, not negative.
    pub margin: f32,
    /// The length of the vectors.
    pub speed: f32,
}

impl Route {
    /// Maximum number of nodes of a field in a scene.
    pub const MAX_NODES: u64 = 100_000;
}
