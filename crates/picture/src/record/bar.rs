//! The scale bar and the simulated time in a corner of a picture.

use egui::{Align2, FontId, LayerId, Pos2};
use glam::Vec2;
use steerbox_scene::Color;

use crate::render::camera::{Camera, Sight};
use crate::render::canvas::{Canvas, Mark};
use crate::render::egui_paint::Painter;
use crate::render::theme::color32;

/// Distance from the border of the picture, height of the text, and distance between both parts, points.
const MARGIN: f32 = 16.0;
const TEXT: f32 = 14.0;
const GAP: f32 = 8.0;
/// Width of lines, and length of the ticks at the ends of the bar, points.
const LINE: f32 = 1.6;
const TICK: f32 = 7.0;
/// Maximum share of the picture's width that the bar occupies.
const SHARE: f32 = 0.2;

/// Draws scale bars.
#[derive(Default)]
pub(super) struct Bar {
    context: egui::Context,
    painter: Painter,
}

impl Bar {
    /// Draws bar and simulated time, in seconds, over a picture. In space, lengths depend on the distance: there is no bar.
    pub(super) fn draw(
        &mut self,
        canvas: &mut Canvas,
        camera: &Camera,
        (color, scale): (Color, f32),
        time: f32,
    ) {
        let px = |points: f32| points * scale;
        let mut at = Vec2::new(px(MARGIN), canvas.height() as f32 - px(MARGIN));
        let mut text = format!("t = {time:.2} s");
        if let Sight::Plane(camera) = camera.sight() {
            let length = round_below(canvas.width() as f32 * SHARE / camera.scale());
            let end = at + Vec2::X * length * camera.scale();
            canvas.stroke_line(at, end, px(LINE), color);
            for tick in [at, end] {
                let half = Vec2::Y * px(TICK) * 0.5;
                canvas.stroke_line(tick - half, tick + half, px(LINE), color);
            }
            text = format!("{length} units    {text}");
            at.y -= px(GAP);
        }
        if !canvas.mark(|| Mark::Text { at, anchor: 0.0, height: px(TEXT), text: text.clone(), color }) {
            self.text(canvas, at, &text, (color, scale));
        }
    }

    fn text(&mut self, canvas: &mut Canvas, at: Vec2, text: &str, (color, scale): (Color, f32)) {
        let size = egui::vec2(canvas.width() as f32, canvas.height() as f32) / scale;
        let screen = egui::Rect::from_min_size(Pos2::ZERO, size);
        let mut input = egui::RawInput { screen_rect: Some(screen), ..egui::RawInput::default() };
        if let Some(viewport) = input.viewports.get_mut(&input.viewport_id) {
            viewport.native_pixels_per_point = Some(scale);
        }
        let output = self.context.run_ui(input, |ui| {
            let painter = ui.ctx().layer_painter(LayerId::background());
            let place = Pos2::new(at.x, at.y) / scale;
            painter.text(place, Align2::LEFT_BOTTOM, text, FontId::proportional(TEXT), color32(color));
        });
        let primitives = self.context.tessellate(output.shapes, output.pixels_per_point);
        self.painter.paint(canvas, output.textures_delta, &primitives, output.pixels_per_point);
    }
}

/// Returns the largest of 1, 2 and 5 times a power of ten that is not above `length`.
fn round_below(length: f32) -> f32 {
    let mut step = 1.0e-6_f32;
    for factor in [2.0, 2.5, 2.0].into_iter().cycle().take(60) {
        let next = step * factor;
        if next > length * 1.000_01 {
            break;
        }
        step = next;
    }
    // The product of factors is not exact.
    let digits = format!("{step:.0e}");
    digits.parse().unwrap_or(step)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lengths_of_the_bar_are_round() {
        let cases =
            [(1.0, 1.0), (1.9, 1.0), (2.0, 2.0), (4.99, 2.0), (5.0, 5.0), (123.0, 100.0), (0.07, 0.05)];
        for (length, expected) in cases {
            assert_eq!(round_below(length), expected, "{length}");
        }
        assert!(round_below(f32::INFINITY).is_finite() && round_below(f32::NAN).is_finite());
    }
}
