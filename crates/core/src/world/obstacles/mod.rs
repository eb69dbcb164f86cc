//! The obstacles of a world and queries over all of them.
//!
//! Every result is bit-identical to that of a loop over all obstacles in their order; in a tie the first obstacle is
//! returned. The spatial index only skips obstacles that cannot affect the result. With a period, obstacles have images, and
//! every query refers to the nearest one.

mod eight_points;
mod index;
#[cfg(test)]
mod tests;

use std::array::from_fn;
use std::cell::Cell;
use std::cmp::Ordering;
use std::ops::Deref;
use std::sync::Arc;

use glam::{DVec3, Vec2, Vec3};

use super::box_tree::{Boxes, Lanes};
use super::extrema::Extrema;
use super::images::{self, Images};
use super::lengths;
use super::obstacle::{Hit, Obstacle};
use index::{FAR, Index, MARGIN};

/// Obstacles in the order of the scene. Clones share them.
#[derive(Clone, Debug, Default)]
pub struct Obstacles {
    all: Arc<Indexed>,
    /// The obstacles that queries skip, in ascending order.
    hidden: Arc<[u32]>,
}

#[derive(Debug, Default)]
struct Indexed {
    list: Vec<Obstacle>,
    /// Those that rest, shared by all steps.
    resting: Arc<Index>,
    /// Those that move.
    moving: Index,
    /// The period of their images.
    period: Option<Vec2>,
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

/// Upper bound of the rounding error of a signed distance, relative to the coordinates.
const ROUNDING: f32 = 1e-4;
/// Replacement of a zero component of a direction; its reciprocal is finite.
const TINY: f32 = 1e-20;
/// Number of obstacles that [`Around`] sorts at a time.
const BATCH: usize = 16;

impl From<Vec<Obstacle>> for Obstacles {
    /// Without images.
    fn from(list: Vec<Obstacle>) -> Self {
        Self::new(list, None)
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
        &self.all.list
    }
}

impl PartialEq for Obstacles {
    fn eq(&self, other: &Self) -> bool {
        let is_same = Arc::ptr_eq(&self.all, &other.all) || self.all.list == other.all.list;
        is_same && self.hidden == other.hidden
    }
}

impl Obstacles {
    /// Creates a list of obstacles with images at this period.
    pub fn new(mut list: Vec<Obstacle>, period: Option<Vec2>) -> Self {
        for obstacle in &mut list {
            obstacle.period = period;
        }
        let resting = Arc::new(Index::of(&list, period, |obstacle| obstacle.drive.is_none()));
        Self::indexed(list, resting, period)
    }

    fn indexed(list: Vec<Obstacle>, resting: Arc<Index>, period: Option<Vec2>) -> Self {
        let moving = Index::of(&list, period, |obstacle| obstacle.drive.is_some());
        Self { all: Arc::new(Indexed { list, resting, moving, period }), hidden: Arc::default() }
    }

    /// Returns the same obstacles with images at another period.
    #[must_use]
    pub fn with_period(self, period: Option<Vec2>) -> Self {
        if self.all.period == period { self } else { Self::new(self.to_vec(), period) }
    }

    /// Replaces the obstacle at index `at`. Returns false, and changes nothing, if the index is out of range.
    pub fn set(&mut self, at: usize, obstacle: Obstacle) -> bool {
        let mut list = self.to_vec();
        let Some(old) = list.get_mut(at) else {
            return false;
        };
        *old = obstacle;
        *self = Self::new(list, self.all.period);
        true
    }

    /// Returns the obstacles with others in the place of those that move, by index. The spatial index of those that rest is
    /// shared.
    #[must_use]
    pub fn moved(&self, moved: impl IntoIterator<Item = (usize, Obstacle)>) -> Self {
        let mut list = self.to_vec();
        for (at, obstacle) in moved {
            if let Some(old) = list.get_mut(at).filter(|old| old.drive.is_some() && obstacle.drive.is_some())
            {
                *old = Obstacle { period: self.all.period, ..obstacle };
            }
        }
        Self::indexed(list, Arc::clone(&self.all.resting), self.all.period)
    }

