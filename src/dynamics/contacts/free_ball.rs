//! Where a unit surely meets no obstacle.
//!
//! A distance changes by no more than the move, so a move inside the ball cannot touch an obstacle, and most units
//! skip the search for many steps.

use glam::Vec3;

use crate::world::Obstacles;

/// A ball that no obstacle reaches into. It says something about the obstacles alone, so that it holds from step to
/// step until they change, whatever the units do.
#[derive(Clone, Copy, Debug)]
pub(super) struct FreeBall {
    center: Vec3,
    radius: f32,
}

impl Default for FreeBall {
    /// Nothing is known to be free.
    fn default() -> Self {
        Self { center: Vec3::ZERO, radius: f32::NAN }
    }
}

impl FreeBall {
    /// Whether all within `reach` of a point is free.
    #[inline]
    pub(super) fn holds(&self, point: Vec3, reach: f32) -> bool {
        self.radius - point.distance(self.center) > reach
    }

    /// Puts the ball about `point` unless it holds all within `reach` already, or no other one can: an obstacle is no
    /// farther from there than from the center and back.
    #[inline]
    pub(super) fn renew(&mut self, obstacles: &Obstacles, point: Vec3, reach: f32) {
        let apart = point.distance(self.center);
        let is_known = self.holds(point, reach) || self.radius + apart < reach;
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
    fn it_holds_what_is_free_and_is_renewed_where_that_may_help() {
        let ball = Obstacles::from_iter([Obstacle::from(Solid::ball(Vec3::ZERO, 10.0))]);
        let mut free = FreeBall::default();
        assert!(!free.holds(Vec3::X * 50.0, 1.0));
        free.renew(&ball, Vec3::X * 50.0, 1.0);
        assert!(free.holds(Vec3::X * 50.0, 39.0) && !free.holds(Vec3::X * 50.0, 40.0));
        assert!(free.holds(Vec3::X * 20.0, 9.0) && !free.holds(Vec3::X * 20.0, 11.0));
        // Still known to be free, known not to be, and unknown.
        for (x, renewed) in [(30.0, false), (11.0, true), (11.1, false), (14.0, true)] {
            let center = free.center;
            free.renew(&ball, Vec3::X * x, 2.0);
            assert_eq!(free.center != center, renewed, "{x}");
        }
        assert!(free.holds(Vec3::X * 14.0, 3.0));
    }

    #[test]
    fn without_obstacles_all_is_free_and_past_all_numbers_nothing() {
        let mut free = FreeBall::default();
        free.renew(&Obstacles::default(), Vec3::ZERO, 1.0);
        assert!(
            free.holds(Vec3::ONE, 1e30) && !free.holds(Vec3::NAN, 1.0) && !free.holds(Vec3::ZERO, f32::NAN)
        );
    }
}
