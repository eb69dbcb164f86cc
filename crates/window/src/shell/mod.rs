//! The shell around session and view: window, input, frames, configuration.

pub(crate) mod application;
pub(crate) mod clipboard;
pub(crate) mod config;
pub(crate) mod editors;
pub(crate) mod editors_state;
pub(crate) mod fallback_fonts;
pub(crate) mod frame;
pub(crate) mod input;
pub(crate) mod last_minute;
pub(crate) mod main_loop;
pub(crate) mod pixel_format;
mod pointer;
pub(crate) mod recovery;
pub(crate) mod redraw;
pub(crate) mod screen;
pub(crate) mod update;
pub(crate) mod visibility;
pub(crate) mod window;
