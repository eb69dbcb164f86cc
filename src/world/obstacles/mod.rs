//! The obstacles of a world, and questions about all of them.
//!
//! Every answer has the bits that asking each obstacle in turn gives, of equals the first; an index by place only
//! leaves out those that cannot matter.

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
    /// Those that no box holds, such as containers. They are always asked.
    unbounded: Vec<u32>,
    /// The greatest coordinate that any of them reaches.
    extent: f32,
}

/// Where a ray first meets any obstacle.
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

/// What a search took. It depends on the obstacles and the question alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SearchCost {
    /// Boxes that were looked at.
    pub boxes: u64,
    /// Pieces of the obstacles that were asked; see [`super::Solid::pieces`].
    pub pieces: u64,
}

/// Part of a distance, and of the size of coordinates, that is more than rounding may make of them.
const MARGIN: f32 = 1e-5;
/// The same for distances of any obstacle, whatever its shape.
const ROUNDING: f32 = 1e-4;
/// Coordinates past which squares lose their meaning; there, all obstacles are asked.
const FAR: f32 = 1e15;
/// A part of a direction that stands for none, as its reciprocal is finite.
const TINY: f32 = 1e-20;
/// Obstacles near a point that are put in order at a time.
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

/// The greatest coordinate that an obstacle reaches in the plane, at least.
fn extent_of(obstacle: &Obstacle) -> f32 {
    obstacle.position().abs().max_element() + obstacle.radius()
}

/// A box that holds an obstacle, the error of its distances, and what counts as a hit of a ray.
fn bounds(obstacle: &Obstacle) -> Option<Bounds> {
    let size = extent_of(obstacle);
    if obstacle.inside_out || size >= FAR || size.is_nan() {
        return None;
    }
    let (low, high) = obstacle.solid.bounds();
    Some(Bounds { low, high }.grown(obstacle.tolerance() + MARGIN * size))
}

impl Obstacles {
    /// Puts another obstacle in the place of one. Out of range is ignored; returns whether it is not.
    pub fn set(&mut self, at: usize, obstacle: Obstacle) -> bool {
        let mut list = self.to_vec();
        let Some(standing) = list.get_mut(at) else {
            return false;
        };
        *standing = obstacle;
        *self = list.into();
        true
    }

    /// Calls `visit` with every obstacle that may have a `bound` of at most `limit`, which is then what `visit`
    /// returns. All bounds are about `point`, or a line from there.
    fn search(
        &self,
        point: Vec3,
        mut limit: f32,
        bound: impl Fn(&Boxes) -> Lanes,
        cost: &mut SearchCost,
        mut visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        let Indexed { list, tree, unbounded, .. } = &*self.0;
        let mut ask = |number: usize| {
            let obstacle = &list[number];
            cost.pieces += obstacle.solid.pieces() as u64;
            visit(number, obstacle)
        };
        if is_too_far(point) {
            (0..list.len()).for_each(|number| _ = ask(number));
            return;
        }
        for number in unbounded {
            limit = ask(*number as usize);
        }
        cost.boxes += tree.search(limit, bound, |number| ask(number as usize));
    }

    /// As [`Obstacles::search`], by the distance from `point`.
    fn search_about(
        &self,
        point: Vec3,
        limit: f32,
        cost: &mut SearchCost,
        mut visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        // By squares: roots take longer than all else here.
        let bound = |boxes: &Boxes| boxes.squared_distances_to(point).map(bound);
        self.search(point, limit * limit, bound, cost, |number, obstacle| {
            let limit = visit(number, obstacle);
            limit * limit
        });
    }

    /// The obstacle whose surface is nearest to a point, or in which it is deepest.
    pub fn nearest(&self, point: Vec3, cost: &mut SearchCost) -> Option<usize> {
        let nearest = self.find_nearest(point, cost, &mut |_, it| it.distance_to(point));
        nearest.map(|nearest| nearest.obstacle)
    }

    /// The radius of a ball about a point that is surely free of obstacles; not positive where there may be none,
    /// infinite without obstacles.
    pub fn clearance(&self, point: Vec3) -> f32 {
        let size = point.abs().max_element() + self.0.extent;
        let mut cost = SearchCost::default();
        let nearest = self.find_nearest(point, &mut cost, &mut |_, it| it.distance_to(point));
        nearest.map_or(f32::INFINITY, |nearest| nearest.distance - ROUNDING * size)
    }

    /// The nearest obstacle by the `distance` of each from the point.
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
                // Whatever is deeper still has no distance to its box.
                limit = if distance < limit { distance.max(0.0) } else { limit };
            }
            limit
        });
        nearest
    }

    /// Leaves in `near` the obstacles whose surface is within `reach` of a point, or in which it is,
    /// nearest first, equally near ones in the order of their index.
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
        // By index as well: a stable sort would allocate.
        near.sort_unstable_by(NearObstacle::order);
    }

    /// Where a ray from `from` along `direction` (any length) first meets an obstacle within `length`; of
    /// equally near ones the first. A ray that starts where one is solid meets it at once.
    pub fn first_hit(
        &self,
        from: Vec3,
        direction: Vec3,
        length: f32,
        cost: &mut SearchCost,
    ) -> Option<RayHit> {
        let along = direction.try_normalize()?;
        let per_length = along.map(|part| if part.abs() < TINY { TINY.copysign(part) } else { part }).recip();
        let grain = MARGIN * from.abs().max_element();
        let bound =
            |boxes: &Boxes| boxes.entries(from, per_length, grain).map(|entry| entry * (1.0 - MARGIN));
        let mut first: Option<RayHit> = None;
        // A ray without a length that counts meets what it starts in, one without a number as its length all.
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

    /// Whether nothing solid is between two points, nor at the first of them.
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

    /// All obstacles that may have a surface within `reach` of a point, in the order of their index. It may be
    /// more of them, but none is left out.
    pub fn around(&self, point: Vec3, reach: f32) -> Around<'_> {
        let mut around =
            Around { obstacles: self, point, reach, batch: [0; BATCH], count: 0, next: 0, from: 0 };
        around.fill();
        around
    }
}

/// Whether coordinates are no numbers, or too great for their squares.
fn is_too_far(point: Vec3) -> bool {
    point.is_nan() || point.abs().max_element() >= FAR
}

/// At most the square of the distance to an obstacle, by that to its box.
fn bound(square: f32) -> f32 {
    square * (1.0 - 3.0 * MARGIN)
}

impl NearObstacle {
    /// Nearest first, equally near ones in the order of their index.
    fn order(&self, other: &Self) -> Ordering {
        self.distance.total_cmp(&other.distance).then(self.obstacle.cmp(&other.obstacle))
    }

    fn is_before(&self, other: &Self) -> bool {
        self.order(other).is_lt()
    }
}

/// See [`Obstacles::around`].
#[derive(Debug)]
pub struct Around<'a> {
    obstacles: &'a Obstacles,
    point: Vec3,
    reach: f32,
    /// The first of those from `from` on.
    batch: [u32; BATCH],
    count: usize,
    next: usize,
    from: u32,
}

impl Around<'_> {
    /// Finds the next of them.
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
