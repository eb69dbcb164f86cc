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
