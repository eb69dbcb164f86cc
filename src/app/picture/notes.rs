//! What explains: drawings of behaviors, and what the selected unit sees.

use std::sync::Arc;

use glam::Vec3;

use super::Picture;
use crate::app::canvas::Canvas;
use crate::app::theme::world as palette;
use crate::perception::{List, Seen, Source};
use crate::sim::{Frozen, Senses, Shape, Simulation};
use crate::world::View;

impl Picture<'_> {
    /// What behaviors drew: for the selected unit, or for all when vectors are shown.
    pub(super) fn draw_drawings(&self, canvas: &mut Canvas) {
        let color = palette::NOTE.with_alpha(0.55);
        for drawing in self.simulation.drawings() {
            if !self.vectors && self.selected != Some(drawing.unit) {
                continue;
            }
            match &drawing.shape {
                Shape::Line(a, b) => {
                    canvas.stroke_line(
                        self.camera.to_screen(*a),
                        self.camera.to_screen(*b),
                        1.2,
                        color,
                    );
                }
                Shape::Circle(center, radius) => {
                    let radius = radius * self.camera.scale();
                    canvas.stroke_circle(self.camera.to_screen(*center), radius, 1.2, color);
                }
                // Words are laid over the picture by whoever has a font.
                Shape::Text(..) => {}
            }
        }
    }

    /// The selected unit, its view, its neighbors and its contributions.
    pub(super) fn draw_selected(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        let Some(unit) = self.selected.filter(|unit| *unit < world.units.len()) else {
            return;
        };
        let position = world.units.position[unit];
        let center = self.camera.to_screen(position);
        if let Some(view) = world.group_of(unit).view {
            self.draw_view(canvas, unit, &world.views[view].view);
        }
        for seen in neighbors_of(self.simulation, unit) {
            let to = self.camera.to_screen(seen.position);
            canvas.stroke_line(center, to, 1.0, palette::SELECTION.with_alpha(0.22));
        }
        let radius = world.group_of(unit).body.radius() * self.camera.scale();
        canvas.stroke_circle(center, (radius * 1.5).max(10.0), 1.8, palette::SELECTION);
        self.draw_vectors(canvas, unit, 2.2);
    }

    /// The rim of a view: everything just inside the radius that it admits.
    fn draw_view(&self, canvas: &mut Canvas, unit: usize, view: &View) {
        const PIECES: usize = 120;
        let world = self.simulation.world();
        let position = world.units.position[unit];
        let (heading, starboard) = (world.units.heading[unit], world.units.starboard(unit));
        let color = palette::SELECTION.with_alpha(0.45);
        let point = |piece: usize| {
            let (sin, cos) = libm::sincosf(piece as f32 / PIECES as f32 * std::f32::consts::TAU);
            let inside = view.admits(Vec3::new(sin, cos, 0.0));
            (
                inside,
                self.camera
                    .to_screen(position + (starboard * sin + heading * cos) * view.radius()),
            )
        };
        let center = self.camera.to_screen(position);
        for piece in 0..PIECES {
            let ((here, a), (there, b)) = (point(piece), point(piece + 1));
            if here && there {
                canvas.stroke_line(a, b, 1.2, color);
            } else if here != there {
                canvas.stroke_line(center, if here { a } else { b }, 1.0, color.with_alpha(0.6));
            }
        }
    }
}

/// Who a unit counts as its neighbors at this moment.
pub(in crate::app) fn neighbors_of(simulation: &Simulation, unit: usize) -> Vec<Seen> {
    let mut frozen = Frozen::new(simulation.world().clone());
    frozen.sort();
    let mut senses = Senses::new(Arc::new(frozen));
    senses.turn_to(unit);
    senses
        .units(List {
            source: Source::Neighbors,
            within: f32::INFINITY,
        })
        .collect()
}
