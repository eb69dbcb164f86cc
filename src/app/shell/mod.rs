//! The shell around session and view: window, input, frames, configuration.

pub(in crate::app) mod application;
pub(in crate::app) mod config;
pub(in crate::app) mod editor;
pub(in crate::app) mod frame;
pub mod input;
#[cfg(feature = "window")]
pub(in crate::app) mod main_loop;
#[cfg(feature = "window")]
pub(in crate::app) mod pointer;
pub(in crate::app) mod redraw;
#[cfg(feature = "window")]
pub(in crate::app) mod screen;
pub(in crate::app) mod update;
#[cfg(feature = "window")]
pub(in crate::app) mod visibility;
#[cfg(feature = "window")]
pub mod window;
#[cfg(not(feature = "window"))]
pub mod without_window;
