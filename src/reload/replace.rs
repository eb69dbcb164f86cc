//! Replacing a file atomically: at any moment, there is the old content or the new one.
//!
//! The new content is written to a file beside it, flushed to the disk, and renamed onto it. The
//! name of that file begins with a dot, so that it is not taken for a scene or script. Its
//! writer holds a lock on it; one without a lock was left by a program that was killed.

use std::ffi::OsString;
use std::fs::{self, File, Metadata, OpenOptions};
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};

use thiserror::Error;

use super::disk::{ReadFault, open_at_once, read_plain};
use super::listing::listing;

/// Bytes of a file's name that the name beside it repeats: the length of names is limited.
const STEM: usize = 180;

/// Why a file was not replaced. It is as it was.
#[derive(Debug, Error)]
pub(super) enum ReplaceError {
    /// It is not what it was when it was read.
    #[error("the file was changed by another program at the same moment")]
    Changed,
    /// Its permissions forbid it.
    #[error("the file is read-only")]
    ReadOnly,
    /// Its text cannot be read.
    #[error(transparent)]
    Unreadable(#[from] ReadFault),
    /// The system refused.
    #[error("{0}: {1}")]
    Io(&'static str, io::Error),
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

/// A file as it was read; it is replaced only as long as it is still that.
pub(super) struct Base {
    path: PathBuf,
    /// The file itself, links followed.
    target: PathBuf,
    meta: Metadata,
    text: String,
}

impl Base {
    /// Reads a text file of at most `limit` bytes.
    ///
    /// # Errors
    /// When it cannot be read, or may not be replaced.
    pub(super) fn read(path: &Path, limit: u64) -> Result<Self, ReplaceError> {
        let target = fs::canonicalize(path).map_err(ReadFault::from)?;
        let (bytes, meta) = read_plain(&target, limit)?;
        if meta.permissions().readonly() {
            return Err(ReplaceError::ReadOnly);
        }
        Ok(Self { path: path.to_owned(), target, meta, text: ReadFault::text_of(&bytes)?.to_owned() })
    }

    /// What it held, a byte order mark included.
    pub(super) fn text(&self) -> &str {
        &self.text
    }

    /// Puts `text` in its place.
    ///
    /// # Errors
    /// When that fails; then the file is as it was.
    pub(super) fn replace(&self, text: &str) -> Result<(), ReplaceError> {
        self.replace_unless(text, &mut |_| Ok(()))
    }

    /// The same; `fault` is asked before each stage and can let it fail.
    fn replace_unless(
        &self,
        text: &str,
        fault: &mut dyn FnMut(Stage) -> io::Result<()>,
    ) -> Result<(), ReplaceError> {
        let io = |error| ReplaceError::Io("the folder takes no new content of the file", error);
        let (folder, stem) = beside(&self.target);
        tidy(&self.target);
        fault(Stage::Create).map_err(io)?;
        let mut new = Beside::create(&folder, &stem).map_err(io)?;
        fault(Stage::Write).map_err(io)?;
        new.file.write_all(text.as_bytes()).map_err(io)?;
        fault(Stage::Permit).map_err(io)?;
        permit(&new.file, &self.meta).map_err(io)?;
        fault(Stage::Sync).map_err(io)?;
        new.file.sync_all().map_err(io)?;
        fault(Stage::Compare).map_err(io)?;
        if !self.is_current() {
            return Err(ReplaceError::Changed);
        }
        fault(Stage::Rename).map_err(io)?;
        fs::rename(&new.path, &self.target).map_err(|error| match error.kind() {
            // Another steerbox tidied up here before the new file was locked.
            io::ErrorKind::NotFound => ReplaceError::Changed,
            _ => io(error),
        })?;
        new.kept = true;
        // The file is whole in any case; where folders cannot be synced, the system does so later.
        let _ = open_at_once(&folder).and_then(|folder| folder.sync_all());
        Ok(())
    }

    /// Whether the path still leads to the same file with the same content.
    fn is_current(&self) -> bool {
        let same_file = fs::canonicalize(&self.path).is_ok_and(|target| target == self.target);
        let length = self.text.len() as u64;
        let same_text =
            || read_plain(&self.target, length).is_ok_and(|(bytes, _)| bytes == self.text.as_bytes());
        same_file && same_text()
    }
}

/// Removes what was left beside the file at `path` by programs that were killed while they wrote.
pub(super) fn tidy(path: &Path) {
    let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    let (folder, stem) = beside(&target);
    let stem = stem.into_encoded_bytes();
    for path in listing(&folder).unwrap_or_default() {
        let name = path.file_name().unwrap_or_default();
        let ours = name.as_encoded_bytes().starts_with(&stem);
        let unused = |file: File| file.try_lock().is_ok();
        if ours && open_at_once(&path).is_ok_and(unused) {
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
    fn create(folder: &Path, stem: &OsString) -> io::Result<Self> {
        let mut options = OpenOptions::new();
        options.write(true).create_new(true);
        // Private until it has the permissions of the file.
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
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

#[cfg(test)]
mod tests {
    use super::*;

    use Stage::{Compare, Create, Permit, Rename, Sync, Write};
    const STAGES: [Stage; 6] = [Create, Write, Permit, Sync, Compare, Rename];

    fn file(text: &str) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.ron");
        fs::write(&path, text).unwrap();
        (folder, path)
    }

    fn names(folder: &Path) -> Vec<String> {
        let paths = listing(folder).unwrap();
        let names = paths.iter().filter_map(|path| path.file_name()?.to_str());
        names.map(str::to_owned).collect()
    }

    #[test]
    fn each_stage_may_fail_and_the_old_file_stays_whole() {
        let (folder, path) = file("old");
        for stage in STAGES {
            let base = Base::read(&path, 9).unwrap();
            let mut seen = Vec::new();
            let failed = base.replace_unless("new", &mut |at| {
                seen.push(at);
                if at == stage {
                    return Err(io::ErrorKind::StorageFull.into());
                }
                Ok(())
            });
            assert!(matches!(failed, Err(ReplaceError::Io(..))), "{stage:?}");
            assert_eq!(seen.last(), Some(&stage));
            assert_eq!(fs::read_to_string(&path).unwrap(), "old");
            assert_eq!(names(folder.path()), ["a.ron"]);
        }
        Base::read(&path, 9).unwrap().replace("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(names(folder.path()), ["a.ron"]);
    }

    #[test]
    fn a_file_that_another_program_changes_at_any_stage_is_left_alone() {
        for stage in &STAGES[..5] {
            let (folder, path) = file("old");
            let base = Base::read(&path, 9).unwrap();
            let changed = base.replace_unless("new", &mut |at| {
                if at == *stage {
                    fs::write(&path, "theirs")?;
                }
                Ok(())
            });
            assert!(matches!(changed, Err(ReplaceError::Changed)));
            assert_eq!(fs::read_to_string(&path).unwrap(), "theirs");
            assert_eq!(names(folder.path()), ["a.ron"]);
        }
    }

    #[test]
    fn what_was_left_over_goes_and_what_is_being_written_stays() {
        let (folder, path) = file("old");
        fs::write(folder.path().join(".a.ron.steerbox-1-0"), "half").unwrap();
        fs::write(folder.path().join(".a.ron.swp"), "vim's").unwrap();
        let (at, stem) = beside(&path);
        let writing = Beside::create(&at, &stem).unwrap();
        tidy(&path);
        let left = names(folder.path());
        let own = format!(".a.ron.steerbox-{}-0", std::process::id());
        let mut expected = vec![own, ".a.ron.swp".to_owned(), "a.ron".to_owned()];
        expected.sort();
        assert_eq!(left, expected);
        drop(writing);
        assert_eq!(names(folder.path()).len(), 2);
    }

    #[test]
    fn what_may_not_or_cannot_be_replaced_is_refused() {
        let (folder, path) = file("too long");
        let unreadable = |path: &Path| match Base::read(path, 3) {
            Err(ReplaceError::Unreadable(fault)) => fault,
            _ => panic!("it was read"),
        };
        assert_eq!(unreadable(&path), ReadFault::TooLarge(3));
        fs::write(&path, [0xff]).unwrap();
        assert_eq!(unreadable(&path), ReadFault::NotUtf8("".into()));
        let mut permissions = fs::metadata(&path).unwrap().permissions();
        permissions.set_readonly(true);
        fs::set_permissions(&path, permissions).unwrap();
        assert!(matches!(Base::read(&path, 3), Err(ReplaceError::ReadOnly)));
        assert!(matches!(unreadable(&folder.path().join("b.ron")), ReadFault::Io(_)));
    }

    #[cfg(unix)]
    #[test]
    fn permissions_and_links_stay() {
        use std::os::unix::fs::{PermissionsExt, symlink};
        let (folder, path) = file("old");
        let mode = |path: &Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o640)).unwrap();
        fs::create_dir(folder.path().join("scenes")).unwrap();
        let link = folder.path().join("scenes/link.ron");
        symlink("../a.ron", &link).unwrap();
        Base::read(&link, 9).unwrap().replace("new").unwrap();
        assert_eq!(fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(fs::read_link(&link).unwrap(), Path::new("../a.ron"));
        assert_eq!(mode(&path), 0o640);
        assert_eq!(names(&folder.path().join("scenes")), ["link.ron"]);
    }
}
