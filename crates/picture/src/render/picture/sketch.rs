//! Sketches of drawings in progress, and the corners of the selected obstacle.

use glam::{Vec2, Vec3};
use steerbox_scene::Color;

use super::{Picture, Sketch};
use crate::render::camera::Lens;
use crate::render::canvas::Canvas;

/// Radius of a corner, and width of its rim, points.
const CORNER: f32 = 3.6;
const RIM: f32 = 1.6;
/// Length of a dash, and distance between the starts of two dashes, points.
const DASH: f32 = 6.0;
const SPACING: f32 = 11.0;

impl<C: Lens> Picture<'_, C> {
    pub(super) fn draw_sketch(&self, canvas: &mut Canvas, sketch: &Sketch) {
        let palette = self.palette();
        let color = if sketch.is_wrong { palette.target } else { palette.selection };
        let faint = color.with_alpha(0.7);
        let Sketch { corners, cursor, closes, is_wrong } = sketch;
        let see = |place: Vec3| self.camera.project(place).map(|spot| spot.pixel);
        if *closes && !is_wrong {
            let all: Option<Vec<Vec2>> = corners.iter().copied().chain(*cursor).map(see).collect();
            if let Some(all) = all.filter(|all| all.len() > 2) {
                canvas.fill_polygon(&all, color.with_alpha(0.1));
            }
        }
        for pair in corners.windows(2) {
            self.line(canvas, pair[0], pair[1], 2.0, color);
        }
        if let (Some(last), Some(cursor)) = (corners.last(), cursor) {
            self.line(canvas, *last, *cursor, 1.4, faint);
        }
        let end = cursor.or(corners.last().copied()).filter(|_| *closes && corners.len() > 1);
        if let Some((end, first)) =
            end.zip(corners.first()).and_then(|(end, first)| self.camera.segment(end, *first))
        {
            self.dashes(canvas, end.pixel, first.pixel, faint);
        }
        self.draw_corners(canvas, corners, color);
        if let Some(cursor) = cursor.and_then(see) {
            canvas.stroke_circle(cursor, self.px(CORNER), self.px(RIM), faint);
        }
    }

    /// Discs with a rim, visible over any background.
    pub(super) fn draw_corners(&self, canvas: &mut Canvas, corners: &[Vec3], color: Color) {
        for corner in corners.iter().filter_map(|corner| self.camera.project(*corner)) {
            canvas.fill_disc(corner.pixel, self.px(CORNER + RIM * 0.5), color);
            canvas.fill_disc(corner.pixel, self.px(CORNER - RIM * 0.5), self.palette().ground[0]);
        }
    }

    fn dashes(&self, canvas: &mut Canvas, from: Vec2, to: Vec2, color: Color) {
        let (length, along) = (from.distance(to), (to - from).normalize_or_zero());
        let (dash, spacing) = (self.px(DASH), self.px(SPACING));
        for number in 0..=(length / spacing).min(500.0) as usize {
            let start = number as f32 * spacing;
            let end = (start + dash).min(length);
            if start < end {
                canvas.stroke_line(from + along * start, from + along * end, self.px(1.4), color);
            }
        }
    }
}
