//! What moves in a plane: units with their trails.

use glam::Vec2;

use super::Picture;
use super::shapes::{self, Pose};
use crate::app::camera::PlaneCamera;
use crate::app::canvas::Canvas;
use crate::app::trails::Trails;

/// Pixels a unit is long at the least, as far out as the camera may be.
const LEAST_LENGTH: f32 = 3.0;
/// Share of its length that a unit shows at the least, from whichever side it is seen.
const LEAST_HEADING: f32 = 0.4;

impl Picture<'_, PlaneCamera> {
    pub(super) fn draw_units(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        for (index, group) in world.groups.iter().enumerate() {
            let Some(look) = self.look(index) else {
                continue;
            };
            let length = (group.body.length() * look.scale * self.camera.scale()).max(LEAST_LENGTH);
            let width = (group.body.width() * look.scale * self.camera.scale()).max(LEAST_LENGTH * 0.6);
            for unit in group.units.clone() {
                let (position, heading) = (self.position(unit), self.heading(unit));
                let pose = Pose {
                    center: self.camera.to_screen(position),
                    heading: foreshortened(Vec2::new(heading.x, -heading.y)),
                    length,
                    width,
                };
                let color = self.color_of(unit, look);
                shapes::draw(canvas, look.shape, &pose, color);
                if self.vectors {
                    self.draw_motion(canvas, unit);
                }
            }
        }
    }

    pub(super) fn draw_trails(&self, canvas: &mut Canvas, trails: &Trails) {
        let world = self.simulation.world();
        let time = self.time();
        let jump = world.arena.size().max_element() * 0.4;
        let mut points = Vec::new();
        for (index, group) in world.groups.iter().enumerate() {
            let Some(look) = self.look(index).filter(|look| look.trail > 0.0) else {
                continue;
            };
            let width = (group.body.width() * look.scale * self.camera.scale() * 0.28).clamp(1.0, 4.0);
            for unit in group.units.clone() {
                let position = self.position(unit);
                points.clear();
                points.push((self.camera.to_screen(position), 1.0));
                let path = trails.path(unit, time, look.trail, jump, position);
                points.extend(
                    path.map(|(point, age)| (self.camera.to_screen(point), (1.0 - age) * (1.0 - age))),
                );
                let color = self.color_of(unit, look);
                canvas.trail(&points, width, color.with_alpha(0.38));
            }
        }
    }
}

/// A heading on the screen, not so short that the unit vanishes when it points out of it.
fn foreshortened(heading: Vec2) -> Vec2 {
    let along = heading.try_normalize().unwrap_or(Vec2::NEG_Y);
    along * heading.length().max(LEAST_HEADING)
}
