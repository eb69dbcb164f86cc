//! What is reported of a file; knows neither what paths mean nor any timing.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A file whose content differs from what was last reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file as the watch set names it: a file's own path, or its folder's path and its name.
    pub path: PathBuf,
    /// What the file holds now. It replaces everything reported before.
    pub content: Content,
}

/// What a file holds, once it is stable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Its whole text, without a byte order mark. May be empty.
    Text(Arc<str>),
    /// There is no such file (or a link to nothing).
    Missing,
    /// There is one, and its text cannot be read.
    Unreadable(ReadFault),
}

/// Why a file that is there cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// It is longer than this many bytes, which is allowed.
    #[error("the file is longer than {0} bytes")]
    TooLarge(u64),
    /// It is not text; this much before the first byte that is not UTF-8 is.
    #[error("the file is not UTF-8 text: byte {} is the first that is not", .0.len())]
    NotUtf8(Arc<str>),
    /// It is a link to somewhere outside its folder.
    #[error("it is a link that leads out of its folder: link to a file in it, or copy the file")]
    LeadsOut,
    /// The system's message, or that it is not a plain file.
    #[error("the file cannot be read: {0}")]
    Io(String),
}

impl ReadFault {
    /// The text of a file.
    ///
    /// # Errors
    /// `NotUtf8` where it is none.
    pub(in crate::reload) fn text_of(bytes: &[u8]) -> Result<&str, Self> {
        std::str::from_utf8(bytes).map_err(|error| {
            let (text, _) = bytes.split_at(error.valid_up_to());
            Self::NotUtf8(String::from_utf8_lossy(text).into())
        })
    }
}

impl From<io::Error> for ReadFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error.to_string())
    }
}
