//! The one place where files are replaced or created: at any moment, there is the old content or the new one.
//!
//! The new content is written to a file beside it, flushed to the disk, and renamed onto it. The
//! name of that file begins with a dot, so that it is not taken for a scene or script. Its
//! writer holds a lock on it; one without a lock was left by a program that was killed.
//!
//! Only plain files are replaced: never a device, a pipe, a socket or a folder. A link stays, and the plain
//! file that it leads to is replaced.

#[cfg(test)]
pub(crate) mod targets;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::disk::{ReadFault, open_at_once, read_plain};
use super::read_dir_sorted::read_dir_sorted;

/// Bytes of a file's name that the name beside it repeats: the length of names is limited.
const STEM: usize = 180;
/// Attempts of a replacement while other programs change the file.
pub(super) const ATTEMPTS: usize = 5;
/// Largest file in bytes that [`replace_file`] replaces.
const LONGEST: u64 = 1 << 20;

/// Why a file was not replaced. It is unchanged.
#[derive(Debug, Error)]
#[non_exhaustive]
pub enum ReplaceError {
    /// Another program changed it after it was read.
    #[error("the file was changed by another program at the same moment")]
    Changed,
    /// A new file was to be created, and the name is taken.
    #[error("there is a file of that name already")]
    Exists,
    /// Its permissions forbid it.
    #[error("the file is read-only")]
    ReadOnly,
    /// The path leads to this, not to a plain file.
    #[error("it is {0}, not a plain file, and stays unchanged")]
    NotPlain(&'static str),
    /// It is a link to nothing.
    #[error("it is a link that leads to no file")]
    Dangling,
    /// Its text cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadFault),
    /// The system refused.
    #[error("the new content cannot be written: {0}")]
    Io(io::Error),
}

/// Replaces the plain file at `path`, whatever it holds, by one with this text, or creates it. Links are
/// followed; the file keeps its permissions and, where the system allows it, its owner.
///
/// # Errors
/// When the path leads to something other than a plain file of at most 1 MiB, or the system refuses; what
/// was there is unchanged.
pub fn replace_file(path: &Path, text: &str) -> Result<(), ReplaceError> {
    for _ in 0..ATTEMPTS {
        match Base::find(path, LONGEST)?.replace(text) {
            Err(ReplaceError::Changed) => {}
            replaced => return replaced,
        }
    }
    Err(ReplaceError::Changed)
}

/// Creates a file with this text, whole or not at all.
///
/// # Errors
/// `Exists` when anything has the name, be it a link that leads nowhere; otherwise when the system refuses.
pub fn create_file(path: &Path, text: &str) -> Result<(), ReplaceError> {
    if !is_free(path) {
        return Err(ReplaceError::Exists);
    }
    let base = Base { path: path.to_owned(), target: new_target(path)?, old: None };
    base.replace(text).map_err(|error| match error {
        ReplaceError::Changed => ReplaceError::Exists,
        error => error,
    })
}

/// The stages of a replacement, in this order; tests make each fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Create,
    Write,
    Permit,
    Sync,
    Compare,
    Rename,
}

/// A plain file as it was read, or a free name; it is replaced only as long as it is unchanged.
pub(super) struct Base {
    path: PathBuf,
    /// The file itself, links followed.
    target: PathBuf,
    /// Its content; `None` if there was no file.
    old: Option<(Vec<u8>, Metadata)>,
}

impl Base {
    /// Reads a plain file of at most `limit` bytes.
    ///
    /// # Errors
    /// When there is none, it cannot be read, or may not be replaced.
    pub(super) fn read(path: &Path, limit: u64) -> Result<Self, ReplaceError> {
        let base = Self::find(path, limit)?;
        let missing = || ReadFault::from(io::Error::from(io::ErrorKind::NotFound));
        if base.old.is_some() { Ok(base) } else { Err(missing().into()) }
    }

