//! The bits of colors in the pixels of a display.

/// The bits of each color.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct PixelFormat {
    masks: [u32; 3],
}

impl Default for PixelFormat {
    /// The format of a canvas: 8 bits of red, green and blue.
    fn default() -> Self {
        Self { masks: [0x00ff_0000, 0x0000_ff00, 0x0000_00ff] }
    }
}

impl PixelFormat {
    /// The format of the display on which windows open; that of a canvas if it is not known.
    ///
    /// # Errors
    /// With the number of bits per color and pixel, if it is less than that of a canvas.
    pub(super) fn of_display() -> Result<Self, u8> {
        #[cfg(all(unix, not(target_os = "macos")))]
        return display::query().unwrap_or(Ok(Self::default()));
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        Ok(Self::default())
    }

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

#[cfg(all(unix, not(target_os = "macos")))]
mod display {
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::VisualClass;

    use super::PixelFormat;

    /// Returns the format of the default visual, as in [`PixelFormat::of_display`]; an error without a display.
    pub(super) fn query() -> anyhow::Result<Result<PixelFormat, u8>> {
        let (connection, number) = x11rb::connect(None)?;
        let setup = connection.setup();
        let Some(screen) = setup.roots.get(number) else {
            return Ok(Ok(PixelFormat::default()));
        };
        let depth = screen.root_depth;
        let bits = setup.pixmap_formats.iter().find(|format| format.depth == depth);
        let visuals = screen.allowed_depths.iter().flat_map(|depth| &depth.visuals);
        let visual = visuals.into_iter().find(|visual| visual.visual_id == screen.root_visual);
        let is_direct =
            visual.is_none_or(|it| [VisualClass::TRUE_COLOR, VisualClass::DIRECT_COLOR].contains(&it.class));
        if depth < 24 || !is_direct || bits.is_some_and(|format| format.bits_per_pixel != 32) {
            return Ok(Err(depth));
        }
        let masks = visual.map(|visual| [visual.red_mask, visual.green_mask, visual.blue_mask]);
        let is_known = |masks: &[u32; 3]| masks.iter().all(|mask| (1..=16).contains(&mask.count_ones()));
        Ok(Ok(masks.filter(is_known).map_or_else(PixelFormat::default, |masks| PixelFormat { masks })))
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
