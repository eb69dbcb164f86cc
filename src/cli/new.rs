//! `steerbox new DIR`: writes a starter project.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use steerbox_project::reload::{SCENE_TEMPLATES, create_files, embedded_helpers, embedded_scripts};

use super::print::out;

/// The files of a project without a template; the scene is opened first.
const STARTER: [(&str, &str); 4] = [
    ("scenes/flock.ron", include_str!("starter/flock.ron")),
    ("scripts/together.rhai", include_str!("starter/together.rhai")),
    ("scripts/apart.rhai", include_str!("starter/apart.rhai")),
    ("README.md", include_str!("starter/README.md")),
];
/// The files of every project.
const SETTINGS: [(&str, &str); 4] = [
    (".gitignore", include_str!("starter/settings/gitignore")),
    (".vscode/extensions.json", include_str!("starter/settings/extensions.json")),
    (".helix/languages.toml", include_str!("starter/settings/languages.toml")),
    (".nvim.lua", include_str!("starter/settings/nvim.lua")),
];

/// Writes a project into `dir`, with the scene of a template instead of the starter's files if one is named; with `all`, it
/// has a copy of every built-in script. Existing files are not replaced: if one of the files exists, none is written.
pub(super) fn new(dir: &Path, all: bool, template: Option<&str>) -> anyhow::Result<ExitCode> {
    let template = SCENE_TEMPLATES.iter().find(|known| Some(known.name) == template);
    let scene = template.map(|known| (format!("scenes/{}.ron", known.name), known.text));
    let own: Vec<_> = match scene {
        Some(scene) => vec![scene],
        None => STARTER.iter().map(|(path, text)| ((*path).to_owned(), *text)).collect(),
    };
    let settings = SETTINGS.iter().map(|(path, text)| ((*path).to_owned(), *text));
    let mut files: Vec<(PathBuf, &str)> =
        own.into_iter().chain(settings).map(|(path, text)| (dir.join(path), text)).collect();
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
    let (count, scene) = (files.len(), &files[0].0);
    out(format!("wrote {count} files; next: steerbox {}", scene.display()))?;
    Ok(ExitCode::SUCCESS)
}
