//! Formats of recordings, chosen by the extension of the file.

use std::path::Path;

use steerbox_core::enum_with_all;

use super::error::RecordError;

enum_with_all! {
    /// The format of a recording.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum Format {
        /// A picture of the last state.
        Png,
        /// A drawing of the last state.
        Svg,
        /// An animation with at most 256 colors per frame.
        Gif,
        /// An animation without loss.
        Apng,
        /// A video, encoded by ffmpeg as H.264.
        Mp4,
        /// A video, encoded by ffmpeg as VP9.
        WebM,
        /// A page that plays the run in a browser.
        Html,
    }
}

/// The properties of a format.
struct Row {
    extension: &'static str,
    /// Default and greatest number of frames per second; `None` for the picture of one state.
    rates: Option<[u32; 2]>,
    /// True if a background can be transparent.
    is_transparent: bool,
    /// Multiple of pixels that both sides must have.
    multiple: usize,
}

impl Row {
    const fn new(
        extension: &'static str,
        rates: Option<[u32; 2]>,
        is_transparent: bool,
        multiple: usize,
    ) -> Self {
        Self { extension, rates, is_transparent, multiple }
    }
}

impl Format {
    /// Returns the format of a file by its extension, in upper or lower case.
    ///
    /// # Errors
    /// If the extension is unknown; the error names all known ones.
    pub fn of(path: &Path) -> Result<Self, RecordError> {
        let extension = path.extension().unwrap_or_default();
        let found = Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()));
        found.ok_or_else(|| RecordError::Extension(Self::extensions()))
    }

    fn row(self) -> Row {
        match self {
            Self::Png => Row::new("png", None, true, 1),
            Self::Svg => Row::new("svg", None, true, 1),
            // Viewers show a frame for at least two hundredths of a second.
            Self::Gif => Row::new("gif", Some([20, 50]), true, 1),
            Self::Apng => Row::new("apng", Some([30, 120]), true, 1),
            Self::Mp4 => Row::new("mp4", Some([60, 120]), false, 2),
            Self::WebM => Row::new("webm", Some([60, 120]), true, 2),
            // The page interpolates.
            Self::Html => Row::new("html", Some([20, 60]), false, 1),
        }
    }

    /// Returns the extension of its files, without the dot.
    pub fn extension(self) -> &'static str {
        self.row().extension
    }

    /// Returns true for a picture of one state.
    pub fn is_still(self) -> bool {
        self.row().rates.is_none()
    }

    /// Returns the default and the greatest number of frames per second; `None` for a picture of one state.
    pub fn rates(self) -> Option<[u32; 2]> {
        self.row().rates
    }

    /// Returns true if its background can be transparent.
    pub fn is_transparent(self) -> bool {
        self.row().is_transparent
    }

    /// Returns the smallest size in pixels that contains `size` and that the format can store.
    #[must_use]
    pub fn fitting(self, (width, height): (usize, usize)) -> (usize, usize) {
        // Sides that overflow are out of range in any case.
        let fitting = |side: usize| side.checked_next_multiple_of(self.row().multiple).unwrap_or(side);
        (fitting(width), fitting(height))
    }

    /// Returns the known extensions as in messages.
    fn extensions() -> String {
        let all: Vec<_> = Self::ALL.iter().map(|format| format!(".{}", format.extension())).collect();
        let (last, others) = all.split_last().map_or(("", &[][..]), |(last, others)| (last.as_str(), others));
        format!("{} or {last}", others.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_extension_determines_the_format() {
        for format in Format::ALL {
            let of = |name: String| Format::of(Path::new(&name)).ok();
            assert_eq!(of(format!("a.{}", format.extension())), Some(format));
            assert_eq!(of(format!("dir.x/a.{}", format.extension().to_uppercase())), Some(format));
        }
        assert_eq!(Format::Mp4.fitting((1281, 800)), (1282, 800));
        assert_eq!(Format::Png.fitting((1281, 801)), (1281, 801));
        assert_eq!(Format::WebM.fitting((usize::MAX, 1)), (usize::MAX, 2));
    }

    #[test]
    fn an_unknown_extension_is_an_error_that_names_the_known_ones() {
        for name in ["a.bmp", "a", "png", "a.gif.txt", ".png"] {
            let error = Format::of(Path::new(name)).expect_err(name).to_string();
            assert!(error.contains(".png, .svg, .gif, .apng, .mp4, .webm or .html"), "{error}");
        }
    }
}