    /// Like [`Base::read`], and accepts a path without a file.
    ///
    /// # Errors
    /// As [`Base::read`], and for a link that leads nowhere.
    pub(super) fn find(path: &Path, limit: u64) -> Result<Self, ReplaceError> {
        let (target, old) = match fs::canonicalize(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound && is_free(path) => {
                (new_target(path)?, None)
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Err(ReplaceError::Dangling),
            Err(error) => return Err(ReadFault::from(error).into()),
            Ok(target) => {
                let old = read_replaceable(&target, limit)?;
                (target, Some(old))
            }
        };
        Ok(Self { path: path.to_owned(), target, old })
    }

    /// The text that it held, a byte order mark included; empty where there was no file.
    ///
    /// # Errors
    /// When it is not UTF-8.
    pub(super) fn text(&self) -> Result<&str, ReplaceError> {
        let bytes = self.old.as_ref().map_or(&[][..], |(bytes, _)| bytes);
        Ok(ReadFault::text_of(bytes)?)
    }

    /// Puts `text` in its place.
    ///
    /// # Errors
    /// When that fails; then the file is unchanged.
    pub(super) fn replace(&self, text: &str) -> Result<(), ReplaceError> {
        self.replace_unless(text, &mut |_| Ok(()))
    }

    /// Like [`Base::replace`]; `fault` is called before each stage and can make it fail.
    fn replace_unless(
        &self,
        text: &str,
        fault: &mut dyn FnMut(Stage) -> io::Result<()>,
    ) -> Result<(), ReplaceError> {
        use ReplaceError::Io;
        let (folder, stem) = beside(&self.target);
        tidy(&self.target);
        fault(Stage::Create).map_err(Io)?;
        // A replacement is private until it has the permissions of the file; a new file has the default ones.
        let mode = if self.old.is_some() { 0o600 } else { 0o666 };
        let mut new = Beside::create(&folder, &stem, mode).map_err(Io)?;
        fault(Stage::Write).map_err(Io)?;
        new.file.write_all(text.as_bytes()).map_err(Io)?;
        fault(Stage::Permit).map_err(Io)?;
        if let Some((_, meta)) = &self.old {
            permit(&new.file, meta).map_err(Io)?;
        }
        fault(Stage::Sync).map_err(Io)?;
        new.file.sync_all().map_err(Io)?;
        fault(Stage::Compare).map_err(Io)?;
        if !self.is_current() {
            return Err(ReplaceError::Changed);
        }
        fault(Stage::Rename).map_err(Io)?;
        self.put(&mut new).map_err(|error| match error.kind() {
            // Another steerbox removed the new file before it was locked, or another program took the name.
            io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists => ReplaceError::Changed,
            _ => Io(error),
        })?;
        // The file is whole in any case; where folders cannot be synced, the system does so later.
        let _ = open_at_once(&folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Renames the new file to its final name.
    fn put(&self, new: &mut Beside) -> io::Result<()> {
        if self.old.is_none() {
            // A hard link, unlike a rename, never replaces a file.
            match fs::hard_link(&new.path, &self.target) {
                Err(error) if error.kind() != io::ErrorKind::AlreadyExists && is_free(&self.target) => {}
                linked => return linked,
            }
            // The file system has no hard links.
        }
        fs::rename(&new.path, &self.target)?;
        new.kept = true;
        Ok(())
    }

    /// True if the path still leads to the same file with the same content, or still to none.
    fn is_current(&self) -> bool {
        let Some((bytes, _)) = &self.old else {
            return is_free(&self.path);
        };
        let same_file = fs::canonicalize(&self.path).is_ok_and(|target| target == self.target);
        let length = bytes.len() as u64;
        same_file && read_plain(&self.target, length).is_ok_and(|(now, _)| now == *bytes)
    }
}

/// True if nothing has the name: no file, no folder, no link.
fn is_free(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// The path of a new file, with the links in its folder resolved.
fn new_target(path: &Path) -> Result<PathBuf, ReplaceError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).map_err(ReplaceError::Io)?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}

/// The content of a file that may be replaced. Only a plain file is opened: opening a device can act on it.
fn read_replaceable(target: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), ReplaceError> {
    let meta = fs::metadata(target).map_err(ReadFault::from)?;
    if !meta.is_file() {
        return Err(ReplaceError::NotPlain(kind_name(&meta)));
    }
    let (bytes, meta) = read_plain(target, limit)?;
    if meta.permissions().readonly() || !is_writable(target) {
        return Err(ReplaceError::ReadOnly);
    }
    Ok((bytes, meta))
}

/// The kind of a file that is not plain, as messages name it.
fn kind_name(meta: &Metadata) -> &'static str {
    #[cfg(unix)]
    {
        use std::os::unix::fs::FileTypeExt as _;
        let kind = meta.file_type();
        if kind.is_fifo() {
            return "a pipe";
        }
        if kind.is_socket() {
            return "a socket";
        }
    }
    if meta.is_dir() { "a folder" } else { "a device" }
}

/// True if this user may write the file: a rename checks the permissions of the folder only.
fn is_writable(target: &Path) -> bool {
    #[cfg(unix)]
    return rustix::fs::access(target, rustix::fs::Access::WRITE_OK).is_ok();
    #[cfg(not(unix))]
    return target.exists();
}

/// Removes what programs that were killed while they wrote left beside the file at `path`.
pub(super) fn tidy(path: &Path) {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (folder, stem) = beside(&target);
    let stem = stem.into_encoded_bytes();
    for path in read_dir_sorted(&folder).unwrap_or_default() {
        let name = path.file_name().unwrap_or_default();
        let is_plain = || fs::symlink_metadata(&path).is_ok_and(|found| found.is_file());
        let is_ours = name.as_encoded_bytes().starts_with(&stem) && is_plain();
        let is_unused = |file: File| file.try_lock().is_ok();
        if is_ours && open_at_once(&path).is_ok_and(is_unused) {
            let _ = fs::remove_file(&path);
        }
    }
}

/// The folder of a file, and how the names of files beside it begin.
fn beside(target: &Path) -> (PathBuf, OsString) {
    let folder = target.parent().unwrap_or(Path::new(".")).to_owned();
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name = &name[..name.floor_char_boundary(STEM)];
    (folder, format!(".{name}.steerbox-").into())
}

/// A new file beside another, gone again unless it is kept.
struct Beside {
    path: PathBuf,
    file: File,
    kept: bool,
}

impl Beside {
    fn create(folder: &Path, stem: &OsString, mode: u32) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, mode);
        #[cfg(not(unix))]
        let _ = mode;
        let mut number = 0;
        loop {
            let mut name = stem.clone();
            name.push(format!("{}-{number}", std::process::id()));
            let path = folder.join(name);
            match options.open(&path) {
                Ok(file) => {
                    // Where there are no locks, files of killed programs stay.
                    let _ = file.try_lock();
                    return Ok(Self { path, file, kept: false });
                }
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists && number < 100 => {
                    number += 1;
                }
                Err(error) => return Err(error),
            }
        }
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Gives `file` the owner and the permissions of another.
fn permit(file: &File, meta: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (meta.uid(), meta.gid()) {
            // Only some may give files away; for the others the file becomes the writer's.
            let _ = fchown(file, Some(meta.uid()), Some(meta.gid()));
        }
    }
    file.set_permissions(meta.permissions())
}
