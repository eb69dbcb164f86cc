//! Balls, and flat faces of small solids, lit from above.

use glam::{Vec2, Vec3};
use steerbox_scene::Color;

use super::water::Water;
use crate::render::camera::{Eye, Lens, Spot};
use crate::render::canvas::Canvas;
use crate::render::theme::WorldColors;

/// Maximum number of corners of a face.
const MAX_CORNERS: usize = 12;
/// Pixels by which a face extends beyond its edges, so that no gap between two faces is visible.
const OVERLAP: f32 = 0.35;

/// A unit's axes, scaled to its body: x to starboard, y forward, z up.
#[derive(Clone, Copy, Debug)]
pub(super) struct Frame {
    pub(super) origin: Vec3,
    pub(super) x: Vec3,
    pub(super) y: Vec3,
    pub(super) z: Vec3,
}

impl Frame {
    pub(super) fn at(&self, x: f32, y: f32, z: f32) -> Vec3 {
        self.origin + self.x * x + self.y * y + self.z * z
    }
}

/// Draws the visible faces of solids.
pub(super) struct Brush<'a> {
    pub(super) canvas: &'a mut Canvas,
    pub(super) eye: &'a Eye,
    /// Color of the surrounding water, and its share of the visible color.
    water: Color,
    dim: f32,
    /// Opacity factor, 0 to 1.
    presence: f32,
    pub(super) colors: &'a WorldColors,
    /// Pixels per point.
    pub(super) scale: f32,
}

impl<'a> Brush<'a> {
    /// A brush for an object at `spot`, with the opacity factor `presence` (0 to 1).
    pub(super) fn new(
        canvas: &'a mut Canvas,
        eye: &'a Eye,
        water: &Water<'a>,
        (spot, presence): (Spot, f32),
    ) -> Self {
        let (behind, dim) = (water.behind(spot.pixel.y), 1.0 - water.clarity(spot.depth));
        Self { canvas, eye, water: behind, dim, presence, colors: water.colors, scale: water.scale }
    }
}

impl Brush<'_> {
    /// Draws a face whose corners run counterclockwise, if its front is visible.
    pub(super) fn front(&mut self, corners: &[Vec3], color: Color) {
        self.face(corners, color, false);
    }

    /// Draws a face that is visible from both sides.
    pub(super) fn fin(&mut self, corners: &[Vec3], color: Color) {
        self.face(corners, color, true);
    }

    fn face(&mut self, corners: &[Vec3], color: Color, both_sides: bool) {
        let normal = normal(corners);
        let toward = self.eye.at - corners.first().copied().unwrap_or_default();
        let facing = normal.dot(toward);
        // A face without an area or with a NaN has no direction.
        if facing == 0.0 || facing.is_nan() || (facing < 0.0 && !both_sides) {
            return;
        }
        let normal = normal.normalize_or_zero() * facing.signum();
        let facing = normal.dot(toward) / toward.length().max(1e-9);
        let light = 0.78 + 0.34 * normal.y + 0.16 * facing;
        self.fill(corners, lit(color, self.colors.shade, light));
    }

    /// Fills a polygon without shading.
    pub(super) fn fill(&mut self, corners: &[Vec3], color: Color) {
        let mut pixels = [Vec2::ZERO; MAX_CORNERS];
        let pixels = &mut pixels[..corners.len().min(MAX_CORNERS)];
        for (pixel, corner) in pixels.iter_mut().zip(corners) {
            let Some(spot) = self.eye.project(*corner) else {
                return;
            };
            *pixel = spot.pixel;
        }
        // Overlaps would be visible through a translucent object, too.
        if self.presence >= 1.0 {
            let middle = pixels.iter().sum::<Vec2>() / pixels.len().max(1) as f32;
            for pixel in pixels.iter_mut() {
                *pixel += (*pixel - middle).normalize_or_zero() * OVERLAP;
            }
        }
        self.canvas.fill_polygon(pixels, self.through_water(color));
    }

    /// A color after absorption by the water.
    pub(super) fn through_water(&self, color: Color) -> Color {
        let dimmed = color.mix(self.water, self.dim);
        Color { a: color.a, ..dimmed }.with_alpha(self.presence)
    }

    /// A body of revolution along y: `profile` contains y and radius from bow to stern, `swing` shifts a
    /// ring sideways, `color` is the color of a face by its height, −1 to 1.
    pub(super) fn spindle(
        &mut self,
        frame: &Frame,
        profile: &[(f32, f32)],
        sides: usize,
        swing: impl Fn(f32) -> f32,
        color: impl Fn(f32) -> Color,
    ) {
        let sides = sides.clamp(3, MAX_CORNERS);
        let directions: [(f32, f32); MAX_CORNERS + 1] = std::array::from_fn(|side| {
            libm::sincosf((side as f32 + 0.5) / sides as f32 * std::f32::consts::TAU)
        });
        let ring = |&(y, radius): &(f32, f32)| {
            let aside = swing(y);
            directions.map(|(sin, cos)| frame.at(cos * radius + aside, y, sin * radius))
        };
        let mut ahead = None;
        for behind in profile.iter().map(ring) {
            if let Some(ahead) = ahead.replace(behind) {
                for side in 0..sides {
                    let next = side + 1;
                    let corners = [ahead[side], ahead[next], behind[next], behind[side]];
                    let height = (directions[side].0 + directions[next].0) * 0.5;
                    self.front(&corners, color(height));
                }
            }
        }
    }
}

/// The outward normal of a face, of any length; a quad may have two corners in one place.
fn normal(corners: &[Vec3]) -> Vec3 {
    match *corners {
        [a, b, c] => (b - a).cross(c - a),
        [a, b, c, d, ..] => (c - a).cross(d - b),
        _ => Vec3::ZERO,
    }
}

/// A color under more (above 1) or less light; less light is bluer, as in water.
pub(super) fn lit(color: Color, shade: [Color; 2], light: f32) -> Color {
    let [dark, bright] = shade.map(|shade| Color { a: color.a, ..shade });
    if light < 1.0 { color.mix(dark, 1.0 - light) } else { color.mix(bright, (light - 1.0) * 0.9) }
}

/// Radius in pixels per disc of the shading, and the most discs.
const DISC: f32 = 1.2;
const MAX_DISCS: f32 = 40.0;

/// Draws a ball of `radius` world units: nested discs, lighter towards the light.
pub(super) fn draw_ball(
    canvas: &mut Canvas,
    eye: &Eye,
    spot: Spot,
    radius: f32,
    (color, shade): (Color, [Color; 2]),
) {
    let radius = radius * spot.scale;
    let discs = (radius / DISC).clamp(1.0, MAX_DISCS).ceil();
    // The light comes from above: in a view from there, the highlight is in the middle.
    let toward = Vec2::new(0.0, -0.42 * eye.up.y) * radius;
    // In the middle, all discs together have the opacity of the color.
    let opacity = color.a as f32 / 255.0;
    let share = if opacity < 1.0 { 1.0 - libm::powf(1.0 - opacity, discs.recip()) } else { 1.0 };
    let color = Color { a: 255, ..color }.with_alpha(share);
    for disc in 0..discs as usize {
        let share = disc as f32 / discs;
        // As on a ball, brightness changes fastest at the rim.
        let light = 1.0 - (1.0 - share) * (1.0 - share);
        let color = lit(color, shade, 0.45 + 0.72 * light);
        canvas.fill_disc(spot.pixel + toward * share, radius * (1.0 - share), color);
    }
}
