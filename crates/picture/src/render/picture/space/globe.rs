//! The extent of a space: lines on its sphere, its floor, and the shadows on it.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};

use super::super::Picture;
use super::water::Water;
use crate::render::camera::{Eye, Lens};
use crate::render::canvas::Canvas;

/// Segments of a circle.
const PIECES: usize = 72;
/// Opacity of the sphere's lines on the near and on the far side.
const NEAR: f32 = 0.15;
const FAR: f32 = 0.05;
/// Height of the floor, relative to the radius: a fifth of the ball's height from below.
const FLOOR: f32 = -0.6;
/// Radius of the circle where the floor intersects the sphere.
const FLOOR_RADIUS: f32 = 0.8;
/// Lines of the floor's grid on each side of the middle.
const LINES: i32 = 4;

/// Radius in points from which a shadow has a soft edge.
const SOFT: f32 = 3.0;
/// The base outline of a shadow.
const OCTAGON: [Vec2; 8] = {
    let half = std::f32::consts::FRAC_1_SQRT_2;
    [
        Vec2::X,
        Vec2::new(half, half),
        Vec2::Y,
        Vec2::new(-half, half),
        Vec2::NEG_X,
        Vec2::new(-half, -half),
        Vec2::NEG_Y,
        Vec2::new(half, -half),
    ]
};

impl Picture<'_, Eye> {
    /// Meridians, the equator, a circle of latitude on each side, and the silhouette.
    pub(super) fn draw_globe(&self, canvas: &mut Canvas, water: &Water<'_>) {
        for turn in [0.0, TAU / 6.0, TAU / 3.0] {
            let (sin, cos) = libm::sincosf(turn);
            let side = Vec3::new(cos, 0.0, sin);
            self.draw_circle(canvas, water, Vec3::ZERO, (side, Vec3::Y));
        }
        for height in [0.0, 0.5] {
            let radius = (1.0_f32 - height * height).sqrt();
            let middle = Vec3::Y * height;
            self.draw_circle(canvas, water, middle, (Vec3::X * radius, Vec3::Z * radius));
        }
        self.draw_silhouette(canvas, water);
    }

    /// The silhouette of the sphere from outside.
    fn draw_silhouette(&self, canvas: &mut Canvas, water: &Water<'_>) {
        let away = (self.camera.at - water.center) / water.radius;
        let square = away.length_squared();
        if square > 1.02 {
            let radius = (1.0 - 1.0 / square).sqrt();
            let side = away.cross(self.camera.up).normalize_or(Vec3::X);
            let up = side.cross(away).normalize_or(Vec3::Y);
            self.draw_circle(canvas, water, away / square, (side * radius, up * radius));
        }
    }

    /// A circle in units of the ball's radius: its middle and two radii.
    fn draw_circle(&self, canvas: &mut Canvas, water: &Water<'_>, middle: Vec3, axes: (Vec3, Vec3)) {
        let points: Vec<_> = (0..=PIECES)
            .map(|piece| {
                let (sin, cos) = libm::sincosf(piece as f32 / PIECES as f32 * TAU);
                let outward = middle + axes.0 * cos + axes.1 * sin;
                let point = water.center + outward * water.radius;
                // A point behind the eye interrupts the line.
                let Some(spot) = self.camera.project(point) else {
                    return (Vec2::NAN, 0.0);
                };
                let facing = (self.camera.at - point).normalize_or_zero().dot(outward);
                let share = FAR + (NEAR - FAR) * (facing * 2.0 + 0.5).clamp(0.0, 1.0);
                (spot.pixel, share)
            })
            .collect();
        canvas.trail(&points, (self.px(1.1), 0.0), self.palette().sphere);
    }

    /// A faint disc with a grid, bounded by the sphere.
    pub(super) fn draw_floor(&self, canvas: &mut Canvas, water: &Water<'_>) {
        let at = |x: f32, z: f32| water.center + Vec3::new(x, FLOOR, z) * water.radius;
        let rim: Vec<_> = (0..PIECES)
            .map(|piece| {
                let (sin, cos) = libm::sincosf(piece as f32 / PIECES as f32 * TAU);
                at(FLOOR_RADIUS * cos, FLOOR_RADIUS * sin)
            })
            .collect();
        let mut visible = Vec::new();
        self.camera.polygon(&rim, &mut visible);
        canvas.fill_polygon(&visible, self.palette().sphere.with_alpha(0.055));
        for line in -LINES..=LINES {
            let along = line as f32 / (LINES + 1) as f32 * FLOOR_RADIUS;
            let half = (FLOOR_RADIUS * FLOOR_RADIUS - along * along).sqrt();
            self.draw_fading(canvas, water, at(along, -half), at(along, half));
            self.draw_fading(canvas, water, at(-half, along), at(half, along));
        }
        for piece in 0..PIECES {
            self.draw_fading(canvas, water, rim[piece], rim[(piece + 1) % PIECES]);
        }
    }

    /// A thin line, faded by the water.
    fn draw_fading(&self, canvas: &mut Canvas, water: &Water<'_>, a: Vec3, b: Vec3) {
        if let Some((a, b)) = self.camera.segment(a, b) {
            let share = |depth: f32| 0.16 * water.clarity(depth);
            let ends = [(a.pixel, share(a.depth)), (b.pixel, share(b.depth))];
            canvas.trail(&ends, (self.px(1.0), 0.0), self.palette().sphere);
        }
    }

    /// A soft dot on the floor below each unit, which shows the unit's depth.
    pub(super) fn draw_shadows(&self, canvas: &mut Canvas, water: &Water<'_>) {
        let world = self.simulation.world();
        let floor = water.center.y + FLOOR * water.radius;
        let reach = FLOOR_RADIUS * water.radius;
        for (index, group) in world.groups.iter().enumerate() {
            let scale = self.look(index).map_or(1.0, |look| look.scale);
            for unit in group.units.clone() {
                let size = world.body_of(unit).length() * scale * 0.3;
                let position = self.position(unit);
                let height = (position.y - floor) / water.radius;
                let place = Vec3::new(position.x, floor, position.z);
                let aside = place.distance(water.center.with_y(floor));
                if height < 0.0 || aside > reach {
                    continue;
                }
                // The shadow of a higher unit is wider and fainter.
                let (size, faint) = (size * (1.0 + height), 0.5 / (1.0 + 2.5 * height));
                self.draw_shadow(canvas, place, size, faint * water.clarity(self.camera.depth(place)));
            }
        }
    }

    fn draw_shadow(&self, canvas: &mut Canvas, place: Vec3, size: f32, opacity: f32) {
        let Some(spot) = self.camera.project(place) else {
            return;
        };
        let flat = (self.camera.at - place).normalize_or_zero().y.abs();
        let radius = (size * spot.scale).max(self.px(0.7));
        let mut disc = |radius: f32, opacity: f32| {
            let axes = Vec2::new(radius, radius * flat);
            let outline = OCTAGON.map(|corner| spot.pixel + corner * axes);
            canvas.fill_polygon(&outline, self.palette().shadow.with_alpha(opacity));
        };
        if radius < self.px(SOFT) {
            disc(radius * 1.2, opacity * 0.7);
        } else {
            disc(radius * 1.5, opacity * 0.4);
            disc(radius * 0.8, opacity * 0.6);
        }
    }
}
