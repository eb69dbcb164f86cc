//! Paths as bands, flow fields as arrows.

use glam::Vec2;
use steerbox_core::world::{Flow, Path};
use steerbox_scene::Color;

use super::Picture;
use crate::render::camera::PlaneCamera;
use crate::render::canvas::Canvas;

/// Points between the arrows of a field.
const SPACING: f32 = 36.0;
/// Length of a dash, points.
const DASH: f32 = 14.0;

impl Picture<'_, PlaneCamera> {
    /// The paths of the scene, and the flow fields that groups follow.
    pub(super) fn draw_routes(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        for (at, flow) in world.flows.iter().enumerate() {
            let follower = world.groups.iter().position(|group| group.flow == Some(at));
            if let Some(group) = follower {
                // Several fields are drawn side by side, each in the color of the group that follows it.
                let shift = Vec2::splat(self.px(SPACING) * 0.5 * (at % 2) as f32);
                self.draw_flow(canvas, &flow.flow, shift, self.colors.group(group).with_alpha(0.3));
            }
        }
        for path in &world.paths {
            self.each_image(path.path.bounds(), |image| image.draw_path(canvas, &path.path));
        }
    }

    fn draw_path(&self, canvas: &mut Canvas, path: &Path) {
        let points: Vec<Vec2> = path.points().iter().map(|point| self.camera.to_screen(*point)).collect();
        let width = path.radius() * 2.0 * self.camera.scale();
        let [band, rim, dash] = self.palette().path;
        for (width, color) in [(width + self.px(3.0), rim), (width, band)] {
            for (pair, corner) in points.windows(2).zip(&points) {
                canvas.stroke_line(pair[0], pair[1], width, color);
                canvas.fill_disc(*corner, width * 0.5, color);
            }
        }
        for pair in points.windows(2) {
            self.draw_dashes(canvas, pair[0], pair[1], dash);
        }
    }

    fn draw_flow(&self, canvas: &mut Canvas, flow: &Flow, shift: Vec2, color: Color) {
        let (min, max) = self.camera.view();
        let (spacing, width) = (self.px(SPACING), self.px(1.2));
        let (columns, rows) = ((max.x - min.x) / spacing, (max.y - min.y) / spacing);
        for row in 0..rows.min(200.0) as usize {
            for column in 0..columns.min(200.0) as usize {
                let pixel = min + (Vec2::new(column as f32, row as f32) + 0.25) * spacing + shift;
                let vector = flow.at(self.camera.to_world(pixel));
                let along = Vec2::new(vector.x, -vector.y).normalize_or_zero();
                let along = along * spacing;
                let (tail, tip) = (pixel - along * 0.25, pixel + along * 0.25);
                let (back, across) = (along * 0.14, along.perp() * 0.085);
                canvas.stroke_line(tail, tip, width, color);
                canvas.stroke_line(tip, tip - back + across, width, color);
                canvas.stroke_line(tip, tip - back - across, width, color);
            }
        }
    }

    fn draw_dashes(&self, canvas: &mut Canvas, from: Vec2, to: Vec2, color: Color) {
        let dash = self.px(DASH);
        let length = from.distance(to);
        let along = (to - from).normalize_or_zero();
        for number in 0..(length / (2.0 * dash)).min(500.0) as usize {
            let start = from + along * (number as f32 * 2.0 * dash);
            canvas.stroke_line(start, start + along * dash, self.px(1.4), color);
        }
    }
}
