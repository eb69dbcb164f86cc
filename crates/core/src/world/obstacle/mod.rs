//! Obstacles: distance, nearest point, normal, ray.
//!
//! Contacts advance by the signed distance to the surface; turning a solid inside out flips its sign. Intersections of rays
//! are computed in closed form.
//!
//! The library parry 0.31 was rejected: plane and space are separate crates, solids cannot be inverted, it depends
//! on another version of glam, and its deterministic mode is slow.

mod angle;
mod four_points;
mod motion;
mod points_x4;
mod polygon;
mod ray;
mod solid;

pub use angle::Angle;
pub use polygon::{Polygon, PolygonError};
pub use solid::{Solid, SolidKind, Surface};

use std::sync::Arc;

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::drive::Drive;
use super::images;

/// A solid, or with `inside_out` its complement.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Obstacle {
    /// Its shape.
    pub solid: Solid,
    /// True for a container: free inside, solid outside.
    pub inside_out: bool,
    /// Its velocity; zero for an obstacle that rests.
    #[serde(skip)]
    pub velocity: Vec3,
    /// Its motion, unless it rests. States do not contain it, since it is that of the scene.
    #[serde(skip)]
    pub drive: Option<Arc<Drive>>,
    /// The period of its images, that of the arena; see [`super::Arena::period`].
    #[serde(skip)]
    pub period: Option<Vec2>,
}

/// An intersection of a ray with an obstacle.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Hit {
    /// Distance along the ray, from 0.
    pub distance: f32,
    /// The point on the surface.
    pub point: Vec3,
    /// The unit normal there, toward the free side.
    pub normal: Vec3,
}

impl PartialEq for Obstacle {
    /// The velocity follows from the motion and the step, the period from the arena.
    fn eq(&self, other: &Self) -> bool {
        self.inside_out == other.inside_out && self.drive == other.drive && self.solid == other.solid
    }
}

impl From<Solid> for Obstacle {
    fn from(solid: Solid) -> Self {
        Self { solid, inside_out: false, velocity: Vec3::ZERO, drive: None, period: None }
    }
}

impl Obstacle {
    /// Its center.
    pub fn position(&self) -> Vec3 {
        self.solid.position()
    }

    /// Radius of a ball about its center that contains its surface.
    pub fn radius(&self) -> f32 {
        self.solid.radius()
    }

    /// Signed distance from `point` to the surface: negative where it is solid.
    pub fn distance_to(&self, point: Vec3) -> f32 {
        self.image(point).1 * self.sign()
    }

    /// The point of the surface nearest to `point`; of the nearest image, if there are several.
    pub fn nearest_point(&self, point: Vec3) -> Vec3 {
        let (image, _) = self.image(point);
        let on = self.solid.nearest_point(image);
        if image == point { on } else { on + (point - image) }
    }

    /// The unit normal at the surface point nearest to `point`, toward the free side.
    pub fn normal(&self, point: Vec3) -> Vec3 {
        self.solid.normal(self.image(point).0) * self.sign()
    }

    /// Returns the image of a point that is nearest to the shape, and its signed distance.
    #[inline]
    fn image(&self, point: Vec3) -> (Vec3, f32) {
        let Some(period) = self.period else {
            return (point, self.solid.distance_to(point));
        };
        let measure = |point| (self.solid.distance_to(point), ());
        let ball = (self.position(), self.radius());
        let first = images::about(point, ball.0, period);
        let (image, (distance, ())) = images::nearest((first, measure(first)), ball, period, measure);
        (image, distance)
    }

    /// Returns true if its position and size are finite numbers.
    pub fn is_finite(&self) -> bool {
        self.position().is_finite() && self.radius().is_finite() && self.radius() > 0.0
    }

