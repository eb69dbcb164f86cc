//! Intersections of rays with obstacles, in double precision.
//!
//! A line meets a convex shape in one interval: C. Ericson, "Real-Time Collision Detection", 2005, chapter 5. The edges of a
//! polygon are tested one by one; two edges classify their common corner equally, so that no ray passes between them.

use glam::{DVec2, DVec3, Vec2, Vec3};

use super::{Angle, Hit, Obstacle, Polygon, Solid};
use crate::world::extrema::Extrema;
use crate::world::images::{self, Images};

/// A ray with a unit direction.
#[derive(Clone, Copy, Debug)]
struct Ray {
    from: DVec3,
    along: DVec3,
}

/// A point of a line on the surface of a shape.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Crossing {
    /// Distance along the ray.
    at: f64,
    /// Outward unit normal.
    normal: DVec3,
}

impl Crossing {
    /// The start of a ray that is solid.
    const START: Self = Self { at: 0.0, normal: DVec3::ZERO };
}

impl Obstacle {
    /// Returns the first intersection of a ray from `from` along `direction` (any length) within `length`. A ray that
    /// starts inside the solid or on its surface hits at `from`. `None` for a miss or a zero direction.
    pub fn ray(&self, from: Vec3, direction: Vec3, length: f32) -> Option<Hit> {
        let ray = Ray { from: from.as_dvec3(), along: direction.as_dvec3().try_normalize()? };
        let length = length.lesser(self.period.map_or(f32::INFINITY, images::max_ray));
        let Crossing { at, normal } = if from.is_finite() {
            self.crossing(ray, length.into())?
        } else {
            (self.distance_to(from) <= 0.0).then_some(Crossing::START)?
        };
        let distance = at as f32;
        if at <= 0.0 {
            return Some(Hit { distance, point: from, normal: self.normal(from) });
        }
        let (point, normal) = (ray.at(at).as_vec3(), normal.as_vec3() * self.sign());
        (distance <= length && distance.is_finite()).then_some(Hit { distance, point, normal })
    }

    fn crossing(&self, ray: Ray, length: f64) -> Option<Crossing> {
        let Some(period) = self.period else {
            if self.inside_out {
                return self.solid.exit(ray, 0.0).or(Some(Crossing::START));
            }
            return self.solid.entry(ray);
        };
        let center = self.position();
        let from = images::about_exact(ray.from, center, period);
        // The images of a shape that is too long for some of them do not depend on the length.
        let is_overlong = self.radius() > images::MAX_PERIODS * period.min_element();
        let length = if is_overlong { images::max_ray(period).into() } else { length.greater(0.0) };
        let segment = [from, from + ray.along * length].map(|end| end - center.as_dvec3());
        let reach = images::reach(self.radius(), period);
        let images = Images::of_segment(segment, [-reach, reach], Some(period));
        let rays = || images.shifts().map(|shift| Ray { from: from - shift, ..ray });
        if !self.inside_out {
            return rays().filter_map(|ray| self.solid.entry(ray)).min_by(|a, b| a.at.total_cmp(&b.at));
        }
        // The images are free inside, so that a ray may leave one of them within another one.
        let mut last = Crossing::START;
        while let Some(next) = rays().find_map(|ray| self.solid.exit(ray, last.at)) {
            last = next;
        }
        Some(last)
    }
}

impl Ray {
    fn at(&self, distance: f64) -> DVec3 {
        self.from + self.along * distance
    }
}

impl Solid {
    /// Returns the first point of a ray that the shape contains.
    fn entry(&self, ray: Ray) -> Option<Crossing> {
        if let Self::Polygon(polygon) = self {
            let (is_inside, entry) = polygon.crossing(ray, 0.0);
            return if is_inside == Some(false) { entry } else { Some(Crossing::START) };
        }
        let [enter, leave] = self.interval(ray)?;
        (leave.at >= 0.0).then_some(if enter.at > 0.0 { enter } else { Crossing::START })
    }

