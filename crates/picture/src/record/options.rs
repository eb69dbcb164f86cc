//! Options of a recording, checked before anything is allocated.

use super::error::RecordError;
use super::format::Format;
use crate::render::theme::ThemeName;

/// Minimum and maximum length of a side, pixels.
const SIDE: [usize; 2] = [16, 8192];
/// Maximum number of pixels of a picture: more than 8K.
const PIXELS: usize = 1 << 25;
/// Minimum and maximum scale.
const SCALE: [f32; 2] = [0.25, 8.0];
/// Default size of a GIF, pixels: a larger one exceeds the limits of many services.
const GIF: (usize, usize) = (640, 400);
/// Default size of other formats, pixels.
const USUAL: (usize, usize) = (1280, 800);

/// The look of a picture.
#[derive(Clone, Copy, Debug, PartialEq)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub struct PictureOptions {
    /// Width and height in pixels; that of the format if `None`.
    pub size: Option<(usize, usize)>,
    /// Pixels per point, the unit of widths and least sizes.
    pub scale: f32,
    /// The colors.
    pub theme: ThemeName,
    /// True if the background is transparent.
    pub transparent: bool,
    /// True if trails are shown.
    pub trails: bool,
    /// True if a scale bar and the simulated time are shown.
    pub bar: bool,
}

impl Default for PictureOptions {
    fn default() -> Self {
        let theme = ThemeName::default();
        Self { size: None, scale: 1.0, theme, transparent: false, trails: false, bar: false }
    }
}

/// The format of a recording and the look of its frames.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RecordOptions {
    /// The format.
    pub format: Format,
    /// Frames per second of real time; the default of the format if `None`.
    pub fps: Option<u32>,
    /// The look of each frame.
    pub picture: PictureOptions,
}

impl RecordOptions {
    /// Returns default options for a format.
    pub fn new(format: Format) -> Self {
        Self { format, fps: None, picture: PictureOptions::default() }
    }

    /// Checks every option against its range and the format.
    ///
    /// # Errors
    /// If the size is outside of 16 to 8192 pixels a side or 33.5 million pixels, the scale of 0.25 to 8, the frame
    /// rate beyond that of the format, or the format has no transparency.
    pub fn check(&self) -> Result<(), RecordError> {
        let extension = self.format.extension();
        let require = |is_met: bool, message: &dyn Fn() -> String| {
            if is_met { Ok(()) } else { Err(RecordError::Options(message())) }
        };
        check_size(self.size())?;
        let [least, most] = SCALE;
        require((least..=most).contains(&self.picture.scale), &|| {
            format!("a picture has a scale from {least} to {most}, not {}", self.picture.scale)
        })?;
        require(self.format.is_transparent() || !self.picture.transparent, &|| {
            format!("the background of .{extension} files cannot be transparent")
        })?;
        // The theme is that of the reader, too, but has no value that means none.
        let unset = PictureOptions { theme: self.picture.theme, ..PictureOptions::default() };
        require(self.format != Format::Html || self.picture == unset, &|| {
            "a page has the size and the look that its reader chooses; only the frames per second can be set"
                .to_owned()
        })?;
        let Some(fps) = self.fps else { return Ok(()) };
        let Some([_, most]) = self.format.rates() else {
            let message = format!("a .{extension} file shows one state and has no frames per second");
            return Err(RecordError::Options(message));
        };
        require((1..=most).contains(&fps), &|| {
            format!("a .{extension} file has 1 to {most} frames per second, not {fps}")
        })
    }

    /// Returns the width and height of a frame in pixels.
    pub fn size(&self) -> (usize, usize) {
        let usual = if self.format == Format::Gif { GIF } else { USUAL };
        self.format.fitting(self.picture.size.unwrap_or(usual))
    }

    /// Returns the number of frames per second; 0 for a picture of one state.
    pub fn fps(&self) -> u32 {
        let usual = self.format.rates().map_or(0, |[usual, _]| usual);
        self.fps.unwrap_or(usual)
    }
}

fn check_size((width, height): (usize, usize)) -> Result<(), RecordError> {
    let [least, most] = SIDE;
    let is_side = |side: usize| (least..=most).contains(&side);
    if is_side(width) && is_side(height) && width * height <= PIXELS {
        return Ok(());
    }
    let message = format!(
        "a picture of {width}x{height} pixels: expected sides from {least} to {most} and at most {} million pixels",
        PIXELS / 1_000_000
    );
    Err(RecordError::Options(message))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_outside_of_their_ranges_are_refused() {
        let of = |format| RecordOptions::new(format);
        let sized = |size| {
            let picture = PictureOptions { size: Some(size), ..PictureOptions::default() };
            RecordOptions { picture, ..of(Format::Png) }
        };
        let scaled = |scale| {
            let picture = PictureOptions { scale, ..PictureOptions::default() };
            RecordOptions { picture, ..of(Format::Png) }
        };
        for size in [(16, 16), (8192, 4096)] {
            assert!(sized(size).check().is_ok(), "{size:?}");
        }
        for size in [(0, 0), (15, 100), (8193, 100), (8192, 8192), (usize::MAX, 100)] {
            assert!(sized(size).check().is_err(), "{size:?}");
        }
        for scale in [0.0, -1.0, 9.0, f32::NAN, f32::INFINITY] {
            assert!(scaled(scale).check().is_err(), "{scale}");
        }
        let fps = |format, fps| RecordOptions { fps: Some(fps), ..of(format) }.check().is_ok();
        assert_eq!([0, 1, 50, 51].map(|rate| fps(Format::Gif, rate)), [false, true, true, false]);
        assert!(fps(Format::Mp4, 120) && !fps(Format::Mp4, 121) && !fps(Format::Png, 30));
        let picture = PictureOptions { transparent: true, ..PictureOptions::default() };
        let transparent = |format| RecordOptions { picture, ..of(format) }.check().is_ok();
        let picture = PictureOptions { size: Some((800, 600)), ..PictureOptions::default() };
        assert!(RecordOptions { picture, ..of(Format::Html) }.check().is_err());
        assert!(transparent(Format::Png) && transparent(Format::WebM) && !transparent(Format::Mp4));
    }
}
