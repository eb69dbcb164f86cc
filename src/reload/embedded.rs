//! The scripts and scenes inside the binary, so that it runs in an empty folder.

use std::path::Path;

use include_dir::{Dir, include_dir};

/// File name of the scene that opens when none is named.
pub(super) const DEFAULT_SCENE: &str = "flock.ron";

static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");
static SCENES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenes");

fn texts(folder: &'static Dir<'_>) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder
        .files()
        .filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name)
        .extension()
        .is_some_and(|found| found == extension)
}

/// File name and text of every embedded behavior script.
pub fn embedded_scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(&SCRIPTS).filter(|(name, _)| has_extension(name, "rhai"))
}

/// File name and text of every embedded scene.
pub fn embedded_scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(&SCENES).filter(|(name, _)| has_extension(name, "ron"))
}

/// File name and text of the scene that opens when none is named.
pub fn default_scene() -> (&'static str, &'static str) {
    embedded_scene(DEFAULT_SCENE)
}

/// The embedded scene with this file name, and its text: empty if there is none.
pub(super) fn embedded_scene(name: &'static str) -> (&'static str, &'static str) {
    let mut scenes = embedded_scenes();
    scenes
        .find(|(known, _)| *known == name)
        .unwrap_or((name, ""))
}
