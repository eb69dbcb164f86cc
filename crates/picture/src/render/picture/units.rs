//! Units of a plane with their trails.

use glam::Vec2;
use steerbox_core::world::Body;

use super::Picture;
use super::shapes::Form;
use crate::render::camera::PlaneCamera;
use crate::render::canvas::Canvas;
use crate::render::trails::Trails;

/// Minimum length of a unit, points, at every zoom: where units are sparse, and where they are
/// crowded; and the share of the average free area that its length may occupy then.
const MIN_LENGTH: f32 = 9.0;
const MIN_CROWDED: f32 = 2.0;
const ROOM: f32 = 0.35;
/// Minimum length of units with outlines, points.
const OUTLINED: f32 = 6.0;
/// Maximum number of units whose vectors are drawn at a time.
const MAX_VECTORS: usize = 1500;
/// Opacity of trails at the unit, and the share of their width that they lose towards their end.
pub(super) const OPACITY: f32 = 0.5;
pub(super) const TAPER: f32 = 0.8;
/// Distance between two points of a trail, points, for units at top speed.
const STEP: f32 = 4.5;
/// Minimum visible share of a unit's length, from every direction.
const MIN_HEADING: f32 = 0.4;

impl Picture<'_, PlaneCamera> {
    pub(super) fn draw_units(&self, canvas: &mut Canvas) {
        let world = self.simulation.world();
        let least = self.least_length();
        // In a crowd, outlines would cover the units that they separate.
        let outline = Some(self.palette().outline).filter(|_| least >= self.px(OUTLINED));
        for (index, group) in world.groups.iter().enumerate() {
            let Some(look) = self.look(index) else {
                continue;
            };
            let scale = look.scale * self.camera.scale();
            let form_of = |body: &Body| {
                let length = body.length() * scale;
                let larger = (least / length).max(1.0);
                let (length, width) = (length * larger, (body.width() * scale * larger).max(least * 0.4));
                Form { shape: look.shape, length, width, scale: self.scale, outline }
            };
            let form = form_of(&group.body);
            let Form { length, width, .. } = form;
            let mut sheet = form.sheet(canvas, self.colors.group(index));
            let reach = length.max(width) * 0.5 / self.camera.scale();
            for unit in group.units.clone() {
                let position = self.position(unit);
                for shift in world.arena.images((position - reach, position + reach)) {
                    let center = self.camera.to_screen(position + shift);
                    if !canvas.is_near(center, length + width) {
                        continue;
                    }
                    let heading = self.heading(unit);
                    let heading = foreshortened(Vec2::new(heading.x, -heading.y));
                    let color = self.color_of(unit, look);
                    if group.drawn.is_empty() {
                        form.draw(canvas, sheet.as_mut(), (center, heading), color);
                    } else {
                        form_of(world.body_of(unit)).draw(canvas, None, (center, heading), color);
                    }
                }
            }
            if let Some(sheet) = sheet {
                canvas.cache_sheet(sheet);
            }
        }
        if self.vectors {
            // Arrows of a crowd cover each other: a sample shows as much.
            let every = world.units.len().div_ceil(MAX_VECTORS).max(1);
            (0..world.units.len()).step_by(every).for_each(|unit| self.draw_motion(canvas, unit));
        }
    }

    /// Minimum length of a unit, pixels: visible, but short enough that units of a crowd stay distinct.
    fn least_length(&self) -> f32 {
        let world = self.simulation.world();
        let (size, units) = (world.arena.size(), world.units.len().max(1) as f32);
        let room = (size.x * size.y / units).sqrt() * self.camera.scale();
        (room * ROOM).clamp(self.px(MIN_CROWDED), self.px(MIN_LENGTH))
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
            let stride = trails.stride(group.body.max_speed(), STEP * self.scale / self.camera.scale());
            for unit in group.units.clone() {
                let body = world.body_of(unit);
                let width =
                    (body.width() * look.scale * self.camera.scale() * 0.5).clamp(self.px(1.2), self.px(5.0));
                let farthest = body.max_speed() * look.trail * self.camera.scale() + width;
                let position = self.position(unit);
                if !canvas.is_near(self.camera.to_screen(position), farthest) {
                    continue;
                }
                points.clear();
                points.push((self.camera.to_screen(position), 1.0));
                let path = trails.path(unit, (time, look.trail), (jump, stride), position);
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

/// A heading on the screen, long enough that a unit that points out of the screen stays visible.
fn foreshortened(heading: Vec2) -> Vec2 {
    let along = heading.try_normalize().unwrap_or(Vec2::NEG_Y);
    along * heading.length().max(MIN_HEADING)
}