    /// Returns an upper bound of the distance by which any point of the obstacles has moved since an earlier step: 0 if they are
    /// the same. `None` if others than those that move have changed.
    pub fn movement_since(&self, before: &Self) -> Option<f32> {
        if Arc::ptr_eq(&self.all, &before.all) {
            return Some(0.0);
        }
        let (now, was) = (&*self.all, &*before.all);
        if !Arc::ptr_eq(&now.resting, &was.resting) || now.list.len() != was.list.len() {
            return (now.period == was.period && now.list == was.list).then_some(0.0);
        }
        let moving = now.list.iter().zip(&was.list).filter(|(now, _)| now.drive.is_some());
        let most = moving.map(|(now, was)| now.solid.movement_since(&was.solid)).fold(0.0, f32::greater);
        // The second term exceeds the rounding errors of places.
        (most < FAR).then(|| most * (1.0 + MARGIN) + 1e-6 * self.extent().greater(before.extent()))
    }

    /// Returns the same obstacles, of which queries skip those at these indices.
    #[must_use]
    pub fn without(&self, hidden: Arc<[u32]>) -> Self {
        Self { all: Arc::clone(&self.all), hidden }
    }

    /// The indices of the obstacles that queries skip.
    pub(super) fn hidden(&self) -> Arc<[u32]> {
        Arc::clone(&self.hidden)
    }

    /// Returns a list of the obstacles that no unit carries.
    #[must_use]
    pub fn without_carried(&self) -> Self {
        if self.iter().all(|obstacle| obstacle.carrier().is_none()) {
            return self.clone();
        }
        let others = self.iter().filter(|obstacle| obstacle.carrier().is_none());
        Self::new(others.cloned().collect(), self.all.period)
    }

    /// Returns the number of obstacles that are not hidden.
    pub fn visible_count(&self) -> usize {
        let hidden = self.hidden.iter().filter(|hidden| (**hidden as usize) < self.len());
        self.len() - hidden.count()
    }

    /// Returns the index of the `nth` obstacle that is not hidden.
    pub fn visible(&self, nth: usize) -> Option<usize> {
        let hidden = self.hidden.iter().map(|hidden| *hidden as usize);
        let at = hidden.fold(nth, |at, hidden| if hidden <= at { at + 1 } else { at });
        (at < self.len()).then_some(at)
    }

    /// The greatest absolute coordinate that any of them reaches.
    fn extent(&self) -> f32 {
        self.all.resting.extent.greater(self.all.moving.extent)
    }

    /// Returns a point and the period for tests of boxes: the image of the point in the first period.
    fn indexed_point(&self, point: Vec3) -> (Vec3, Vec3) {
        match self.all.period {
            Some(period) => (images::in_first_period(point, period), period.extend(f32::INFINITY)),
            None => (point, Vec3::INFINITY),
        }
    }

    fn is_hidden(&self, number: usize) -> bool {
        self.hidden.iter().any(|hidden| *hidden as usize == number)
    }

    /// Calls `visit` with every obstacle whose `bound` may be at most `limit`; `visit` returns the new limit. All
    /// bounds refer to `point` or to a ray from there.
    fn search(
        &self,
        point: Vec3,
        limit: f32,
        bound: impl Fn(&Boxes) -> Lanes,
        cost: &mut SearchCost,
        visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        let Indexed { resting, moving, .. } = &*self.all;
        self.search_in(&[resting, moving], (point, limit), bound, cost, visit);
    }

