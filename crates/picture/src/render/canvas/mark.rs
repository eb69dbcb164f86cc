//! Shapes as they were drawn.

use glam::Vec2;
use steerbox_scene::Color;

use super::pixel_rect::PixelRect;

/// A shape as it was drawn. Coordinates and widths are in pixels, y down; lines have round ends.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Mark {
    /// Everything that follows is clipped to this rectangle.
    Clip(PixelRect),
    /// The background: a gradient from the top to the bottom of the canvas.
    Gradient([Color; 2]),
    /// A filled polygon; nonzero rule.
    Polygon(Vec<Vec2>, Color),
    /// A filled rectangle with these corners.
    Rect([Vec2; 2], Color),
    /// A filled disc.
    Disc { center: Vec2, radius: f32, color: Color },
    /// A circle.
    Circle { center: Vec2, radius: f32, width: f32, color: Color },
    /// A line.
    Line { ends: [Vec2; 2], width: f32, color: Color },
    /// Lines through points.
    Path { points: Vec<Vec2>, width: f32, color: Color },
    /// A path, each point with its share of the width and of the opacity.
    Trail { points: Vec<(Vec2, f32)>, width: f32, taper: f32, color: Color },
    /// A line of text of a height: the point of its lower edge that divides its width at the share `anchor`.
    Text { at: Vec2, anchor: f32, height: f32, text: String, color: Color },
}
