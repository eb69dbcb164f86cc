//! Discs and rings by their distance to the circle.

use std::ops::Range;

use glam::Vec2;

use super::blend::{over, over_span};
use super::row::whole;
use super::{Canvas, Color, MAX_COORDINATE, Mark, PixelRect};

/// Up to this radius in pixels a disc is a dot.
const DOT: f32 = 4.0;
/// Below this radius in pixels a disc keeps its size and loses opacity instead.
const SMALLEST: f32 = 0.5;

impl Canvas {
    /// Fills the disc of `radius` pixels around `center`; fainter, not smaller, below one pixel.
    pub fn fill_disc(&mut self, center: Vec2, radius: f32, color: Color) {
        if !(radius > 0.0 && radius <= MAX_COORDINATE) || self.mark(|| Mark::Disc { center, radius, color }) {
            return;
        }
        let share = (radius / SMALLEST).min(1.0);
        let radius = radius.max(SMALLEST);
        let paint = Paint::new(color, share * share);
        self.fill_band(center, (0.0, radius), paint);
    }

    /// Draws the circle of `radius` pixels around `center` with a pen of `width` pixels, half of it
    /// to either side.
    pub fn stroke_circle(&mut self, center: Vec2, radius: f32, width: f32, color: Color) {
        if !(radius > 0.0 && width > 0.0 && radius + width <= MAX_COORDINATE) {
            return;
        }
        if self.mark(|| Mark::Circle { center, radius, width, color }) {
            return;
        }
        let pen = width.max(1.0);
        let paint = Paint::new(color, width.min(1.0));
        self.fill_band(center, (radius - pen / 2.0, radius + pen / 2.0), paint);
    }

    /// Fills what is farther from `center` than `inner` (none up to 0) and nearer than `outer`.
    fn fill_band(&mut self, center: Vec2, (inner, outer): (f32, f32), paint: Paint) {
        let reach = Vec2::splat(outer + 0.5);
        let Some(rect) = self.touched(center - reach, center + reach) else {
            return;
        };
        if inner <= 0.0 && outer <= DOT {
            return self.fill_dot(center, outer, rect, paint);
        }
        for y in rect.y0..rect.y1 {
            let dy = y as f32 + 0.5 - center.y;
            let row = &mut self.pixels[y * self.width..][..self.width];
            let columns = |radius: f32| columns(center.x, half_chord(radius, dy), rect);
            let (all, full) = (columns(outer + 0.5), columns(outer - 0.5));
            let mut edge = |range: Range<usize>| {
                for x in range {
                    let dx = x as f32 + 0.5 - center.x;
                    let distance = (dx * dx + dy * dy).sqrt();
                    let outside = (outer + 0.5 - distance).clamp(0.0, 1.0);
                    let inside = if inner > 0.0 { (distance - inner + 0.5).clamp(0.0, 1.0) } else { 1.0 };
                    let alpha = paint.alpha * (outside + inside - 1.0).max(0.0);
                    row[x] = over(row[x], paint.packed, (alpha + 0.5) as u32);
                }
            };
            if inner > 0.0 {
                let hole = columns(inner - 0.5);
                if hole.is_empty() {
                    edge(all);
                } else {
                    edge(all.start..hole.start);
                    edge(hole.end..all.end);
                }
            } else if full.is_empty() {
                edge(all);
            } else {
                edge(all.start..full.start);
                edge(full.end..all.end);
                over_span(&mut row[full], paint.packed, (paint.alpha + 0.5) as u32);
            }
        }
    }
}

impl Canvas {
    /// Fills a disc of few pixels: testing each pixel is faster than computing the spans of rows.
    fn fill_dot(&mut self, center: Vec2, radius: f32, rect: PixelRect, paint: Paint) {
        for y in rect.y0..rect.y1 {
            let dy = y as f32 + 0.5 - center.y;
            let row = &mut self.pixels[y * self.width..][rect.x0..rect.x1];
            // Branch-free, so that several pixels are computed at a time.
            for (x, pixel) in (rect.x0 as i32..).zip(row) {
                let dx = x as f32 + 0.5 - center.x;
                let share = radius + 0.5 - (dx * dx + dy * dy).sqrt();
                let alpha = paint.alpha * share.clamp(0.0, 1.0) + 0.5;
                *pixel = over(*pixel, paint.packed, alpha as i32 as u32);
            }
        }
    }
}

/// A packed color and its opacity, 0 to 256.
#[derive(Clone, Copy)]
struct Paint {
    packed: u32,
    alpha: f32,
}

impl Paint {
    fn new(color: Color, share: f32) -> Self {
        Self { packed: color.packed(), alpha: color.a as f32 * (256.0 / 255.0) * share }
    }
}

/// Half the length of the row `dy` from the center within a circle; 0 outside of it.
fn half_chord(radius: f32, dy: f32) -> f32 {
    let square = radius.max(0.0) * radius.max(0.0) - dy * dy;
    square.max(0.0).sqrt()
}

/// The columns of `rect` whose centers lie within `half` of `center`.
fn columns(center: f32, half: f32, rect: PixelRect) -> Range<usize> {
    // Clamped to the clip, so that differences of ranges stay within it.
    let bound = |column: usize| column.clamp(rect.x0, rect.x1);
    let (left, right) = ((center - half - 0.5).max(0.0), (center + half + 0.5).max(0.0));
    let first = whole(left);
    let start = bound(first + usize::from((first as f32) < left));
    start..bound(whole(right)).max(start)
}
