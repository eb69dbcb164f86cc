//! Rectangles of whole pixels.

/// A rectangle of whole pixels, half-open: `x0..x1` by `y0..y1`.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct PixelRect {
    /// First column.
    pub x0: usize,
    /// First row.
    pub y0: usize,
    /// Column after the last.
    pub x1: usize,
    /// Row after the last.
    pub y1: usize,
}

impl PixelRect {
    /// The intersection of both; empty if they do not overlap.
    #[must_use]
    pub fn intersection(self, other: Self) -> Self {
        let (x0, y0) = (self.x0.max(other.x0), self.y0.max(other.y0));
        let (x1, y1) = (self.x1.min(other.x1).max(x0), self.y1.min(other.y1).max(y0));
        Self { x0, y0, x1, y1 }
    }

    /// True if no pixel is inside.
    pub fn is_empty(self) -> bool {
        self.x0 >= self.x1 || self.y0 >= self.y1
    }
}
