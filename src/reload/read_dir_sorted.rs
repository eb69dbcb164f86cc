//! What is in a folder, in an order that every file system agrees on.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The paths of all that is in a folder, in the order of their names.
///
/// # Errors
/// When the folder cannot be read.
pub fn read_dir_sorted(folder: &Path) -> io::Result<Vec<PathBuf>> {
    #[allow(clippy::disallowed_methods, reason = "put in order here, for everybody else")]
    let entries = fs::read_dir(folder)?;
    let paths = entries.map(|entry| entry.map(|entry| entry.path()));
    let mut paths = paths.collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    Ok(paths)
}
