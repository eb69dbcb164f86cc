//! Locations of the files of a project.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::diagnostics::Fault;
use steerbox_core::text::composed;
use steerbox_script::MEASURES;

use super::disk::{ReadFault, SavedText, WatchSet, read_plain, read_text_of};
use super::embedded::{
    DEFAULT_SCENE, embedded_helpers, embedded_measures, embedded_scene, embedded_scenes, embedded_scripts,
};
use super::read_dir_sorted::{may_be_file, read_dir_if_any, read_dir_sorted};
use super::texts::Texts;
use steerbox_scene as scene;
use steerbox_script as script;

/// The folder of scenes in the working folder.
pub(super) const SCENES: &str = "scenes";
/// Ending of files that describe the API for editors: no scripts, though they end in `.rhai`.
const DEFINITIONS: &str = ".d.rhai";
/// Ending of files with named values: no scenes, though they end in `.ron`.
pub(super) const VALUES: &str = ".values.ron";
/// The folder of experiments.
pub const EXPERIMENTS: &str = "experiments";
/// Size limit of a script, bytes.
pub(super) const SCRIPT_BYTES: u64 = script::MAX_SOURCE as u64;
/// Size limit of a scene, bytes.
pub(super) const SCENE_BYTES: u64 = scene::MAX_LENGTH as u64;
/// Size limit of an experiment that runs and of a table of its points, bytes.
const EXPERIMENT_BYTES: u64 = 256 << 20;

/// Returns true if the file is a script by its name; definitions for editors are not.
pub fn is_script(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.ends_with(b".rhai") && !name.ends_with(DEFINITIONS.as_bytes())
}

/// Returns true if the file is a scene by its name and folder; named values and experiments are not.
pub fn is_scene(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().as_encoded_bytes();
    name.ends_with(b".ron") && !name.ends_with(VALUES.as_bytes()) && !is_experiment(path)
}

/// Returns true if the file is an experiment by its name and folder.
pub fn is_experiment(path: &Path) -> bool {
    let folder = path.parent().and_then(Path::file_name);
    folder.is_some_and(|folder| folder == EXPERIMENTS) && path.extension().is_some_and(|found| found == "ron")
}

/// Returns the path of a file that an experiment names, relative to the folder of `experiments/`.
pub fn in_project(experiment: &Path, name: &str) -> PathBuf {
    let folder = experiment.parent().and_then(Path::parent).unwrap_or(Path::new(""));
    folder.join(name)
}

/// Returns the files of the scene that an experiment names, in the order of precedence: one of this path in its project, and
/// one of this name in `scenes/`.
pub fn experiment_scene(experiment: &Path, name: &str) -> [PathBuf; 2] {
    let file = format!("{}.ron", name.strip_suffix(".ron").unwrap_or(name));
    [in_project(experiment, name), in_project(experiment, SCENES).join(file)]
}

/// Returns the text of an experiment or of a table of its points.
///
/// # Errors
/// If it cannot be read, is too large, or is not UTF-8, with a message.
pub fn read_experiment_text(path: &Path) -> Result<String, String> {
    let shown = path.display();
    let read = read_plain(path, EXPERIMENT_BYTES).map_err(|error| format!("cannot read {shown}: {error}"))?;
    String::from_utf8(read.0).map_err(|_| format!("{shown} is not UTF-8 text"))
}

/// Returns the size limit of a scene, script or experiment in an editor, bytes.
pub(super) fn limit_of(path: &Path) -> u64 {
    if is_script(path) { SCRIPT_BYTES } else { SCENE_BYTES }
}

/// Returns the text of a scene or script.
///
/// # Errors
/// If it cannot be read, is too large, or is not UTF-8.
pub(super) fn read_text(path: &Path) -> Result<Arc<str>, ReadFault> {
    read_text_of(path, limit_of(path))
}

/// Returns the text of a scene or script with `U+FFFD` in place of invalid UTF-8, which checks of the text then report; `None`
/// if it cannot be read or is too large.
pub fn read_lossy(path: &Path) -> Option<Arc<str>> {
    let (bytes, _) = read_plain(path, limit_of(path)).ok()?;
    let text = String::from_utf8_lossy(&bytes);
    Some(text.strip_prefix('\u{feff}').unwrap_or(&text).into())
}

/// Returns the watch set of the scenes of a folder.
pub(super) fn scenes_in(folder: &Path) -> WatchSet {
    WatchSet::new().folder(folder, "ron", SCENE_BYTES).except(VALUES)
}

/// Returns the watch set of the scripts of folders.
pub(super) fn scripts_in(folders: &[PathBuf]) -> WatchSet {
    let folders = folders.iter().flat_map(|folder| [folder.clone(), folder.join(MEASURES)]);
    let all = folders.fold(WatchSet::new(), |all, folder| all.folder(folder, "rhai", SCRIPT_BYTES));
    all.except(DEFINITIONS)
}

