//! Shapes of units in space: solids in the unit's frame, one unit long.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use steerbox_scene::{Color, UnitShape};

use super::solid::{Brush, Frame, draw_ball};
use crate::render::camera::{Lens, Spot};

/// Length in points below which a unit is a dot, a dart, a coarse solid.
const DOT: f32 = 3.5;
const DART: f32 = 12.0;
const COARSE: f32 = 38.0;

/// A fish from nose to tail root, in fine and in coarse resolution.
const FISH: &[(f32, f32)] = &[
    (0.5, 0.0),
    (0.45, 0.4),
    (0.34, 0.72),
    (0.16, 0.98),
    (0.0, 0.96),
    (-0.16, 0.7),
    (-0.3, 0.3),
    (-0.38, 0.14),
];
const COARSE_FISH: &[(f32, f32)] = &[(0.5, 0.0), (0.36, 0.7), (0.08, 1.0), (-0.36, 0.16)];
/// A hull with a flat stern.
const CRAFT: &[(f32, f32)] = &[(0.5, 0.0), (0.3, 0.55), (0.05, 0.92), (-0.35, 1.0), (-0.5, 0.7), (-0.5, 0.0)];
/// A 45° sector rotated about its axis, whose tip points forward.
const PIE: &[(f32, f32)] = &[(0.5, 0.0), (-0.42, 1.0), (-0.48, 0.5), (-0.5, 0.0)];

/// The swimming motion of a unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stroke {
    /// Phase of the tail's beat, radians.
    pub(super) phase: f32,
    /// Amplitude of the beat, body lengths.
    pub(super) swing: f32,
}

/// Draws a unit of `length` world units at the pose `spot`.
pub(super) fn draw(
    brush: &mut Brush<'_>,
    shape: UnitShape,
    frame: &Frame,
    spot: Spot,
    stroke: Stroke,
    color: Color,
) {
    let scale = brush.scale;
    let length = frame.y.length() * spot.scale / scale;
    if shape == UnitShape::Dot && length >= DOT {
        let radius = frame.y.length() * 0.5;
        let color = brush.through_water(color);
        draw_ball(brush.canvas, brush.eye, spot, radius, (color, brush.colors.shade));
        return;
    }
    if length < DOT {
        let color = brush.through_water(color);
        brush.canvas.fill_disc(spot.pixel, (length * 0.4).max(0.8) * scale, color);
        return;
    }
    if length < DART {
        dart(brush, frame, spot, color);
        return;
    }
    let fine = length >= COARSE;
    let sides = if fine { 10 } else { 6 };
    match shape {
        UnitShape::Fish => fish(brush, frame, stroke, fine, color),
        UnitShape::Craft => craft(brush, frame, sides, color),
        UnitShape::Pie => {
            let round = Frame {
                x: frame.x.normalize_or_zero() * (frame.y.length() * 0.38),
                z: frame.z.normalize_or_zero() * (frame.y.length() * 0.38),
                ..*frame
            };
            brush.spindle(&round, PIE, sides, |_| 0.0, |_| color);
        }
        UnitShape::Dart | UnitShape::Dot => wedge(brush, frame, color),
    }
}

/// A slender outline with a tail, for units too small for details.
fn dart(brush: &mut Brush<'_>, frame: &Frame, spot: Spot, color: Color) {
    let (bow, stern) = (frame.at(0.0, 0.5, 0.0), frame.at(0.0, -0.5, 0.0));
    let Some((bow, stern)) = brush.eye.segment(bow, stern) else {
        return;
    };
    let (bow, stern) = (bow.pixel, stern.pixel);
    let wide = (frame.x.length() * spot.scale).max(2.4 * brush.scale) * 0.42;
    let across = (bow - stern).perp().normalize_or(Vec2::X) * wide;
    let color = brush.through_water(color);
    let (middle, root) = (stern.lerp(bow, 0.6), stern.lerp(bow, 0.3));
    // From ahead, the length is foreshortened to the width.
    let nose = middle + (bow - middle).normalize_or_zero() * bow.distance(middle).max(wide);
    let body = [nose, middle + across, stern, middle - across];
    brush.canvas.fill_polygon(&body, color);
    let tail = [root, stern + across * 0.8, stern - across * 0.8];
    brush.canvas.fill_polygon(&tail, color);
}

