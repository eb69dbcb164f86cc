//! Texts of a scene and its scripts that come from neither files nor the program, such as those inside a picture.

use std::collections::BTreeMap;
use std::path::Path;

use serde::{Deserialize, Serialize};
use steerbox_core::diagnostics::Fault;
use steerbox_scene::{self as scene, MAX_LENGTH};
use steerbox_script::{MAX_SOURCE, MEASURES};

use super::generation::Generation;

/// Maximum number of scripts of a scene.
const MAX_SCRIPTS: usize = 4096;

/// Texts of a scene and of all scripts that it uses, with their imports. They are untrusted until
/// [`Texts::check`] accepts them.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Texts {
    /// File name of the scene.
    pub name: String,
    /// Text of the scene.
    pub scene: String,
    /// Texts of the scripts, by name without extension.
    pub scripts: BTreeMap<String, String>,
    /// The used parts of the files that the scene names, by their names in it. Manifests of earlier versions have none.
    #[serde(default)]
    pub files: BTreeMap<String, String>,
}

impl Texts {
    /// Checks the size of each text, and that each name is a plain file name.
    ///
    /// # Errors
    /// With the reason.
    pub fn check(&self) -> Result<(), String> {
        let is_plain = |name: &str| {
            let is_whole = Path::new(name).file_name() == Some(name.as_ref());
            is_whole && !name.contains(['/', '\\', ':']) && !name.contains(char::is_control)
        };
        if Path::new(&self.name).extension() != Some("ron".as_ref()) || !is_plain(&self.name) {
            return Err(format!("{:?} is not the name of a scene file", self.name));
        }
        if self.scene.len() > MAX_LENGTH {
            return Err(format!("{} is larger than {MAX_LENGTH} bytes", self.name));
        }
        if self.scripts.len() > MAX_SCRIPTS {
            return Err(format!("it has {} scripts, the limit is {MAX_SCRIPTS}", self.scripts.len()));
        }
        for (name, text) in &self.scripts {
            if !is_plain(name.strip_prefix(MEASURES).unwrap_or(name)) {
                return Err(format!("{name:?} is not the name of a script"));
            }
            if text.len() > MAX_SOURCE {
                return Err(format!("{name}.rhai is larger than {MAX_SOURCE} bytes"));
            }
        }
        for (name, text) in &self.files {
            if scene::data_name_fault(name).is_some() {
                return Err(format!("{name:?} is not the name of a file beside a scene"));
            }
            if text.len() as u64 > scene::MAX_DATA {
                return Err(format!("{name} is larger than {} bytes", scene::MAX_DATA));
            }
        }
        Ok(())
    }

    /// Returns the file names of all texts that differ from those of `other`, including those that only one has.
    pub fn differences(&self, other: &Self) -> Vec<String> {
        let scene = (self.scene != other.scene).then(|| self.name.clone());
        let names =
            self.scripts.keys().chain(other.scripts.keys().filter(|it| !self.scripts.contains_key(*it)));
        let changed = names.filter(|name| self.scripts.get(*name) != other.scripts.get(*name));
        let files = self.files.keys().chain(other.files.keys().filter(|it| !self.files.contains_key(*it)));
        let files = files.filter(|name| self.files.get(*name) != other.files.get(*name)).cloned();
        scene.into_iter().chain(changed.map(|name| format!("{name}.rhai"))).chain(files).collect()
    }
}

impl Generation {
    /// Returns the texts of the chosen measures and of their imports, by name without extension.
    pub fn measure_texts(&self, is_chosen: impl Fn(&str) -> bool) -> BTreeMap<String, String> {
        let chosen = self.measures.iter().filter(|planned| is_chosen(&planned.named.name));
        let texts = chosen.filter_map(|planned| Some((&planned.named.script, planned.script.as_ref()?)));
        let texts = texts.flat_map(|(name, script)| {
            let imports = script.imports.iter().map(|import| (import.name.clone(), import.text.to_string()));
            imports.chain([(name.clone(), script.text.to_string())])
        });
        texts.collect()
    }

    /// Returns the texts that run, with edits of obstacles and paths written into the scene.
    ///
    /// # Errors
    /// If an edit cannot be written.
    pub fn texts(&self) -> Result<Texts, Fault> {
        let path = &self.file.path;
        let edited = scene::rewrite(path, &self.file.source, &[], &self.scene_edits);
        let unwritten = |faults: Vec<Fault>| {
            let message = "the edited scene cannot be written";
            faults.into_iter().next().unwrap_or_else(|| Fault::of_file(path, message))
        };
        let scripts = self.scripts.iter().map(|(name, text)| (name.clone(), text.to_string()));
        let files = self
            .file
            .data
            .iter()
            .map(|(name, text)| (name.clone(), self.file.used_data(name, text).to_owned()));
        let name = Path::new(path).file_name().unwrap_or_default();
        Ok(Texts {
            name: name.to_string_lossy().into_owned(),
            scene: edited.map_err(unwritten)?,
            scripts: scripts.collect(),
            files: files.collect(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::{Loader, Place};

    #[test]
    fn the_texts_of_a_generation_contain_all_imports_and_run_like_it() {
        for (name, _) in crate::reload::embedded_scenes() {
            let (_, one) = Loader::load(Place::built_in(name), Vec::new()).unwrap();
            let texts = one.texts().unwrap();
            texts.check().unwrap();
            let (_, other) = Loader::load(Place::of_texts(texts.clone()), Vec::new()).unwrap();
            assert_eq!(other.texts().unwrap(), texts);
            assert_eq!(one.start(None).hash(), other.start(None).hash(), "{name}");
        }
    }

    #[test]
    fn names_outside_a_folder_and_long_texts_are_rejected() {
        let good = Texts { name: "a.ron".to_owned(), ..Texts::default() };
        good.check().unwrap();
        for name in ["a", "../a.ron", "/a.ron", "x\\a.ron", "c:a.ron", "a\n.ron", "", ".."] {
            assert!(Texts { name: name.to_owned(), ..good.clone() }.check().is_err(), "{name}");
        }
        for name in ["../a", "", "a/b"] {
            let scripts = [(name.to_owned(), String::new())].into();
            assert!(Texts { scripts, ..good.clone() }.check().is_err(), "{name}");
        }
        let scene = " ".repeat(MAX_LENGTH + 1);
        assert!(Texts { scene, ..good }.check().is_err());
    }

    #[test]
    fn texts_of_earlier_versions_name_no_files() {
        let earlier = r#"{"name": "a.ron", "scene": "()", "scripts": {"b": "1"}}"#;
        let texts: Texts = serde_json::from_str(earlier).unwrap();
        assert_eq!((&*texts.scripts["b"], texts.files.len()), ("1", 0));
    }

    #[test]
    fn differences_name_the_files() {
        let one = Texts { name: "a.ron".to_owned(), scene: "(".to_owned(), ..Texts::default() };
        let scripts = BTreeMap::from([("b".to_owned(), "1".to_owned())]);
        let other = Texts { scene: "()".to_owned(), scripts, ..one.clone() };
        assert_eq!(one.differences(&other), ["a.ron", "b.rhai"]);
        assert!(one.differences(&one).is_empty());
    }
}
