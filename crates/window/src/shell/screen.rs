//! Properties of the display before a window exists: its size, its scale and its colors.

use super::pixel_format::PixelFormat;

/// The known properties of a display.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Screen {
    /// Width and height in pixels.
    pub(crate) size: Option<(usize, usize)>,
    /// Pixels per point, as configured for all programs.
    pub(crate) scale: Option<f32>,
    /// The bits of colors; the number of bits per pixel if a window cannot have its colors.
    pub(super) format: Result<PixelFormat, u8>,
}

impl Default for Screen {
    fn default() -> Self {
        Self { size: None, scale: None, format: Ok(PixelFormat::default()) }
    }
}

impl Screen {
    /// The display on which windows open.
    pub(crate) fn of_user() -> Self {
        #[cfg(all(unix, not(target_os = "macos")))]
        let screen = display::query().unwrap_or_default();
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let screen = Self::default();
        screen
    }

    /// Limits the size of a window to that of the screen, pixels.
    pub(crate) fn fitting(&self, wanted: (usize, usize)) -> (usize, usize) {
        let (width, height) = self.size.unwrap_or(wanted);
        (wanted.0.min(width).max(1), wanted.1.min(height).max(1))
    }
}

/// The scale in an X resource database: 96 dots per inch are one pixel per point.
#[cfg_attr(not(all(unix, not(target_os = "macos"))), allow(dead_code))]
fn scale_of(resources: &str) -> Option<f32> {
    let values = resources.lines().filter_map(|line| line.split_once(':'));
    let mut dots = values.filter(|(name, _)| name.trim() == "Xft.dpi").map(|(_, value)| value.trim().parse());
    let dots: f32 = dots.next()?.ok()?;
    (48.0..=384.0).contains(&dots).then_some(dots / 96.0)
}

#[cfg(all(unix, not(target_os = "macos")))]
mod display {
    use x11rb::connection::Connection as _;
    use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _, Screen as Root, Setup, VisualClass};

    use super::{PixelFormat, Screen, scale_of};

    /// Maximum part of the database that is read, in words of four bytes.
    const MAX_WORDS: u32 = 16 * 1024;

    pub(super) fn query() -> anyhow::Result<Screen> {
        let (connection, number) = x11rb::connect(None)?;
        let roots = &connection.setup().roots;
        let Some(screen) = roots.get(number) else {
            return Ok(Screen::default());
        };
        let size = (screen.width_in_pixels.into(), screen.height_in_pixels.into());
        let (from, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
        // The database belongs to the first screen, whichever is used.
        let root = roots.first().unwrap_or(screen).root;
        let resources = connection.get_property(false, root, from, kind, 0, MAX_WORDS)?.reply()?;
        let scale = scale_of(&String::from_utf8_lossy(&resources.value));
        Ok(Screen { size: Some(size), scale, format: format(connection.setup(), screen) })
    }

    /// Returns the format of the default visual.
    fn format(setup: &Setup, screen: &Root) -> Result<PixelFormat, u8> {
        let depth = screen.root_depth;
        let bits = setup.pixmap_formats.iter().find(|format| format.depth == depth);
        let visuals = screen.allowed_depths.iter().flat_map(|depth| &depth.visuals);
        let visual = visuals.into_iter().find(|visual| visual.visual_id == screen.root_visual);
        let is_direct =
            visual.is_none_or(|it| [VisualClass::TRUE_COLOR, VisualClass::DIRECT_COLOR].contains(&it.class));
        if depth < 24 || !is_direct || bits.is_some_and(|format| format.bits_per_pixel != 32) {
            return Err(depth);
        }
        let masks = visual.map(|visual| [visual.red_mask, visual.green_mask, visual.blue_mask]);
        let is_known = |masks: &[u32; 3]| masks.iter().all(|mask| (1..=16).contains(&mask.count_ones()));
        Ok(masks.filter(is_known).map_or_else(PixelFormat::default, |masks| PixelFormat { masks }))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_follows_plausible_dots_per_inch() {
        assert_eq!(scale_of("*customization:\t-color\nXft.dpi:\t192\nXft.antialias: 1\n"), Some(2.0));
        assert_eq!(scale_of("Xft.dpi: 144.0"), Some(1.5));
        for nothing in
            ["", "Xft.dpi", "Xft.dpi:", "Xft.dpi: many", "Xft.dpi: 0", "Xft.dpi: inf", "Xft.dpi: NaN"]
        {
            assert_eq!(scale_of(nothing), None, "{nothing}");
        }
    }

    #[test]
    fn no_window_is_larger_than_the_screen() {
        let screen = Screen { size: Some((1920, 1080)), ..Screen::default() };
        assert_eq!(screen.fitting((1280, 800)), (1280, 800));
        assert_eq!(screen.fitting((2560, 1600)), (1920, 1080));
        assert_eq!(Screen::default().fitting((2560, 1600)), (2560, 1600));
    }
}
