//! The projection of world points to pixels.

use glam::{Vec2, Vec3};

/// Where a world point is seen.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Spot {
    /// On the canvas.
    pub(in crate::app) pixel: Vec2,
    /// World units in front of the eye; 0 in a plane.
    pub(in crate::app) depth: f32,
    /// Pixels a world unit takes there.
    pub(in crate::app) scale: f32,
}

/// What turns world points into pixels.
pub(in crate::app) trait Lens {
    /// Where a point is seen, if it lies in front of the eye.
    fn project(&self, point: Vec3) -> Option<Spot>;

    /// The part of a segment in front of the eye.
    fn segment(&self, a: Vec3, b: Vec3) -> Option<(Spot, Spot)> {
        Some((self.project(a)?, self.project(b)?))
    }
}
