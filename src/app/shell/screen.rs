//! What the display tells before there is a window: its size, and how large things are to be drawn.

/// What is known of a display.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(in crate::app) struct Screen {
    /// Width and height in pixels.
    pub(in crate::app) size: Option<(usize, usize)>,
    /// Pixels of a point, as its user has chosen it for all programs.
    pub(in crate::app) scale: Option<f32>,
}

impl Screen {
    /// The display that windows open on.
    pub(in crate::app) fn of_user() -> Self {
        #[cfg(all(unix, not(target_os = "macos")))]
        let screen = display::look().unwrap_or_default();
        #[cfg(not(all(unix, not(target_os = "macos"))))]
        let screen = Self::default();
        screen
    }

    /// Pixels of a window that would be `wanted`: as much of it as the screen has.
    pub(in crate::app) fn fitting(&self, wanted: (usize, usize)) -> (usize, usize) {
        let (width, height) = self.size.unwrap_or(wanted);
        (wanted.0.min(width).max(1), wanted.1.min(height).max(1))
    }
}

/// The scale that a resource database of X asks for: 96 dots an inch are a pixel a point.
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
    use x11rb::protocol::xproto::{AtomEnum, ConnectionExt as _};

    use super::{Screen, scale_of};

    /// Most that is read of the database, in words of four bytes.
    const LONGEST: u32 = 16 * 1024;

    pub(super) fn look() -> anyhow::Result<Screen> {
        let (connection, number) = x11rb::connect(None)?;
        let roots = &connection.setup().roots;
        let Some(screen) = roots.get(number) else {
            return Ok(Screen::default());
        };
        let size = (screen.width_in_pixels.into(), screen.height_in_pixels.into());
        let (from, kind) = (AtomEnum::RESOURCE_MANAGER, AtomEnum::STRING);
        // The database stands at the first screen, whichever is used.
        let root = roots.first().unwrap_or(screen).root;
        let resources = connection.get_property(false, root, from, kind, 0, LONGEST)?.reply()?;
        let scale = scale_of(&String::from_utf8_lossy(&resources.value));
        Ok(Screen { size: Some(size), scale })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_scale_is_that_of_the_dots_an_inch_if_they_make_sense() {
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
        let screen = Screen { size: Some((1920, 1080)), scale: None };
        assert_eq!(screen.fitting((1280, 800)), (1280, 800));
        assert_eq!(screen.fitting((2560, 1600)), (1920, 1080));
        assert_eq!(Screen::default().fitting((2560, 1600)), (2560, 1600));
    }
}
