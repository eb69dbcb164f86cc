//! `steerbox new DIR`: writes a starter project.

use std::fs;
use std::path::Path;
use std::process::ExitCode;

use anyhow::Context as _;

use super::print::out;
use crate::reload::{create_files, default_scene, embedded_helpers, embedded_scripts};

const README: &str = "# A steerbox project

    steerbox flock

opens `scenes/flock.ron`. Save a script in `scripts/` or the scene while it runs: the flock changes at
once. `steerbox check` tells what is wrong with scenes and scripts; `steerbox definitions .` writes
the script API for editors, into `steerbox.d.rhai`.

`steerbox list` names all scenes: those in `scenes/` here, and those that come with the program, which
`steerbox doorway` and the like open from anywhere.
";

pub(super) fn new(dir: &Path) -> anyhow::Result<ExitCode> {
    let (scene, text) = default_scene();
    let mut files = vec![(dir.join("README.md"), README), (dir.join("scenes").join(scene), text)];
    let scripts = embedded_scripts().chain(embedded_helpers());
    files.extend(scripts.map(|(name, text)| (dir.join("scripts").join(name), text)));
    let taken = files.iter().find(|(path, _)| path.symlink_metadata().is_ok());
    if let Some((path, _)) = taken {
        let path = path.display();
        anyhow::bail!("{path} is there already: nothing was written; choose another folder");
    }
    let writing = |path: &Path| format!("cannot write {}; no project was written", path.display());
    for folder in ["scenes", "scripts"].map(|name| dir.join(name)) {
        fs::create_dir_all(&folder).with_context(|| writing(&folder))?;
    }
    create_files(&files).map_err(|(path, error)| anyhow::Error::new(error).context(writing(path)))?;
    let scene = dir.join("scenes").join(scene);
    let (count, scene) = (files.len(), scene.display());
    out(format!("wrote {count} files; next: steerbox {scene}"))?;
    Ok(ExitCode::SUCCESS)
}