    /// [`Obstacles::search`] in some of the indices; far from the origin, in all of them.
    fn search_in(
        &self,
        indices: &[&Index],
        (point, limit): (Vec3, f32),
        bound: impl Fn(&Boxes) -> Lanes,
        cost: &mut SearchCost,
        mut visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        let list = &self.all.list;
        let limit = Cell::new(limit);
        let mut test = |number: usize| {
            if !self.is_hidden(number) {
                let obstacle = &list[number];
                cost.pieces += obstacle.solid.pieces() as u64;
                limit.set(visit(number, obstacle));
            }
            limit.get()
        };
        if is_too_far(point) {
            (0..list.len()).for_each(|number| _ = test(number));
            return;
        }
        for index in indices {
            index.unbounded.iter().for_each(|number| _ = test(*number as usize));
        }
        for index in indices {
            cost.boxes += index.tree.search(limit.get(), &bound, |number| test(number as usize));
        }
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
        let (indexed, period) = self.indexed_point(point);
        let bound = |boxes: &Boxes| boxes.squared_distances_to(indexed, period).map(bound);
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

    /// Returns a lower bound of the distance from `point` to the obstacles that rest, or to those that move: not positive if it
    /// may touch one, infinite without such obstacles.
    pub fn clearance(&self, point: Vec3, moving: bool) -> f32 {
        let index = if moving { &self.all.moving } else { &*self.all.resting };
        let size = point.abs().max_element() + self.extent();
        let (mut least, mut limit, mut cost) = (f32::INFINITY, f32::INFINITY, SearchCost::default());
        let (indexed, period) = self.indexed_point(point);
        let bound = |boxes: &Boxes| boxes.squared_distances_to(indexed, period).map(bound);
        self.search_in(&[index], (point, limit), bound, &mut cost, |_, obstacle| {
            let distance = obstacle.distance_to(point);
            least = least.lesser(distance);
            // A deeper one still has distance 0 to its box.
            limit = least.greater(0.0) * least.greater(0.0);
            limit
        });
        least - ROUNDING * size
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
                limit = if distance < limit { distance.greater(0.0) } else { limit };
            }
            limit
        });
        nearest
    }

    /// Stores in `near` the obstacles with a signed distance of at most `reach` from a point, sorted by distance, then
    /// by index.
    pub fn within(&self, point: Vec3, reach: f32, near: &mut Vec<NearObstacle>, cost: &mut SearchCost) {
        near.clear();
        let limit = reach.greater(0.0);
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
        let along = lengths::direction(direction)?;
        let per_length = along.map(|part| if part.abs() < TINY { TINY.copysign(part) } else { part }).recip();
        let margin = MARGIN * from.abs().max_element();
        let mut first: Option<RayHit> = None;
        // A length of at most 0 still finds obstacles that contain the start; a NaN finds all.
        let limit = if length.is_nan() { f32::INFINITY } else { length.greater(0.0) };
        let (indexed, _) = self.indexed_point(from);
        let images = self.images(indexed, along, limit);
        let bound = |boxes: &Boxes| {
            let Some(images) = images else { return [0.0; 8] };
            let entries = |shift: DVec3| boxes.entries(indexed - shift.as_vec3(), per_length, margin);
            let first = images.shifts().map(entries).reduce(|a, b| from_fn(|lane| a[lane].lesser(b[lane])));
            first.map_or([f32::INFINITY; 8], |entries| entries.map(|entry| entry * (1.0 - MARGIN)))
        };
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

    /// Returns the images of a ray that may meet a box of the index; `None` for all.
    fn images(&self, from: Vec3, along: Vec3, length: f32) -> Option<Images> {
        let Indexed { resting, moving, period, .. } = &*self.all;
        let length = period.map_or(length, |period| length.lesser(images::max_ray(period)));
        let bounds = resting.bounds.with(moving.bounds);
        let reach = MARGIN * (from.abs().max_element() + length + self.extent());
        let bounds = bounds.extended(reach);
        let [from, to, low, high] =
            [from, from + along * length, bounds.low, bounds.high].map(Vec3::as_dvec3);
        Images::of_segment([from, to], [low, high], *period).few()
    }

    /// Returns true if no solid contains `from` or lies between the points, on the shortest way.
    pub fn is_free(&self, from: Vec3, to: Vec3, cost: &mut SearchCost) -> bool {
        let to = self.all.period.map_or(to, |period| images::about(to, from, period));
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
        let limit = self.reach.greater(0.0);
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
