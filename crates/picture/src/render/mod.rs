//! World and panel to pixels: cameras, rasterizers, colors. Independent of session and view state.

pub mod beside;
pub mod camera;
pub mod canvas;
pub mod chart;
pub mod coloring;
pub mod egui_paint;
pub mod interpolated_poses;
pub mod picture;
pub mod system_fonts;
pub mod theme;
pub mod trails;
pub mod unit_set;
