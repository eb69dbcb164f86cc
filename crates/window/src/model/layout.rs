//! The layout of the window.

use super::panes::{Pane, Panes};

/// Docks and sizes of the panes, and the place of the world, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Layout {
    pub(crate) panes: Panes,
    /// The panes by the time of their last use, the latest first: of several tabs, the first is in front.
    pub(crate) recent: [Pane; Pane::ALL.len()],
    pub(crate) world: egui::Rect,
}

impl Default for Layout {
    fn default() -> Self {
        Self::new(Panes::default())
    }
}

impl Layout {
    /// A layout before its first frame.
    pub(crate) fn new(panes: Panes) -> Self {
        Self { panes, recent: Pane::ALL, world: egui::Rect::EVERYTHING }
    }

    /// Brings a pane in front of other tabs.
    pub(crate) fn raise(&mut self, pane: Pane) {
        self.recent.sort_by_key(|known| *known != pane);
    }

    /// The pane in front, of some tabs.
    pub(crate) fn front(&self, tabs: &[Pane]) -> Option<Pane> {
        self.recent.into_iter().find(|pane| tabs.contains(pane))
    }
}
