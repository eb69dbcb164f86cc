//! Cached clearance: a ball in which a unit cannot touch an obstacle.
//!
//! A distance changes by no more than the move, so a move inside the ball cannot touch an obstacle. Most units skip
//! the obstacle search for many steps.

use glam::Vec3;

use crate::world::Obstacles;

/// A ball that intersects no obstacle. It depends on the obstacles only, so it remains valid until they change.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeBall {
    center: Vec3,
    radius: f32,
}

impl Default for FreeBall {
    /// An empty ball.
    fn default() -> Self {
        Self { center: Vec3::ZERO, radius: f32::NAN }
    }
}

impl FreeBall {
    /// Returns true if the ball of radius `reach` about a point is free.
    #[inline]
    pub(super) fn contains(&self, point: Vec3, reach: f32) -> bool {
        self.radius - point.distance(self.center) > reach
    }

    /// Moves the ball to `point` if the ball of radius `reach` there is not inside it, unless no ball about `point` can
    /// contain that: by the triangle inequality, an obstacle is too near.
    #[inline]
    pub(super) fn renew(&mut self, obstacles: &Obstacles, point: Vec3, reach: f32) {
        let apart = point.distance(self.center);
        let is_known = self.contains(point, reach) || self.radius + apart < reach;
        if !is_known {
            *self = Self { center: point, radius: obstacles.clearance(point) };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Obstacle, Solid};

    #[test]
    fn it_is_renewed_only_if_that_may_help() {
        let ball = Obstacles::from_iter([Obstacle::from(Solid::ball(Vec3::ZERO, 10.0))]);
        let mut free = FreeBall::default();
        assert!(!free.contains(Vec3::X * 50.0, 1.0));
        free.renew(&ball, Vec3::X * 50.0, 1.0);
        assert!(free.contains(Vec3::X * 50.0, 39.0) && !free.contains(Vec3::X * 50.0, 40.0));
        assert!(free.contains(Vec3::X * 20.0, 9.0) && !free.contains(Vec3::X * 20.0, 11.0));
        // Inside, certainly not free, and unknown.
        for (x, renewed) in [(30.0, false), (11.0, true), (11.1, false), (14.0, true)] {
            let center = free.center;
            free.renew(&ball, Vec3::X * x, 2.0);
            assert_eq!(free.center != center, renewed, "{x}");
        }
        assert!(free.contains(Vec3::X * 14.0, 3.0));
    }

    #[test]
    fn without_obstacles_everything_is_free_except_infinite_and_nan() {
        let mut free = FreeBall::default();
        free.renew(&Obstacles::default(), Vec3::ZERO, 1.0);
        assert!(
            free.contains(Vec3::ONE, 1e30)
                && !free.contains(Vec3::NAN, 1.0)
                && !free.contains(Vec3::ZERO, f32::NAN)
        );
    }
}
