//! Shapes in place of pixels: a canvas that records them is the source of vector graphics.

use super::{Canvas, Mark};

impl Canvas {
    /// A canvas of `width` by `height` pixels that records shapes and has no meaningful pixels.
    pub(crate) fn of_marks(width: usize, height: usize) -> Self {
        Self { marks: Some(Vec::new()), ..Self::new(width, height) }
    }

    /// True if it records shapes.
    pub(crate) fn is_of_marks(&self) -> bool {
        self.marks.is_some()
    }

    /// The recorded shapes in the order of their drawing.
    pub(crate) fn marks(&self) -> &[Mark] {
        self.marks.as_deref().unwrap_or_default()
    }

    /// Records the present clip.
    pub(super) fn mark_clip(&mut self) {
        let clip = self.clip;
        self.mark(|| Mark::Clip(clip));
    }

    /// Records a shape; returns false if the canvas consists of pixels.
    #[inline]
    pub(crate) fn mark(&mut self, mark: impl FnOnce() -> Mark) -> bool {
        let Some(marks) = &mut self.marks else {
            return false;
        };
        marks.push(mark());
        true
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::render::canvas::{Color, PixelRect};

    #[test]
    fn every_shape_is_recorded_in_order_and_no_pixel_is_drawn() {
        let (mut canvas, red) = (Canvas::of_marks(40, 30), Color::rgb(255, 0, 0));
        let (a, b) = (Vec2::new(3.0, 4.0), Vec2::new(20.0, 10.0));
        canvas.fill_gradient(red, Color::WHITE);
        let clip = PixelRect { x0: 1, y0: 1, x1: 39, y1: 29 };
        canvas.draw_halves(|canvas| {
            canvas.set_clip(clip);
            canvas.fill_triangle(a, b, Vec2::new(5.0, 20.0), red);
            canvas.fill_rect(a, b, red);
            canvas.fill_disc(a, 2.0, red);
            canvas.stroke_circle(a, 3.0, 1.5, red);
            canvas.stroke_line(a, b, 2.0, red);
            canvas.trail(&[(a, 1.0), (b, 0.5)], (2.0, 0.8), red);
        });
        let expected = [
            Mark::Gradient([red, Color::WHITE]),
            Mark::Clip(clip),
            Mark::Polygon(vec![a, b, Vec2::new(5.0, 20.0)], red),
            Mark::Rect([a, b], red),
            Mark::Disc { center: a, radius: 2.0, color: red },
            Mark::Circle { center: a, radius: 3.0, width: 1.5, color: red },
            Mark::Line { ends: [a, b], width: 2.0, color: red },
            Mark::Trail { points: vec![(a, 1.0), (b, 0.5)], width: 2.0, taper: 0.8, color: red },
        ];
        assert_eq!(canvas.marks(), expected);
        assert!(canvas.pixels().iter().all(|pixel| *pixel == 0));
    }
}
