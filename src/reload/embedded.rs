//! The scripts and scenes inside the binary, so that it runs in an empty folder.

use include_dir::{Dir, include_dir};

static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scripts");
static SCENES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/scenes");

fn texts(folder: &'static Dir<'_>) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder
        .files()
        .filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}

/// File name and text of every embedded behavior script.
pub fn embedded_scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(&SCRIPTS).filter(|(name, _)| name.ends_with(".rhai"))
}

/// File name and text of every embedded scene.
pub fn embedded_scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(&SCENES).filter(|(name, _)| name.ends_with(".ron"))
}

/// Name and text of the scene that opens when none is named.
pub fn default_scene() -> (&'static str, &'static str) {
    let mut scenes = embedded_scenes();
    scenes
        .find(|(name, _)| *name == "flock.ron")
        .unwrap_or(("flock.ron", ""))
}
