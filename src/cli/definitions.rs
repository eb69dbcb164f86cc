//! `steerbox definitions DIR`: the script API for editors.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use super::print::out;
use crate::script::definitions;

pub(super) fn write(dir: &Path) -> anyhow::Result<ExitCode> {
    fs::create_dir_all(dir).with_context(|| format!("cannot create {}", dir.display()))?;
    for (name, text) in definitions() {
        let path = dir.join(name);
        fs::write(&path, text).with_context(|| format!("cannot write {}", path.display()))?;
        out(path.display());
    }
    Ok(ExitCode::SUCCESS)
}
