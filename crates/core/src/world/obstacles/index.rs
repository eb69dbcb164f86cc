//! The spatial index of some obstacles of a list.

use crate::world::box_tree::{Bounds, BoxTree};
use crate::world::extrema::Extrema;
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
}

impl Index {
    /// Returns the index of the obstacles in a list that are `among` those to be indexed.
    pub(super) fn of(list: &[Obstacle], among: impl Fn(&Obstacle) -> bool) -> Self {
        let (mut boxes, mut unbounded) = (Vec::new(), Vec::new());
        let mut extent = 0.0_f32;
        for (number, obstacle) in (0..).zip(list).filter(|(_, obstacle)| among(obstacle)) {
            extent = extent.greater(extent_of(obstacle));
            match bounds(obstacle) {
                Some(bounds) => boxes.push((bounds, number)),
                None => unbounded.push(number),
            }
        }
        let tree = BoxTree::new(boxes, |number| list[number as usize].position());
        Self { tree, unbounded, extent }
    }
}

/// Upper bound of the absolute coordinates of an obstacle in the plane.
fn extent_of(obstacle: &Obstacle) -> f32 {
    obstacle.position().abs().max_element() + obstacle.radius()
}

/// Returns the bounding box of an obstacle, extended by the rounding error of its distances and the tolerance of rays.
fn bounds(obstacle: &Obstacle) -> Option<Bounds> {
    let size = extent_of(obstacle);
    if obstacle.inside_out || size >= FAR || size.is_nan() {
        return None;
    }
    let (low, high) = obstacle.solid.bounds();
    Some(Bounds { low, high }.extended(obstacle.tolerance() + MARGIN * size))
}
