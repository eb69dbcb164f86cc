//! The bits of colors in the pixels of a display.

/// The bits of each color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct PixelFormat {
    pub(super) masks: [u32; 3],
}

impl Default for PixelFormat {
    /// The format of a canvas: 8 bits of red, green and blue.
    fn default() -> Self {
        Self { masks: [0x00ff_0000, 0x0000_ff00, 0x0000_00ff] }
    }
}

impl PixelFormat {
    /// Returns the pixels of a canvas in this format, in `buffer` if it is another one.
    pub(super) fn converted<'a>(&self, pixels: &'a [u32], buffer: &'a mut Vec<u32>) -> &'a [u32] {
        if *self == Self::default() {
            return pixels;
        }
        buffer.clear();
        buffer.extend(pixels.iter().map(|pixel| self.pixel(*pixel)));
        buffer
    }

    fn pixel(self, pixel: u32) -> u32 {
        let parts = self.masks.into_iter().zip([16, 8, 0]).map(|(mask, at)| {
            let (level, bits) = (u64::from(pixel >> at & 0xff), mask.count_ones());
            let greatest = (1_u64 << bits) - 1;
            (((level * greatest + 127) / 255) as u32) << mask.trailing_zeros()
        });
        parts.fold(0, |all, part| all | part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colors_are_scaled_to_the_bits_of_the_display() {
        let deep = PixelFormat { masks: [0x3ff0_0000, 0x000f_fc00, 0x0000_03ff] };
        assert_eq!(deep.pixel(0x00ff_ffff), 0x3fff_ffff);
        // 128 · 1023 / 255 = 513.5, rounded.
        assert_eq!(deep.pixel(0x0080_0001), 514 << 20 | 4);
        let reversed = PixelFormat { masks: [0xff, 0xff00, 0x00ff_0000] };
        assert_eq!(reversed.pixel(0x0012_3456), 0x0056_3412);
        let mut buffer = Vec::new();
        assert_eq!(deep.converted(&[0, 0x00ff_0000], &mut buffer), [0, 0x3ff0_0000]);
        assert_eq!(PixelFormat::default().converted(&[7], &mut buffer), [7]);
    }
}
