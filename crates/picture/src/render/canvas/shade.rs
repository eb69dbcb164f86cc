//! Areas whose color depends on the place.

use glam::Vec2;

use super::blend::over;
use super::{Canvas, Color};

/// Sides of the squares of one color in drawings of shapes, pixels.
const SQUARE: f32 = 4.0;

impl Canvas {
    /// Blends over each pixel of the rectangle from `min` to `max` the color at its center, if it has one.
    pub(crate) fn shade(&mut self, min: Vec2, max: Vec2, color: impl Fn(Vec2) -> Option<Color>) {
        let Some(rect) = self.touched(min, max) else {
            return;
        };
        if self.marks.is_some() {
            let size = Vec2::new((rect.x1 - rect.x0) as f32, (rect.y1 - rect.y0) as f32);
            let [columns, rows] = (size / SQUARE).ceil().to_array().map(|count| count as usize);
            for at in 0..columns * rows {
                let at = Vec2::new((at % columns) as f32, (at / columns) as f32);
                let corner = Vec2::new(rect.x0 as f32, rect.y0 as f32) + at * SQUARE;
                if let Some(color) = color(corner + 0.5 * SQUARE) {
                    self.fill_rect(corner, corner + SQUARE, color);
                }
            }
            return;
        }
        for y in rect.y0..rect.y1 {
            let row = &mut self.pixels[y * self.width..][rect.x0..rect.x1];
            for (x, pixel) in (rect.x0..).zip(row) {
                if let Some(color) = color(Vec2::new(x as f32, y as f32) + 0.5) {
                    *pixel = over(*pixel, color.packed(), u32::from(color.a) * 256 / 255);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_has_the_color_of_its_center() {
        let mut canvas = Canvas::new(4, 2);
        let color = |at: Vec2| (at.x > 1.0).then(|| Color::rgb(at.x as u8, at.y as u8, 0));
        canvas.shade(Vec2::ZERO, Vec2::new(3.0, 9.0), color);
        assert_eq!(canvas.pixels(), [0, 0x01_0000, 0x02_0000, 0, 0, 0x01_0100, 0x02_0100, 0]);
    }
}
