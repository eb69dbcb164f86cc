//! The window, or its stand-in in builds without the feature `window`.

#[cfg(not(feature = "window"))]
pub(super) use super::without_window::{Results, WindowError, open, settle_input_method};
#[cfg(feature = "window")]
pub(super) use steerbox_window::{Results, WindowError, open, settle_input_method};
