//! Index of the scenes that can be opened by name.

use std::path::{Path, PathBuf};

use super::disk::{Change, Content, FileWatcher};
use super::embedded::embedded_scenes;
use super::place::{Place, SCENES, file_name, scenes_in};
use super::read_dir_sorted::may_be_file;
use steerbox_scene as scene;

/// A scene that can be opened by name.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct KnownScene {
    /// Name of its file without `.ron`.
    pub name: String,
    /// Title; none if the scene has errors.
    pub title: Option<String>,
    /// Comment at its head, as one line.
    pub about: String,
    /// Its file; none if it came with the binary.
    pub file: Option<PathBuf>,
}

/// Returns the scenes in `scenes/` of the working folder, and those of the binary with other names, sorted by name.
pub fn known_scenes() -> Vec<KnownScene> {
    known_scenes_in(Path::new(SCENES))
}

/// Like [`known_scenes`], for another folder.
pub fn known_scenes_in(folder: &Path) -> Vec<KnownScene> {
    let on_disk = FileWatcher::unwatched(scenes_in(folder)).read_all();
    let scene = |Change { path, content }: Change| {
        let text = match &content {
            Content::Text(text) => text,
            Content::Unreadable(_) => "",
            Content::Missing => return None,
        };
        Some(KnownScene::new(&file_name(&path), text, Some(&path)))
    };
    let mut known: Vec<_> = on_disk.into_iter().filter_map(scene).collect();
    for (file, text) in embedded_scenes() {
        // A file that cannot be read hides the embedded scene.
        let hiding = Some(folder.join(file)).filter(|path| may_be_file(path));
        let scene = KnownScene::new(file, if hiding.is_some() { "" } else { text }, hiding.as_deref());
        if !known.iter().any(|other| other.name == scene.name) {
            known.push(scene);
        }
    }
    known.sort_by(|a, b| a.name.cmp(&b.name));
    known
}

impl KnownScene {
    fn new(file: &str, text: &str, path: Option<&Path>) -> Self {
        Self {
            name: file.trim_end_matches(".ron").to_owned(),
            title: scene::read(file, text).ok().map(|scene| scene.title),
            about: head_comment(text),
            file: path.map(Path::to_owned),
        }
    }

    /// Returns the location of the scene and its scripts; `None` if it does not exist any more.
    pub fn place(&self) -> Option<Place> {
        match &self.file {
            Some(file) => Some(Place::of_scene(file)),
            None => Place::built_in_named(&self.name),
        }
    }
}

/// Returns the comment lines at the start of a text, as one line.
pub fn head_comment(text: &str) -> String {
    let lines = text.lines().map_while(|line| line.trim().strip_prefix("//"));
    let lines = lines.map(|line| line.trim_start_matches('!'));
    lines.map(str::trim).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_known_scene_is_opened_by_its_name() {
        let known = known_scenes();
        assert!(known.len() > 10);
        for scene in known {
            let place = Place::named(&scene.name).unwrap();
            assert_eq!(place.scene_name(), format!("{}.ron", scene.name));
            assert_eq!(place.scene.is_some(), scene.file.is_some());
            assert!(scene.title.is_some(), "{}", scene.name);
            assert!(scene.about.len() > 20 && !scene.about.contains('\n'), "{}", scene.name);
            assert_eq!(scene.place(), Some(place));
        }
        assert_eq!(Place::named("doorway.ron"), Place::named("doorway"));
        for name in ["nowhere", "scenes/doorway", "../doorway", "", ".."] {
            assert_eq!(Place::named(name), None, "{name}");
        }
    }
}
