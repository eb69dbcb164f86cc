//! Directory entries in an order that does not depend on the file system.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// Returns the paths of all directory entries, sorted by name.
///
/// # Errors
/// If the folder cannot be read.
pub fn read_dir_sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    #[allow(clippy::disallowed_methods, reason = "sorted here, for all callers")]
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}

/// As [`read_dir_sorted`], without entries if there is no such folder.
///
/// # Errors
/// If it cannot be read, or is behind a link without a target, with a message.
pub fn read_dir_if_any(folder: &Path) -> Result<Vec<PathBuf>, String> {
    match read_dir_sorted(folder) {
        Err(error) if is_absence(&error) && !leads_nowhere(folder) => Ok(Vec::new()),
        read => read.map_err(|error| format!("cannot read the folder {}: {error}", folder.display())),
    }
}

/// Returns false if `path` is a folder or does not exist. It may exist if it cannot be examined.
pub fn may_be_file(path: &Path) -> bool {
    match fs::symlink_metadata(path) {
        Ok(_) => !path.is_dir(),
        Err(error) => !is_absence(&error) || leads_nowhere(path),
    }
}

/// Returns true if the path, or a folder in it, is a link without a target.
fn leads_nowhere(path: &Path) -> bool {
    // A slash at the end would resolve the link.
    let path: PathBuf = path.components().collect();
    path.ancestors().any(|part| part.is_symlink() && !part.exists())
}

/// Returns true if the error means that the file does not exist.
pub(super) fn is_absence(error: &io::Error) -> bool {
    use io::ErrorKind::{NotADirectory, NotFound};
    matches!(error.kind(), NotFound | NotADirectory)
}
