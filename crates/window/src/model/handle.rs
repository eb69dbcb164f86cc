//! Handles: the parts of objects in the world that the pointer can drag.

use std::collections::VecDeque;

use glam::Vec3;
use steerbox_core::dynamics::Motion;
use steerbox_core::world::{Obstacle, Path};

/// A part of an object that the pointer drags.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    /// Its position when the drag began.
    pub(crate) at: Vec3,
    /// Offset from the pointer to that position, world units.
    pub(crate) offset: Vec3,
    pub(crate) kind: HandleKind,
}

/// The object of a handle.
#[derive(Clone, Debug)]
pub(crate) enum HandleKind {
    /// The crosshair of the target.
    Target,
    Obstacle(HeldObstacle),
    Point(PathPoint),
    Units(HeldUnits),
}

/// The dragged part of an obstacle.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObstaclePart {
    Whole,
    /// The rim of a ball: a drag changes the radius.
    Rim,
    Corner(usize),
}

/// A dragged obstacle.
#[derive(Clone, Debug)]
pub(crate) struct HeldObstacle {
    pub(crate) part: ObstaclePart,
    /// Its index when the drag began, and its index from the end, starting at 1.
    pub(crate) index: usize,
    pub(crate) back: usize,
    /// The obstacle when the drag began.
    pub(crate) initial: Obstacle,
    /// The obstacle as the scene lists it; `None` if it is scattered.
    pub(crate) listed: Option<Obstacle>,
}

/// A point of a path of the scene.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct PathPoint {
    /// The path's name.
    pub(crate) name: String,
    pub(crate) path: Path,
    pub(crate) point: usize,
}

/// Dragged units.
#[derive(Clone, Debug)]
pub(crate) struct HeldUnits {
    pub(crate) units: Vec<HeldUnit>,
    /// Recent positions of the pointer in the world, with their wall time in seconds.
    pub(crate) track: VecDeque<(f64, Vec3)>,
}

/// A dragged unit.
#[derive(Clone, Debug)]
pub(crate) struct HeldUnit {
    pub(crate) key: u64,
    /// Offset from the pointer to the unit, world units.
    pub(crate) offset: Vec3,
    /// Its motion when the drag began.
    pub(crate) initial: Motion,
    /// The highest speed at which it can be thrown.
    pub(crate) max_speed: f32,
}