    fn sign(&self) -> f32 {
        if self.inside_out { -1.0 } else { 1.0 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Extrema, testing};
    use glam::Vec2;

    fn shapes() -> Vec<Obstacle> {
        let corners = [(0.0, 0.0), (4.0, -1.0), (6.0, 2.0), (3.0, 1.0), (1.0, 3.0)];
        let polygon = Polygon::new(corners.map(Vec2::from).to_vec()).unwrap();
        let solids = [
            Solid::ball(Vec3::new(3.0, 1.0, 0.0), 2.0),
            Solid::Capsule { from: Vec3::ZERO, to: Vec3::new(6.0, 2.0, 0.0), radius: 1.0 },
            Solid::Box { center: Vec3::ONE, half: Vec3::new(2.0, 1.0, f32::INFINITY), angle: 0.4.into() },
            Solid::Box { center: Vec3::ZERO, half: Vec3::new(2.0, 1.0, 3.0), angle: 0.0.into() },
            Solid::Polygon(polygon),
        ];
        let points = [Vec3::ZERO, Vec3::X * 2.0, Vec3::new(1.0, 2.0, 0.0)];
        let half = Vec3::new(2.0, 1.0, 3.0);
        let each = SolidKind::ALL.iter().map(|kind| testing::solid(*kind, &points, half, 0.2, true));
        solids.into_iter().chain(each).map(Obstacle::from).collect()
    }

    fn inside_out(solid: Obstacle) -> Obstacle {
        let inside_out = true;
        Obstacle { inside_out, ..solid }
    }

    #[test]
    fn the_nearest_point_lies_on_the_surface_at_the_stated_distance() {
        for shape in shapes() {
            for (x, y) in [(7.0, -3.0), (1.2, 0.9), (-4.0, 0.1)] {
                let point = Vec3::new(x, y, 0.0);
                let on = shape.nearest_point(point);
                assert!(shape.distance_to(on).abs() < 1e-4, "{shape:?} {on}");
                let error = on.distance(point) - shape.distance_to(point).abs();
                assert!(error.abs() < 1e-4, "{shape:?} {point}");
            }
        }
    }

    #[test]
    fn a_ray_hits_the_surface_or_misses() {
        let from = Vec3::new(20.0, 0.9, 0.0);
        for shape in shapes() {
            let hit = shape.ray(from, Vec3::NEG_X * 3.0, 30.0).unwrap();
            let gap = shape.distance_to(hit.point).abs();
            assert!(gap < 1e-3 && hit.normal.x > 0.0, "{shape:?} {hit:?}");
            assert_eq!(shape.ray(from, Vec3::X, 30.0), None);
            assert_eq!(shape.ray(from, Vec3::NEG_X, 1.0), None);
        }
    }

    #[test]
    fn a_ray_from_inside_hits_at_its_start_and_one_without_direction_misses() {
        let ball = &shapes()[0];
        let hit = ball.ray(ball.position(), Vec3::X, 1.0).unwrap();
        assert_eq!(hit.distance, 0.0);
        assert_eq!(ball.ray(ball.position(), Vec3::ZERO, 1.0), None);
    }

    /// Compares with a search over the shape at 13 × 13 places.
    #[test]
    fn queries_with_a_period_are_those_of_the_nearest_of_many_images() {
        let mut across = 0;
        for (number, shape) in shapes().into_iter().enumerate() {
            for period in [Vec2::new(13.0, 9.0), Vec2::new(40.0, 30.0)] {
                let repeated = Obstacle { period: Some(period), ..shape.clone() };
                let shifts = || (-6..=6_i8).flat_map(|x| (-6..=6_i8).map(move |y| (x, y)));
                let image = |(x, y)| Vec3::new(f32::from(x) * period.x, f32::from(y) * period.y, 0.0);
                for case in 0..200 {
                    let draw = |at: u32| crate::world::random::draw(5, number as u64, case, 0, at) - 0.5;
                    let point = Vec3::new(draw(0) * period.x, draw(1) * period.y, 0.0) * 3.0;
                    let distances = shifts().map(|at| shape.distance_to(point - image(at)));
                    let least = distances.fold(f32::INFINITY, f32::lesser);
                    assert!((repeated.distance_to(point) - least).abs() < 1e-4, "{repeated:?} {point}");
                    let on = repeated.nearest_point(point);
                    assert!((on.distance(point) - least.abs()).abs() < 1e-3, "{repeated:?} {point}");
                    assert!(repeated.distance_to(on).abs() < 1e-3 || least < 0.0, "{repeated:?} {point}");
                    let away = (point - on) * least.signum();
                    assert!(least.abs() < 0.1 || away.angle_between(repeated.normal(point)) < 1e-2);
                    across += usize::from((shape.distance_to(point) - least).abs() > 0.1);
                    let (way, length) = (Vec3::new(draw(2), draw(3), 0.0), 30.0 * (draw(4) + 0.5));
                    let hits = shifts().filter_map(|at| shape.ray(point - image(at), way, length));
                    let first = hits.map(|hit| hit.distance).fold(f32::INFINITY, f32::lesser);
                    let hit = repeated.ray(point, way, length);
                    let distance = hit.map_or(f32::INFINITY, |hit| hit.distance);
                    assert!(
                        distance == first || (distance - first).abs() < 1e-5,
                        "{repeated:?} {point} {way}"
                    );
                }
            }
        }
        assert!(across > 1000, "{across}");
    }

    #[test]
    fn an_inside_out_obstacle_is_free_inside() {
        let point = Vec3::new(1.3, 0.4, 0.0);
        for solid in shapes() {
            let container = inside_out(solid.clone());
            assert_eq!(container.distance_to(point), -solid.distance_to(point));
            assert_eq!(container.normal(point), -solid.normal(point));
            assert_eq!(container.nearest_point(point), solid.nearest_point(point));
        }
        let container = inside_out(Solid::ball(Vec3::ZERO, 5.0).into());
        let hit = container.ray(Vec3::X, Vec3::X, 9.0).unwrap();
        assert!((hit.distance - 4.0).abs() < 1e-3);
        assert_eq!(hit.normal, Vec3::NEG_X);
    }
}
