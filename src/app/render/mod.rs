//! World and panel to pixels: cameras, rasterizers, colors. Independent of session and view state.

pub(crate) mod beside;
pub(crate) mod camera;
pub mod canvas;
pub(crate) mod chart;
pub(crate) mod coloring;
pub mod egui_paint;
pub(crate) mod interpolated_poses;
pub(crate) mod picture;
pub mod theme;
pub(crate) mod trails;
pub(crate) mod unit_set;
