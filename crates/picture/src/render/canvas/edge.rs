//! Edges of polygons.

use glam::Vec2;

/// One edge of a polygon, prepared for iteration from top to bottom.
#[derive(Clone, Copy, Debug)]
pub(super) struct Edge {
    pub(super) top: f32,
    pub(super) bottom: f32,
    /// Its x at `top`.
    pub(super) x: f32,
    /// Change of x per row.
    pub(super) slope: f32,
    /// +1 for an edge that points downwards, −1 for one that points upwards.
    pub(super) sign: f32,
    /// Minimum and maximum x: rounding must not move a crossing beyond them.
    pub(super) least: f32,
    pub(super) most: f32,
}

impl Edge {
    pub(super) fn new(from: Vec2, to: Vec2) -> Option<Self> {
        let (sign, top, bottom) = match from.y.partial_cmp(&to.y)? {
            std::cmp::Ordering::Less => (1.0, from, to),
            std::cmp::Ordering::Greater => (-1.0, to, from),
            std::cmp::Ordering::Equal => return None,
        };
        Some(Self {
            top: top.y,
            bottom: bottom.y,
            x: top.x,
            slope: (bottom.x - top.x) / (bottom.y - top.y),
            sign,
            least: top.x.min(bottom.x),
            most: top.x.max(bottom.x),
        })
    }

    #[inline]
    pub(super) fn x_at(&self, y: f32) -> f32 {
        (self.x + (y - self.top) * self.slope).max(self.least).min(self.most)
    }
}
