//! A ball lit from above.

use glam::Vec2;

use crate::app::camera::{Eye, Spot};
use crate::app::canvas::Canvas;
use crate::scene::Color;

/// Pixels of radius for each disc that shades it, and the most discs.
const DISC: f32 = 1.2;
const MOST: f32 = 40.0;

/// Draws a ball of `radius` world units: discs inside each other, lighter towards the light.
pub(super) fn draw(canvas: &mut Canvas, eye: &Eye, spot: Spot, radius: f32, color: Color) {
    let radius = radius * spot.scale;
    let discs = (radius / DISC).clamp(1.0, MOST).ceil();
    // The light comes from above: seen from there, the lightest spot is in the middle.
    let lit = Vec2::new(0.0, -0.42 * eye.up.y) * radius;
    for disc in 0..discs as usize {
        let share = disc as f32 / discs;
        // As on a ball, it changes fastest at the rim.
        let light = 1.0 - (1.0 - share) * (1.0 - share);
        let shade = super::solid::lit(color, 0.45 + 0.72 * light);
        canvas.fill_disc(spot.pixel + lit * share, radius * (1.0 - share), shade);
    }
}
