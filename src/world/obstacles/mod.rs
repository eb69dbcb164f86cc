//! The obstacles of a world and queries over all of them.
//!
//! Every result is bit-identical to that of a loop over all obstacles in their order; in a tie the first obstacle is
//! returned. The spatial index only skips obstacles that cannot affect the result.

mod eight_points;
#[cfg(test)]
mod tests;

use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

use glam::Vec3;

use super::box_tree::{Bounds, BoxTree, Boxes, Lanes};
use super::obstacle::{Hit, Obstacle};

/// Obstacles in the order of the scene. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Obstacles(Arc<Indexed>);

#[derive(Debug, Default)]
struct Indexed {
    list: Vec<Obstacle>,
    tree: BoxTree,
    /// Obstacles without a bounding box, such as containers. Every query tests them.
    unbounded: Vec<u32>,
    /// The greatest absolute coordinate that any of them reaches.
    extent: f32,
}

/// The first intersection of a ray with any obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RayHit {
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Distance, point and normal.
    pub hit: Hit,
}

/// An obstacle near a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NearObstacle {
    /// Index of the obstacle.
    pub obstacle: usize,
    /// Distance to its surface: negative where it is solid.
    pub distance: f32,
}

/// The cost of a query. It depends on the obstacles and the query only.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCost {
    /// Number of boxes tested.
    pub boxes: u64,
    /// Number of surface elements tested; see [`super::Solid::pieces`].
    pub pieces: u64,
}

/// Margin that exceeds the rounding errors, relative to a distance or to coordinates.
const MARGIN: f32 = 1e-5;
/// The same for signed distances of obstacles of any shape.
const ROUNDING: f32 = 1e-4;
/// Limit of coordinates; beyond it squares overflow and all obstacles are tested.
const FAR: f32 = 1e15;
/// Replacement of a zero component of a direction; its reciprocal is finite.
const TINY: f32 = 1e-20;
/// Number of obstacles that [`Around`] sorts at a time.
const BATCH: usize = 16;

impl From<Vec<Obstacle>> for Obstacles {
    fn from(list: Vec<Obstacle>) -> Self {
        let (mut boxes, mut unbounded) = (Vec::with_capacity(list.len()), Vec::new());
        let mut extent = 0.0_f32;
        for (number, obstacle) in (0..).zip(&list) {
            extent = extent.max(extent_of(obstacle));
            match bounds(obstacle) {
                Some(bounds) => boxes.push((bounds, number)),
                None => unbounded.push(number),
            }
        }
        let tree = BoxTree::new(boxes, |number| list[number as usize].position());
        Self(Arc::new(Indexed { list, tree, unbounded, extent }))
    }
}

impl FromIterator<Obstacle> for Obstacles {
    fn from_iter<T: IntoIterator<Item = Obstacle>>(list: T) -> Self {
        Vec::from_iter(list).into()
    }
}

impl Deref for Obstacles {
    type Target = [Obstacle];

    fn deref(&self) -> &[Obstacle] {
        &self.0.list
    }
}

impl PartialEq for Obstacles {
    fn eq(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0) || self.0.list == other.0.list
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

impl Obstacles {
    /// Replaces the obstacle at index `at`. Returns false, and changes nothing, if the index is out of range.
    pub fn set(&mut self, at: usize, obstacle: Obstacle) -> bool {
        let mut list = self.to_vec();
        let Some(old) = list.get_mut(at) else {
            return false;
        };
        *old = obstacle;
        *self = list.into();
        true
    }

    /// Calls `visit` with every obstacle whose `bound` may be at most `limit`; `visit` returns the new limit. All
    /// bounds refer to `point` or to a ray from there.
    fn search(
        &self,
        point: Vec3,
        mut limit: f32,
        bound: impl Fn(&Boxes) -> Lanes,
        cost: &mut SearchCost,
        mut visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        let Indexed { list, tree, unbounded, .. } = &*self.0;
        let mut test = |number: usize| {
            let obstacle = &list[number];
            cost.pieces += obstacle.solid.pieces() as u64;
            visit(number, obstacle)
        };
        if is_too_far(point) {
            (0..list.len()).for_each(|number| _ = test(number));
            return;
        }
        for number in unbounded {
            limit = test(*number as usize);
        }
        cost.boxes += tree.search(limit, bound, |number| test(number as usize));
    }

    /// [`Obstacles::search`] with the distance from `point` as the bound.
    fn search_about(
        &self,
        point: Vec3,
        limit: f32,
        cost: &mut SearchCost,
        mut visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        // Squared distances: square roots would dominate the time.
        let bound = |boxes: &Boxes| boxes.squared_distances_to(point).map(bound);
        self.search(point, limit * limit, bound, cost, |number, obstacle| {
            let limit = visit(number, obstacle);
            limit * limit
        });
    }

    /// Returns the index of the obstacle with the least signed distance to `point`.
    pub fn nearest(&self, point: Vec3, cost: &mut SearchCost) -> Option<usize> {
        let nearest = self.find_nearest(point, cost, &mut |_, it| it.distance_to(point));
        nearest.map(|nearest| nearest.obstacle)
    }

    /// Returns a lower bound of the distance from `point` to all obstacles: not positive if it may touch one, infinite
    /// without obstacles.
    pub fn clearance(&self, point: Vec3) -> f32 {
        let size = point.abs().max_element() + self.0.extent;
        let mut cost = SearchCost::default();
        let nearest = self.find_nearest(point, &mut cost, &mut |_, it| it.distance_to(point));
        nearest.map_or(f32::INFINITY, |nearest| nearest.distance - ROUNDING * size)
    }

