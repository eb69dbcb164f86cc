//! Replacement and creation of files, all of which happens here: at any moment, either the old or the new content
//! exists.
//!
//! The new content is written to a temporary file in the same folder, flushed to the disk, and renamed. The temporary
//! name begins with a dot, so that it is not taken for a scene or script. Its writer holds a lock on it; one without
//! a lock was left by a killed program.
//!
//! Only plain files are replaced: never a device, a pipe, a socket or a folder. A link stays, and its target is
//! replaced.

pub(super) mod pending;
#[cfg(test)]
mod tests;

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use steerbox_core::diagnostics::Fault;
use thiserror::Error;

use super::disk::{ReadFault, open_at_once, read_plain};
use super::read_dir_sorted::read_dir_sorted;

/// Bytes of a file's name in that of its temporary file: the length of names is limited.
const STEM: usize = 180;
/// Attempts of a replacement while other programs change the file.
pub(super) const ATTEMPTS: usize = 5;
/// Largest file in bytes that [`replace_file`] replaces, and that a values file may be.
pub const REPLACED_BYTES: u64 = 1 << 20;

/// Reason why a file was not replaced. It is unchanged.
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
    /// It is a dangling link.
    #[error("it is a link that leads to no file")]
    Dangling,
    /// Its text cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadFault),
    /// The new content has this length, and longer than this one it could not be read again, bytes.
    #[error("the text has {0} bytes, and a file with more than {1} bytes is not read")]
    TooLong(u64, u64),
    /// The system refused.
    #[error("the new content cannot be written: {0}")]
    Io(io::Error),
}

impl ReplaceError {
    /// Returns the fault of a file with a name in messages.
    pub(super) fn of_file(&self, name: &str) -> Fault {
        let fault = Fault::of_file(name, format!("nothing was written: {self}"));
        match self {
            Self::Changed => fault.help("save again once the other program is done"),
            Self::ReadOnly => fault.help("make it writable: chmod u+w"),
            Self::Io(error) if error.kind() == io::ErrorKind::ReadOnlyFilesystem => {
                fault.help("mount the file system writable, or save a copy elsewhere")
            }
            Self::Io(_) => fault.help("the file and its folder must be there and writable"),
            Self::TooLong(..) => fault.help("shorten it, or divide it into several files"),
            Self::Unreadable(ReadFault::NotUtf8(_)) => fault.help("save it as UTF-8"),
            Self::NotPlain(_) | Self::Dangling | Self::Unreadable(ReadFault::Io(_)) => {
                fault.help("it must be a plain file: put it back and save again")
            }
            Self::Exists | Self::Unreadable(_) => fault,
        }
    }
}

/// Replaces the plain file at `path` by one with this text, or creates it. Follows links; the file retains its
/// permissions and, where the system allows it, its owner.
///
/// # Errors
/// If the path leads to something other than a plain file of at most 1 MiB, or the system refuses; the target is
/// unchanged.
pub fn replace_file(path: &Path, text: &str) -> Result<(), ReplaceError> {
    for _ in 0..ATTEMPTS {
        match Base::find(path, REPLACED_BYTES)?.replace(text) {
            Err(ReplaceError::Changed) => {}
            replaced => return replaced,
        }
    }
    Err(ReplaceError::Changed)
}

/// Creates a file with this text, whole or not at all.
///
/// # Errors
/// `Exists` if the name is taken, even by a dangling link; otherwise if the system refuses.
pub fn create_file(path: &Path, text: &str) -> Result<(), ReplaceError> {
    if !is_free(path) {
        return Err(ReplaceError::Exists);
    }
    let base = Base { path: path.to_owned(), target: new_target(path)?, old: None, limit: u64::MAX };
    base.replace(text).map_err(|error| match error {
        ReplaceError::Changed => ReplaceError::Exists,
        error => error,
    })
}

