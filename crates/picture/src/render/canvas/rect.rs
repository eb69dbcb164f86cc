//! Axis-aligned filled rectangles, and the background gradient.

use glam::Vec2;

use super::blend::over_span;
use super::{Canvas, Color, Mark};

/// Thresholds of ordered dithering (Bayer, 4 by 4), in sixteenths of a color step.
const DITHER: [[u32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

impl Canvas {
    /// Fills the rectangle from `min` to `max`; pixels at its edges are blended by coverage.
    pub fn fill_rect(&mut self, min: Vec2, max: Vec2, color: Color) {
        if self.mark(|| Mark::Rect([min, max], color)) {
            return;
        }
        let Some(rect) = self.touched(min, max) else {
            return;
        };
        let alpha = color.a as f32 * (256.0 / 255.0);
        let covered = |from: f32, to: f32, pixel: usize| {
            (to.min(pixel as f32 + 1.0) - from.max(pixel as f32)).clamp(0.0, 1.0)
        };
        for y in rect.y0..rect.y1 {
            let of_row = alpha * covered(min.y, max.y, y);
            let row = &mut self.pixels[y * self.width..][rect.x0..rect.x1];
            let weight = |x: usize| (of_row * covered(min.x, max.x, x) + 0.5) as u32;
            let last = row.len() - 1;
            over_span(&mut row[..1], color.packed(), weight(rect.x0));
            if last > 0 {
                over_span(&mut row[1..last], color.packed(), (of_row + 0.5) as u32);
                over_span(&mut row[last..], color.packed(), weight(rect.x0 + last));
            }
        }
    }

    /// Fills the whole canvas with a gradient from `top` to `bottom`, dithered to avoid bands in dark colors;
    /// alpha is ignored and the clip does not apply.
    pub fn fill_gradient(&mut self, top: Color, bottom: Color) {
        let [top, bottom] = self.ground.map_or([top, bottom], |ground| [ground, ground]);
        if self.mark(|| Mark::Gradient([top, bottom])) {
            return;
        }
        let steps = self.height.saturating_sub(1).max(1) as f32;
        let width = self.width.max(1);
        let rows = self.rows.clone();
        for (y, row) in self.pixels.chunks_mut(width).enumerate().take(rows.end).skip(rows.start) {
            let share = y as f32 / steps;
            let sixteenths = [(top.r, bottom.r), (top.g, bottom.g), (top.b, bottom.b)]
                .map(|(from, to)| (from as f32 + (to as f32 - from as f32) * share) * 16.0)
                .map(|level| level as u32);
            let pattern = DITHER[y % 4].map(|threshold| {
                let [r, g, b] = sixteenths.map(|level| (level + threshold) / 16);
                r << 16 | g << 8 | b
            });
            let mut blocks = row.chunks_exact_mut(4);
            for block in &mut blocks {
                block.copy_from_slice(&pattern);
            }
            for (pixel, color) in blocks.into_remainder().iter_mut().zip(pattern) {
                *pixel = color;
            }
        }
    }
}
