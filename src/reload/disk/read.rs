//! Reading a file so that it cannot be torn: the same before, during and after.

use std::fs::{File, Metadata};
use std::io::Read;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, SystemTime};

use thiserror::Error;

/// Why a file that is there cannot serve.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum ReadFault {
    /// It is longer than allowed.
    #[error("the file is longer than {0} bytes")]
    TooLarge(u64),
    /// It is not text: offset of the first byte that is not UTF-8.
    #[error("the file is not UTF-8 text: byte {0} is the first that is not")]
    NotUtf8(usize),
    /// The system says no.
    #[error("the file cannot be read: {0}")]
    Io(String),
}

/// What tells one version of a file from another without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Fingerprint {
    identity: (u64, u64),
    length: u64,
    modified: Option<SystemTime>,
    changed: (i64, i64),
}

impl Fingerprint {
    #[cfg(unix)]
    fn of(meta: &Metadata) -> Self {
        use std::os::unix::fs::MetadataExt;
        Self {
            identity: (meta.dev(), meta.ino()),
            length: meta.len(),
            modified: meta.modified().ok(),
            changed: (meta.ctime(), meta.ctime_nsec()),
        }
    }

    #[cfg(not(unix))]
    fn of(meta: &Metadata) -> Self {
        Self {
            identity: (0, 0),
            length: meta.len(),
            modified: meta.modified().ok(),
            changed: (0, 0),
        }
    }

    /// Of the file at `path`, links followed; `None` if there is none.
    pub(super) fn at(path: &Path) -> Option<Self> {
        let meta = std::fs::metadata(path).ok()?;
        meta.is_file().then(|| Self::of(&meta))
    }

    /// Whether it was written so recently that the clock may not tell the next write from it.
    pub(super) fn is_young(&self) -> bool {
        let age = self
            .modified
            .and_then(|time| SystemTime::now().duration_since(time).ok());
        age.is_none_or(|age| age < Duration::from_millis(20))
    }
}

/// Device and inode of a folder; `None` if there is none.
pub(super) fn folder_identity(path: &Path) -> Option<(u64, u64)> {
    let meta = std::fs::metadata(path).ok()?;
    meta.is_dir().then(|| Fingerprint::of(&meta).identity)
}

/// A file's version and content, read whole; `None` if it changed meanwhile or is not there.
pub(super) fn read(path: &Path, cap: u64) -> Option<(Fingerprint, Result<Arc<str>, ReadFault>)> {
    let io = |error: std::io::Error| Err(ReadFault::Io(error.to_string()));
    let before = Fingerprint::at(path)?;
    let mut file = match File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return None,
        Err(error) => return Some((before, io(error))),
    };
    let mut bytes = Vec::new();
    if let Err(error) = (&mut file).take(cap + 1).read_to_end(&mut bytes) {
        return Some((before, io(error)));
    }
    let after = file.metadata().ok().map(|meta| Fingerprint::of(&meta));
    if after != Some(before) || Fingerprint::at(path) != Some(before) {
        return None;
    }
    Some((before, text(bytes, cap)))
}

fn text(bytes: Vec<u8>, cap: u64) -> Result<Arc<str>, ReadFault> {
    if bytes.len() as u64 > cap {
        return Err(ReadFault::TooLarge(cap));
    }
    match String::from_utf8(bytes) {
        Ok(text) => Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).into()),
        Err(error) => Err(ReadFault::NotUtf8(error.utf8_error().valid_up_to())),
    }
}
