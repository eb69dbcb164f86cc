//! What is being drawn by hand, and the corners of the selected obstacle.

use glam::{Vec2, Vec3};

use super::Picture;
use crate::app::camera::PlaneCamera;
use crate::app::canvas::Canvas;
use crate::scene::Color;

/// Points of the radius of a corner, and of the rim about it.
const CORNER: f32 = 3.6;
const RIM: f32 = 1.6;
/// Points of a dash, and from one to the next.
const DASH: f32 = 6.0;
const SPACING: f32 = 11.0;

/// A polygon or a path that is being drawn.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Sketch {
    pub(in crate::app) corners: Vec<Vec3>,
    /// Where the next corner would be.
    pub(in crate::app) cursor: Option<Vec3>,
    /// Whether the last corner leads back to the first.
    pub(in crate::app) closes: bool,
    /// Whether it cannot be like this.
    pub(in crate::app) is_wrong: bool,
}

impl Picture<'_, PlaneCamera> {
    pub(super) fn draw_sketch(&self, canvas: &mut Canvas, sketch: &Sketch) {
        let palette = self.palette();
        let color = if sketch.is_wrong { palette.target } else { palette.selection };
        let corners: Vec<Vec2> = sketch.corners.iter().map(|corner| self.camera.to_screen(*corner)).collect();
        let cursor = sketch.cursor.map(|cursor| self.camera.to_screen(cursor));
        if sketch.closes {
            let all: Vec<Vec2> = corners.iter().copied().chain(cursor).collect();
            if all.len() > 2 && !sketch.is_wrong {
                canvas.fill_polygon(&all, color.with_alpha(0.1));
            }
        }
        for pair in corners.windows(2) {
            canvas.stroke_line(pair[0], pair[1], self.px(2.0), color);
        }
        if let (Some(last), Some(cursor)) = (corners.last(), cursor) {
            canvas.stroke_line(*last, cursor, self.px(1.4), color.with_alpha(0.7));
        }
        let end = cursor.or(corners.last().copied());
        if let (Some(first), Some(end)) =
            (corners.first(), end.filter(|_| sketch.closes && corners.len() > 1))
        {
            self.dashes(canvas, end, *first, color.with_alpha(0.7));
        }
        self.draw_corners(canvas, &corners, color);
        if let Some(cursor) = cursor {
            canvas.stroke_circle(cursor, self.px(CORNER), self.px(RIM), color.with_alpha(0.7));
        }
    }

    /// Discs with a rim, which can be seen over everything.
    pub(super) fn draw_corners(&self, canvas: &mut Canvas, corners: &[Vec2], color: Color) {
        for corner in corners {
            canvas.fill_disc(*corner, self.px(CORNER + RIM * 0.5), color);
            canvas.fill_disc(*corner, self.px(CORNER - RIM * 0.5), self.palette().ground[0]);
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
