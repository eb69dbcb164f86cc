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
mod tests;