/// Creates all of these files, or none: after an error, those created before are removed.
///
/// # Errors
/// The path of the first file that was not created, and the reason, as by [`create_file`].
pub fn create_files<'a>(files: &'a [(PathBuf, &str)]) -> Result<(), (&'a Path, ReplaceError)> {
    for (number, (path, text)) in files.iter().enumerate() {
        if let Err(error) = create_file(path, text) {
            for (created, _) in &files[..number] {
                // The error above matters more than a file that cannot be removed.
                let _ = fs::remove_file(created);
            }
            return Err((path, error));
        }
    }
    Ok(())
}

/// Opens the lock file at `path`, which is created empty if it does not exist. Never follows a link, and does not block.
pub(super) fn open_lock(path: &Path) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true).create(true).truncate(false);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(&mut options, libc::O_NONBLOCK | libc::O_NOFOLLOW);
    options.open(path)
}

/// Renames a file.
///
/// # Errors
/// `Exists` if the new name is taken, even by a dangling link; otherwise if the system refuses.
pub fn move_file(from: &Path, to: &Path) -> Result<(), ReplaceError> {
    rename_to_free(from, to).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => ReplaceError::Exists,
        _ => ReplaceError::Io(error),
    })?;
    let (folder, _) = beside(to);
    // The system writes a folder later if it cannot be synced.
    let _ = open_at_once(&folder).and_then(|folder| folder.sync_all());
    Ok(())
}

/// Removes a file that this program wrote, if it exists.
///
/// # Errors
/// If the system refuses.
pub fn remove_written(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(()),
        removed => removed,
    }
}

/// Stages of a replacement, in this order; tests make each fail.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Stage {
    Create,
    Write,
    Permit,
    Sync,
    Compare,
    Rename,
}

/// A plain file as it was read, or a free name; it is replaced only while it is unchanged.
pub(super) struct Base {
    path: PathBuf,
    /// The file itself, links followed.
    target: PathBuf,
    /// Its content; `None` if there was no file.
    old: Option<(Vec<u8>, Metadata)>,
    /// The length that is read again, bytes.
    limit: u64,
}

impl Base {
    /// Reads a plain file of at most `limit` bytes.
    ///
    /// # Errors
    /// If there is none, it cannot be read, or may not be replaced.
    pub(super) fn read(path: &Path, limit: u64) -> Result<Self, ReplaceError> {
        let base = Self::find(path, limit)?;
        let missing = || ReadFault::from(io::Error::from(io::ErrorKind::NotFound));
        if base.old.is_some() { Ok(base) } else { Err(missing().into()) }
    }

    /// Like [`Base::read`], and accepts a path without a file.
    ///
    /// # Errors
    /// As [`Base::read`], and for a dangling link.
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
        Ok(Self { path: path.to_owned(), target, old, limit })
    }

    /// Returns true if there was a file.
    pub(super) fn exists(&self) -> bool {
        self.old.is_some()
    }

    /// Returns the text of the file, including a byte order mark; empty if there was no file.
    ///
    /// # Errors
    /// If it is not UTF-8.
    pub(super) fn text(&self) -> Result<&str, ReplaceError> {
        let bytes = self.old.as_ref().map_or(&[][..], |(bytes, _)| bytes);
        Ok(ReadFault::text_of(bytes)?)
    }

    /// Checks the length of a new content.
    ///
    /// # Errors
    /// If it exceeds the limit with which the file was read.
    pub(super) fn check_length(&self, length: usize) -> Result<(), ReplaceError> {
        let length = length as u64;
        if length > self.limit { Err(ReplaceError::TooLong(length, self.limit)) } else { Ok(()) }
    }

    /// Replaces the file by `text`.
    ///
    /// # Errors
    /// If that fails; the file is unchanged then.
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
        self.check_length(text.len())?;
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
        new.put(&self.target, self.old.is_some()).map_err(|error| match error.kind() {
            // Another steerbox removed the new file before it was locked, or another program took the name.
            io::ErrorKind::NotFound | io::ErrorKind::AlreadyExists => ReplaceError::Changed,
            _ => Io(error),
        })?;
        // The file is whole in any case; where folders cannot be synced, the system does so later.
        let _ = open_at_once(&folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Returns true if the path still leads to the same file with the same content, or still to none.
    fn is_current(&self) -> bool {
        let Some((bytes, _)) = &self.old else {
            return is_free(&self.path);
        };
        let same_file = fs::canonicalize(&self.path).is_ok_and(|target| target == self.target);
        let length = bytes.len() as u64;
        same_file && read_plain(&self.target, length).is_ok_and(|(now, _)| now == *bytes)
    }
}

