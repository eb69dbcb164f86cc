//! The layout of the window.

/// Width of the panel, height of the log and the place of the world, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) panel: f32,
    pub(crate) log: f32,
    pub(crate) world: egui::Rect,
}
