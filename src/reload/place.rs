//! Where a project's files are.

use std::path::{Path, PathBuf};

use super::contents::is_script;
use super::listing;

/// Where the scene is, and where its scripts are looked for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The scene on disk; the embedded default when there is none.
    pub scene: Option<PathBuf>,
    /// Folders of scripts; the first that has a script wins, and embedded scripts come last.
    pub folders: Vec<PathBuf>,
}

impl Place {
    /// The place of a scene file: scripts are in `scripts/` beside the scene's folder, then in
    /// `scripts/` inside it.
    pub fn of_scene(scene: &Path) -> Self {
        let absolute = std::path::absolute(scene).unwrap_or_else(|_| scene.to_owned());
        let mut folders = Vec::new();
        if let Some(folder) = absolute.parent() {
            folders.extend(folder.parent().map(|above| above.join("scripts")));
            folders.push(folder.join("scripts"));
        }
        Self {
            scene: Some(absolute),
            folders,
        }
    }

    /// The default scene: `scenes/flock.ron` of the working folder if it is there, else the
    /// embedded one with `scripts/` of the working folder.
    pub fn default_scene() -> Self {
        let scene = Path::new("scenes/flock.ron");
        if scene.is_file() {
            return Self::of_scene(scene);
        }
        let here = std::path::absolute("scripts").unwrap_or_else(|_| "scripts".into());
        Self {
            scene: None,
            folders: vec![here],
        }
    }

    /// The files that are read here, as far as they are there: the scene and the scripts of all folders.
    pub fn files(&self) -> Vec<PathBuf> {
        let listed = self.folders.iter().filter_map(|it| listing(it).ok());
        let scripts = listed.flatten().filter(|path| is_script(path));
        self.scene.iter().cloned().chain(scripts).collect()
    }

    /// The scene's file name, as messages and events give it.
    pub fn scene_name(&self) -> String {
        self.scene
            .as_deref()
            .map_or_else(|| "flock.ron".to_owned(), file_name)
    }

    /// The name of a script at `path` if it is in one of the folders, and which folder that is.
    pub(super) fn script_at(&self, path: &Path) -> Option<(String, usize)> {
        let folder = path.parent()?;
        let rank = self.folders.iter().position(|known| known == folder)?;
        is_script(path).then(|| (file_name(path).trim_end_matches(".rhai").to_owned(), rank))
    }
}

/// The last part of a path.
pub(super) fn file_name(path: &Path) -> String {
    path.file_name()
        .unwrap_or(path.as_os_str())
        .to_string_lossy()
        .into_owned()
}
