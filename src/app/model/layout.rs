//! The layout of the window.

/// Width of the panel, height of the log and the place of the world, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Layout {
    pub(in crate::app) panel: f32,
    pub(in crate::app) log: f32,
    pub(in crate::app) world: egui::Rect,
}