/// Renames a file unless the new name is taken.
fn rename_to_free(from: &Path, to: &Path) -> io::Result<()> {
    // A hard link, unlike a rename, never replaces a file.
    match fs::hard_link(from, to) {
        Ok(()) => fs::remove_file(from),
        Err(error) if error.kind() == io::ErrorKind::AlreadyExists || !is_free(to) => Err(error),
        // The file system has no hard links.
        Err(_) => fs::rename(from, to),
    }
}

/// Returns true if the name is free: no file, no folder, no link.
fn is_free(path: &Path) -> bool {
    fs::symlink_metadata(path).is_err_and(|error| error.kind() == io::ErrorKind::NotFound)
}

/// Returns the path of a new file, with the links in its folder resolved.
fn new_target(path: &Path) -> Result<PathBuf, ReplaceError> {
    let folder = path.parent().filter(|folder| !folder.as_os_str().is_empty());
    let folder = fs::canonicalize(folder.unwrap_or(Path::new("."))).map_err(ReplaceError::Io)?;
    Ok(folder.join(path.file_name().unwrap_or_default()))
}

/// Returns the content of a file that may be replaced. Opens plain files only: opening a device can act on it.
fn read_replaceable(target: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), ReplaceError> {
    let meta = fs::metadata(target).map_err(ReadFault::from)?;
    if !meta.is_file() {
        return Err(ReplaceError::NotPlain(kind_name(&meta)));
    }
    let (bytes, meta) = read_plain(target, limit)?;
    match check_writable(target) {
        _ if meta.permissions().readonly() => Err(ReplaceError::ReadOnly),
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => Err(ReplaceError::ReadOnly),
        checked => checked.map(|()| (bytes, meta)).map_err(ReplaceError::Io),
    }
}

/// Returns the kind of a file that is not plain, as in messages.
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

/// Checks that this user may write the file: a rename checks the permissions of the folder only.
fn check_writable(target: &Path) -> io::Result<()> {
    #[cfg(unix)]
    return rustix::fs::access(target, rustix::fs::Access::WRITE_OK).map_err(io::Error::from);
    #[cfg(not(unix))]
    return fs::metadata(target).map(drop);
}

/// Removes the temporary files that killed programs left for the file at `path`.
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

/// Returns the folder of a file, and the start of the names of its temporary files.
fn beside(target: &Path) -> (PathBuf, OsString) {
    let folder = target.parent().unwrap_or(Path::new(".")).to_owned();
    let name = target.file_name().unwrap_or_default().to_string_lossy();
    let name = &name[..name.floor_char_boundary(STEM)];
    (folder, format!(".{name}.steerbox-").into())
}

/// A temporary file, removed unless it is renamed.
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
                    // Without locks, files of killed programs stay.
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

    /// Renames the file to its final name; unless it `replaces` a file, the name must be free.
    fn put(&mut self, target: &Path, replaces: bool) -> io::Result<()> {
        if replaces {
            fs::rename(&self.path, target)?;
        } else {
            rename_to_free(&self.path, target)?;
        }
        self.kept = true;
        Ok(())
    }
}

impl Drop for Beside {
    fn drop(&mut self) {
        if !self.kept {
            let _ = fs::remove_file(&self.path);
        }
    }
}

/// Sets owner and permissions of `file` to those of another.
fn permit(file: &File, meta: &Metadata) -> io::Result<()> {
    #[cfg(unix)]
    {
        use std::os::unix::fs::{MetadataExt, fchown};
        let own = file.metadata()?;
        if (own.uid(), own.gid()) != (meta.uid(), meta.gid()) {
            // Only some users may change the owner; for others the file belongs to the writer.
            let _ = fchown(file, Some(meta.uid()), Some(meta.gid()));
        }
    }
    file.set_permissions(meta.permissions())
}
