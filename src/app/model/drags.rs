//! Things that the pointer holds.

use std::collections::VecDeque;

use glam::Vec3;

use crate::dynamics::Motion;
use crate::world::{Obstacle, Path};

/// What can be held.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) enum Held {
    /// One of the world's obstacles, as it was when it was taken.
    Obstacle(usize, Obstacle),
    /// The rim of one of them: it becomes larger or smaller.
    Rim(usize, Obstacle),
    /// A corner of one of them.
    Corner(usize, Obstacle, usize),
    /// A point of a path.
    Point(PathPoint),
    /// The crosshair of the target.
    Target,
}

/// Something that the pointer holds.
#[derive(Clone, Debug)]
pub(in crate::app) struct ObstacleDrag {
    pub(in crate::app) held: Held,
    /// Where it was when it was taken: its middle, or the corner or point itself.
    pub(in crate::app) place: Vec3,
    /// From the pointer to there, world units.
    pub(in crate::app) offset: Vec3,
    /// The obstacle as the scene lists it; nothing for the target and for one that is scattered.
    pub(in crate::app) listed: Option<Obstacle>,
    /// Its place counted back from the last obstacle, from 1.
    pub(in crate::app) back: usize,
}

/// A point of a path of the scene.
#[derive(Clone, Debug, PartialEq)]
pub(in crate::app) struct PathPoint {
    /// The path's name.
    pub(in crate::app) name: String,
    pub(in crate::app) path: Path,
    pub(in crate::app) point: usize,
}

/// A unit that the pointer holds.
#[derive(Debug)]
pub(in crate::app) struct HeldUnit {
    pub(in crate::app) key: u64,
    /// From the pointer to it, world units.
    pub(in crate::app) offset: Vec3,
    /// As it was when it was taken.
    pub(in crate::app) taken: Motion,
    /// No throw of it is faster.
    pub(in crate::app) fastest: f32,
}

/// Units that the pointer holds.
#[derive(Debug)]
pub(in crate::app) struct UnitDrag {
    pub(in crate::app) units: Vec<HeldUnit>,
    /// Where the first of them was taken.
    pub(in crate::app) place: Vec3,
    /// Where the pointer was in the last moments: seconds of wall time, and places of the world.
    pub(in crate::app) way: VecDeque<(f64, Vec3)>,
}
