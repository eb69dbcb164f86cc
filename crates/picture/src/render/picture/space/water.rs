//! Water: the background, absorption with distance, light shafts and motes.

use glam::{Vec2, Vec3};
use steerbox_core::world::Arena;
use steerbox_scene::Color;

use crate::render::camera::{Eye, Lens, Spot};
use crate::render::canvas::Canvas;
use crate::render::theme::WorldColors;

/// Distance through the water after which a third of the light remains, relative to the world's radius.
const CLARITY: f32 = 1.7;
/// Motes in the whole ball, and as many again around the eye.
const MOTES: u32 = 90;
/// Number of light shafts, their width relative to the world's radius and at most in points, and the
/// opacity of their middle.
const SHAFTS: u32 = 6;
const SHAFT_WIDTH: f32 = 0.34;
const SHAFT_MOST: f32 = 260.0;
const SHAFT_LIGHT: f32 = 0.085;
/// Strips side by side that make a shaft soft. Stacked faint layers would accumulate
/// rounding errors and show edges.
const STRIPS: usize = 16;

/// The water of a ball in the view of an eye.
pub(super) struct Water<'a> {
    pub(super) center: Vec3,
    pub(super) radius: f32,
    pub(super) colors: &'a WorldColors,
    /// Pixels per point.
    pub(super) scale: f32,
    /// Depth at which the water begins: objects outside the ball are not dimmed.
    surface: f32,
    /// Top and height of the gradient's extent, pixels.
    top: f32,
    height: f32,
}

