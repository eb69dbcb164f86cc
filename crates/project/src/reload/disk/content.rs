//! Contents of files, as reported.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;

/// A file whose content differs from what was last reported.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Change {
    /// The file as in the watch set: its own path, or its folder's path and its name.
    pub path: PathBuf,
    /// The present content. It replaces everything reported before.
    pub content: Content,
}

/// Content of a file, once it is stable.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Content {
    /// Its whole text, without a byte order mark. May be empty.
    Text(Arc<str>),
    /// There is no such file, or a dangling link.
    Missing,
    /// The file exists, and its text cannot be read.
    Unreadable(ReadFault),
}

/// Saved content of a file: its text, or the reason why it cannot be read; `None` if there is no file.
pub type SavedText = Option<Result<Arc<str>, Fault>>;

/// Reason why an existing file cannot be used.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ReadFault {
    /// It exceeds this limit, in bytes.
    #[error("the file is longer than {0} bytes")]
    TooLarge(u64),
    /// It is not UTF-8; the text before the first invalid byte.
    #[error("the file is not UTF-8 text: byte {} is the first that is not", .0.len())]
    NotUtf8(Arc<str>),
    /// It is a picture that cannot be used; the reason.
    #[error("{0}")]
    Picture(String),
    /// It is a link to somewhere outside its folder.
    #[error("it is a link that leads out of its folder: link to a file in it, or copy the file")]
    LeadsOut,
    /// The system's message, or that it is not a plain file.
    #[error("the file cannot be read: {0}")]
    Io(String),
}

impl ReadFault {
    /// Returns the fault of a file with a name in messages.
    pub(in crate::reload) fn of_file(&self, name: &str) -> Fault {
        match self {
            Self::NotUtf8(text) => {
                let shown = format!("{text}\u{fffd}");
                Fault::not_utf8(name, shown.as_bytes(), text.len())
            }
            _ => Fault::of_file(name, self.to_string()),
        }
    }

    /// Returns the text of a file.
    ///
    /// # Errors
    /// `NotUtf8` if it is not text.
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
