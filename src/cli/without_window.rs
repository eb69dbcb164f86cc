//! Stand-in for the window in builds without the feature `window`.

use std::sync::atomic::AtomicBool;

use steerbox_project::experiment::Manifest;
use steerbox_project::plot::Table;
use steerbox_project::session::Options;

/// The error of a program that has no window.
#[derive(Debug, thiserror::Error)]
#[error("this program was built without the feature `window`")]
pub(super) struct WindowError;

/// A table of results, which only the window shows.
pub(super) struct Results;

impl Results {
    /// Ignores the table.
    pub(super) fn new(_name: String, _table: Table, _manifest: Manifest) -> Self {
        Self
    }
}

/// Has no effect: there is no window that could use an input method.
pub(super) fn settle_input_method() {}

/// A constructor that always fails.
///
/// # Errors
/// Always.
pub(super) fn open(
    _options: Options,
    _results: Option<Results>,
    _scale: Option<f32>,
    _ended: &AtomicBool,
) -> anyhow::Result<()> {
    Err(WindowError.into())
}
