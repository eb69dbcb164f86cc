//! Errors of recordings.

use std::io;

use steerbox_project::reload::ReplaceError;
use thiserror::Error;

/// Reason why a recording was not written. No file has its name then, or the old file is unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum RecordError {
    /// The extension of the file is unknown; these are known.
    #[error("the extension determines the format; expected a name that ends in {0}")]
    Extension(String),
    /// Options do not fit the format.
    #[error("{0}")]
    Options(String),
    /// The file cannot be created or renamed.
    #[error(transparent)]
    File(#[from] ReplaceError),
    /// The file cannot be written.
    #[error("the recording cannot be written: {0}")]
    Io(#[from] io::Error),
    /// The encoder failed.
    #[error("{0}")]
    Encoder(String),
}

impl RecordError {
    /// The error for a format that ffmpeg encodes, which is not installed.
    pub fn no_ffmpeg(extension: &str) -> Self {
        Self::Encoder(format!(
            "ffmpeg is not installed, which encodes .{extension} files: install it (apt install ffmpeg, brew install ffmpeg), \
             or record a .gif or .apng file"
        ))
    }
}
