//! Areas of cells, each of one color.

use glam::Vec2;

use super::blend::over_span;
use super::{Canvas, Color};

/// Sides of the squares of one color in drawings of shapes, pixels.
const SQUARE: f32 = 4.0;

impl Canvas {
    /// Blends over each pixel of the rectangle from `min` to `max` the color of the cell at its center, if it has one. The
    /// cells are in columns and rows, which follow from x and y.
    pub(crate) fn shade(
        &mut self,
        min: Vec2,
        max: Vec2,
        column: impl Fn(f32) -> Option<usize>,
        row: impl Fn(f32) -> Option<usize>,
        color: impl Fn(usize, usize) -> Option<Color>,
    ) {
        let Some(rect) = self.touched(min, max) else {
            return;
        };
        if self.marks.is_some() {
            let size = Vec2::new((rect.x1 - rect.x0) as f32, (rect.y1 - rect.y0) as f32);
            let [columns, rows] = (size / SQUARE).ceil().to_array().map(|count| count as usize);
            for at in 0..columns * rows {
                let at = Vec2::new((at % columns) as f32, (at / columns) as f32);
                let corner = Vec2::new(rect.x0 as f32, rect.y0 as f32) + at * SQUARE;
                let cell = column(corner.x + 0.5 * SQUARE).zip(row(corner.y + 0.5 * SQUARE));
                if let Some(color) = cell.and_then(|(column, row)| color(column, row)) {
                    self.fill_rect(corner, corner + SQUARE, color);
                }
            }
            return;
        }
        let columns: Vec<_> = (rect.x0..rect.x1).map(|x| column(x as f32 + 0.5)).collect();
        // The spans of one color of a row of cells: end and color.
        let (mut spans, mut of): (Vec<(usize, Option<Color>)>, _) = (Vec::new(), None);
        for y in rect.y0..rect.y1 {
            let at = row(y as f32 + 0.5);
            if at.is_none() {
                continue;
            }
            if at != of {
                of = at;
                spans.clear();
                let mut end = 0;
                for same in columns.chunk_by(|a, b| a == b) {
                    end += same.len();
                    let color = same[0].zip(at).and_then(|(column, row)| color(column, row));
                    match spans.last_mut() {
                        Some(last) if last.1 == color => last.0 = end,
                        _ => spans.push((end, color)),
                    }
                }
            }
            let (mut pixels, mut start) = (&mut self.pixels[y * self.width..][rect.x0..rect.x1], 0);
            for (end, color) in &spans {
                let (span, rest) = pixels.split_at_mut(end - start);
                (pixels, start) = (rest, *end);
                if let Some(color) = color {
                    over_span(span, color.packed(), u32::from(color.a) * 256 / 255);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pixel_has_the_color_of_the_cell_at_its_center() {
        let mut canvas = Canvas::new(4, 2);
        let cell = |at: f32| Some(at as usize);
        let color = |x: usize, y: usize| (x > 0).then(|| Color::rgb(x as u8, y as u8, 0));
        canvas.shade(Vec2::ZERO, Vec2::new(3.0, 9.0), cell, cell, color);
        assert_eq!(canvas.pixels(), [0, 0x01_0000, 0x02_0000, 0, 0, 0x01_0100, 0x02_0100, 0]);
    }

    #[test]
    fn cells_cover_several_pixels_and_those_outside_of_the_rows_and_columns_have_no_color() {
        let mut canvas = Canvas::new(5, 4);
        let cell = |at: f32| (at < 4.0).then_some(at as usize / 2);
        let rows = |at: f32| (at < 3.0).then_some(at as usize / 2);
        let color = |x: usize, y: usize| (x + y != 1).then(|| Color::rgb(1, x as u8, y as u8));
        canvas.shade(Vec2::ZERO, Vec2::new(5.0, 4.0), cell, rows, color);
        let (first, third) = ([0x01_0000, 0x01_0000, 0, 0, 0], [0, 0, 0x01_0101, 0x01_0101, 0]);
        assert_eq!(canvas.pixels(), [first, first, third, [0; 5]].concat());
    }
}