    /// Returns the point where a ray leaves the shape, if it is inside at the distance `after`.
    fn exit(&self, ray: Ray, after: f64) -> Option<Crossing> {
        if let Self::Polygon(polygon) = self {
            let (is_inside, exit) = polygon.crossing(ray, after);
            return exit.filter(|_| is_inside == Some(true));
        }
        let [enter, leave] = self.interval(ray)?;
        (enter.at < after && leave.at > after).then_some(leave)
    }

    /// Returns the ends of the interval in which a line meets the shape; `None` for a polygon, which may be concave.
    fn interval(&self, ray: Ray) -> Option<[Crossing; 2]> {
        match *self {
            Self::Ball { center, radius } => {
                let center = center.as_dvec3();
                let ends = ball(ray, center, radius.into())?;
                Some(ends.map(|at| Crossing { at, normal: (ray.at(at) - center).normalize_or(DVec3::X) }))
            }
            Self::Capsule { from, to, radius } => {
                capsule(ray, [from.as_dvec3(), to.as_dvec3()], radius.into())
            }
            Self::Box { center, half, angle } => cuboid(ray, center.as_dvec3(), half.as_dvec3(), angle),
            Self::Polygon(_) => None,
        }
    }
}

fn ball(ray: Ray, center: DVec3, radius: f64) -> Option<[f64; 2]> {
    let offset = ray.from - center;
    let middle = -offset.dot(ray.along);
    let square = radius * radius - (offset + ray.along * middle).length_squared();
    (square >= 0.0).then(|| [middle - square.sqrt(), middle + square.sqrt()])
}

/// The infinite cylinder; beyond the ends of the segment, the balls there.
fn capsule(ray: Ray, [from, to]: [DVec3; 2], radius: f64) -> Option<[Crossing; 2]> {
    let (axis, length) =
        (to - from).try_normalize().map_or((DVec3::ZERO, 0.0), |axis| (axis, (to - from).length()));
    let offset = ray.from - from;
    let (height, rate) = (offset.dot(axis), ray.along.dot(axis));
    let across = Ray { from: offset - axis * height, along: ray.along - axis * rate };
    let speed = across.along.length();
    // Parallel to the axis, the line is inside everywhere or nowhere.
    let sides = if speed > 0.0 {
        ball(Ray { along: across.along / speed, ..across }, DVec3::ZERO, radius)?.map(|at| at / speed)
    } else {
        (across.from.length_squared() <= radius * radius).then_some([f64::NEG_INFINITY, f64::INFINITY])?
    };
    let end = |side: usize| {
        let height = height + rate * sides[side];
        let at = if height < 0.0 {
            ball(ray, from, radius)?[side]
        } else if height > length {
            ball(ray, to, radius)?[side]
        } else {
            sides[side]
        };
        let point = ray.at(at) - from;
        let away = point - axis * point.dot(axis).limited(0.0, length);
        Some(Crossing { at, normal: away.normalize_or(DVec3::X) })
    };
    Some([end(0)?, end(1)?])
}

/// The intersection of three slabs.
fn cuboid(ray: Ray, center: DVec3, half: DVec3, angle: Angle) -> Option<[Crossing; 2]> {
    let [from, along] = [ray.from - center, ray.along].map(|v| angle.rotate_back_exact(v));
    let end = |at| Crossing { at, normal: DVec3::ZERO };
    let (mut enter, mut leave) = (end(f64::NEG_INFINITY), end(f64::INFINITY));
    for axis in 0..3 {
        let (from, along, half) = (from[axis], along[axis], half[axis]);
        if along == 0.0 {
            if from.abs() > half {
                return None;
            }
            continue;
        }
        let side = half.copysign(along);
        let normal = DVec3::AXES[axis] * along.signum();
        let (first, last) = ((-side - from) / along, (side - from) / along);
        enter = if first > enter.at { Crossing { at: first, normal: -normal } } else { enter };
        leave = if last < leave.at { Crossing { at: last, normal } } else { leave };
    }
    let turned = |it: Crossing| Crossing { normal: angle.rotate_exact(it.normal), ..it };
    (enter.at <= leave.at).then(|| [turned(enter), turned(leave)])
}

