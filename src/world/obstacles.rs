//! The obstacles of a world, and questions about all of them.
//!
//! Every answer has the bits that asking each obstacle in turn gives, of equals the first; an index by place only
//! leaves out those that cannot matter.

use std::ops::Deref;
use std::sync::Arc;

use glam::Vec3;

use super::box_tree::{Bounds, BoxTree};
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
/// Coordinates past which squares lose their meaning; there, all obstacles are asked.
const FAR: f32 = 1e15;
/// A part of a direction that stands for none, as its reciprocal is finite.
const TINY: f32 = 1e-20;
/// Obstacles near a point that are put in order at a time.
const BATCH: usize = 16;

impl From<Vec<Obstacle>> for Obstacles {
    fn from(list: Vec<Obstacle>) -> Self {
        let (mut boxes, mut unbounded) = (Vec::with_capacity(list.len()), Vec::new());
        for (number, obstacle) in (0..).zip(&list) {
            match bounds(obstacle) {
                Some(bounds) => boxes.push((bounds, number)),
                None => unbounded.push(number),
            }
        }
        let tree = BoxTree::new(boxes, |number| list[number as usize].position());
        Self(Arc::new(Indexed { list, tree, unbounded }))
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

/// A box that holds an obstacle, the error of its distances, and what counts as a hit of a ray.
fn bounds(obstacle: &Obstacle) -> Option<Bounds> {
    let size = obstacle.position().abs().max_element() + obstacle.radius();
    if obstacle.inside_out || !(size < FAR) {
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
        bound: impl Fn(&Bounds) -> f32,
        cost: &mut SearchCost,
        mut visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        let Indexed { list, tree, unbounded } = &*self.0;
        let mut ask = |number: usize| {
            let obstacle = &list[number];
            cost.pieces += obstacle.solid.pieces() as u64;
            visit(number, obstacle)
        };
        if !(point.abs().max_element() < FAR) {
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
        visit: impl FnMut(usize, &Obstacle) -> f32,
    ) {
        let bound = |bounds: &Bounds| bounds.distance_to(point) * (1.0 - MARGIN);
        self.search(point, limit, bound, cost, visit);
    }

    /// The obstacle whose surface is nearest to a point, or in which it is deepest.
    pub fn nearest(&self, point: Vec3, cost: &mut SearchCost) -> Option<usize> {
        let (mut nearest, mut limit): (Option<NearObstacle>, _) = (None, f32::INFINITY);
        self.search_about(point, limit, cost, |obstacle, it| {
            let distance = it.distance_to(point);
            let found = NearObstacle { obstacle, distance };
            if nearest.is_none_or(|nearest| found.is_before(&nearest)) {
                nearest = Some(found);
                // Whatever is deeper still has no distance to its box.
                limit = if distance < limit { distance.max(0.0) } else { limit };
            }
            limit
        });
        nearest.map(|nearest| nearest.obstacle)
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
        near.sort_unstable_by(|a, b| a.distance.total_cmp(&b.distance).then(a.obstacle.cmp(&b.obstacle)));
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
        let bound = |bounds: &Bounds| bounds.grown(grain).entry(from, per_length) * (1.0 - MARGIN);
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

impl NearObstacle {
    fn is_before(&self, other: &Self) -> bool {
        self.distance.total_cmp(&other.distance).then(self.obstacle.cmp(&other.obstacle)).is_lt()
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

#[cfg(test)]
mod tests {
    use glam::Vec2;
    use proptest::prelude::*;

    use super::*;
    use crate::world::{Polygon, Solid};

    /// Each question as a loop over all obstacles in their order.
    fn nearest(all: &[Obstacle], point: Vec3) -> Option<usize> {
        let distances = all.iter().map(|it| it.distance_to(point)).enumerate();
        distances.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(index, _)| index)
    }

    fn within(all: &[Obstacle], point: Vec3, reach: f32) -> Vec<NearObstacle> {
        let all = all.iter().enumerate();
        let near = all.map(|(obstacle, it)| NearObstacle { obstacle, distance: it.distance_to(point) });
        let mut near: Vec<_> = near.filter(|it| it.distance <= reach).collect();
        near.sort_by(|a, b| a.distance.total_cmp(&b.distance));
        near
    }

    fn first_hit(all: &[Obstacle], from: Vec3, direction: Vec3, length: f32) -> Option<RayHit> {
        let mut first: Option<RayHit> = None;
        for (obstacle, it) in all.iter().enumerate() {
            let hit = it.ray(from, direction, length);
            let is_first = |hit: &Hit| first.is_none_or(|first| hit.distance < first.hit.distance);
            first = hit.filter(is_first).map(|hit| RayHit { obstacle, hit }).or(first);
        }
        first
    }

    fn is_free(all: &[Obstacle], from: Vec3, to: Vec3) -> bool {
        match from == to {
            true => all.iter().all(|it| it.distance_to(from) > 0.0),
            false => first_hit(all, from, to - from, from.distance(to)).is_none(),
        }
    }

    /// Coordinates that meet on purpose, ordinary ones, large and small ones.
    fn coordinate() -> impl Strategy<Value = f32> {
        let ends = prop::sample::select(vec![1e-20, 3e5, -3e5, 1e17]);
        prop_oneof![8 => (-3..4_i8).prop_map(f32::from), 8 => -30.0_f32..30.0, 1 => ends]
    }

    fn place(flat: bool) -> impl Strategy<Value = Vec3> {
        let place = [coordinate(), coordinate(), coordinate()].prop_map(Vec3::from_array);
        place.prop_map(move |place| if flat { place.with_z(0.0) } else { place })
    }

    fn size() -> impl Strategy<Value = f32> {
        prop_oneof![Just(1.0_f32), 0.1_f32..6.0, Just(1e-7_f32), Just(200.0_f32)]
    }

    fn solid(flat: bool) -> impl Strategy<Value = Solid> {
        let ball = (place(flat), size()).prop_map(|(center, radius)| Solid::Ball { center, radius });
        let capsule = (place(flat), place(flat), size()).prop_map(|(from, to, radius)| Solid::Capsule {
            from,
            to,
            radius,
        });
        let cuboid =
            (place(flat), [size(), size(), size()], -7.0_f32..7.0).prop_map(move |(center, half, angle)| {
                let half = Vec3::from_array(half);
                Solid::Box { center, half: if flat { half.with_z(f32::INFINITY) } else { half }, angle }
            });
        let polygon = (place(true), size(), 3..9_usize).prop_map(|(center, size, count)| {
            let corner = |at: usize| {
                let (y, x) = libm::sincosf(at as f32 * std::f32::consts::TAU / count as f32);
                center.truncate() + Vec2::new(x, y) * if at % 2 == 0 { size } else { size * 0.6 }
            };
            let polygon = Polygon::new((0..count).map(corner).collect());
            polygon.map_or(Solid::ball(center, size), Solid::Polygon)
        });
        prop_oneof![3 => ball, 2 => capsule, 2 => cuboid, if flat { 2 } else { 0 } => polygon]
    }

    fn obstacle(flat: bool) -> impl Strategy<Value = Obstacle> {
        let inside_out = prop::bool::weighted(0.1);
        (solid(flat), inside_out).prop_map(|(solid, inside_out)| Obstacle { solid, inside_out })
    }

    /// Some obstacles, another in the place of one of them, points, and a length.
    type Case = (Vec<Obstacle>, (usize, Obstacle), [Vec3; 3], f32);

    fn case() -> impl Strategy<Value = Case> {
        any::<bool>().prop_flat_map(|flat| {
            let obstacles = prop::collection::vec(obstacle(flat), 0..40);
            let length = prop_oneof![8 => 0.0_f32..60.0, 1 => Just(-1.0), 1 => Just(f32::INFINITY), 1 => Just(f32::NAN)];
            let moved = (0..40_usize, obstacle(flat));
            (obstacles, moved, [place(flat), place(flat), place(flat)], length)
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn answers_are_those_of_asking_each_obstacle(case in case()) {
            let (mut plain, (at, obstacle), [point, other, direction], length) = case;
            plain.extend_from_within(..plain.len() / 3);
            let mut obstacles = Obstacles::from(plain.clone());
            if let Some(standing) = plain.get_mut(at) {
                *standing = obstacle.clone();
            }
            prop_assert_eq!(obstacles.set(at, obstacle), at < plain.len());
            let mut cost = SearchCost::default();
            prop_assert_eq!(obstacles.nearest(point, &mut cost), nearest(&plain, point));
            let mut near = Vec::new();
            obstacles.within(point, length, &mut near, &mut cost);
            prop_assert_eq!(&near, &within(&plain, point, length));
            for direction in [direction, other - point, Vec3::X, Vec3::ZERO] {
                let hit = obstacles.first_hit(point, direction, length, &mut cost);
                prop_assert_eq!(hit, first_hit(&plain, point, direction, length));
            }
            for to in [other, point] {
                prop_assert_eq!(obstacles.is_free(point, to, &mut cost), is_free(&plain, point, to));
            }
            let around: Vec<&Obstacle> = obstacles.around(point, length).collect();
            let mut rest = around.iter();
            for it in plain.iter().filter(|it| it.distance_to(point) <= length) {
                prop_assert!(rest.any(|other| *other == it), "{it:?} comes too late or not at all");
            }
            prop_assert!(around.len() <= plain.len());
        }
    }

    fn ball(x: f32, radius: f32) -> Obstacle {
        Solid::ball(Vec3::X * x, radius).into()
    }

    #[test]
    fn a_ray_meets_the_first_of_all_obstacles() {
        let all = Obstacles::from_iter([ball(9.0, 1.0), ball(5.0, 1.0), ball(5.0, 1.0), ball(-3.0, 1.0)]);
        let hit = |from, along, length| all.first_hit(from, along, length, &mut SearchCost::default());
        let first = hit(Vec3::ZERO, Vec3::X * 7.0, 20.0).unwrap();
        assert_eq!((first.obstacle, first.hit.normal), (1, Vec3::NEG_X));
        assert!((first.hit.distance - 4.0).abs() < 1e-3);
        assert_eq!(hit(Vec3::ZERO, Vec3::X, 3.9), None);
        assert_eq!(hit(Vec3::ZERO, Vec3::Y, 99.0), None);
        assert_eq!(hit(Vec3::ZERO, Vec3::ZERO, 99.0), None);
        let inside = hit(Vec3::X * 9.5, Vec3::X, 20.0).unwrap();
        assert_eq!((inside.obstacle, inside.hit.distance), (0, 0.0));
    }

    #[test]
    fn obstacles_near_a_point_are_sorted_by_the_distance_to_their_surface() {
        let mut hollow = ball(0.0, 6.0);
        hollow.inside_out = true;
        let all =
            Obstacles::from_iter([ball(3.0, 1.0), ball(-9.0, 1.0), ball(-3.0, 1.0), hollow, ball(2.0, 2.5)]);
        let (mut near, mut cost) = (Vec::new(), SearchCost::default());
        for (reach, expected) in [(2.0, &[4, 0, 2][..]), (6.0, &[4, 0, 2, 3]), (-1.0, &[])] {
            all.within(Vec3::ZERO, reach, &mut near, &mut cost);
            let found: Vec<_> = near.iter().map(|it| it.obstacle).collect();
            assert_eq!(found, expected, "within {reach}");
        }
        all.within(Vec3::ZERO, 2.0, &mut near, &mut cost);
        assert_eq!([near[0].distance, near[1].distance], [-0.5, 2.0]);
    }

    #[test]
    fn a_segment_is_free_unless_something_solid_is_between() {
        let all = Obstacles::from_iter([ball(3.0, 1.0)]);
        for (from, to, free) in [
            (Vec3::ZERO, Vec3::X * 9.0, false),
            (Vec3::ZERO, Vec3::X * 1.9, true),
            (Vec3::X * 9.0, Vec3::X * 4.1, true),
            (Vec3::Y * 2.0, Vec3::new(9.0, 2.0, 0.0), true),
            (Vec3::ZERO, Vec3::ZERO, true),
            (Vec3::X * 3.0, Vec3::X * 3.0, false),
            (Vec3::X * 3.0, Vec3::X * 9.0, false),
        ] {
            assert_eq!(all.is_free(from, to, &mut SearchCost::default()), free, "{from} to {to}");
        }
    }

    #[test]
    fn of_many_obstacles_few_are_asked() {
        let at = |number: usize| Vec3::new((number % 100) as f32, (number / 100) as f32, 0.0) * 10.0;
        let all = Obstacles::from_iter((0..10_000).map(|number| Solid::ball(at(number), 2.0).into()));
        let (point, mut near, mut cost) = (Vec3::new(503.0, 304.0, 0.0), Vec::new(), SearchCost::default());
        assert_eq!(all.nearest(point, &mut cost), Some(3050));
        all.within(point, 9.0, &mut near, &mut cost);
        assert_eq!(near.len(), 4);
        let hit = all.first_hit(point, Vec3::NEG_Y, 900.0, &mut cost);
        assert_eq!(hit, None);
        assert!(all.around(point, 1000.0).map(Obstacle::position).eq(all.iter().map(Obstacle::position)));
        assert!(cost.pieces < 100 && cost.boxes < 600, "{cost:?}");
    }
}
