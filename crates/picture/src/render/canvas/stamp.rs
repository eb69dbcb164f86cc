//! Stamps: small shapes that are drawn many times. A stamp is drawn once for every heading and subpixel
//! position, and cached as the weights of two colors in each of its pixels; later uses copy it.

use std::f32::consts::TAU;

use glam::Vec2;

use super::blend::{mixed, shares};
use super::sheet::{Pattern, Sheet, Span, Stamp};
use super::{Canvas, Color, PixelRect};

/// Subpixel positions along each axis.
const PLACES: usize = 4;
/// Headings of a sheet per pixel of its reach: the error stays far below a pixel.
const HEADINGS: f32 = 8.0;
const MAX_HEADINGS: usize = 256;
/// Maximum number of cached sheets.
const MAX_SHEETS: usize = 24;

impl Canvas {
    /// Removes the sheet of `pattern` from the cache, or creates it; to be returned with [`Canvas::cache_sheet`].
    pub(crate) fn sheet(&mut self, pattern: Pattern) -> Sheet {
        let place = self.sheets.iter().position(|sheet| sheet.pattern == pattern);
        place.map_or_else(|| Sheet::new(pattern), |place| self.sheets.remove(place))
    }

    /// Caches a sheet, and drops the least recently used one if there are too many.
    pub(crate) fn cache_sheet(&mut self, sheet: Sheet) {
        self.sheets.push(sheet);
        if self.sheets.len() > MAX_SHEETS {
            self.sheets.remove(0);
        }
    }
}

impl Sheet {
    fn new(pattern: Pattern) -> Self {
        let headings = ((pattern.reach * HEADINGS) as usize).next_power_of_two().min(MAX_HEADINGS);
        Self { pattern, headings, index: vec![0; headings * PLACES * PLACES], ..Self::default() }
    }

    /// True if the stamps were drawn with the opacities of `colors`.
    pub(crate) fn matches(&self, colors: [Color; 2]) -> bool {
        self.pattern.alphas == colors.map(|color| color.a)
    }

    /// Draws the pattern around `center`, its heading along the unit vector `heading`, in two colors
    /// with the opacities of the pattern. `draw` draws it for a given center, heading and pair of
    /// colors.
    pub(crate) fn draw(
        &mut self,
        canvas: &mut Canvas,
        (center, heading): (Vec2, Vec2),
        colors: [Color; 2],
        draw: impl Fn(&mut Canvas, Vec2, Vec2, [Color; 2]),
    ) {
        let reach = Vec2::splat(self.pattern.reach);
        let Some(touched) = canvas.touched(center - reach, center + reach) else {
            return;
        };
        let corner = center.floor();
        let place = ((center - corner) * PLACES as f32).min(Vec2::splat(PLACES as f32 - 1.0));
        let turn = libm::atan2f(heading.y, heading.x) / TAU * self.headings as f32;
        let turn = (turn.round() as i32).rem_euclid(self.headings as i32) as usize;
        let slot = (turn * PLACES + place.y as usize) * PLACES + place.x as usize;
        if self.index[slot] == 0 {
            self.add(turn, place.floor(), draw);
            self.index[slot] = self.stamps.len() as u32;
        }
        let stamp = &self.stamps[self.index[slot] as usize - 1];
        self.lay(canvas, stamp, (corner.x as i32, corner.y as i32), touched, colors);
    }

    /// Draws a stamp in the colors that encode the weights of both colors and of the background.
    fn add(&mut self, turn: usize, place: Vec2, draw: impl Fn(&mut Canvas, Vec2, Vec2, [Color; 2])) {
        let middle = self.pattern.reach.ceil() as usize;
        let side = 2 * middle + 1;
        let mut canvas = Canvas::new(side, side);
        let [first, second] = self.pattern.alphas;
        let under = Color { b: 255, ..Color::default() };
        canvas.clear(under);
        let center = Vec2::splat(middle as f32) + (place + 0.5) / PLACES as f32;
        let heading = Vec2::from_angle(turn as f32 / self.headings as f32 * TAU);
        let colors =
            [Color { r: 255, a: first, ..Color::default() }, Color { g: 255, a: second, ..Color::default() }];
        draw(&mut canvas, center, heading, colors);
        let is_covered = |pixel: &u32| *pixel != under.packed();
        let mut rows = canvas.pixels.chunks(side);
        let above = rows.clone().take_while(|row| !row.iter().any(is_covered)).count();
        let spans = self.spans.len() as u32;
        let texels = self.texels.len() as u32;
        for row in rows.by_ref().skip(above) {
            let first = row.iter().position(is_covered).unwrap_or(0);
            let end = row.iter().rposition(is_covered).map_or(0, |last| last + 1);
            self.spans.push(Span {
                left: (first as i32 - middle as i32) as i16,
                length: (end.max(first) - first) as u16,
            });
            self.texels.extend(row[first..end.max(first)].iter().map(|pixel| shares(*pixel)));
        }
        self.stamps.push(Stamp {
            top: above as i32 - middle as i32,
            spans: spans..self.spans.len() as u32,
            texels,
        });
    }

