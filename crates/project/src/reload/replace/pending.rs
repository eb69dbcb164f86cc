//! Files that are written piece by piece and receive their names when they are complete.

use std::fs::{self, File, Metadata};
use std::io::{self, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

use super::{Beside, ReplaceError, beside, is_free, kind_name, new_target, permit, tidy};

/// A file in progress. Dropped before it is complete, it leaves nothing.
pub struct Pending {
    target: PathBuf,
    /// The file to be replaced; `None` if the name is free.
    old: Option<Metadata>,
    new: Beside,
}

impl Pending {
    /// Starts a new file at `path`.
    ///
    /// # Errors
    /// `Exists` if the name is taken, even by a dangling link; otherwise if the system refuses.
    pub fn create(path: &Path) -> Result<Self, ReplaceError> {
        if is_free(path) { Self::begin(path, None) } else { Err(ReplaceError::Exists) }
    }

    /// Starts a file that replaces the plain file at `path`, or a new one.
    ///
    /// # Errors
    /// If the path leads to something other than a plain file that may be written, a link to one included, or the
    /// system refuses.
    pub fn replace(path: &Path) -> Result<Self, ReplaceError> {
        match fs::symlink_metadata(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Self::begin(path, None),
            Err(error) => Err(ReplaceError::Io(error)),
            Ok(found) if found.is_symlink() => Err(ReplaceError::NotPlain("a link")),
            Ok(found) if !found.is_file() => Err(ReplaceError::NotPlain(kind_name(&found))),
            Ok(found) if found.permissions().readonly() || super::check_writable(path).is_err() => {
                Err(ReplaceError::ReadOnly)
            }
            Ok(found) => Self::begin(path, Some(found)),
        }
    }

    fn begin(path: &Path, old: Option<Metadata>) -> Result<Self, ReplaceError> {
        let target = new_target(path)?;
        tidy(&target);
        let (folder, stem) = beside(&target);
        let mode = if old.is_some() { 0o600 } else { 0o666 };
        let new = Beside::create(&folder, &stem, mode).map_err(ReplaceError::Io)?;
        Ok(Self { target, old, new })
    }

    /// Returns the path of the file in progress, for other programs that write it.
    pub fn path(&self) -> &Path {
        &self.new.path
    }

    /// Returns its present length, bytes.
    ///
    /// # Errors
    /// If the system refuses.
    pub fn bytes(&self) -> io::Result<u64> {
        Ok(self.new.file.metadata()?.len())
    }

    /// Flushes the content to the disk and renames the file.
    ///
    /// # Errors
    /// `Exists` if the name of a new file was taken meanwhile; otherwise if the system refuses. No file has the name
    /// then, or the old one is unchanged.
    pub fn complete(mut self) -> Result<(), ReplaceError> {
        if let Some(meta) = &self.old {
            permit(&self.new.file, meta).map_err(ReplaceError::Io)?;
        }
        self.new.file.sync_all().map_err(ReplaceError::Io)?;
        let put = self.new.put(&self.target, self.old.is_some());
        put.map_err(|error| match error.kind() {
            io::ErrorKind::AlreadyExists => ReplaceError::Exists,
            _ => ReplaceError::Io(error),
        })
    }

    fn file(&self) -> &File {
        &self.new.file
    }
}

impl Write for Pending {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file().flush()
    }
}

impl Seek for Pending {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.file().seek(to)
    }
}
