//! Explanations: drawings of behaviors, and the neighbors of the selected unit.

use glam::{Vec2, Vec3};
use steerbox_core::sim::Shape;
use steerbox_core::world::View;
use steerbox_scene::Color;

use super::Picture;
use crate::render::camera::Lens;
use crate::render::canvas::Canvas;

/// Maximum number of rings around selected units; in a larger selection, an even sample has one.
const MAX_RINGS: usize = 4000;

impl<C: Lens> Picture<'_, C> {
    /// A line between two points of the world, `width` points thick.
    pub(super) fn line(&self, canvas: &mut Canvas, a: Vec3, b: Vec3, width: f32, color: Color) {
        if let Some((a, b)) = self.camera.segment(a, b) {
            canvas.stroke_line(a.pixel, b.pixel, self.px(width), color);
        }
    }

    /// The target, set by the mouse.
    pub(super) fn draw_target(&self, canvas: &mut Canvas) {
        let Some(spot) = self.target.and_then(|target| self.camera.project(target)) else {
            return;
        };
        let (center, color) = (spot.pixel, self.palette().target);
        let width = self.px(1.6);
        canvas.stroke_circle(center, self.px(9.0), width, color);
        canvas.fill_disc(center, self.px(2.5), color);
        for arm in [Vec2::X, Vec2::NEG_X, Vec2::Y, Vec2::NEG_Y] {
            let (from, to) = (center + arm * self.px(6.0), center + arm * self.px(14.0));
            canvas.stroke_line(from, to, width, color);
        }
    }

    /// Drawings of behaviors: for the selected unit, or for all if vectors are shown.
    pub(super) fn draw_drawings(&self, canvas: &mut Canvas) {
        let color = self.palette().note.with_alpha(0.55);
        for drawing in self.simulation.drawings() {
            if !self.vectors && !self.selection.has(drawing.unit) {
                continue;
            }
            match &drawing.shape {
                Shape::Line(a, b) => self.line(canvas, *a, *b, 1.2, color),
                Shape::Circle(center, radius) => {
                    if let Some(spot) = self.camera.project(*center) {
                        canvas.stroke_circle(spot.pixel, radius * spot.scale, self.px(1.2), color);
                    }
                }
                // The panel draws texts, since it has the fonts.
                Shape::Text(..) => {}
            }
        }
    }

    /// Rings around the pinned units, the selected ones, and the one under the pointer.
    pub(super) fn draw_rings(&self, canvas: &mut Canvas) {
        let faint = self.palette().selection.with_alpha(0.55);
        let pinned = self.pinned.iter().map(|unit| (*unit, 1.4, self.palette().pinned));
        let selected = self.selection.some(MAX_RINGS).map(|unit| (unit, 1.8, self.palette().selection));
        let hovered = self.hovered.iter().map(|unit| (*unit, 1.4, faint));
        for (unit, width, color) in pinned.chain(selected).chain(hovered) {
            self.draw_ring(canvas, unit, width, color);
        }
    }

    fn draw_ring(&self, canvas: &mut Canvas, unit: usize, width: f32, color: Color) {
        let is_known = unit < self.simulation.world().units.len();
        if let Some(spot) = is_known.then(|| self.position(unit)).and_then(|at| self.camera.project(at)) {
            canvas.stroke_circle(spot.pixel, self.ring(unit, spot.scale), self.px(width), color);
        }
    }

    /// The inspected unit's view, its neighbors and its contributions.
    pub(super) fn draw_inspected(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        let Some(unit) = self.selection.last().copied().filter(|unit| *unit < world.units.len()) else {
            return;
        };
        let position = self.position(unit);
        if let Some(view) = world.group_of(unit).view {
            self.draw_view(canvas, unit, &world.views[view].view);
        }
        let color = self.palette().selection.with_alpha(0.22);
        for neighbor in self.inspected_neighbors.iter().filter(|neighbor| **neighbor < world.units.len()) {
            // Across a wrapping edge, the line ends at the image there.
            let way = world.arena.shortest(self.position(*neighbor) - position);
            self.line(canvas, position, position + way, 1.0, color);
        }
        self.draw_forces(canvas, unit);
    }

    /// The boundary of a view: all points just inside the radius that the view admits; in space, in two planes.
    fn draw_view(&self, canvas: &mut Canvas, unit: usize, view: &View) {
        let world = self.simulation.world();
        self.draw_rim(canvas, unit, view, (world.units.starboard(unit), Vec3::X));
        if !world.arena.is_plane() {
            self.draw_rim(canvas, unit, view, (world.units.up[unit], Vec3::Z));
        }
    }

    /// The boundary in the plane of the heading and `side`, given in world and in body axes.
    fn draw_rim(&self, canvas: &mut Canvas, unit: usize, view: &View, side: (Vec3, Vec3)) {
        const PIECES: usize = 120;
        let (center, heading) = (self.position(unit), self.heading(unit));
        let color = self.palette().selection.with_alpha(0.45);
        let point = |piece: usize| {
            let (sin, cos) = libm::sincosf(piece as f32 / PIECES as f32 * std::f32::consts::TAU);
            let inside = view.admits(side.1 * sin + Vec3::Y * cos);
            (inside, center + (side.0 * sin + heading * cos) * view.radius())
        };
        for piece in 0..PIECES {
            let ((here, a), (there, b)) = (point(piece), point(piece + 1));
            if here && there {
                self.line(canvas, a, b, 1.2, color);
            } else if here != there {
                let edge = if here { a } else { b };
                self.line(canvas, center, edge, 1.0, color.with_alpha(0.6));
            }
        }
    }
}