    fn lay(
        &self,
        canvas: &mut Canvas,
        stamp: &Stamp,
        (x, y): (i32, i32),
        clip: PixelRect,
        colors: [Color; 2],
    ) {
        let colors = colors.map(Color::packed);
        let mut texels = &self.texels[stamp.texels as usize..];
        let rows = &self.spans[stamp.spans.start as usize..stamp.spans.end as usize];
        let (low, high) = (clip.x0 as i32, clip.x1 as i32);
        for (y, span) in (y + stamp.top..).zip(rows) {
            let (row, rest) = texels.split_at(span.length.into());
            texels = rest;
            if y < clip.y0 as i32 || y >= clip.y1 as i32 {
                continue;
            }
            let start = x + i32::from(span.left);
            let (from, to) = (start.max(low), (start + i32::from(span.length)).min(high));
            if from < to {
                let pixels = &mut canvas.pixels[y as usize * canvas.width..][from as usize..to as usize];
                for (pixel, texel) in pixels.iter_mut().zip(&row[(from - start) as usize..]) {
                    *pixel = mixed(*pixel, colors, *texel);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const SIZE: usize = 60;
    const RED: Color = Color { r: 255, g: 0, b: 0, a: 255 };
    const PALE: Color = Color { r: 240, g: 240, b: 255, a: 120 };

    fn dart(canvas: &mut Canvas, center: Vec2, heading: Vec2, [rim, fill]: [Color; 2]) {
        for (size, color) in [(8.0, rim), (6.0, fill)] {
            let (along, across) = (heading * size, heading.perp() * size * 0.6);
            canvas.fill_triangle(center + along, center - along + across, center - along - across, color);
        }
    }

    /// A dart drawn directly, and stamped; both on a background of its own.
    fn both(center: Vec2, angle: f32, clip: PixelRect) -> [Canvas; 2] {
        let pattern = Pattern { shape: 1, reach: 12.0, alphas: [PALE.a, RED.a], ..Pattern::default() };
        let (heading, colors) = (Vec2::from_angle(angle), [PALE, RED]);
        let mut canvases = [Canvas::new(SIZE, SIZE), Canvas::new(SIZE, SIZE)];
        for canvas in &mut canvases {
            canvas.clear(Color { g: 90, b: 60, ..Color::default() });
            canvas.set_clip(clip);
        }
        dart(&mut canvases[0], center, heading, colors);
        let mut sheet = canvases[1].sheet(pattern);
        sheet.draw(&mut canvases[1], (center, heading), colors, dart);
        canvases[1].cache_sheet(sheet);
        canvases
    }

    const WHOLE: PixelRect = PixelRect { x0: 0, y0: 0, x1: SIZE, y1: SIZE };

    fn mean_difference([a, b]: &[Canvas; 2]) -> f32 {
        let channels = |canvas: &Canvas| -> Vec<u8> {
            canvas.pixels().iter().flat_map(|pixel| pixel.to_be_bytes()).collect()
        };
        let differences = channels(a).into_iter().zip(channels(b)).map(|(a, b)| f32::from(a.abs_diff(b)));
        // Of the pixels that a dart covers, about 130.
        differences.sum::<f32>() / (3.0 * 130.0)
    }

    #[test]
    fn a_stamp_equals_its_original() {
        for step in 0..50 {
            let center = Vec2::new(30.0 + step as f32 * 0.137, 29.0 + step as f32 * 0.071);
            let difference = mean_difference(&both(center, step as f32 * 0.7, WHOLE));
            assert!(difference < 8.0, "{step}: {difference}");
        }
        // At the cached positions and headings, both are equal except for rounding.
        let exact = mean_difference(&both(Vec2::new(30.125, 29.375), TAU / 4.0, WHOLE));
        assert!(exact < 1.0, "{exact}");
    }

    #[test]
    fn stamps_are_clipped_and_may_be_outside() {
        let clip = PixelRect { x0: 21, y0: 25, x1: 33, y1: 31 };
        let [straight, stamped] = both(Vec2::new(30.125, 29.375), 1.5 * TAU / 4.0, clip);
        for (at, (a, b)) in straight.pixels().iter().zip(stamped.pixels()).enumerate() {
            assert_eq!(a & 0xff > 64 || a >> 16 > 4, b & 0xff > 64 || b >> 16 > 4, "{at}");
        }
        for center in [Vec2::splat(-500.0), Vec2::splat(1e9), Vec2::NAN, Vec2::new(-3.0, 63.0)] {
            both(center, 0.3, WHOLE);
        }
        both(Vec2::splat(30.0), f32::NAN, WHOLE);
    }

    #[test]
    fn full_coverage_yields_the_exact_color() {
        let [_, stamped] = both(Vec2::new(30.4, 30.6), 0.2, WHOLE);
        assert_eq!(stamped.pixel(29, 30), Some(RED.packed()));
        assert_eq!(shares(0x0000_00ff), 256);
    }

    #[test]
    fn the_cache_of_sheets_is_bounded() {
        let mut canvas = Canvas::new(4, 4);
        for length in 0..100 {
            let sheet = canvas.sheet(Pattern { length: length as f32, reach: 3.0, ..Pattern::default() });
            canvas.cache_sheet(sheet);
        }
        assert_eq!(canvas.sheets.len(), MAX_SHEETS);
    }
}
