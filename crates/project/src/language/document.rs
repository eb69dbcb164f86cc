//! A file of a workspace as editors see it.

use std::path::{Path, PathBuf};
use std::sync::{Arc, OnceLock};

use steerbox_core::text::Occurrence;
use steerbox_scene::{RonFile, SceneOutline, outline_of};
use steerbox_script::Outline;

use crate::reload::{is_experiment, is_scene, is_script, script_in, shown_name};

/// The kind of a document.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DocumentKind {
    /// A scene, `*.ron`.
    Scene,
    /// A script, `*.rhai`.
    Script,
    /// An experiment, `experiments/*.ron`.
    Experiment,
}

impl DocumentKind {
    /// Returns the kind of a file by its name; `None` for other files, such as definitions for editors.
    pub fn of(path: &Path) -> Option<Self> {
        match path {
            path if is_script(path) => Some(Self::Script),
            path if is_experiment(path) => Some(Self::Experiment),
            path => is_scene(path).then_some(Self::Scene),
        }
    }
}

/// A file or an unsaved buffer. Its text never changes: an edit creates another document.
#[derive(Debug)]
pub struct Document {
    /// Its absolute path.
    pub path: PathBuf,
    /// Its kind.
    pub kind: DocumentKind,
    /// Its text.
    pub text: Arc<str>,
    /// Its names, once they are requested.
    pub(super) names: OnceLock<Vec<Occurrence>>,
    /// The outline of a script, once it is requested.
    pub(super) outline: OnceLock<Outline>,
    /// The parts of a scene or experiment, once they are requested.
    pub(super) parts: OnceLock<SceneOutline>,
}

impl Document {
    /// Creates a document; `None` for a file of another kind.
    pub fn new(path: &Path, text: Arc<str>) -> Option<Self> {
        let kind = DocumentKind::of(path)?;
        let (names, outline, parts) = (OnceLock::new(), OnceLock::new(), OnceLock::new());
        Some(Self { path: path.to_owned(), kind, text, names, outline, parts })
    }

    /// Returns the parts of a scene or experiment.
    pub(super) fn parts(&self) -> &SceneOutline {
        self.parts.get_or_init(|| outline_of(&self.text, self.format()))
    }

    /// Returns the format of a scene or experiment.
    pub(super) fn format(&self) -> RonFile {
        if self.kind == DocumentKind::Experiment { RonFile::Experiment } else { RonFile::Scene }
    }

    /// Returns its name in messages: the file name, of a measure with its folder.
    pub fn file_name(&self) -> String {
        shown_name(&self.path)
    }

    /// Returns its name without extension: the name of a script in scenes and imports.
    pub fn stem(&self) -> String {
        let name = self.file_name();
        name.rsplit_once('.').map_or(&*name, |(stem, _)| stem).to_owned()
    }

    /// Returns the folder of scripts that contains it.
    pub(super) fn folder(&self) -> Option<&Path> {
        script_in(&self.path).map(|(folder, _)| folder)
    }
}
