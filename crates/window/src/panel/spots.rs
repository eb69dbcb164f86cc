//! The value of a plot under the pointer, and the ring around it.

use egui::{Painter, Pos2, Rect, Response, Stroke, Ui, vec2};
use glam::Vec2;
use steerbox_picture::render::theme;
use steerbox_project::plot::{Drawing, Spot};

/// Distance within which the pointer is at a value, points.
const REACH: f32 = 12.0;
/// Radius and width of the ring, points.
const RING: [f32; 2] = [5.0, 1.5];

/// Returns the value under the pointer, in a plot with this rectangle.
pub(super) fn pointed(plot: &Response, rect: Rect, drawing: &Drawing) -> Option<Spot> {
    let place = plot.hover_pos()? - rect.min;
    drawing.spot(Vec2::new(place.x, place.y), REACH).copied()
}

/// The middle of a value.
fn middle(rect: Rect, spot: &Spot) -> Pos2 {
    let middle = (spot.corners[0] + spot.corners[1]) * 0.5;
    rect.min + vec2(middle.x, middle.y)
}

/// Draws a ring around a value.
pub(super) fn ring(ui: &Ui, painter: &Painter, rect: Rect, spot: &Spot) {
    let [radius, width] = RING;
    painter.circle_stroke(middle(rect, spot), radius, Stroke::new(width, theme::of(ui).accent));
}
