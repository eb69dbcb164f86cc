//! Handles: the places by which the pointer holds things of the world.

use std::collections::VecDeque;

use glam::Vec3;

use crate::dynamics::Motion;
use crate::world::{Obstacle, Path};

/// A place by which the pointer holds something.
#[derive(Clone, Debug)]
pub(in crate::app) struct Handle {
    /// Its position when it was taken.
    pub(in crate::app) at: Vec3,
    /// From the pointer to that position, world units.
    pub(in crate::app) offset: Vec3,
    pub(in crate::app) kind: HandleKind,
}

/// The thing that a handle holds.
#[derive(Clone, Debug)]
pub(in crate::app) enum HandleKind {
    /// The crosshair of the target.
    Target,
    Obstacle(HeldObstacle),
    Point(PathPoint),
    Units(HeldUnits),
}

/// The part of an obstacle that is held.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum ObstaclePart {
    Whole,
    /// The rim of a ball: a drag changes the radius.
    Rim,
    Corner(usize),
}

/// An obstacle that is held.
#[derive(Clone, Debug)]
pub(in crate::app) struct HeldObstacle {
    pub(in crate::app) part: ObstaclePart,
    /// Its index when it was taken, and its index from the end, starting at 1.
    pub(in crate::app) index: usize,
    pub(in crate::app) back: usize,
    /// The obstacle when it was taken.
    pub(in crate::app) taken: Obstacle,
    /// The obstacle as the scene lists it; `None` if it is scattered.
    pub(in crate::app) listed: Option<Obstacle>,
}

/// A point of a path of the scene.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct PathPoint {
    /// The path's name.
    pub(in crate::app) name: String,
    pub(in crate::app) path: Path,
    pub(in crate::app) point: usize,
}

/// Units that are held.
#[derive(Clone, Debug)]
pub(in crate::app) struct HeldUnits {
    pub(in crate::app) units: Vec<HeldUnit>,
    /// Recent positions of the pointer in the world, with their wall time in seconds.
    pub(in crate::app) track: VecDeque<(f64, Vec3)>,
}

/// A unit that is held.
#[derive(Clone, Debug)]
pub(in crate::app) struct HeldUnit {
    pub(in crate::app) key: u64,
    /// From the pointer to it, world units.
    pub(in crate::app) offset: Vec3,
    /// Its motion when it was taken.
    pub(in crate::app) taken: Motion,
    /// The highest speed at which it can be thrown.
    pub(in crate::app) max_speed: f32,
}
