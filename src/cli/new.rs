//! `steerbox new DIR`: writes a starter project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use steerbox_project::reload::{create_files, embedded_helpers, embedded_scripts};

use super::print::out;

/// The scene that is opened first.
const SCENE: &str = "scenes/flock.ron";
/// The files of a project.
const FILES: [(&str, &str); 8] = [
    (SCENE, include_str!("starter/flock.ron")),
    ("scripts/together.rhai", include_str!("starter/together.rhai")),
    ("scripts/apart.rhai", include_str!("starter/apart.rhai")),
    ("README.md", include_str!("starter/README.md")),
    (".gitignore", include_str!("starter/settings/gitignore")),
    (".vscode/extensions.json", include_str!("starter/settings/extensions.json")),
    (".helix/languages.toml", include_str!("starter/settings/languages.toml")),
    (".nvim.lua", include_str!("starter/settings/nvim.lua")),
];

/// Writes a project into `dir`; with `all`, it has a copy of every built-in script. Existing files are not replaced: if
/// one of the files exists, none is written.
pub(super) fn new(dir: &Path, all: bool) -> anyhow::Result<ExitCode> {
    let mut files: Vec<(PathBuf, &str)> = FILES.iter().map(|(path, text)| (dir.join(path), *text)).collect();
    if all {
        let scripts = embedded_scripts().chain(embedded_helpers());
        files.extend(scripts.map(|(name, text)| (dir.join("scripts").join(name), text)));
    }
    let taken = files.iter().find(|(path, _)| path.symlink_metadata().is_ok());
    if let Some((path, _)) = taken {
        let path = path.display();
        anyhow::bail!("{path} is there already: nothing was written; choose another folder");
    }
    let writing = |path: &Path| format!("cannot write {}; no project was written", path.display());
    for folder in ["scenes", "scripts", ".vscode", ".helix"].map(|name| dir.join(name)) {
        fs::create_dir_all(&folder).with_context(|| writing(&folder))?;
    }
    create_files(&files).map_err(|(path, error)| anyhow::Error::new(error).context(writing(path)))?;
    let (count, scene) = (files.len(), dir.join(SCENE));
    out(format!("wrote {count} files; next: steerbox {}", scene.display()))?;
    Ok(ExitCode::SUCCESS)
}
