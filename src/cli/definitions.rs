//! `steerbox definitions DIR`: the script API for editors.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};
use steerbox_project::reload::{REPLACED_BYTES, read_plain, replace_file};
use steerbox_script::definitions;

use super::print::out;

/// The file name, with the ending that editors expect.
pub(super) const NAME: &str = "steerbox.d.rhai";
/// The first line of the file, by which it is recognized. It states that changes are lost.
const MARK: &str = "// Written by `steerbox definitions`, which replaces this file: changes are lost.";

pub(super) fn write(dir: &Path, force: bool) -> anyhow::Result<ExitCode> {
    let path = dir.join(NAME);
    ensure!(
        force || is_ours(&path),
        "{} was not written by `steerbox definitions`: it stays as it is (--force replaces it)",
        path.display()
    );
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    replace(&path)?;
    out(path.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Writes the definitions. Links are not followed, since the target may be a script of the user.
fn replace(path: &Path) -> anyhow::Result<()> {
    let is_link = path.symlink_metadata().is_ok_and(|found| found.is_symlink());
    ensure!(!is_link, "{} is a link and stays unchanged: name the folder of the file itself", path.display());
    replace_file(path, &text()).with_context(|| format!("cannot write {}", path.display()))
}

/// Returns the content of the file.
pub(super) fn text() -> String {
    format!("{MARK}\n{}", definitions())
}

/// Returns true if there is no file, or one written by this command. Links are rejected when the file is written.
fn is_ours(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(found) if found.is_file() => {
            read_plain(path, REPLACED_BYTES).is_ok_and(|(bytes, _)| bytes.starts_with(MARK.as_bytes()))
        }
        _ => true,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    #[test]
    fn definitions_replace_plain_files_only() {
        use crate::targets::{Policy, check_writer};
        check_writer(NAME, MARK, Policy::RefusesLinks, &|path| {
            replace(path).map_err(|error| error.to_string())
        });
    }
}
