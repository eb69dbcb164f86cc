//! Environment grids as color maps: from the color of zero, transparent unless the scene sets one, to that of the greatest value.

use std::iter;

use glam::{Vec2, Vec3};
use steerbox_core::world::{ScalarGrid, World};
use steerbox_scene::{Color, Scene};

use super::Picture;
use crate::render::camera::{Eye, Lens as _, PlaneCamera};
use crate::render::canvas::Canvas;
use crate::render::theme::WorldColors;

/// Minimum square root of a share of the greatest value that is drawn where zero is transparent.
const FAINTEST: f32 = 1.0 / 64.0;
/// Maximum number of cells of a space that are drawn.
const MAX_CELLS: usize = 6000;
/// Opacity of a cell of a space with the greatest value: cells cover each other.
const CELL_OPACITY: f32 = 0.35;

/// A grid with its colors at 0 and at its greatest value.
pub struct ColoredGrid<'a> {
    /// The grid.
    pub grid: &'a ScalarGrid,
    /// Its greatest value, at least 0.
    pub greatest: f32,
    colors: [Color; 2],
}

/// Returns the grids that are visible, in the colors of the scene, else of a palette. A grid without a positive value is
/// visible if 0 has a color.
pub fn colored_grids<'a>(
    scene: &'a Scene,
    world: &'a World,
    palette: &'a WorldColors,
) -> impl Iterator<Item = ColoredGrid<'a>> {
    let own = scene.grid_colors.iter().copied().chain(iter::repeat(None));
    let grids = world.grids.iter().zip(palette.grids.into_iter().cycle()).zip(own);
    grids.filter_map(|((grid, color), own)| {
        let (colors, greatest) = (own.unwrap_or([color.with_alpha(0.0), color]), grid.greatest());
        (greatest > 0.0 || colors[0].a > 0).then_some(ColoredGrid { grid, greatest, colors })
    })
}

impl ColoredGrid<'_> {
    /// Returns the color of a share of the greatest value: by its square root, which shows small values next to great ones.
    pub fn color(&self, share: f32) -> Option<Color> {
        let [low, high] = self.colors;
        let share = share.max(0.0).sqrt();
        (share >= FAINTEST || low.a > 0).then(|| low.mix(high, share))
    }

    fn color_of(&self, value: f32) -> Option<Color> {
        self.color(if self.greatest > 0.0 { value / self.greatest } else { 0.0 })
    }
}

impl Picture<'_, PlaneCamera> {
    /// The cells of all grids, the first one at the bottom.
    pub(super) fn draw_grids(&self, canvas: &mut Canvas) {
        for colored in colored_grids(self.scene, self.simulation.world(), self.palette()) {
            let grid = colored.grid;
            let (columns, size) = (grid.cells().x as usize, grid.sides() * grid.cells().as_vec3());
            let corners = [grid.origin(), grid.origin() + size].map(|corner| self.camera.to_screen(corner));
            let (min, max) = (corners[0].min(corners[1]), corners[0].max(corners[1]));
            let (low, high) = self.camera.view();
            // The cell of a pixel has the column of its x and the row of its y.
            let middle = self.camera.to_screen(grid.origin() + size * 0.5);
            let cell = |pixel: Vec2| grid.cell_at(self.camera.to_world(pixel));
            canvas.shade(
                min.max(low),
                max.min(high),
                |x| Some(cell(middle.with_x(x))? % columns),
                |y| Some(cell(middle.with_y(y))? / columns),
                |column, row| colored.color_of(grid.values()[row * columns + column]),
            );
        }
    }
}

impl Picture<'_, Eye> {
    /// The cells of greatest contrast of all grids, as discs.
    pub(super) fn draw_grids(&self, canvas: &mut Canvas) {
        for colored in colored_grids(self.scene, self.simulation.world(), self.palette()) {
            let (grid, faintest) = (colored.grid, colored.greatest * FAINTEST * FAINTEST);
            let is_seen = |value: f32| colored.greatest > 0.0 && value >= faintest;
            let count = grid.values().iter().filter(|value| is_seen(**value)).count();
            let cells = grid.values().iter().enumerate().filter(|(_, value)| is_seen(**value));
            for (at, value) in cells.step_by(count.div_ceil(MAX_CELLS).max(1)) {
                if let Some(color) = colored.color_of(*value) {
                    self.draw_cell(canvas, (grid.center(at), grid.sides()), color.with_alpha(CELL_OPACITY));
                }
            }
        }
    }

    fn draw_cell(&self, canvas: &mut Canvas, (center, sides): (Vec3, Vec3), color: Color) {
        if let Some(spot) = self.camera.project(center) {
            canvas.fill_disc(spot.pixel, 0.5 * sides.min_element() * spot.scale, color);
        }
    }
}
