//! Tables of at most 256 colors.

use std::collections::BTreeMap;

use quantette::{PaletteSize, Pipeline, deps::palette::Srgb};

/// Maximum squared distance of a color from the nearest of the table, and the share of pixels that may exceed it.
const FAR: u32 = 40 * 40;
const FEW: usize = 400;
/// Maximum number of colors whose nearest one is cached.
const CACHED: usize = 1 << 17;
/// Maximum number of times that a color counts: rare colors are those of units.
const COUNTED: usize = 32;

/// Maximum shift of a level by dithering, and the order of pixels in a square of sixteen, after B. Bayer, 1973.
const DITHER: i32 = 6;
const BAYER: [[i32; 4]; 4] = [[0, 8, 2, 10], [12, 4, 14, 6], [3, 11, 1, 9], [15, 7, 13, 5]];

/// A table of colors, and the nearest of each color. Colors are `0xAARRGGBB`; opacity counts only as zero or not.
pub(super) struct Palette {
    /// Opaque colors; the first entry of the table is transparent and precedes them.
    colors: Vec<u32>,
    /// The place of the nearest color.
    nearest: BTreeMap<u32, u8>,
}

impl Palette {
    /// The entry that shows what is below.
    pub(super) const TRANSPARENT: u8 = 0;

    /// Returns a table for the pixels of frames.
    pub(super) fn of(frames: &[impl AsRef<[u32]>]) -> Self {
        let mut sample = Vec::new();
        let mut sorted: Vec<u32> = Vec::new();
        for frame in frames {
            sorted.clear();
            sorted.extend(frame.as_ref().iter().copied().filter(|pixel| pixel >> 24 > 0));
            sorted.sort_unstable();
            for run in sorted.chunk_by(|a, b| a == b) {
                let count = run.len().isqrt().min(COUNTED);
                let [_, r, g, b] = run[0].to_be_bytes();
                sample.extend(std::iter::repeat_n(Srgb::new(r, g, b), count));
            }
        }
        let size = PaletteSize::from_u8_clamped(255);
        let pipeline = Pipeline::new().palette_size(size).ditherer(None);
        let colors =
            pipeline.input_slice(&sample).map(quantette::PipelineWithSliceInput::output_srgb8_palette);
        let colors = colors.map_or_else(|_| Vec::new(), quantette::PaletteBuf::into_vec);
        let packed = |color: Srgb<u8>| u32::from_be_bytes([255, color.red, color.green, color.blue]);
        let mut colors: Vec<u32> = colors.into_iter().map(packed).collect();
        colors.sort_unstable();
        colors.dedup();
        if colors.is_empty() {
            colors.push(0xff00_0000);
        }
        Self { colors, nearest: BTreeMap::new() }
    }

    /// Returns red, green and blue of every entry.
    pub(super) fn table(&self) -> Vec<u8> {
        let entries = std::iter::once(&0).chain(&self.colors);
        entries.flat_map(|color| color.to_be_bytes().into_iter().skip(1)).collect()
    }

    /// Returns true if almost every pixel has a similar color in the table.
    pub(super) fn fits(&mut self, pixels: &[u32]) -> bool {
        let mut far = 0;
        let mut last = (0, false);
        for pixel in pixels.iter().copied().filter(|pixel| pixel >> 24 > 0) {
            if last.0 != pixel {
                last = (pixel, distance(self.nearest(pixel), pixel) > FAR);
            }
            far += usize::from(last.1);
        }
        far * FEW <= pixels.len()
    }

    /// Returns the nearest color of the table.
    pub(super) fn nearest(&mut self, pixel: u32) -> u32 {
        let place = usize::from(self.place(pixel));
        self.colors[place]
    }

    /// Returns the nearest color of the table after ordered dithering, which blurs the edges between colors of a gradient. A pixel
    /// that does not change has the same color in the next frame.
    pub(super) fn dithered(&mut self, pixel: u32, [x, y]: [usize; 2]) -> u32 {
        let shift = (2 * BAYER[y % 4][x % 4] - 15) * DITHER / 15;
        let [a, r, g, b] = pixel.to_be_bytes();
        let [r, g, b] = [r, g, b].map(|level| (i32::from(level) + shift).clamp(0, 255) as u8);
        self.nearest(u32::from_be_bytes([a, r, g, b]))
    }

    /// Returns the entry of a color that is in the table.
    pub(super) fn index(&self, color: u32) -> u8 {
        self.colors.binary_search(&color).map_or(Self::TRANSPARENT, |place| place as u8 + 1)
    }

    fn place(&mut self, pixel: u32) -> u8 {
        if let Some(place) = self.nearest.get(&pixel) {
            return *place;
        }
        let places = self.colors.iter().enumerate();
        let nearest = places.min_by_key(|(_, color)| distance(**color, pixel));
        let place = nearest.map_or(0, |(place, _)| place as u8);
        if self.nearest.len() == CACHED {
            self.nearest.clear();
        }
        self.nearest.insert(pixel, place);
        place
    }
}

/// Squared distance of two colors.
fn distance(a: u32, b: u32) -> u32 {
    let channels = a.to_be_bytes().into_iter().zip(b.to_be_bytes()).skip(1);
    channels.map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn dithering_mixes_the_nearest_colors_and_preserves_those_of_the_table() {
        let table = [0xff10_1010, 0xff1e_1e1e, 0xffff_ffff_u32];
        let mut palette = Palette::of(&[table.repeat(9)]);
        let mut of = |pixel: u32| {
            let places = (0..16).map(|at| [at % 4, at / 4]);
            places.map(|place| palette.dithered(pixel, place)).collect::<Vec<_>>()
        };
        let mixed = of(0xff17_1717);
        let first = mixed.iter().filter(|color| **color == table[0]).count();
        assert!((7..=9).contains(&first), "{mixed:x?}");
        for color in table {
            assert!(of(color).iter().all(|found| *found == color), "{color:x}");
        }
    }

    #[test]
    fn few_colors_are_exact_and_many_are_near() {
        let few: Vec<u32> = (0..2000).map(|at| [0xff10_2030, 0xffff_0000, 0xff00_ff80][at % 3]).collect();
        let mut palette = Palette::of(&[&few]);
        for color in &few[..3] {
            assert_eq!(palette.nearest(*color), *color);
            let index = usize::from(palette.index(*color));
            assert_eq!(palette.table()[index * 3..][..3], color.to_be_bytes()[1..]);
        }
        assert!(palette.fits(&few));
        assert!(!palette.fits(&[0xffff_ffff; 1000]), "another color");
        assert!(palette.fits(&[0; 1000]), "transparent pixels have no color");
        let many: Vec<u32> = (0..60_000).map(|at| 0xff00_0000 | (at * 7919 % 0x0100_0000)).collect();
        let mut palette = Palette::of(&[&many]);
        assert!(palette.table().len() <= 3 * 256);
        assert!(many.iter().all(|pixel| distance(palette.nearest(*pixel), *pixel) < 80 * 80));
        assert_eq!(Palette::of(&[[0_u32; 9]]).table(), [0; 6]);
    }
}