/// A flat pyramid with a notched stern.
fn wedge(brush: &mut Brush<'_>, frame: &Frame, color: Color) {
    let bow = frame.at(0.0, 0.5, 0.0);
    let (port, starboard) = (frame.at(-0.5, -0.5, 0.0), frame.at(0.5, -0.5, 0.0));
    let (top, keel) = (frame.at(0.0, -0.36, 0.4), frame.at(0.0, -0.36, -0.25));
    for corners in [
        [bow, port, keel],
        [bow, keel, starboard],
        [port, top, keel],
        [keel, top, starboard],
        [bow, top, port],
        [bow, starboard, top],
    ] {
        brush.front(&corners, color);
    }
}

fn craft(brush: &mut Brush<'_>, frame: &Frame, sides: usize, color: Color) {
    let hull = Frame { x: frame.x * 0.5, z: frame.z * 0.4, ..*frame };
    let fin = [frame.at(0.0, -0.1, 0.34), frame.at(0.0, -0.46, 0.75), frame.at(0.0, -0.5, 0.3)];
    let from_above = frame.z.dot(brush.eye.at - frame.origin) > 0.0;
    let dark = color.mix(Color::BLACK, 0.3);
    if !from_above {
        brush.fin(&fin, dark);
    }
    brush.spindle(&hull, CRAFT, sides, |_| 0.0, |_| color);
    if from_above {
        brush.fin(&fin, dark);
    }
}

/// A fish: of tail, fins and body, the farther parts are drawn first.
fn fish(brush: &mut Brush<'_>, frame: &Frame, stroke: Stroke, fine: bool, color: Color) {
    let toward = brush.eye.at - frame.origin;
    let (from_ahead, from_above) = (toward.dot(frame.y) > 0.0, toward.dot(frame.z) > 0.0);
    let body = Frame { x: frame.x * 0.36, z: frame.z * 0.5, ..*frame };
    // The amplitude grows towards the tail; in units of the body's width.
    let reach = stroke.swing * frame.y.length() / body.x.length().max(1e-9);
    let swing = |y: f32| {
        let aft = ((0.25 - y) / 0.75).max(0.0);
        reach * aft * aft * libm::sinf(stroke.phase - 2.4 * aft)
    };
    let at = |y: f32, z: f32| body.at(swing(y), y, z);
    let back = color.mix(Color::BLACK, 0.22);
    let fin = color.mix(Color::BLACK, 0.12);
    let tail = |brush: &mut Brush<'_>| {
        brush.fin(&[at(-0.34, 0.12), at(-0.54, 0.95), at(-0.45, 0.0)], fin);
        brush.fin(&[at(-0.34, -0.12), at(-0.45, 0.0), at(-0.54, -0.85)], fin);
    };
    let dorsal = [at(0.16, 0.9), at(-0.06, 1.5), at(-0.2, 1.1), at(-0.18, 0.6)];
    if from_ahead {
        tail(brush);
    }
    if !from_above {
        brush.fin(&dorsal, back);
    }
    let (profile, sides) = if fine { (FISH, 10) } else { (COARSE_FISH, 6) };
    brush.spindle(&body, profile, sides, swing, |height| {
        if height < -0.55 {
            color.mix(Color::WHITE, 0.38)
        } else if height > 0.75 {
            back
        } else {
            color
        }
    });
    if from_above {
        brush.fin(&dorsal, back);
    }
    if !from_ahead {
        tail(brush);
    }
    if fine {
        sides_of(brush, &body, toward, fin);
    }
}

/// The pectoral fin and the eye on the visible side.
fn sides_of(brush: &mut Brush<'_>, body: &Frame, toward: Vec3, color: Color) {
    let side = if toward.dot(body.x) > 0.0 { 1.0 } else { -1.0 };
    brush.fin(
        &[
            body.at(0.86 * side, 0.16, -0.3),
            body.at(1.7 * side, -0.06, -0.75),
            body.at(0.86 * side, 0.04, -0.4),
        ],
        color,
    );
    for (radius, color) in [0.045, 0.03].into_iter().zip(brush.colors.eye) {
        let eye: [Vec3; 8] = std::array::from_fn(|corner| {
            let (sin, cos) = libm::sincosf(corner as f32 / 8.0 * TAU);
            let z = 0.2 + sin * radius * body.y.length() / body.z.length().max(1e-9);
            body.at(0.66 * side, 0.355 + cos * radius, z)
        });
        brush.fill(&eye, color);
    }
}
