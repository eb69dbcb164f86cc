//! The file system as a trait, so that tests can make each operation fail.

use std::ffi::{OsStr, OsString};
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use crate::reload::read_dir_sorted::read_dir_sorted;

/// Identifies the state of a file without reading it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
pub struct Fingerprint {
    /// Device of the file; 0 if the system does not provide it.
    pub device: u64,
    /// Number of the file on its device; 0 if the system does not provide it.
    pub inode: u64,
    /// Size, bytes.
    pub size: u64,
    /// Time of the last change of the content, in nanoseconds since 1970; programs can set it.
    pub modified: i128,
    /// Time of the last change of content or metadata, in nanoseconds since 1970; 0 if the system does not provide
    /// it.
    pub changed: i128,
}

impl Fingerprint {
    /// Returns the identity of the file, independent of its name.
    pub(super) fn identity(&self) -> (u64, u64) {
        (self.device, self.inode)
    }
}

/// Kind of a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FileKind {
    /// A plain file.
    File,
    /// A directory.
    Folder,
    /// A pipe, a device, a socket: opening it may block forever.
    Other,
}

/// Metadata of a path, links followed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stat {
    /// Its fingerprint.
    pub print: Fingerprint,
    /// Its kind.
    pub kind: FileKind,
}

/// Operations on files for watching.
pub trait FileSystem: Send {
    /// A file open for reading.
    type File: OpenFile;

    /// Returns the metadata of `path`, links followed.
    ///
    /// # Errors
    /// Those of the system; `NotFound` and `NotADirectory` mean that the file does not exist.
    fn stat(&self, path: &Path) -> io::Result<Stat>;

    /// Opens `path` for reading, without blocking.
    ///
    /// # Errors
    /// As for `stat`.
    fn open(&self, path: &Path) -> io::Result<Self::File>;

    /// Returns the names directly in `folder`, in any order.
    ///
    /// # Errors
    /// Those of the system, at opening or later; no names then.
    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>>;

    /// Returns the target of `path` with all links followed.
    ///
    /// # Errors
    /// As for `stat`.
    fn resolve(&self, path: &Path) -> io::Result<PathBuf>;

    /// Returns the time of the clock for time stamps of files, in nanoseconds since 1970.
    fn clock(&self) -> i128;
}

/// A file open for reading.
pub trait OpenFile {
    /// Returns the metadata of the opened file, independent of its present path.
    ///
    /// # Errors
    /// Those of the system.
    fn stat(&self) -> io::Result<Stat>;

    /// Reads the bytes up to the end, at most `limit`.
    ///
    /// # Errors
    /// Those of the system; no bytes then.
    fn read(&mut self, limit: u64) -> io::Result<Vec<u8>>;
}

/// The real file system.
#[derive(Clone, Copy, Debug, Default)]
pub struct RealFiles;

impl FileSystem for RealFiles {
    type File = File;

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        fs::metadata(path).map(|found| stat_of(&found))
    }

    fn open(&self, path: &Path) -> io::Result<File> {
        open_at_once(path)
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        let paths = read_dir_sorted(folder)?;
        let names = paths.iter().filter_map(|path| path.file_name());
        Ok(names.map(OsStr::to_owned).collect())
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        fs::canonicalize(path)
    }

    fn clock(&self) -> i128 {
        nanoseconds(SystemTime::now())
    }
}

impl OpenFile for File {
    fn stat(&self) -> io::Result<Stat> {
        self.metadata().map(|found| stat_of(&found))
    }

    fn read(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let mut bytes = Vec::new();
        self.take(limit).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

/// Opens `path` for reading without blocking: opening a pipe otherwise waits for a writer.
pub(in crate::reload) fn open_at_once(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.read(true);
    #[cfg(unix)]
    {
        use std::os::unix::fs::OpenOptionsExt as _;
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY);
    }
    options.open(path)
}

fn stat_of(found: &Metadata) -> Stat {
    let kind = match found.file_type() {
        kind if kind.is_file() => FileKind::File,
        kind if kind.is_dir() => FileKind::Folder,
        _ => FileKind::Other,
    };
    Stat { print: fingerprint(found), kind }
}

#[cfg(unix)]
fn fingerprint(found: &Metadata) -> Fingerprint {
    use std::os::unix::fs::MetadataExt;
    let nanoseconds = |seconds: i64, rest: i64| i128::from(seconds) * SECOND + i128::from(rest);
    Fingerprint {
        device: found.dev(),
        inode: found.ino(),
        size: found.size(),
        modified: nanoseconds(found.mtime(), found.mtime_nsec()),
        changed: nanoseconds(found.ctime(), found.ctime_nsec()),
    }
}

#[cfg(not(unix))]
fn fingerprint(found: &Metadata) -> Fingerprint {
    Fingerprint {
        size: found.len(),
        modified: found.modified().map_or(0, nanoseconds),
        ..Fingerprint::default()
    }
}

/// Nanoseconds in a second.
#[cfg(unix)]
const SECOND: i128 = 1_000_000_000;

fn nanoseconds(time: SystemTime) -> i128 {
    let signed = |span: std::time::Duration| i128::try_from(span.as_nanos()).unwrap_or(i128::MAX);
    match time.duration_since(SystemTime::UNIX_EPOCH) {
        Ok(after) => signed(after),
        Err(before) => -signed(before.duration()),
    }
}
