//! Scripts and scenes that the binary contains, so that it runs in an empty folder.

use std::path::Path;
use std::sync::Arc;

use include_dir::{Dir, include_dir};
use steerbox_script::{Library, MEASURES};

/// File name of the default scene.
pub(super) const DEFAULT_SCENE: &str = "flock.ron";

static SCRIPTS: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../scripts");
static SCENES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../scenes");

fn texts(folder: &'static Dir<'_>) -> impl Iterator<Item = (&'static str, &'static str)> {
    folder.files().filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}

fn has_extension(name: &str, extension: &str) -> bool {
    Path::new(name).extension().is_some_and(|found| found == extension)
}

fn rhai_files() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(&SCRIPTS).filter(|(name, _)| has_extension(name, "rhai"))
}

/// Returns true if a script only serves imports, as it is neither a behavior nor a flow field.
fn is_helper(text: &str) -> bool {
    !text.contains("fn steer(") && !text.contains("fn flow(")
}

/// Returns file name and text of every embedded behavior and flow field.
pub fn embedded_scripts() -> impl Iterator<Item = (&'static str, &'static str)> {
    rhai_files().filter(|(_, text)| !is_helper(text))
}

/// Returns file name and text of every embedded script that others import.
pub fn embedded_helpers() -> impl Iterator<Item = (&'static str, &'static str)> {
    rhai_files().filter(|(_, text)| is_helper(text))
}

/// The embedded scripts as a library for imports.
#[derive(Clone, Copy, Debug)]
pub struct BuiltIn;

impl Library for BuiltIn {
    fn text(&self, name: &str) -> Result<Arc<str>, String> {
        let is = |(file, _): &(&str, &str)| file.strip_suffix(".rhai") == Some(name);
        let found = rhai_files().find(is);
        let (_, text) = found.ok_or_else(|| format!("there is no script {name}.rhai to import"))?;
        Ok(text.into())
    }
}

/// Returns name, with the folder, and text of every embedded measure.
pub fn embedded_measures() -> impl Iterator<Item = (&'static str, &'static str)> {
    let folder = SCRIPTS.get_dir(MEASURES.trim_end_matches('/'));
    folder.into_iter().flat_map(texts)
}

/// Returns file name and text of every embedded scene.
pub fn embedded_scenes() -> impl Iterator<Item = (&'static str, &'static str)> {
    texts(&SCENES).filter(|(name, _)| has_extension(name, "ron"))
}

/// Returns file name and text of the default scene.
pub fn default_scene() -> (&'static str, &'static str) {
    embedded_scene(DEFAULT_SCENE)
}

/// Returns the embedded scene with this file name, and its text, which is empty if there is none.
pub(super) fn embedded_scene(name: &'static str) -> (&'static str, &'static str) {
    let mut scenes = embedded_scenes();
    scenes.find(|(known, _)| *known == name).unwrap_or((name, ""))
}