/// Location of a scene and of its scripts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The scene on disk; `None` for an embedded one.
    pub scene: Option<PathBuf>,
    /// File name of the embedded scene that runs if there is none on disk.
    pub built_in: &'static str,
    /// Texts that precede the embedded ones, such as those of a picture that was opened.
    pub texts: Option<Arc<Texts>>,
    /// Folders of scripts in the order of precedence; embedded scripts come last.
    pub folders: Vec<PathBuf>,
}

impl Place {
    /// Returns the place of a scene file: scripts are in `scripts/` beside the scene's folder, then in `scripts/`
    /// inside it.
    pub fn of_scene(scene: &Path) -> Self {
        let absolute = std::path::absolute(scene).unwrap_or_else(|_| scene.to_owned());
        let mut folders = Vec::new();
        if let Some(folder) = absolute.parent() {
            folders.extend(folder.parent().map(|above| above.join("scripts")));
            folders.push(folder.join("scripts"));
        }
        Self { scene: Some(absolute), built_in: DEFAULT_SCENE, texts: None, folders }
    }

    /// Returns the place of an embedded scene, by its file name, with embedded scripts only.
    pub fn built_in(name: &'static str) -> Self {
        Self { scene: None, built_in: name, texts: None, folders: Vec::new() }
    }

    /// Returns the place of texts that are not in files.
    pub fn of_texts(texts: Texts) -> Self {
        Self { texts: Some(Arc::new(texts)), ..Self::built_in(DEFAULT_SCENE) }
    }

    /// Returns the place with the file to which its scene, which had none, was written. Folders that only the file has
    /// come last.
    #[must_use]
    pub fn with_scene(mut self, path: &Path) -> Self {
        let Self { scene, folders, .. } = Self::of_scene(path);
        for folder in folders {
            if !self.folders.contains(&folder) {
                self.folders.push(folder);
            }
        }
        Self { scene, ..self }
    }

    /// Returns file name and text of the scene that runs if there is none on disk.
    pub(super) fn scene_without_file(&self) -> (&str, &str) {
        self.texts.as_ref().map_or_else(|| embedded_scene(self.built_in), |it| (&it.name, &it.scene))
    }

    /// Returns name without extension and text of each script that needs no file; later ones precede.
    pub(super) fn scripts_without_file(&self) -> impl Iterator<Item = (&str, &str)> {
        let embedded = embedded_scripts().chain(embedded_helpers()).chain(embedded_measures());
        let embedded = embedded.map(|(file, text)| (file.trim_end_matches(".rhai"), text));
        let own = self.texts.iter().flat_map(|texts| &texts.scripts);
        embedded.chain(own.map(|(name, text)| (name.as_str(), text.as_str())))
    }

    /// Returns the folder of the project, which contains the first folder of scripts.
    pub fn project(&self) -> Option<&Path> {
        self.folders.first()?.parent()
    }

    /// Returns the path of an experiment of the project, by its name in messages, whether it exists or not.
    pub fn experiment_path(&self, name: &str) -> Option<PathBuf> {
        let name = Path::new(name);
        Some(self.project()?.join(EXPERIMENTS).join(name.file_name().filter(|_| is_experiment(name))?))
    }

    /// Returns the names in messages of the experiments of the project.
    pub fn experiments(&self) -> Vec<String> {
        let folder = self.project().map(|project| project.join(EXPERIMENTS));
        let listed = folder.and_then(|folder| read_dir_sorted(&folder).ok()).unwrap_or_default();
        listed
            .iter()
            .filter(|path| is_experiment(path) && path.is_file())
            .map(|path| shown_name(path))
            .collect()
    }

    /// Returns the file of a name in messages: the scene, an experiment of the project, or a script in the folders.
    pub fn path_of(&self, name: &str) -> Option<PathBuf> {
        let is_named = |path: &&PathBuf| file_name(path) == name;
        let scene = self.scene.as_ref().filter(is_named).cloned();
        let scripts = self.folders.iter().map(|folder| in_folder(folder, name));
        let mut others = self.experiment_path(name).into_iter().chain(scripts);
        scene.or_else(|| others.find(|path| path.is_file()))
    }

    /// Returns the saved content of a file by its name in messages, or the one that came with the binary.
    pub fn saved(&self, name: &str) -> SavedText {
        if let Some(path) = self.path_of(name) {
            return Some(read_text(&path).map_err(|fault| fault.of_file(name)));
        }
        let script = name.strip_suffix(".rhai");
        let script = self.scripts_without_file().filter(|(known, _)| script == Some(*known)).last();
        let scene =
            || Some(self.scene_without_file()).filter(|(known, _)| self.scene.is_none() && *known == name);
        script.or_else(scene).map(|(_, text)| Ok(text.into()))
    }

    /// Returns the files to watch.
    pub(super) fn watch_set(&self) -> WatchSet {
        let scripts = scripts_in(&self.folders);
        match &self.scene {
            Some(scene) => scripts.file(scene, SCENE_BYTES),
            None => scripts,
        }
    }

    /// Returns the folders of scripts and of measures.
    fn script_folders(&self) -> impl Iterator<Item = PathBuf> {
        self.folders.iter().flat_map(|folder| [folder.clone(), folder.join(MEASURES)])
    }

