//! The window: input, camera, panel and drawing. Reads the simulation; changes it only through its
//! commands.
//!
//! The window is a pixel buffer with a rasterizer of its own for world and panel: it builds with a C compiler
//! alone, needs no graphics driver, and tests read every pixel.
//!
//! Space is drawn from far to near, sorted by the depth of each center. That is wrong only where large shapes
//! intersect; it needs no depth buffer and preserves anti-aliased edges.
//!
//! The window library reports only the state of buttons, so short clicks would be lost. An input-only window over
//! its own, on a second connection, receives all pointer events in safe code.
//!
//! Plots and sparklines store samples while steps are made. Samples of closed plots, other units and other
//! quantities are missing; a replay computes them from the record, one interval between keyframes at a time, newest
//! first, on one thread, with a pause of the same length after each while the scene runs.

mod action;
mod application;
mod beside;
mod browser;
mod camera;
pub mod canvas;
mod coloring;
mod commands;
mod compare;
mod config;
mod corners;
mod dialog;
mod dispatch;
mod drawing;
mod editor;
pub mod egui_paint;
mod faulty;
mod frame;
mod hands;
mod history;
pub mod input;
mod keyboard;
mod keys;
mod live_session;
mod log;
mod main_loop;
mod moved_scatter;
mod news;
mod obstacle_at;
mod obstacle_drag;
mod obstacle_hands;
mod panel;
mod path_points;
mod pause_when;
mod picture;
mod plots;
mod pointer;
mod pointing;
mod preview;
mod question;
mod redraw;
mod refill;
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
mod unit_set;
mod values;
mod view_state;
mod visibility;
mod welcome;
pub mod window;

pub use application::App;
pub use main_loop::open;
pub use picture::picture;
