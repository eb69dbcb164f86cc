//! The window: input, camera, panel and drawing. Reads the simulation; changes it only through its commands.

pub mod canvas;
pub mod egui_paint;
pub mod input;
pub mod theme;
pub mod window;
