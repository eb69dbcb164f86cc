//! Drawing on two threads: the upper half of a canvas, and the lower one.

use super::Canvas;
use crate::render::beside::beside;

impl Canvas {
    /// Calls `draw` for the upper half and for the lower half at the same time. Each call draws the whole
    /// picture, clipped to the rows of that half: [`Canvas::clip`] shows what can be skipped.
    pub(crate) fn draw_halves(&mut self, draw: impl Fn(&mut Self) + Sync) {
        if self.is_of_marks() {
            return draw(self);
        }
        let middle = self.height / 2;
        let mut lower = self.lower.take().unwrap_or_default();
        lower.resize(self.width, self.height);
        lower.hold(middle..self.height);
        lower.ground = self.ground;
        self.hold(0..middle);
        beside(|| draw(&mut lower), || draw(self));
        self.hold(0..self.height);
        self.pixels[middle * self.width..].copy_from_slice(&lower.pixels[middle * self.width..]);
        self.lower = Some(lower);
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;
    use crate::render::canvas::Color;

    #[test]
    fn both_halves_equal_the_whole_picture() {
        let draw = |canvas: &mut Canvas| {
            let [dark, light] = [10, 200].map(|level| Color { r: level, b: 80, a: 255, ..Color::default() });
            canvas.fill_gradient(dark, light);
            for step in 0..60 {
                let at = Vec2::new(step as f32 * 7.3, 140.0 + step as f32 * 0.37);
                canvas.fill_disc(at, 9.0, dark);
                canvas.fill_polygon(&[at, at + Vec2::new(30.0, 12.0), at + Vec2::new(-4.0, 25.0)], light);
                canvas.trail(&[(at, 1.0), (at + Vec2::new(20.0, 50.0), 0.2)], (3.0, 0.5), dark);
                canvas.fill_rect(at, at + 3.3, light);
            }
        };
        let mut whole = Canvas::new(401, 301);
        draw(&mut whole);
        let mut halves = Canvas::new(401, 301);
        for _ in 0..2 {
            halves.draw_halves(draw);
        }
        // A shape that is cut at the middle is rounded differently.
        let channels = |canvas: &Canvas| {
            canvas.pixels().iter().flat_map(|pixel| pixel.to_be_bytes()).collect::<Vec<_>>()
        };
        let worst = channels(&whole).into_iter().zip(channels(&halves)).map(|(a, b)| a.abs_diff(b)).max();
        assert!(worst <= Some(2), "{worst:?}");
        assert_eq!(halves.clip(), whole.clip());
    }
}
