//! Filled polygons by exact area coverage: the hot path of drawing units.

use glam::Vec2;

use super::edge::Edge;
use super::{Canvas, Color, Mark, PixelRect};

impl Canvas {
    /// Fills the triangle `a b c`, in either order of its corners.
    pub fn fill_triangle(&mut self, a: Vec2, b: Vec2, c: Vec2, color: Color) {
        self.fill_polygon(&[a, b, c], color);
    }

    /// Fills a polygon given by its corners in order, clockwise or not, convex or notched.
    ///
    /// `color` is blended over each pixel by the share that the polygon covers. Self-intersecting polygons are
    /// filled by the nonzero rule.
    pub fn fill_polygon(&mut self, corners: &[Vec2], color: Color) {
        let Some((min, max)) = extent(corners) else {
            return;
        };
        if self.mark(|| Mark::Polygon(corners.to_vec(), color)) {
            return;
        }
        let Some(rect) = self.touched(min, max) else {
            return;
        };
        if corners.len() < 3 || color.a == 0 {
            return;
        }
        let clip = self.clip;
        let low = Vec2::new(clip.x0 as f32, clip.y0 as f32);
        let high = Vec2::new(clip.x1 as f32, clip.y1 as f32);
        if min.cmpge(low).all() && max.cmple(high).all() {
            self.fill_inside(corners, rect, color);
        } else {
            let mut clipped = std::mem::take(&mut self.corners);
            clip_corners(corners, low, high, &mut clipped);
            self.fill_inside(&clipped, rect, color);
            self.corners = clipped;
        }
    }

    /// Fills a polygon that lies within the clip; `rect` holds the pixels it may touch.
    fn fill_inside(&mut self, corners: &[Vec2], rect: PixelRect, color: Color) {
        self.edges.clear();
        let next = corners.iter().cycle().skip(1);
        let edges = corners.iter().zip(next).filter_map(|(&from, &to)| Edge::new(from, to));
        self.edges.extend(edges);
        let paint = (color.packed(), color.a as f32 * (256.0 / 255.0));
        for (y, pixels) in (rect.y0..rect.y1).zip(self.pixels.chunks_mut(self.width).skip(rect.y0)) {
            // First and last cells that falling and rising edges touch.
            let mut cells = [(usize::MAX, 0); 2];
            let (above, below) = (y as f32, y as f32 + 1.0);
            for edge in &self.edges {
                let (from, to) = (edge.top.max(above), edge.bottom.min(below));
                if from < to {
                    let height = (to - from) * edge.sign;
                    let changed = self.row.add(edge.x_at(from), edge.x_at(to), height);
                    let side = &mut cells[usize::from(edge.sign > 0.0)];
                    *side = (side.0.min(changed.start), side.1.max(changed.end));
                }
            }
            if cells.iter().any(|(first, end)| first < end) {
                let cells = cells.map(|(first, end)| first..end);
                self.row.sweep(&mut pixels[..rect.x1], cells, paint);
            }
        }
    }
}

/// The least and greatest coordinates; `None` as soon as one is not finite.
fn extent(corners: &[Vec2]) -> Option<(Vec2, Vec2)> {
    let start = (Vec2::INFINITY, Vec2::NEG_INFINITY);
    let grow = |(min, max): (Vec2, Vec2), corner: &Vec2| (min.min(*corner), max.max(*corner));
    let sound = corners.iter().all(|corner| corner.is_finite());
    sound.then(|| corners.iter().fold(start, grow))
}

/// Clips the polygon to the box from `low` to `high` (Sutherland and Hodgman), into `result`.
fn clip_corners(corners: &[Vec2], low: Vec2, high: Vec2, result: &mut Vec<Vec2>) {
    result.clear();
    result.extend_from_slice(corners);
    let mut before = Vec::with_capacity(corners.len() + 4);
    for (axis, limit, sign) in [(0, low.x, 1.0), (0, high.x, -1.0), (1, low.y, 1.0), (1, high.y, -1.0)] {
        std::mem::swap(&mut before, result);
        result.clear();
        let depth = |point: Vec2| (point[axis] - limit) * sign;
        let Some(&last) = before.last() else {
            return;
        };
        let mut from = last;
        for &to in &before {
            let (out, into) = (depth(from), depth(to));
            if (out < 0.0) != (into < 0.0) {
                let mut cut = from.lerp(to, out / (out - into));
                cut[axis] = limit;
                result.push(cut);
            }
            if into >= 0.0 {
                result.push(to);
            }
            from = to;
        }
    }
    // Intersections are rounded; the row code requires every corner to be inside.
    for corner in result {
        *corner = corner.clamp(low, high);
    }
}
