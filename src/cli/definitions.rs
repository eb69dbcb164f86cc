//! `steerbox definitions DIR`: the script API for editors.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, ensure};

use super::output;
use super::print::out;
use crate::reload::read_plain;
use crate::script::definitions;

/// The file's name: it ends as editors expect it.
const NAME: &str = "steerbox.d.rhai";
/// How the file begins, and how it is known again. It says that changes are lost; so they are.
const MARK: &str = "// Written by `steerbox definitions`, which replaces this file: changes are lost.";
/// Most bytes of an older file that are read to find that.
const LONGEST: u64 = 1 << 20;

pub(super) fn write(dir: &Path, force: bool) -> anyhow::Result<ExitCode> {
    let path = dir.join(NAME);
    ensure!(
        force || is_ours(&path),
        "{} was not written by `steerbox definitions`: it stays as it is (--force replaces it)",
        path.display()
    );
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    output::replace(&path, &format!("{MARK}\n{}", definitions()))?;
    out(path.display())?;
    Ok(ExitCode::SUCCESS)
}

/// Whether there is no file, or one of ours. Links are refused when the file is written.
fn is_ours(path: &Path) -> bool {
    match path.symlink_metadata() {
        Ok(found) if found.is_file() => {
            read_plain(path, LONGEST).is_ok_and(|(bytes, _)| bytes.starts_with(MARK.as_bytes()))
        }
        _ => true,
    }
}
