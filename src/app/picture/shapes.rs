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
}

impl Pose {
    /// A point of the unit's frame (x to starboard, y forward) on the screen.
    fn at(&self, x: f32, y: f32) -> Vec2 {
        let starboard = Vec2::new(-self.heading.y, self.heading.x);
        self.center + starboard * (x * self.width) + self.heading * (y * self.length)
    }
}

/// Pixels below which a unit is a dot.
const SMALLEST: f32 = 3.5;

/// Draws a unit.
pub(super) fn draw(canvas: &mut Canvas, shape: UnitShape, pose: &Pose, color: Color) {
    if pose.length < SMALLEST {
        canvas.fill_disc(pose.center, (pose.length * 0.5).max(0.8), color);
        return;
    }
    let dark = color.mix(Color::BLACK, 0.28);
    match shape {
        UnitShape::Dot => canvas.fill_disc(pose.center, pose.length * 0.5, color),
        UnitShape::Dart => {
            canvas.fill_triangle(pose.at(0.0, 0.5), pose.at(-0.5, -0.5), pose.at(0.0, -0.3), color);
            canvas.fill_triangle(pose.at(0.0, 0.5), pose.at(0.0, -0.3), pose.at(0.5, -0.5), dark);
        }
        UnitShape::Craft => {
            let hull = [
                (0.0, 0.5),
                (0.38, 0.12),
                (0.5, -0.38),
                (0.28, -0.5),
                (-0.28, -0.5),
                (-0.5, -0.38),
                (-0.38, 0.12),
            ];
            canvas.fill_polygon(&hull.map(|(x, y)| pose.at(x, y)), color);
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
        UnitShape::Pie => {
            // A slice of 45° whose point leads.
            let rim = [(-22.5_f32), -11.25, 0.0, 11.25, 22.5].map(|degrees| {
                let angle = degrees.to_radians();
                let (sin, cos) = libm::sincosf(angle);
                pose.center
                    + pose.heading * (pose.length * (0.5 - cos))
                    + Vec2::new(-pose.heading.y, pose.heading.x) * (pose.length * sin)
            });
            let tip = pose.at(0.0, 0.5);
            canvas.fill_polygon(&[tip, rim[0], rim[1], rim[2], rim[3], rim[4]], color);
        }
    }
}
