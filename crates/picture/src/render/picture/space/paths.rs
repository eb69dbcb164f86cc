//! Paths of a space: translucent tubes with a line along their middle.

use steerbox_scene::Color;

use super::super::Picture;
use super::water::Water;
use crate::render::camera::{Eye, Lens};
use crate::render::canvas::Canvas;

/// Width of the line, points.
const LINE: f32 = 1.8;
/// Opacity of the line and of the tube close to the eye, and least opacity.
const LINE_OPACITY: f32 = 0.5;
const TUBE_OPACITY: f32 = 0.11;
const MIN_WIDTH: f32 = 0.5;
/// Maximum radius of a tube, pixels: a tube can pass close to the eye.
const WIDEST: f32 = 4000.0;

impl Picture<'_, Eye> {
    pub(super) fn draw_path_piece(&self, canvas: &mut Canvas, water: &Water<'_>, path: usize, piece: usize) {
        let path = self.simulation.world().paths.get(path).map(|named| &named.path);
        let ends = path.and_then(|path| path.points().get(piece..piece + 2));
        let Some((a, b)) = ends.and_then(|ends| self.camera.segment(ends[0], ends[1])) else {
            return;
        };
        let [.., dash] = self.palette().path;
        let dash = Color { a: u8::MAX, ..dash };
        let clarity = water.clarity(a.depth.midpoint(b.depth)).max(MIN_WIDTH);
        let radius = path.map_or(0.0, steerbox_core::world::Path::radius);
        let [from, to] = [a, b].map(|spot| (radius * spot.scale).min(WIDEST));
        let across = (b.pixel - a.pixel).perp().normalize_or_zero();
        let (left, right) = (across * from, across * to);
        let tube = [a.pixel + left, b.pixel + right, b.pixel - right, a.pixel - left];
        canvas.fill_polygon(&tube, dash.with_alpha(TUBE_OPACITY * clarity));
        canvas.stroke_line(a.pixel, b.pixel, self.px(LINE), dash.with_alpha(LINE_OPACITY * clarity));
    }
}
