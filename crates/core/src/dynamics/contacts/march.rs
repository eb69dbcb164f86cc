//! Time of impact of a moving ball by conservative advancement on the signed distance.

use glam::{Vec2, Vec3};

use crate::world::{Extrema, Obstacle, Obstacles, Solid};

/// Maximum number of steps. If it is exceeded, the ball stops where it is: it never tunnels.
const STEPS: usize = 128;
/// Minimum number of pieces of a grazing move, if those are longer than the ball.
const MIN_PIECES: f32 = 64.0;

/// Upper bound of the relative rounding error of a distance.
const ROUNDING: f32 = 1e-4;

/// The first contact of a moving ball.
#[derive(Clone, Copy, Debug)]
pub(super) struct Touch {
    /// Distance along the move.
    pub(super) distance: f32,
    /// Outward normal of the obstacle, a unit vector.
    pub(super) normal: Vec3,
    /// Distance to move along the normal to restore the gap that sliding requires.
    pub(super) correction: f32,
    /// Velocity of the obstacle.
    pub(super) velocity: Vec3,
}

/// The motion of a ball from `from` along the unit vector `along` for `length`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Move {
    pub(super) from: Vec3,
    pub(super) along: Vec3,
    pub(super) length: f32,
    pub(super) radius: f32,
    /// True if normals are restricted to the plane.
    pub(super) flat: bool,
}

impl Move {
    fn at(&self, distance: f32) -> Vec3 {
        self.from + self.along * distance
    }

    /// Returns the first contact with one of `obstacles` while the ball approaches it.
    pub(super) fn first(&self, obstacles: &Obstacles) -> Option<Touch> {
        let mut first = None;
        let mut left = *self;
        for obstacle in obstacles.around(self.from, self.length + self.radius) {
            let mut meet = |part: &Obstacle| {
                if let Some(touch) = left.against(part) {
                    left.length = touch.distance;
                    first = Some(Touch { velocity: obstacle.velocity, ..touch });
                }
            };
            let Some(outline) = obstacle.solid.concave_outline() else {
                meet(obstacle);
                continue;
            };
            let gap = obstacle.distance_to(self.from);
            if gap < 0.0 {
                meet(obstacle);
            } else if gap * (1.0 - ROUNDING) <= self.length + self.radius {
                outline.edges().for_each(|edge| meet(&segment(edge, obstacle.period)));
            }
        }
        first
    }

    /// Advances by the gap (J. C. Hart, "Sphere tracing", The Visual Computer 12, 1996), or by a longer distance that is
    /// still safe if the ball grazes the surface: along a line, the distance from a convex shape is convex, so its
    /// tangent is a lower bound; the distance inside a container is concave, so its chord is one. A ball that starts
    /// inside cannot move deeper.
    fn against(&self, obstacle: &Obstacle) -> Option<Touch> {
        let start = obstacle.distance_to(self.from) - self.radius;
        if start.is_nan() || start > self.length {
            return None;
        }
        let place = self.from.abs().max(self.at(self.length).abs());
        let skin = skin(obstacle, place, self.radius);
        let floor = start.lesser(0.0);
        let end = obstacle.distance_to(self.at(self.length)) - self.radius - floor;
        let piece = (self.radius * 0.5).greater(self.length / MIN_PIECES);
        let (mut distance, mut gap) = (0.0, start - floor);
        for _ in 0..STEPS {
            let free = (gap - skin * 0.25).greater(0.0);
            let normal = normal(obstacle, self.at(distance), self.flat);
            let slope = self.along.dot(normal);
            if gap <= skin * 0.5 && slope < 0.0 {
                let correction = (skin - gap - floor).limited(0.0, skin);
                return Some(Touch { distance, normal, correction, velocity: Vec3::ZERO });
            }
            let bound = |holds: bool, length: f32| if holds { length } else { f32::INFINITY };
            let tangent = bound(slope < 0.0, free / -slope);
            let chord = bound(end < 0.0, (self.length - distance) * free / (gap - end));
            distance += tangent.lesser(chord).lesser(piece).greater(free).greater(skin * 0.25);
            if distance >= self.length {
                return None;
            }
            gap = obstacle.distance_to(self.at(distance)) - self.radius - floor;
        }
        let normal = normal(obstacle, self.at(distance), self.flat);
        Some(Touch { distance, normal, correction: 0.0, velocity: Vec3::ZERO })
    }
}

/// An edge of a polygon as an obstacle with the period of the polygon.
fn segment((from, to): (Vec2, Vec2), period: Option<Vec2>) -> Obstacle {
    let solid = Solid::Capsule { from: from.extend(0.0), to: to.extend(0.0), radius: 0.0 };
    Obstacle { period, ..solid.into() }
}

/// Returns the gap that counts as contact; it exceeds the rounding errors of the coordinates.
pub(super) fn skin(obstacle: &Obstacle, place: Vec3, radius: f32) -> f32 {
    let size = obstacle.radius();
    let size = if size.is_finite() { size } else { 0.0 };
    let extent = place.max(obstacle.position().abs()).max_element() + size;
    1e-4 * radius + 2e-6 * extent + 1e-6
}

/// Returns the outward normal; in a plane its z component, a rounding error, is removed.
pub(super) fn normal(obstacle: &Obstacle, point: Vec3, flat: bool) -> Vec3 {
    let normal = obstacle.normal(point);
    if flat && normal.z != 0.0 {
        return normal.with_z(0.0).try_normalize().unwrap_or(Vec3::X);
    }
    normal
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wall() -> Obstacle {
        Solid::Box { center: Vec3::ZERO, half: Vec3::new(0.01, 50.0, f32::INFINITY), angle: 0.0.into() }
            .into()
    }

    fn going(from: Vec3, by: Vec3, radius: f32) -> Move {
        Move { from, along: by.normalize(), length: by.length(), radius, flat: true }
    }

    #[test]
    fn a_thin_wall_stops_a_point_and_a_ball_at_any_speed() {
        for radius in [0.0, 0.5] {
            for by in [1e2, 1e4] {
                let way = going(Vec3::new(-9.0, 3.0, 0.0), Vec3::X * by, radius);
                let touch = way.first(&vec![wall()].into()).unwrap();
                assert!((touch.distance - (8.99 - radius)).abs() < 1e-1, "{touch:?}");
                assert!(wall().distance_to(way.at(touch.distance)) >= radius - 1e-4);
                assert_eq!(touch.normal, Vec3::NEG_X);
            }
        }
    }

    #[test]
    fn parallel_to_the_wall_and_away_from_it_moves_are_free() {
        let touching = Vec3::new(-0.51, 0.0, 0.0);
        let stops = |by: Vec3| going(touching, by, 0.5).first(&vec![wall()].into()).is_some();
        let along_away_in = [Vec3::Y * 40.0, Vec3::NEG_X * 40.0, Vec3::X * 0.001];
        assert_eq!(along_away_in.map(stops), [false, false, true]);
    }

    #[test]
    fn a_ball_inside_can_leave_but_not_move_deeper() {
        let ball = Obstacles::from_iter([Solid::ball(Vec3::ZERO, 5.0).into()]);
        let inside = Vec3::X * 3.0;
        assert!(going(inside, Vec3::X * 9.0, 1.0).first(&ball).is_none());
        let touch = going(inside, Vec3::NEG_X, 1.0).first(&ball).unwrap();
        assert_eq!(touch.distance, 0.0);
    }
}
