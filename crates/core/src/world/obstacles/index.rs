//! The spatial index of some obstacles of a list.

use glam::{Vec2, Vec3};

use crate::world::box_tree::{Bounds, BoxTree};
use crate::world::extrema::Extrema;
use crate::world::images;
use crate::world::obstacle::Obstacle;

/// Margin that exceeds the rounding errors, relative to a distance or to coordinates.
pub(super) const MARGIN: f32 = 1e-5;
/// Limit of coordinates; beyond it squares overflow and all obstacles are tested.
pub(super) const FAR: f32 = 1e15;

/// An index of obstacles by their numbers in a list.
#[derive(Debug, Default)]
pub(super) struct Index {
    pub(super) tree: BoxTree,
    /// Obstacles without a bounding box, such as containers. Every query tests them.
    pub(super) unbounded: Vec<u32>,
    /// The greatest absolute coordinate that any of them reaches.
    pub(super) extent: f32,
    /// The box around all boxes of the tree.
    pub(super) bounds: Bounds,
}

impl Index {
    /// Returns the index of the obstacles in a list that are `among` those to be indexed. With a period, their centers are moved
    /// to coordinates from 0 to the period.
    pub(super) fn of(list: &[Obstacle], period: Option<Vec2>, among: impl Fn(&Obstacle) -> bool) -> Self {
        let (mut boxes, mut unbounded) = (Vec::new(), Vec::new());
        let mut extent = period.map_or(0.0, Vec2::max_element);
        for (number, obstacle) in (0..).zip(list).filter(|(_, obstacle)| among(obstacle)) {
            extent = extent.greater(extent_of(obstacle));
            match bounds(obstacle, period) {
                Some(bounds) => boxes.push((bounds, number)),
                None => unbounded.push(number),
            }
        }
        let bounds = boxes.iter().fold(Bounds::default(), |sum, (bounds, _)| sum.with(*bounds));
        let tree = BoxTree::new(boxes, |number| moved_by(&list[number as usize], period).0);
        Self { tree, unbounded, extent, bounds }
    }
}

/// Upper bound of the absolute coordinates of an obstacle in the plane.
fn extent_of(obstacle: &Obstacle) -> f32 {
    obstacle.position().abs().max_element() + obstacle.radius()
}

/// Returns the center of an obstacle in the index, and the offset to there.
fn moved_by(obstacle: &Obstacle, period: Option<Vec2>) -> (Vec3, Vec3) {
    let center = obstacle.position();
    let inside = period.map_or(center, |period| images::in_first_period(center, period));
    (inside, inside - center)
}

/// Returns the bounding box of an obstacle in the index, extended by the rounding error of its distances.
fn bounds(obstacle: &Obstacle, period: Option<Vec2>) -> Option<Bounds> {
    let size = extent_of(obstacle);
    if obstacle.inside_out || size >= FAR || size.is_nan() {
        return None;
    }
    let (low, high) = obstacle.solid.bounds();
    let (_, by) = moved_by(obstacle, period);
    let size = period.map_or(size, |period| size + period.max_element());
    Some(Bounds { low: low + by, high: high + by }.extended(MARGIN * size))
}
