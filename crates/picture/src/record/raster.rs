//! Frames as pixels.

use steerbox_scene::Color;

use super::bar::Bar;
use super::shot::Shot;
use crate::render::canvas::Canvas;

/// Buffers for the pixels of frames, reused from one to the next.
#[derive(Default)]
pub(super) struct Raster {
    canvas: Canvas,
    /// The same frame over white, for the opacity of each pixel.
    over_white: Canvas,
    bar: Bar,
    pixels: Vec<u32>,
}

impl Raster {
    /// Draws a frame. Returns its pixels as `0xAARRGGBB` with straight alpha, row after row.
    pub(super) fn draw(&mut self, shot: &Shot<'_>) -> &[u32] {
        let Self { canvas, over_white, bar, pixels } = self;
        pixels.clear();
        if shot.options.picture.transparent {
            canvas.set_ground(Some(Color::BLACK));
            over_white.set_ground(Some(Color::WHITE));
            shot.draw(canvas, bar);
            shot.draw(over_white, bar);
            let pairs = canvas.pixels().iter().zip(over_white.pixels());
            pixels.extend(pairs.map(|(black, white)| unblended(*black, *white)));
        } else {
            shot.draw(canvas, bar);
            pixels.extend(canvas.pixels().iter().map(|pixel| 0xff00_0000 | pixel));
        }
        &self.pixels
    }

    /// Fills the background of all frames with one color.
    pub(super) fn flatten(&mut self, ground: Color) {
        self.canvas.set_ground(Some(ground));
    }
}

/// Returns the color and the opacity of a pixel from its blends with black and with white.
fn unblended(black: u32, white: u32) -> u32 {
    let [[_, r, g, b], [_, white_r, white_g, white_b]] = [black, white].map(u32::to_be_bytes);
    // Each channel rounds differently; the mean is the best estimate.
    let rest =
        [(r, white_r), (g, white_g), (b, white_b)].map(|(low, high)| u32::from(high.saturating_sub(low)));
    let alpha = 255 - (rest.iter().sum::<u32>() + 1) / 3;
    let straight = |level: u8| (u32::from(level) * 255 + alpha / 2).checked_div(alpha).unwrap_or(0).min(255);
    alpha << 24 | straight(r) << 16 | straight(g) << 8 | straight(b)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blends_with_black_and_white_determine_color_and_opacity() {
        assert_eq!(unblended(0, 0x00ff_ffff), 0);
        assert_eq!(unblended(0x0012_3456, 0x0012_3456), 0xff12_3456);
        let blend =
            |color: u32, alpha: u32, ground: u32| (color * alpha + ground * (255 - alpha) + 127) / 255;
        for alpha in [10, 60, 128, 200, 250] {
            let colors = [250, 120, 30];
            let over =
                |ground: u32| colors.iter().fold(0, |all, color| all << 8 | blend(*color, alpha, ground));
            let [a, r, g, b] = unblended(over(0), over(255)).to_be_bytes();
            assert!(u32::from(a).abs_diff(alpha) <= 1);
            let tolerance = 255 / alpha + 2;
            for (found, color) in [r, g, b].into_iter().zip(colors) {
                assert!(u32::from(found).abs_diff(color) <= tolerance, "{alpha}: {found} {color}");
            }
        }
    }
}
