//! Plots as files.

use std::io;

use steerbox_core::enum_with_all;
use steerbox_project::plot::Chart;

use super::svg::document;
use crate::render::canvas::export::write_png;
use crate::render::chart::Sheet;

enum_with_all! {
    /// The format of a plot in a file.
    #[derive(Clone, Copy, Debug, PartialEq, Eq)]
    pub enum PlotFormat {
        /// Vector graphics.
        Svg,
        /// Pixels.
        Png,
    }
}

impl PlotFormat {
    /// Returns the format of a file with an extension.
    pub fn of_extension(extension: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| extension.eq_ignore_ascii_case(format.extension()))
    }

    /// Returns the extension of its files.
    pub fn extension(self) -> &'static str {
        match self {
            Self::Png => "png",
            Self::Svg => "svg",
        }
    }

    /// Returns the bytes of a plot; the same for the same plot.
    ///
    /// # Errors
    /// If the plot has no size.
    pub fn write(self, chart: &Chart, sheet: &Sheet) -> io::Result<Vec<u8>> {
        match self {
            Self::Svg => Ok(document(&sheet.canvas(chart, true), false).into_bytes()),
            Self::Png => {
                let mut bytes = Vec::new();
                write_png(&mut bytes, &sheet.canvas(chart, false), None)?;
                Ok(bytes)
            }
        }
    }
}
