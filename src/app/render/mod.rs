//! World and panel to pixels: cameras, rasterizers, colors. Knows neither session nor view state.

pub(in crate::app) mod beside;
pub(in crate::app) mod camera;
pub mod canvas;
pub(in crate::app) mod coloring;
pub mod egui_paint;
pub(in crate::app) mod interpolated_poses;
pub(in crate::app) mod picture;
pub mod theme;
pub(in crate::app) mod trails;