impl<'a> Water<'a> {
    pub(super) fn new(eye: &Eye, arena: &Arena, (colors, scale): (&'a WorldColors, f32)) -> Self {
        let (center, radius) = (arena.center(), arena.radius().max(1e-6));
        let (min, max) = eye.view();
        Self {
            center,
            radius,
            colors,
            scale,
            surface: (eye.at.distance(center) - radius).max(0.0),
            top: min.y,
            height: (max.y - min.y).max(1.0),
        }
    }

    /// The background color at a height of the picture.
    pub(super) fn behind(&self, y: f32) -> Color {
        let [top, bottom] = self.colors.water;
        top.mix(bottom, (y - self.top) / self.height)
    }

    /// Share of the light that passes through the water from a depth.
    pub(super) fn clarity(&self, depth: f32) -> f32 {
        libm::expf(-(depth - self.surface).max(0.0) / (CLARITY * self.radius))
    }

    /// A color after absorption by the water.
    pub(super) fn tint(&self, color: Color, spot: Spot) -> Color {
        let water = self.behind(spot.pixel.y);
        let tinted = color.mix(water, 1.0 - self.clarity(spot.depth));
        Color { a: color.a, ..tinted }
    }

    pub(super) fn draw_behind(&self, canvas: &mut Canvas) {
        // The gradient spans the canvas, so that its end is beyond the view.
        let bottom = self.behind(canvas.height() as f32);
        canvas.fill_gradient(self.behind(0.0), bottom);
    }

    /// Soft shafts of light from the surface.
    pub(super) fn draw_light(&self, canvas: &mut Canvas, eye: &Eye, time: f32) {
        for index in 0..SHAFTS {
            let place = hash(index, 0x51ed);
            let (x, z) = ((place.x - 0.5) * 1.5, (place.y - 0.5) * 1.5);
            let sway = libm::sinf(time * 0.12 + place.z * 40.0);
            let at = |x: f32, y: f32| self.center + Vec3::new(x, y, z) * self.radius;
            let (top, bottom) = (at(x, 1.25), at(x + 0.28 + 0.06 * sway, -0.55));
            let Some((from, to)) = eye.segment(top, bottom) else {
                continue;
            };
            let strength = 0.75 + 0.25 * libm::sinf(time * 0.31 + place.x * 50.0);
            self.draw_shaft(canvas, from, to, SHAFT_LIGHT * strength);
        }
    }

    fn draw_shaft(&self, canvas: &mut Canvas, from: Spot, to: Spot, opacity: f32) {
        let width = SHAFT_WIDTH * self.radius * (from.scale + to.scale) * 0.5;
        let width = width.min(SHAFT_MOST * self.scale);
        let across = (to.pixel - from.pixel).perp().normalize_or_zero();
        for strip in 0..STRIPS {
            let aside = (strip as f32 + 0.5) / STRIPS as f32 * 2.0 - 1.0;
            let soft = (1.0 - aside * aside) * (1.0 - aside * aside);
            let shift = across * (aside * width * 0.5);
            let ends = [(from.pixel + shift, 1.0), (to.pixel + shift, 0.0)];
            let color = self.colors.sunlight.with_alpha(opacity * soft);
            canvas.trail(&ends, (width / STRIPS as f32, 0.0), color);
        }
    }

    /// Motes that sink slowly: they make the eye's motion visible.
    pub(super) fn draw_motes(&self, canvas: &mut Canvas, eye: &Eye, time: f32) {
        for index in 0..MOTES {
            let place = hash(index, 0x3c6e) * 2.0 - 1.0;
            let offset = wrapped(place + drift(time, index), Vec3::ZERO);
            if offset.length_squared() < 1.0 {
                self.mote(canvas, eye, self.center + offset * self.radius, 1.0);
            }
        }
        // Close to the eye, in a cube that moves with it.
        let reach = 0.28 * self.radius;
        for index in 0..MOTES {
            let place = hash(index, 0xa54f) * 2.0 - 1.0;
            let here = (eye.at - self.center) / reach;
            let offset = wrapped(place + drift(time, index) * 2.0, here);
            let point = self.center + offset * reach;
            let far = (offset - here).abs().max_element();
            if point.distance_squared(self.center) < self.radius * self.radius {
                self.mote(canvas, eye, point, 1.0 - far * far);
            }
        }
    }

    fn mote(&self, canvas: &mut Canvas, eye: &Eye, point: Vec3, share: f32) {
        if let Some(spot) = eye.project(point) {
            let size = (spot.scale * self.radius * 0.003).clamp(0.6 * self.scale, 1.6 * self.scale);
            let opacity = 0.6 * self.clarity(spot.depth) * share;
            let color = self.colors.sunlight.with_alpha(opacity);
            canvas.fill_disc(spot.pixel, size, color);
        }
    }
}

/// The drift of a mote, relative to its cube.
fn drift(time: f32, index: u32) -> Vec3 {
    let turn = time * 0.2 + index as f32;
    let sway = Vec2::new(libm::sinf(turn), libm::cosf(turn * 0.83)) * 0.02;
    Vec3::new(sway.x, -0.008 * time, sway.y)
}

/// `place` shifted by whole cubes of side 2 to its position nearest to `center`.
fn wrapped(place: Vec3, center: Vec3) -> Vec3 {
    place - ((place - center) * 0.5).round() * 2.0
}

/// Three pseudorandom numbers from 0 to 1, a function of `index` and `salt`.
fn hash(index: u32, salt: u32) -> Vec3 {
    let number = |part: u32| {
        // The finalizer of MurmurHash3.
        let mut bits = (index * 3 + part).wrapping_mul(0x9e37_79b9) ^ salt;
        bits = (bits ^ (bits >> 16)).wrapping_mul(0x85eb_ca6b);
        bits = (bits ^ (bits >> 13)).wrapping_mul(0xc2b2_ae35);
        ((bits ^ (bits >> 16)) >> 8) as f32 / (1 << 24) as f32
    };
    Vec3::new(number(0), number(1), number(2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn motes_are_spread_and_stay_in_their_cube() {
        let mean = (0..600).map(|index| hash(index, 7)).sum::<Vec3>() / 600.0;
        assert!(mean.abs_diff_eq(Vec3::splat(0.5), 0.05), "{mean}");
        let center = Vec3::new(3.0, -20.0, 0.4);
        for index in 0..50 {
            let place = wrapped(hash(index, 7) * 9.0, center);
            assert!((place - center).abs().max_element() <= 1.0001);
        }
    }
}
