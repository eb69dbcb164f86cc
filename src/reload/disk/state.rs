//! What is said about a file to those who asked for it; knows no paths' meaning and no timing.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

/// A file whose state differs from what was last reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file as the interest named it: a file's own path, or its folder's path and its name.
    pub path: PathBuf,
    /// What the file is now. It supersedes everything reported before.
    pub state: FileState,
}

/// What a file is, once it has held still.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum FileState {
    /// Its whole text, without a byte order mark. May be empty.
    Content(Arc<str>),
    /// There is no such file (or a link to nothing).
    Missing,
    /// There is one, and its text cannot be had.
    Unreadable(ReadFault),
}

/// Why a file that is there cannot serve.
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
    /// The system says no, in these words, or it is not a plain file.
    #[error("the file cannot be read: {0}")]
    Io(String),
}

impl From<io::Error> for ReadFault {
    fn from(error: io::Error) -> Self {
        Self::Io(error.to_string())
    }
}
