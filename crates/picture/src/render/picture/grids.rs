//! Environment grids as color maps: transparent at zero, opaque at the greatest value.

use glam::Vec3;
use steerbox_core::world::ScalarGrid;
use steerbox_scene::Color;

use super::Picture;
use crate::render::camera::{Eye, Lens as _, PlaneCamera};
use crate::render::canvas::Canvas;

/// Minimum opacity that is drawn.
const FAINTEST: f32 = 1.0 / 64.0;
/// Maximum number of cells of a space that are drawn.
const MAX_CELLS: usize = 6000;
/// Opacity of a cell of a space with the greatest value: cells cover each other.
const CELL_OPACITY: f32 = 0.35;

impl<C> Picture<'_, C> {
    /// All grids, each with its color and its greatest value; grids without a positive value are left out.
    fn colored_grids(&self) -> impl Iterator<Item = (&ScalarGrid, Color, f32)> {
        let grids = self.simulation.world().grids.iter().zip(self.palette().grids.into_iter().cycle());
        grids.filter_map(|(grid, color)| {
            let greatest = grid.values().iter().fold(0.0, |greatest: f32, value| greatest.max(*value));
            (greatest > 0.0).then_some((grid, color, greatest))
        })
    }
}

/// Returns the opacity of a value: the square root of its share, which shows small values next to great ones.
fn opacity(value: f32, greatest: f32) -> Option<f32> {
    let opacity = (value / greatest).max(0.0).sqrt();
    (opacity >= FAINTEST).then_some(opacity)
}

impl Picture<'_, PlaneCamera> {
    /// The cells of all grids, the first one at the bottom.
    pub(super) fn draw_grids(&self, canvas: &mut Canvas) {
        for (grid, color, greatest) in self.colored_grids() {
            let far = grid.origin() + grid.sides() * grid.cells().as_vec3();
            let corners = [grid.origin(), far].map(|corner| self.camera.to_screen(corner));
            let (min, max) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
            let (low, high) = self.camera.view();
            canvas.shade(min.max(low), max.min(high), |pixel| {
                let value = grid.values()[grid.cell_at(self.camera.to_world(pixel))?];
                Some(color.with_alpha(opacity(value, greatest)?))
            });
        }
    }
}

impl Picture<'_, Eye> {
    /// The cells of greatest contrast of all grids, as discs.
    pub(super) fn draw_grids(&self, canvas: &mut Canvas) {
        for (grid, color, greatest) in self.colored_grids() {
            let seen = |(at, value): (usize, &f32)| Some((at, opacity(*value, greatest)?));
            let count = grid.values().iter().enumerate().filter_map(seen).count();
            let cells = grid.values().iter().enumerate().filter_map(seen);
            for (at, opacity) in cells.step_by(count.div_ceil(MAX_CELLS).max(1)) {
                self.draw_cell(
                    canvas,
                    (grid.center(at), grid.sides()),
                    color.with_alpha(CELL_OPACITY * opacity),
                );
            }
        }
    }

    fn draw_cell(&self, canvas: &mut Canvas, (center, sides): (Vec3, Vec3), color: Color) {
        if let Some(spot) = self.camera.project(center) {
            canvas.fill_disc(spot.pixel, 0.5 * sides.min_element() * spot.scale, color);
        }
    }
}
