//! The projection of world points to pixels.

use glam::{Vec2, Vec3};

/// The projection of a world point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Spot {
    /// Pixel on the canvas.
    pub pixel: Vec2,
    /// Depth in front of the eye, world units; 0 in a plane.
    pub depth: f32,
    /// Pixels per world unit at that depth.
    pub scale: f32,
}

/// A projection of world points to pixels.
pub trait Lens {
    /// The projection of a point, if it lies in front of the eye.
    fn project(&self, point: Vec3) -> Option<Spot>;

    /// The part of a segment in front of the eye.
    fn segment(&self, a: Vec3, b: Vec3) -> Option<(Spot, Spot)> {
        Some((self.project(a)?, self.project(b)?))
    }
}
