//! Texts for tests.

use include_dir::{Dir, include_dir};

static SCENES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../scenes");

/// Returns the file names and texts of the shipped scenes.
pub(super) fn shipped() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.files().filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}
