//! Straight strokes with round ends.

use std::f32::consts::PI;

use glam::Vec2;

use super::{Canvas, Color, Mark};

/// Maximum number of corners of a round end.
const MAX_CORNERS: usize = 17;

impl Canvas {
    /// Draws the segment from `a` to `b`, `width` pixels wide, with round ends.
    ///
    /// Below a width of one pixel, the line is fainter instead of narrower.
    pub fn stroke_line(&mut self, a: Vec2, b: Vec2, width: f32, color: Color) {
        if self.mark(|| Mark::Line { ends: [a, b], width, color }) {
            return;
        }
        let radius = width / 2.0;
        let along = (b - a).normalize_or(Vec2::X) * radius;
        let steps = (1.0 + 2.0 * width.sqrt()) as usize;
        let steps = steps.clamp(2, MAX_CORNERS - 1);
        let turn = Vec2::from_angle(PI / steps as f32);
        let mut outline = [Vec2::ZERO; 2 * MAX_CORNERS];
        let mut arm = Vec2::new(along.y, -along.x);
        for (step, corner) in outline[..=steps].iter_mut().enumerate() {
            *corner = b + arm;
            if step < steps {
                arm = turn.rotate(arm);
            }
        }
        for corner in &mut outline[steps + 1..=2 * steps + 1] {
            *corner = a + arm;
            arm = turn.rotate(arm);
        }
        self.fill_polygon(&outline[..2 * steps + 2], color);
    }

    /// Draws lines through points, with round corners and ends.
    pub(crate) fn stroke_path(&mut self, points: &[Vec2], width: f32, color: Color) {
        if self.mark(|| Mark::Path { points: points.to_vec(), width, color }) {
            return;
        }
        for pair in points.windows(2) {
            self.stroke_line(pair[0], pair[1], width, color);
        }
    }
}
