//! What moves in a plane: units with their trails.

use glam::Vec2;

use super::Picture;
use super::shapes::{self, Pose};
use crate::app::camera::PlaneCamera;
use crate::app::canvas::Canvas;
use crate::app::trails::Trails;

/// Points a unit is long at the least, however far out the camera is, where units leave so much room, and
/// where they are crowded; and the share of the room of each that it takes then.
const LEAST_LENGTH: f32 = 9.0;
const LEAST_CROWDED: f32 = 3.0;
const ROOM: f32 = 0.35;
/// Least length with which units have outlines, points.
const OUTLINED: f32 = 6.0;
/// Opacity of trails at the unit, and how much of their width they lose towards their end.
pub(super) const OPACITY: f32 = 0.5;
pub(super) const TAPER: f32 = 0.8;
/// Share of its length that a unit shows at the least, from whichever side it is seen.
const LEAST_HEADING: f32 = 0.4;

impl Picture<'_, PlaneCamera> {
    pub(super) fn draw_units(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        let least = self.least_length();
        // In a crowd, outlines would cover what they set apart.
        let outline = Some(self.palette().outline).filter(|_| least >= self.px(OUTLINED));
        for (index, group) in world.groups.iter().enumerate() {
            let Some(look) = self.look(index) else {
                continue;
            };
            let scale = look.scale * self.camera.scale();
            let length = group.body.length() * scale;
            let larger = (least / length).max(1.0);
            let (length, width) = (length * larger, (group.body.width() * scale * larger).max(least * 0.4));
            for unit in group.units.clone() {
                let (position, heading) = (self.position(unit), self.heading(unit));
                let pose = Pose {
                    center: self.camera.to_screen(position),
                    heading: foreshortened(Vec2::new(heading.x, -heading.y)),
                    length,
                    width,
                    scale: self.scale,
                };
                let color = self.color_of(unit, look);
                shapes::draw(canvas, look.shape, &pose, (color, outline));
                if self.vectors {
                    self.draw_motion(canvas, unit);
                }
            }
        }
    }

    /// Pixels a unit is long at the least: visible, but not so that crowds are one spot.
    fn least_length(&self) -> f32 {
        let world = self.simulation.world();
        let (size, units) = (world.arena.size(), world.units.len().max(1) as f32);
        let room = (size.x * size.y / units).sqrt() * self.camera.scale();
        (room * ROOM).clamp(self.px(LEAST_CROWDED), self.px(LEAST_LENGTH))
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
            let width = (group.body.width() * look.scale * self.camera.scale() * 0.5)
                .clamp(self.px(1.2), self.px(5.0));
            for unit in group.units.clone() {
                let position = self.position(unit);
                points.clear();
                points.push((self.camera.to_screen(position), 1.0));
                let path = trails.path(unit, time, look.trail, jump, position);
                points.extend(path.map(|(point, age)| (self.camera.to_screen(point), fading(age))));
                let color = self.color_of(unit, look);
                canvas.trail(&points, (width, TAPER), color.with_alpha(OPACITY));
            }
        }
    }
}

/// Opacity of a trail at an age, both as shares.
pub(super) fn fading(age: f32) -> f32 {
    let left = 1.0 - age;
    left * left.sqrt()
}

/// A heading on the screen, not so short that the unit vanishes when it points out of it.
fn foreshortened(heading: Vec2) -> Vec2 {
    let along = heading.try_normalize().unwrap_or(Vec2::NEG_Y);
    along * heading.length().max(LEAST_HEADING)
}
