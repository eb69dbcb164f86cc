//! A script that stands alone: no scene uses it.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::contents::scripts_in;
use super::disk::{Disk, FileState};
use super::scripts::Scripts;
use crate::diagnostics::Fault;
use crate::script::Script;

/// Learns a script that stands alone, with what it imports from its folder.
///
/// # Errors
/// With its faults; those of an imported file carry that file's name.
pub fn learn_file(path: &Path, text: Arc<str>) -> Result<Script, Vec<Fault>> {
    let folder = path.parent().unwrap_or(Path::new("")).to_owned();
    let folder = if folder.as_os_str().is_empty() {
        PathBuf::from(".")
    } else {
        folder
    };
    let name = path
        .file_stem()
        .unwrap_or_default()
        .to_string_lossy()
        .into_owned();
    let mut scripts = Scripts::new(vec![folder.clone()]);
    for change in Disk::unwatched(scripts_in(&[folder])).read_all() {
        let other = change
            .path
            .file_stem()
            .unwrap_or_default()
            .to_string_lossy();
        if let FileState::Content(text) = change.state {
            scripts.put(&other, 0, Some(Ok(text)));
        }
    }
    scripts.put(&name, 0, Some(Ok(text)));
    scripts.learn(&name)
}
