//! Texts for tests.

use std::cell::RefCell;

use include_dir::{Dir, include_dir};

static SCENES: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/../../scenes");

/// Returns the file names and texts of the shipped scenes.
pub(super) fn shipped() -> impl Iterator<Item = (&'static str, &'static str)> {
    SCENES.files().filter_map(|file| Some((file.path().to_str()?, file.contents_utf8()?)))
}

/// A field that was read: its owner, its name, and its default; 0 or 1 for a switch.
pub(super) type ReadDefault = (&'static str, &'static str, f32);

thread_local! {
    static DEFAULTS: RefCell<Vec<ReadDefault>> = const { RefCell::new(Vec::new()) };
}

/// Records the default of a field that is read.
pub(super) fn record_default(default: ReadDefault) {
    DEFAULTS.with_borrow_mut(|defaults| {
        if !defaults.contains(&default) {
            defaults.push(default);
        }
    });
}

/// Returns the defaults that this thread has recorded, and removes them.
pub(super) fn recorded_defaults() -> Vec<ReadDefault> {
    DEFAULTS.take()
}
