//! The shell around session and view: window, input, frames, configuration.

pub(in crate::app) mod application;
pub(in crate::app) mod config;
pub(in crate::app) mod editor;
pub(in crate::app) mod frame;
pub mod input;
pub(in crate::app) mod main_loop;
pub(in crate::app) mod pointer;
pub(in crate::app) mod redraw;
pub(in crate::app) mod screen;
pub(in crate::app) mod visibility;
pub mod window;