impl Polygon {
    /// Returns true if it contains the point of a ray at the distance `after`, `None` if the point is on an edge, and the first
    /// crossing beyond.
    fn crossing(&self, ray: Ray, after: f64) -> (Option<bool>, Option<Crossing>) {
        let (from, along) = (ray.from.truncate(), ray.along.truncate());
        let mut first = Crossing { at: f64::INFINITY, normal: DVec3::ZERO };
        if along == DVec2::ZERO {
            let distance = self.distance_to(ray.from.as_vec3());
            return ((distance != 0.0).then_some(distance < 0.0), Some(first));
        }
        let (aside, radius) = (
            along.perp_dot(self.center().truncate().as_dvec2() - from),
            f64::from(self.radius()) * 1.000_001,
        );
        if aside * aside > radius * radius * along.length_squared() {
            return (Some(false), None);
        }
        // The offset of a corner, and its distance to the left of the ray.
        let seen = |corner: &Vec2| (corner.as_dvec2() - from, along.perp_dot(corner.as_dvec2() - from));
        let (mut is_inside, mut is_touched) = (false, false);
        let corners = self.corners();
        let mut start = corners.last().map_or((DVec2::ZERO, 0.0), seen);
        for corner in corners {
            let end = seen(corner);
            let ((a, left_a), (b, left_b)) = (start, end);
            start = end;
            if left_a == left_b {
                let at = [a, b].map(|corner| (corner - along * after).dot(along));
                is_touched |= left_a == 0.0 && at[0] * at[1] <= 0.0;
            } else if left_a * left_b <= 0.0 {
                let edge = b - a;
                let at = a.perp_dot(edge) / (left_b - left_a);
                is_touched |= at == after;
                is_inside ^= (left_a > 0.0) != (left_b > 0.0) && at > after;
                if at > after && at < first.at {
                    first = Crossing { at, normal: DVec3::new(edge.y, -edge.x, 0.0).normalize() };
                }
            }
        }
        ((!is_touched).then_some(is_inside), (first.at < f64::INFINITY).then_some(first))
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::{SolidKind, testing};

    /// Signed distance of a convex shape in double precision.
    fn distance(solid: &Solid, point: DVec3) -> f64 {
        match *solid {
            Solid::Ball { center, radius } => point.distance(center.as_dvec3()) - f64::from(radius),
            Solid::Capsule { from, to, radius } => {
                let (from, along) = (from.as_dvec3(), to.as_dvec3() - from.as_dvec3());
                let share = (point - from).dot(along) / along.length_squared().greater(f64::MIN_POSITIVE);
                point.distance(from + along * share.limited(0.0, 1.0)) - f64::from(radius)
            }
            Solid::Box { center, half, angle } => {
                let (sine, cosine) = libm::sincos(-f64::from(angle.radians()));
                let DVec3 { x, y, z } = point - center.as_dvec3();
                let there = DVec3::new(x * cosine - y * sine, x * sine + y * cosine, z);
                let past = there.abs() - half.as_dvec3();
                past.max(DVec3::ZERO).length() + past.max_element().lesser(0.0)
            }
            Solid::Polygon(_) => unreachable!("not convex"),
        }
    }

    /// The interval of a line in a convex shape by ternary search and bisection of its distance, with the least distance.
    fn searched(solid: &Solid, ray: Ray) -> (f64, [f64; 2]) {
        let gap = |at: f64| distance(solid, ray.at(at));
        let near = (solid.position().as_dvec3() - ray.from).dot(ray.along);
        let reach = 2.0 * f64::from(solid.radius()) + 1.0;
        let [mut low, mut high] = [near - reach, near + reach];
        for _ in 0..200 {
            let [a, b] = [low + (high - low) / 3.0, high - (high - low) / 3.0];
            if gap(a) < gap(b) { high = b } else { low = a }
        }
        let ends = [near - reach, near + reach].map(|mut outside| {
            let mut inside = low;
            for _ in 0..200 {
                let middle = (inside + outside) * 0.5;
                if gap(middle) <= 0.0 { inside = middle } else { outside = middle }
            }
            inside
        });
        (gap(low), ends)
    }

    /// The intervals of a line in a polygon, from its intersections with the lines of all edges.
    fn arranged(polygon: &Polygon, ray: Ray) -> Vec<[f64; 2]> {
        let (from, along) = (ray.from.truncate(), ray.along.truncate());
        let edges = || polygon.edges().map(|(a, b)| (a.as_dvec2(), b.as_dvec2()));
        let contains = |at: f64| {
            let point = from + along * at;
            let crossed = edges().filter(|(a, b)| {
                (a.y > point.y) != (b.y > point.y)
                    && point.x < (b.x - a.x) * (point.y - a.y) / (b.y - a.y) + a.x
            });
            crossed.count() % 2 == 1
        };
        let met = edges().map(|(a, b)| (a - from).perp_dot(b - a) / along.perp_dot(b - a));
        let mut met: Vec<f64> = met.filter(|at| at.is_finite()).collect();
        met.sort_by(f64::total_cmp);
        let mut inside: Vec<[f64; 2]> = Vec::new();
        for pair in met.windows(2).filter(|pair| contains((pair[0] + pair[1]) * 0.5)) {
            match inside.last_mut().filter(|last| last[1] == pair[0]) {
                Some(last) => last[1] = pair[1],
                None => inside.push([pair[0], pair[1]]),
            }
        }
        inside
    }

    /// A number whose logarithm is uniform.
    fn scale(powers: std::ops::Range<f32>) -> impl Strategy<Value = f32> {
        powers.prop_map(|power| libm::powf(10.0, power))
    }

    /// A shape in a plane or in space, and a ray from inside or outside of it, nearly parallel to one of its sides or in any
    /// direction.
    fn case() -> impl Strategy<Value = (Solid, Vec3, Vec3)> {
        let part = || -1.0_f32..1.0;
        let vector = || [part(), part(), part()].prop_map(Vec3::from_array);
        let kind = prop::sample::select(SolidKind::ALL.to_vec());
        let shape = (vector(), scale(0.0..3.0), scale(-2.0..3.0), prop::collection::vec(0.3_f32..1.0, 3..12));
        let way = (vector(), prop_oneof![Just(9.0), scale(-6.0..0.0)], scale(-3.0..6.0), scale(-3.0..3.0));
        (any::<bool>(), kind, shape, vector(), -4.0_f32..4.0, way).prop_map(
            |(flat, kind, (center, place, size, rays), half, angle, (aim, lean, away, speed))| {
                let flat = flat || kind == SolidKind::Polygon;
                let in_arena = |v: Vec3| if flat { v.with_z(0.0) } else { v };
                let center = in_arena(center * place);
                let turned = |at: f32| {
                    let (y, x) = libm::sincosf(at);
                    Vec3::new(x, y, 0.0)
                };
                let corner = |(at, ray): (usize, &f32)| {
                    center
                        + turned(angle + at as f32 * std::f32::consts::TAU / rays.len() as f32) * *ray * size
                };
                let corners: Vec<Vec3> = rays.iter().enumerate().map(corner).collect();
                let half = (half.abs() + 0.01) * size;
                let solid = testing::solid(kind, &corners, half, angle, flat);
                let side = match &solid {
                    Solid::Polygon(_) => corners[1] - corners[0],
                    Solid::Capsule { from, to, .. } => *to - *from,
                    Solid::Box { .. } => turned(angle),
                    Solid::Ball { .. } => Vec3::Y,
                };
                let direction = in_arena(side.normalize_or(Vec3::X) + aim * lean).normalize_or(Vec3::X);
                let target = solid.nearest_point(solid.position() + in_arena(aim) * size)
                    + in_arena(half) * 0.3 * lean.lesser(1.0);
                (solid, target - direction * away, direction * speed)
            },
        )
    }

    proptest! {
        #![proptest_config(ProptestConfig { cases: 8000, failure_persistence: None, ..ProptestConfig::default() })]
        #[test]
        fn distances_equal_those_of_a_search_in_double_precision((solid, from, direction) in case()) {
            let ray = Ray { from: from.as_dvec3(), along: direction.as_dvec3().normalize() };
            let size = f64::from(from.length() + solid.position().length() + solid.radius());
            let intervals = match &solid {
                Solid::Polygon(polygon) => arranged(polygon, ray),
                _ => match searched(&solid, ray) {
                    (least, _) if least > 0.0 => Vec::new(),
                    (_, ends) => vec![ends],
                },
            };
            // Rays that graze the surface, or end within the error of a corner, are undecided.
            let is_clear = intervals.iter().flatten().all(|at| at.abs() > 1e-9 * size);
            let is_clear = is_clear && intervals.iter().all(|[from, to]| to - from > 1e-6 * size);
            prop_assume!(is_clear);
            let ahead = intervals.iter().find(|[_, leave]| *leave > 0.0);
            let expected = ahead.map(|[enter, _]| enter.greater(0.0));
            let inside = ahead.filter(|[enter, _]| *enter < 0.0).map_or(0.0, |[_, leave]| *leave);
            let obstacle = Obstacle::from(solid);
            let container = Obstacle { inside_out: true, ..obstacle.clone() };
            for (obstacle, expected) in [(obstacle, expected), (container, Some(inside))] {
                let hit = obstacle.ray(from, direction, f32::INFINITY);
                let found = hit.map(|hit| f64::from(hit.distance));
                let is_equal = match (found, expected) {
                    (Some(found), Some(expected)) => (found - expected).abs() <= 1e-7 * expected + 1e-8 * size,
                    (found, expected) => found == expected,
                };
                prop_assert!(is_equal, "{found:?}, not {expected:?}: {obstacle:?}");
                if let Some(hit) = hit.filter(|hit| hit.distance > 0.0) {
                    prop_assert!(hit.normal.is_normalized() && hit.normal.as_dvec3().dot(ray.along) < 1e-6, "{hit:?}");
                }
            }
        }
    }
    /// A long wall, met at a distance of 100.
    #[test]
    fn a_ray_nearly_parallel_to_a_wall_meets_it() {
        let corners = [(5.0, 20.0), (305.0, 20.0), (305.0, 30.0), (5.0, 30.0)];
        let polygon = Polygon::new(corners.map(Vec2::from).to_vec()).unwrap();
        let half = Vec3::new(150.0, 5.0, f32::INFINITY);
        let walls = [
            Solid::Box { center: Vec3::new(155.0, 25.0, 0.0), half, angle: 0.0.into() },
            Solid::Polygon(polygon),
            Solid::Capsule { from: Vec3::new(10.0, 25.0, 0.0), to: Vec3::new(300.0, 25.0, 0.0), radius: 5.0 },
        ];
        for wall in walls {
            let hit = Obstacle::from(wall).ray(Vec3::Y * 19.0, Vec3::new(1.0, 0.01, 0.0), 900.0).unwrap();
            assert!((hit.distance - 100.005).abs() < 1e-4, "{hit:?}");
            assert!(hit.normal.abs_diff_eq(Vec3::NEG_Y, 1e-6), "{hit:?}");
        }
    }

    /// A corridor along x that is longer than the world, and one that is shorter.
    #[test]
    fn a_ray_leaves_a_container_within_its_next_image() {
        let corridor = |half: f32| {
            let half = Vec3::new(half, 3.0, f32::INFINITY);
            let box_ = Solid::Box { center: Vec3::new(50.0, 5.0, 0.0), half, angle: 0.0.into() };
            Obstacle { inside_out: true, period: Some(Vec2::new(100.0, 90.0)), ..box_.into() }
        };
        let (from, way) = (Vec3::new(1e8 + 32.0, 5.0, 0.0), Vec3::new(1.0, 0.01, 0.0));
        let distance = |it: Obstacle, way: Vec3| it.ray(from, way, 900.0).map(|hit| hit.distance);
        assert_eq!(distance(corridor(51.0), Vec3::X), None);
        assert!((distance(corridor(51.0), way).unwrap() - 300.015).abs() < 1e-3);
        assert!((distance(corridor(49.0), way).unwrap() - 67.003_35).abs() < 1e-3);
    }
}
