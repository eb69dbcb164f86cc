//! The shell around session and view: window, input, frames, configuration.

pub(crate) mod application;
#[cfg(feature = "window")]
pub(crate) mod clipboard;
pub(crate) mod config;
pub(crate) mod editors;
pub(crate) mod editors_state;
pub(crate) mod frame;
#[cfg(feature = "window")]
pub(crate) mod input;
pub(crate) mod last_minute;
#[cfg(feature = "window")]
pub(crate) mod main_loop;
#[cfg(feature = "window")]
pub(crate) mod pointer;
pub(crate) mod recovery;
pub(crate) mod redraw;
#[cfg(feature = "window")]
pub(crate) mod screen;
pub(crate) mod update;
#[cfg(feature = "window")]
pub(crate) mod visibility;
#[cfg(feature = "window")]
pub mod window;
#[cfg(not(feature = "window"))]
pub mod without_window;