    /// Returns the obstacle with the least `distance`.
    fn find_nearest(
        &self,
        point: Vec3,
        cost: &mut SearchCost,
        distance: &mut impl FnMut(usize, &Obstacle) -> f32,
    ) -> Option<NearObstacle> {
        let (mut nearest, mut limit): (Option<NearObstacle>, _) = (None, f32::INFINITY);
        self.search_about(point, limit, cost, |obstacle, it| {
            let distance = distance(obstacle, it);
            let found = NearObstacle { obstacle, distance };
            if nearest.is_none_or(|nearest| found.is_before(&nearest)) {
                nearest = Some(found);
                // A deeper one still has distance 0 to its box.
                limit = if distance < limit { distance.max(0.0) } else { limit };
            }
            limit
        });
        nearest
    }

    /// Stores in `near` the obstacles with a signed distance of at most `reach` from a point, sorted by distance, then
    /// by index.
    pub fn within(&self, point: Vec3, reach: f32, near: &mut Vec<NearObstacle>, cost: &mut SearchCost) {
        near.clear();
        let limit = reach.max(0.0);
        self.search_about(point, limit, cost, |obstacle, it| {
            let distance = it.distance_to(point);
            if distance <= reach {
                near.push(NearObstacle { obstacle, distance });
            }
            limit
        });
        // Distance and index are a total order; a stable sort would allocate.
        near.sort_unstable_by(NearObstacle::order);
    }

    /// Returns the first intersection of a ray from `from` along `direction` (any length) with an obstacle within
    /// `length`; in a tie, of the first obstacle. A ray that starts inside a solid hits at `from`.
    pub fn first_hit(
        &self,
        from: Vec3,
        direction: Vec3,
        length: f32,
        cost: &mut SearchCost,
    ) -> Option<RayHit> {
        let along = direction.try_normalize()?;
        let per_length = along.map(|part| if part.abs() < TINY { TINY.copysign(part) } else { part }).recip();
        let margin = MARGIN * from.abs().max_element();
        let bound =
            |boxes: &Boxes| boxes.entries(from, per_length, margin).map(|entry| entry * (1.0 - MARGIN));
        let mut first: Option<RayHit> = None;
        // A length of at most 0 still finds obstacles that contain the start; a NaN finds all.
        let limit = if length.is_nan() { f32::INFINITY } else { length.max(0.0) };
        self.search(from, limit, bound, cost, |obstacle, it| {
            let left = first.map_or(length, |first| first.hit.distance);
            if let Some(hit) = it.ray(from, direction, left) {
                let is_first = first.is_none_or(|first| {
                    hit.distance < left || (hit.distance == left && obstacle < first.obstacle)
                });
                if is_first {
                    first = Some(RayHit { obstacle, hit });
                }
            }
            first.map_or(limit, |first| first.hit.distance)
        });
        first
    }

    /// Returns true if no solid contains `from` or lies between the points.
    pub fn is_free(&self, from: Vec3, to: Vec3, cost: &mut SearchCost) -> bool {
        if from != to {
            return self.first_hit(from, to - from, from.distance(to), cost).is_none();
        }
        let mut is_free = true;
        self.search_about(from, 0.0, cost, |_, obstacle| {
            is_free &= obstacle.distance_to(from) > 0.0;
            0.0
        });
        is_free
    }

    /// Returns a superset of the obstacles whose surface is within `reach` of a point, in the order of their indices.
    pub fn around(&self, point: Vec3, reach: f32) -> Around<'_> {
        let mut around =
            Around { obstacles: self, point, reach, batch: [0; BATCH], count: 0, next: 0, from: 0 };
        around.fill();
        around
    }
}

/// Returns true if coordinates are NaN or too great for their squares.
fn is_too_far(point: Vec3) -> bool {
    point.is_nan() || point.abs().max_element() >= FAR
}

/// Lower bound of the squared distance to an obstacle, from the squared distance to its box.
fn bound(square: f32) -> f32 {
    square * (1.0 - 3.0 * MARGIN)
}

impl NearObstacle {
    /// Orders by distance, then by index.
    fn order(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.obstacle.cmp(&other.obstacle))
    }

    fn is_before(&self, other: &Self) -> bool {
        self.order(other).is_lt()
    }
}

/// The iterator of [`Obstacles::around`].
#[derive(Debug)]
pub struct Around<'a> {
    obstacles: &'a Obstacles,
    point: Vec3,
    reach: f32,
    /// The first obstacles with an index of at least `from`.
    batch: [u32; BATCH],
    count: usize,
    next: usize,
    from: u32,
}

impl Around<'_> {
    /// Finds the next batch.
    fn fill(&mut self) {
        let Self { batch, from, .. } = self;
        let mut count = 0;
        let limit = self.reach.max(0.0);
        self.obstacles.search_about(self.point, limit, &mut SearchCost::default(), |number, _| {
            let number = number as u32;
            let is_wanted = number >= *from && (count < BATCH || number < batch[BATCH - 1]);
            if is_wanted {
                let place = batch[..count].partition_point(|other| *other < number);
                count = BATCH.min(count + 1);
                batch[place..count].rotate_right(1);
                batch[place] = number;
            }
            limit
        });
        (self.count, self.next) = (count, 0);
    }
}

impl<'a> Iterator for Around<'a> {
    type Item = &'a Obstacle;

    fn next(&mut self) -> Option<&'a Obstacle> {
        if self.next == BATCH {
            self.from = self.batch[BATCH - 1] + 1;
            self.fill();
        }
        let number = self.batch[..self.count].get(self.next)?;
        self.next += 1;
        self.obstacles.get(*number as usize)
    }
}
