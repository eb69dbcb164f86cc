//! Stand-in for the window in builds without the feature `window`.

use std::sync::atomic::AtomicBool;

use steerbox_project::session::Options;

use crate::app::model::results::Results;

/// The error of a program that has no window.
#[derive(Debug, thiserror::Error)]
#[error("this program was built without the feature `window`")]
pub struct WindowError;

/// Has no effect: there is no window that could use an input method.
pub fn settle_input_method() {}

/// A constructor that always fails.
///
/// # Errors
/// Always.
pub fn open(
    _options: Options,
    _results: Option<Results>,
    _scale: Option<f32>,
    _ended: &AtomicBool,
) -> anyhow::Result<()> {
    Err(WindowError.into())
}
