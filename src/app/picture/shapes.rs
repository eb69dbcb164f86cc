//! What a unit looks like: outlines in its own frame, y forward, one unit long.

use glam::Vec2;

use crate::app::canvas::Canvas;
use crate::scene::{Color, UnitShape};

/// Where and how large a unit is drawn, pixels.
pub(super) struct Pose {
    pub(super) center: Vec2,
    /// Heading on the screen, y down; shorter than 1 if it points out of the screen.
    pub(super) heading: Vec2,
    pub(super) length: f32,
    pub(super) width: f32,
    /// Pixels of a point.
    pub(super) scale: f32,
}

impl Pose {
    /// A point of the unit's frame (x to starboard, y forward) on the screen.
    fn at(&self, x: f32, y: f32) -> Vec2 {
        let starboard = Vec2::new(-self.heading.y, self.heading.x);
        self.center + starboard * (x * self.width) + self.heading * (y * self.length)
    }
}

/// Points of length below which a unit is a dot, and below which it has one color.
const SMALLEST: f32 = 3.5;
const PLAIN: f32 = 12.0;
/// Points that the outline reaches beyond the unit.
const OUTLINE: f32 = 1.0;

/// A dart, with a notch in its stern.
const DART: [(f32, f32); 4] = [(0.0, 0.5), (-0.5, -0.5), (0.0, -0.3), (0.5, -0.5)];

/// A hull from above.
const HULL: [(f32, f32); 7] =
    [(0.0, 0.5), (0.38, 0.12), (0.5, -0.38), (0.28, -0.5), (-0.28, -0.5), (-0.5, -0.38), (-0.38, 0.12)];

/// A fish with its tail.
const FISH: [(f32, f32); 9] = [
    (0.0, 0.5),
    (0.28, 0.3),
    (0.36, 0.08),
    (0.17, -0.24),
    (0.4, -0.5),
    (-0.4, -0.5),
    (-0.17, -0.24),
    (-0.36, 0.08),
    (-0.28, 0.3),
];

/// Draws a unit in a color, and its outline, if it has one.
pub(super) fn draw(
    canvas: &mut Canvas,
    shape: UnitShape,
    pose: &Pose,
    (color, outline): (Color, Option<Color>),
) {
    let points = pose.length / pose.scale;
    if points < SMALLEST {
        canvas.fill_disc(pose.center, (pose.length * 0.5).max(0.8 * pose.scale), color);
        return;
    }
    if let Some(outline) = outline {
        draw_outline(canvas, shape, pose, outline);
    }
    let dark = if points < PLAIN { color } else { color.mix(Color::BLACK, 0.28) };
    match shape {
        UnitShape::Dot => canvas.fill_disc(pose.center, pose.length * 0.5, color),
        UnitShape::Dart if points < PLAIN => {
            canvas.fill_polygon(&DART.map(|(x, y)| pose.at(x, y)), color);
        }
        UnitShape::Dart => {
            canvas.fill_triangle(pose.at(0.0, 0.5), pose.at(-0.5, -0.5), pose.at(0.0, -0.3), color);
            canvas.fill_triangle(pose.at(0.0, 0.5), pose.at(0.0, -0.3), pose.at(0.5, -0.5), dark);
        }
        UnitShape::Craft => {
            canvas.fill_polygon(&HULL.map(|(x, y)| pose.at(x, y)), color);
            let cabin = [(0.0, 0.22), (0.22, -0.12), (0.0, -0.3), (-0.22, -0.12)];
            canvas.fill_polygon(&cabin.map(|(x, y)| pose.at(x, y)), dark);
        }
        UnitShape::Fish => {
            canvas.fill_triangle(pose.at(0.0, -0.2), pose.at(-0.4, -0.5), pose.at(0.4, -0.5), dark);
            let body = [
                (0.0, 0.5),
                (0.28, 0.3),
                (0.36, 0.08),
                (0.2, -0.2),
                (0.0, -0.36),
                (-0.2, -0.2),
                (-0.36, 0.08),
                (-0.28, 0.3),
            ];
            canvas.fill_polygon(&body.map(|(x, y)| pose.at(x, y)), color);
        }
        UnitShape::Pie => canvas.fill_polygon(&pie(pose, pose.length), color),
    }
}

/// What a unit covers, and a little more: it sets units apart that lie over each other.
fn draw_outline(canvas: &mut Canvas, shape: UnitShape, pose: &Pose, color: Color) {
    let more = 2.0 * OUTLINE * pose.scale;
    let shares = Vec2::new(1.0 + more / pose.width, 1.0 + more / pose.length);
    let at = |(x, y): (f32, f32)| pose.at(x * shares.x, y * shares.y);
    match shape {
        UnitShape::Dot => canvas.fill_disc(pose.center, (pose.length + more) * 0.5, color),
        UnitShape::Dart => canvas.fill_polygon(&DART.map(at), color),
        UnitShape::Craft => canvas.fill_polygon(&HULL.map(at), color),
        UnitShape::Fish => canvas.fill_polygon(&FISH.map(at), color),
        UnitShape::Pie => {
            let reach = pose.length + more;
            canvas.fill_polygon(&pie(pose, reach), color);
        }
    }
}

/// A slice of 45° whose point leads, of a pie of a radius in pixels.
fn pie(pose: &Pose, radius: f32) -> [Vec2; 6] {
    let starboard = Vec2::new(-pose.heading.y, pose.heading.x);
    let tip = pose.center + pose.heading * (radius * 0.5);
    let rim = |degrees: f32| {
        let (sin, cos) = libm::sincosf(degrees.to_radians());
        tip - pose.heading * (radius * cos) + starboard * (radius * sin)
    };
    [tip, rim(-22.5), rim(-11.25), rim(0.0), rim(11.25), rim(22.5)]
}
