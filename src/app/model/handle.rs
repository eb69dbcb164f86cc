//! Handles: the places by which the pointer holds things of the world.

use std::collections::VecDeque;

use glam::Vec3;

use crate::dynamics::Motion;
use crate::world::{Obstacle, Path};

/// A place by which the pointer holds something.
#[derive(Clone, Debug)]
pub(crate) struct Handle {
    /// Its position when it was taken.
    pub(crate) at: Vec3,
    /// From the pointer to that position, world units.
    pub(crate) offset: Vec3,
    pub(crate) kind: HandleKind,
}

/// The thing that a handle holds.
#[derive(Clone, Debug)]
pub(crate) enum HandleKind {
    /// The crosshair of the target.
    Target,
    Obstacle(HeldObstacle),
    Point(PathPoint),
    Units(HeldUnits),
}

/// The part of an obstacle that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ObstaclePart {
    Whole,
    /// The rim of a ball: a drag changes the radius.
    Rim,
    Corner(usize),
}

/// An obstacle that is held.
#[derive(Clone, Debug)]
pub(crate) struct HeldObstacle {
    pub(crate) part: ObstaclePart,
    /// Its index when it was taken, and its index from the end, starting at 1.
    pub(crate) index: usize,
    pub(crate) back: usize,
    /// The obstacle when it was taken.
    pub(crate) taken: Obstacle,
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

/// Units that are held.
#[derive(Clone, Debug)]
pub(crate) struct HeldUnits {
    pub(crate) units: Vec<HeldUnit>,
    /// Recent positions of the pointer in the world, with their wall time in seconds.
    pub(crate) track: VecDeque<(f64, Vec3)>,
}

/// A unit that is held.
#[derive(Clone, Debug)]
pub(crate) struct HeldUnit {
    pub(crate) key: u64,
    /// From the pointer to it, world units.
    pub(crate) offset: Vec3,
    /// Its motion when it was taken.
    pub(crate) taken: Motion,
    /// The highest speed at which it can be thrown.
    pub(crate) max_speed: f32,
}
