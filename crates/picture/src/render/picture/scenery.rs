//! Parts of a plane below its units: environment grids, grid, border, zones, obstacles.

use glam::{Vec2, Vec3};
use steerbox_core::world::{Domain, Edges};

use super::Picture;
use crate::render::camera::PlaneCamera;
use crate::render::canvas::Canvas;

/// Minimum distance between grid lines, points.
const GRID: f32 = 32.0;

impl Picture<'_, PlaneCamera> {
    pub(super) fn draw_scenery(&self, canvas: &mut Canvas) {
        self.draw_grids(canvas);
        if self.world_look.grid == Some(true) {
            self.draw_grid(canvas);
        }
        self.draw_routes(canvas);
        if self.world_look.frame {
            self.draw_border(canvas);
        }
        for zone in &self.simulation.world().zones {
            self.draw_shape(canvas, &zone.area, self.palette().zone.into());
        }
        for (at, obstacle) in self.simulation.world().obstacles.iter().enumerate() {
            self.draw_obstacle(canvas, obstacle, self.changed.contains(&at));
        }
    }

    /// Grid lines at round distances in world units, every fifth one stronger.
    fn draw_grid(&self, canvas: &mut Canvas) {
        let (scale, width) = (self.camera.scale(), self.scale.round().max(1.0));
        let mut step = 1.0;
        while step * scale < self.px(GRID) && step < 1e9 {
            step *= if (step.log10().round() - step.log10()).abs() < 1e-3 { 5.0 } else { 2.0 };
        }
        let (min, max) = self.camera.view();
        let (low, high) =
            (self.camera.to_world(Vec2::new(min.x, max.y)), self.camera.to_world(Vec2::new(max.x, min.y)));
        // Number and color of each line, and its position along one axis.
        let lines = |from: f32, to: f32| {
            let lines = (from / step).ceil() as i64..=(to / step).floor() as i64;
            lines.take(400).map(|line| {
                let is_strong = line % 5 == 0;
                let color = self.palette().grid[usize::from(is_strong)];
                let at = self.camera.to_screen(Vec3::splat(line as f32 * step));
                (at.round(), color)
            })
        };
        for (Vec2 { x, .. }, color) in lines(low.x, high.x) {
            canvas.fill_rect(Vec2::new(x, min.y), Vec2::new(x + width, max.y), color);
        }
        for (Vec2 { y, .. }, color) in lines(low.y, high.y) {
            canvas.fill_rect(Vec2::new(min.x, y), Vec2::new(max.x, y + width), color);
        }
    }

    fn draw_border(&self, canvas: &mut Canvas) {
        let arena = &self.simulation.world().arena;
        let Domain::Plane { size } = arena.domain else {
            return;
        };
        // A wrapping world has no border.
        let color = self.palette().border.with_alpha(if arena.edges == Edges::Wrap { 0.4 } else { 1.0 });
        let corners = [Vec2::ZERO, Vec2::new(size.x, 0.0), size, Vec2::new(0.0, size.y)];
        let corners = corners.map(|corner| self.camera.to_screen(corner.extend(0.0)));
        for at in 0..4 {
            canvas.stroke_line(corners[at], corners[(at + 1) % 4], self.px(1.2), color);
        }
    }
}