    /// Returns a fault of the scene for each folder of scripts that cannot be read: embedded scripts would replace its files.
    pub(super) fn unreadable_folders(&self) -> Vec<Fault> {
        let errors = self.script_folders().filter_map(|folder| read_dir_if_any(&folder).err());
        errors.map(|error| Fault::of_file(self.scene_name(), error)).collect()
    }

    /// Returns the existing files of the place: the scene, the files that it names, the scripts of all folders, and the
    /// experiments of the project.
    pub fn files(&self) -> Vec<PathBuf> {
        let listed = self.script_folders().filter_map(|it| read_dir_sorted(&it).ok());
        let scripts = listed.flatten().filter(|path| is_script(path));
        let experiments = self.experiments().into_iter().filter_map(|name| self.experiment_path(&name));
        self.scene.iter().cloned().chain(scripts).chain(self.data()).chain(experiments).collect()
    }

    /// Returns the existing files that the scene names.
    fn data(&self) -> Vec<PathBuf> {
        let folder = self.scene.as_deref().and_then(Path::parent);
        let text = self.scene.as_deref().and_then(read_lossy);
        let (Some(folder), Some(text)) = (folder, text) else { return Vec::new() };
        let names = scene::data_names(&text).into_iter().filter(|it| scene::data_name_fault(it).is_none());
        names.map(|name| folder.join(name)).filter(|path| path.is_file()).collect()
    }

    /// Returns the scene called `name`: `scenes/NAME.ron` of the working folder if it exists, else the embedded one
    /// with `scripts/` of the working folder. The ending `.ron` is optional.
    pub fn named(name: &str) -> Option<Self> {
        let name = name.strip_suffix(".ron").unwrap_or(name);
        let file = format!("{name}.ron");
        if Path::new(&file).file_name() != Some(file.as_ref()) {
            return None;
        }
        let on_disk = in_folder(Path::new(SCENES), &composed(&file));
        if may_be_file(&on_disk) {
            return Some(Self::of_scene(&on_disk));
        }
        Self::built_in_named(name)
    }

    /// Returns the embedded scene called `name`, without its ending, with `scripts/` of the working folder.
    pub(super) fn built_in_named(name: &str) -> Option<Self> {
        let here = std::path::absolute("scripts").unwrap_or_else(|_| "scripts".into());
        Self::built_in_with(name, here)
    }

    /// Returns the embedded scene called `name`, without its ending, with a folder of scripts.
    pub fn built_in_with(name: &str, scripts: PathBuf) -> Option<Self> {
        let (built_in, _) = embedded_scenes().find(|(file, _)| file.strip_suffix(".ron") == Some(name))?;
        Some(Self { folders: vec![scripts], ..Self::built_in(built_in) })
    }

    /// Returns the default scene.
    pub fn default_scene() -> Self {
        Self::named(DEFAULT_SCENE).unwrap_or_else(|| Self::built_in(DEFAULT_SCENE))
    }

    /// Returns the file name of the scene, as in messages and events.
    pub fn scene_name(&self) -> String {
        self.scene.as_deref().map_or_else(|| self.scene_without_file().0.to_owned(), file_name)
    }

    /// Returns the name of a script at `path` and the index of its folder, if it is in one of the folders.
    pub(super) fn script_at(&self, path: &Path) -> Option<(String, usize)> {
        let (folder, name) = script_in(path)?;
        let rank = self.folders.iter().position(|known| known == folder)?;
        is_script(path).then(|| (name.trim_end_matches(".rhai").to_owned(), rank))
    }
}

/// Returns the folder of scripts in which a script is, and its name in messages: measures are in a folder inside it.
pub fn script_in(path: &Path) -> Option<(&Path, String)> {
    let (folder, name) = (path.parent()?, file_name(path));
    match folder.parent() {
        Some(above) if folder.file_name() == Some(MEASURES.trim_end_matches('/').as_ref()) => {
            Some((above, format!("{MEASURES}{name}")))
        }
        _ => Some((folder, name)),
    }
}

/// Returns the name of a file in messages: the file name, of measures and experiments with their folder.
pub fn shown_name(path: &Path) -> String {
    if is_experiment(path) {
        // A scene may have the same name.
        return format!("{EXPERIMENTS}/{}", file_name(path));
    }
    script_in(path).map_or_else(String::new, |(_, name)| name)
}

/// Returns the last part of a path, as names are compared.
pub(super) fn file_name(path: &Path) -> String {
    composed(&path.file_name().unwrap_or(path.as_os_str()).to_string_lossy()).into_owned()
}

/// Returns the path of a file in a folder by its name; the name on disk may have another Unicode form.
fn in_folder(folder: &Path, name: &str) -> PathBuf {
    let path = folder.join(name);
    if name.is_ascii() || path.exists() {
        return path;
    }
    let listed = path.parent().and_then(|folder| read_dir_sorted(folder).ok()).unwrap_or_default();
    let name = file_name(&path);
    listed.into_iter().find(|other| file_name(other) == name).unwrap_or(path)
}
