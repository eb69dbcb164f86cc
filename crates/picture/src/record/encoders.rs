//! Encoders of frames, one for each format.

use steerbox_project::reload::Pending;

use super::apng::Apng;
use super::encoder::Encoder;
use super::error::RecordError;
use super::ffmpeg::Ffmpeg;
use super::format::Format;
use super::gif::Gif;
use super::options::RecordOptions;
use super::page::PageFile;
use super::still::Png;
use super::svg::Svg;

/// Returns the encoder of the options' format.
///
/// # Errors
/// If it cannot start.
pub(super) fn encoder(options: &RecordOptions, file: Pending) -> Result<Box<dyn Encoder>, RecordError> {
    match options.format {
        Format::Png => Ok(Box::new(Png::new(file))),
        Format::Svg => Ok(Box::new(Svg::new(file))),
        Format::Gif => Ok(Box::new(Gif::new(options, file))),
        Format::Apng => Ok(Box::new(Apng::new(options, file))),
        Format::Mp4 | Format::WebM => Ok(Box::new(Ffmpeg::start(Ffmpeg::installed(), options, file)?)),
        Format::Html => Ok(Box::new(PageFile::new(file))),
    }
}
