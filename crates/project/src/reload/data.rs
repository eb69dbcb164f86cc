//! Files that a scene names, such as tables of starts: read when a text names them for the first time, and watched from then
//! on.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_scene::{DataTexts, MAX_DATA, Scene, data_name_fault, data_names};

use super::disk::{SavedText, read_text_of};
use super::place::Place;
use super::texts::Texts;

/// The files that a scene names.
#[derive(Clone)]
pub(super) struct DataFiles {
    source: Source,
    texts: DataTexts,
}

/// The origin of the files.
#[derive(Clone)]
enum Source {
    /// The folder of the scene.
    Folder(PathBuf),
    /// Texts that were stored with the scene.
    Stored(Arc<Texts>),
    /// The scene came with the binary.
    BuiltIn,
}

impl DataFiles {
    /// Creates the files of a place; none is read yet.
    pub(super) fn new(place: &Place) -> Self {
        let folder = place.scene.as_deref().and_then(Path::parent);
        let source = match (folder, &place.texts) {
            (Some(folder), _) => Source::Folder(folder.to_owned()),
            (None, Some(texts)) => Source::Stored(Arc::clone(texts)),
            (None, None) => Source::BuiltIn,
        };
        Self { source, texts: DataTexts::new() }
    }

    /// The texts that were read.
    pub(super) fn texts(&self) -> &DataTexts {
        &self.texts
    }

    /// Reads the files that these scenes name and that are not known, and drops all others.
    pub(super) fn require<'a>(&mut self, scenes: impl IntoIterator<Item = &'a str>) {
        let names: BTreeSet<String> = scenes.into_iter().flat_map(data_names).collect();
        self.texts.retain(|name, _| names.contains(name));
        for name in names {
            if !self.texts.contains_key(&name) && data_name_fault(&name).is_none() {
                let text = self.source.read(&name);
                self.texts.insert(name, text);
            }
        }
    }

    /// Stores a file beside a stored scene.
    pub(super) fn add(&mut self, name: &str, text: &str) {
        if let Source::Stored(texts) = &mut self.source {
            Arc::make_mut(texts).files.insert(name.to_owned(), text.to_owned());
        }
    }

    /// Stores the content of a file. Returns false if it is known, or if no scene names the file.
    pub(super) fn set(&mut self, name: &str, text: SavedText) -> bool {
        let text = match text {
            Some(Ok(text)) => Ok(text),
            Some(Err(fault)) => Err(fault.message),
            None => Err(MISSING.to_owned()),
        };
        self.texts.get_mut(name).is_some_and(|known| std::mem::replace(known, text.clone()) != text)
    }

    /// Returns true if a scene was read with the present texts.
    pub(super) fn are_those_of(&self, scene: &Scene) -> bool {
        scene.data.iter().all(|(name, text)| matches!(self.texts.get(name), Some(Ok(known)) if known == text))
    }

    /// Returns the paths of the files on disk that were read or are missing.
    pub(super) fn paths(&self) -> Vec<PathBuf> {
        match &self.source {
            Source::Folder(folder) => self.texts.keys().map(|name| folder.join(name)).collect(),
            _ => Vec::new(),
        }
    }

    /// Returns the name of a file by its path.
    pub(super) fn name_of(&self, path: &Path) -> Option<String> {
        let Source::Folder(folder) = &self.source else { return None };
        self.texts.keys().find(|name| folder.join(name) == path).cloned()
    }
}

/// The reason why a file that does not exist cannot be read.
const MISSING: &str = "there is no such file";

impl Source {
    fn read(&self, name: &str) -> Result<Arc<str>, String> {
        match self {
            Self::Folder(folder) => {
                let path = folder.join(name);
                if matches!(path.try_exists(), Ok(false)) {
                    return Err(MISSING.to_owned());
                }
                read_text_of(&path, MAX_DATA).map_err(|fault| fault.of_file(name).message)
            }
            Self::Stored(texts) => {
                let text = texts.files.get(name).map(|text| text.as_str().into());
                text.ok_or_else(|| "the stored run does not contain this file".to_owned())
            }
            Self::BuiltIn => {
                Err("a scene without a file has no files beside it: save the scene first".to_owned())
            }
        }
    }
}
