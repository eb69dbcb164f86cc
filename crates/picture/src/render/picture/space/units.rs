//! Units of a space with their trails.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use steerbox_core::world::Body;
use steerbox_scene::{Color, Look};

use super::super::Picture;
use super::super::units::{OPACITY, TAPER, fading};
use super::shapes::{self, Stroke};
use super::solid::{Brush, Frame};
use super::water::Water;
use crate::render::camera::{Eye, Lens};
use crate::render::canvas::Canvas;

/// Body lengths that a fish swims per beat of its tail.
const STRIDE: f32 = 1.3;
/// Fastest and slowest beat, beats per second.
const BEAT: std::ops::RangeInclusive<f32> = 0.6..=4.5;
/// Amplitude of the tail at rest and at full speed, body lengths.
const REST_SWING: f32 = 0.035;
const FULL_SWING: f32 = 0.11;
/// Distances from the eye, in lengths of the unit, at which it is fully transparent and fully opaque.
const FADES: (f32, f32) = (0.9, 2.4);

impl Picture<'_, Eye> {
    /// A unit and its trail, if it is in view.
    pub(super) fn draw_unit(&self, canvas: &mut Canvas, water: &Water<'_>, unit: usize) {
        let world = self.simulation.world();
        let position = self.position(unit);
        let index = world.units.group[unit] as usize;
        let Some(look) = self.look(index) else {
            return;
        };
        let color = self.color_of(unit, look);
        let body = world.body_of(unit);
        self.draw_trail(canvas, water, (unit, body, look), color);
        let Some(spot) = self.camera.project(position) else {
            return;
        };
        let frame = self.frame(unit, body, look.scale);
        if !canvas.is_near(spot.pixel, frame.y.length() * spot.scale + 2.0) {
            return;
        }
        let presence = self.presence(unit, spot.depth / frame.y.length().max(1e-9));
        if presence <= 0.0 {
            return;
        }
        let mut brush = Brush::new(canvas, self.camera, water, (spot, presence));
        let stroke = self.stroke(unit, body);
        shapes::draw(&mut brush, look.shape, &frame, spot, stroke, color);
    }

    /// Opacity factor of a unit at a distance from the eye in its lengths: one that passes close
    /// to the eye fades instead of filling the view, unless it is the followed one.
    fn presence(&self, unit: usize, lengths: f32) -> f32 {
        let is_followed = self.selection.has(unit) || self.simulation.world().player == Some(unit);
        let (gone, whole) = FADES;
        if is_followed { 1.0 } else { ((lengths - gone) / (whole - gone)).clamp(0.0, 1.0) }
    }

    /// Axes in the size of the body; a unit without a heading faces −z.
    fn frame(&self, unit: usize, body: &Body, scale: f32) -> Frame {
        let forward = self.heading(unit).try_normalize().unwrap_or(Vec3::NEG_Z);
        let up = self.poses.up(self.simulation.world(), unit);
        let starboard = forward.cross(up).try_normalize();
        let starboard = starboard.unwrap_or_else(|| forward.any_orthonormal_vector());
        let width = body.width() * scale;
        Frame {
            origin: self.position(unit),
            x: starboard * width,
            y: forward * (body.length() * scale),
            z: starboard.cross(forward) * width,
        }
    }

    /// The frequency depends on the body's typical speed, which is constant: the current speed would make it
    /// stutter. The amplitude depends on the current speed.
    fn stroke(&self, unit: usize, body: &Body) -> Stroke {
        let world = self.simulation.world();
        let usual = body.desired_speed().max(1e-3);
        let beat = usual / (STRIDE * body.length().max(1e-3));
        let beat = beat.clamp(*BEAT.start(), *BEAT.end());
        let speed = (world.units.velocity[unit].length() / usual).min(1.5);
        let start = unit as f32 * 0.618_034;
        Stroke {
            phase: (self.time() * beat + start).fract() * TAU,
            swing: REST_SWING + (FULL_SWING - REST_SWING) * speed,
        }
    }

    fn draw_trail(
        &self,
        canvas: &mut Canvas,
        water: &Water<'_>,
        (unit, body, look): (usize, &Body, &Look),
        color: Color,
    ) {
        let Some(trails) = self.trails.filter(|_| look.trail > 0.0) else {
            return;
        };
        let world = self.simulation.world();
        let position = self.position(unit);
        let jump = world.arena.radius() * 0.8;
        let path = trails.path(unit, (self.time(), look.trail), (jump, 1), position);
        let path = std::iter::once((position, 0.0)).chain(path);
        let mut width = 1.0;
        // A point behind the eye interrupts the trail.
        let points: Vec<_> = path
            .map(|(point, age)| match self.camera.project(point) {
                Some(spot) => {
                    width = spot.scale;
                    let share = fading(age) * water.clarity(spot.depth);
                    (spot.pixel, share)
                }
                None => (Vec2::NAN, 0.0),
            })
            .collect();
        let width = (body.width() * look.scale * width * 0.22).clamp(self.px(1.0), self.px(6.0));
        canvas.trail(&points, (width, TAPER), color.with_alpha(OPACITY));
    }
}
