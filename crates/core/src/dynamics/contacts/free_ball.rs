//! Cached clearance: a ball in which a unit cannot touch an obstacle.
//!
//! A distance changes by no more than the move, so a move inside the ball cannot touch an obstacle. Most units skip
//! the obstacle search for many steps. Obstacles that move by some distance shrink it by as much.

use glam::Vec3;

use crate::world::Obstacles;

/// Balls about a unit that intersect no obstacle. They depend on the obstacles only.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FreeBall {
    /// A ball free of obstacles that rest: valid until they change.
    resting: Ball,
    /// A ball free of obstacles that move. Most of it remains when they move.
    moving: Ball,
}

#[derive(Clone, Copy, Debug)]
struct Ball {
    center: Vec3,
    radius: f32,
    /// The distance by which it has shrunk.
    shrunk: f32,
}

impl Default for Ball {
    /// An empty ball.
    fn default() -> Self {
        Self { center: Vec3::ZERO, radius: f32::NAN, shrunk: 0.0 }
    }
}

impl FreeBall {
    /// Returns true if the ball of radius `reach` about a point is free.
    #[inline]
    pub(super) fn contains(&self, point: Vec3, reach: f32) -> bool {
        self.resting.contains(point, reach) && (self.moving.is_whole() || self.moving.contains(point, reach))
    }

    /// Shrinks the ball by the distance that obstacles have moved.
    #[inline]
    pub(super) fn shrink(&mut self, by: f32) {
        let Ball { radius, shrunk, .. } = &mut self.moving;
        (*radius, *shrunk) = (*radius - by, *shrunk + by);
    }

    /// Moves the ball to `point` if the ball of radius `reach` there is not inside it, unless an obstacle is too near.
    #[inline]
    pub(super) fn renew(&mut self, obstacles: &Obstacles, point: Vec3, reach: f32) {
        self.resting.renew(point, reach, || obstacles.clearance(point, false));
        if !self.moving.is_whole() {
            self.moving.renew(point, reach, || obstacles.clearance(point, true));
        }
    }
}

impl Ball {
    /// Returns true if there are no obstacles.
    #[inline]
    fn is_whole(&self) -> bool {
        self.radius == f32::INFINITY
    }

    #[inline]
    fn contains(&self, point: Vec3, reach: f32) -> bool {
        self.radius - point.distance(self.center) > reach
    }

    /// Moves the ball to `point` unless the ball of radius `reach` there is inside it, or no ball about `point` can contain that:
    /// by the triangle inequality, an obstacle is too near.
    #[inline]
    fn renew(&mut self, point: Vec3, reach: f32, clearance: impl FnOnce() -> f32) {
        let apart = point.distance(self.center);
        // The nearest obstacle may have come nearer or gone farther.
        let most = self.radius + 2.0 * self.shrunk;
        let is_known = self.contains(point, reach) || most + apart < reach;
        if !is_known {
            *self = Self { center: point, radius: clearance(), shrunk: 0.0 };
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::world::{Carrier, Drive, Obstacle, Solid};

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
            let center = free.resting.center;
            free.renew(&ball, Vec3::X * x, 2.0);
            assert_eq!(free.resting.center != center, renewed, "{x}");
        }
        assert!(free.contains(Vec3::X * 14.0, 3.0));
    }

    #[test]
    fn a_ball_that_obstacles_have_shrunk_is_renewed_once_they_may_be_farther() {
        let drive = Some(Arc::new(Drive::Carrier(Carrier::new("a", 0))));
        let at = |x: f32| {
            let ball = Obstacle::from(Solid::ball(Vec3::X * x, 10.0));
            Obstacles::from_iter([Obstacle { drive: drive.clone(), ..ball }])
        };
        let mut free = FreeBall::default();
        free.renew(&at(0.0), Vec3::X * 15.0, 6.0);
        assert!(!free.contains(Vec3::X * 15.0, 6.0));
        free.shrink(0.4);
        free.renew(&at(-0.4), Vec3::X * 15.0, 6.0);
        assert!(!free.contains(Vec3::X * 15.0, 4.8), "it is known to be too near");
        free.shrink(0.8);
        free.renew(&at(-1.2), Vec3::X * 15.0, 6.0);
        assert!(free.contains(Vec3::X * 15.0, 6.0));
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
