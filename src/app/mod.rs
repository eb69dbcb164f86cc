//! The window: input, camera, panel and drawing. Reads the simulation; changes it only through its
//! commands.

mod action;
mod application;
mod beside;
mod browser;
mod camera;
pub mod canvas;
mod coloring;
mod commands;
mod config;
mod editor;
pub mod egui_paint;
mod frame;
mod hands;
mod history;
pub mod input;
mod keys;
mod live_session;
mod log;
mod main_loop;
mod moved_scatter;
mod news;
mod obstacle_drag;
mod panel;
mod pause_when;
mod picture;
mod plots;
mod pointer;
mod pointing;
mod redraw;
mod scene_keys;
mod screen;
mod selection;
mod shown;
pub mod theme;
mod timeline;
mod trails;
mod tuning;
mod undo;
mod unit_drag;
mod view_state;
mod visibility;
pub mod window;

pub use application::App;
pub use main_loop::open;
pub use picture::picture;
