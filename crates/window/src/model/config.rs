//! The stored configuration of the window: theme, sizes, and open parts.

use serde::{Deserialize, Serialize};
use steerbox_picture::render::theme::ThemeName;

use super::panes::Panes;

/// Minimum and maximum value of every stored size: points of the window, scale.
const WINDOW: [usize; 2] = [200, 16_384];
const SCALE: [f32; 2] = [0.5, 4.0];

/// The configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(crate) struct Config {
    pub(crate) theme: ThemeName,
    /// Width and height of the window in points, if it was opened before.
    pub(crate) window: Option<(usize, usize)>,
    /// Pixels per point, if the user chose them.
    pub(crate) scale: Option<f32>,
    /// Docks and sizes of the panes.
    pub(crate) panes: Panes,
    /// True if log and plots are open.
    pub(crate) log_open: bool,
    pub(crate) plots_open: bool,
    /// True if a save starts a preview of selected units.
    pub(crate) preview: bool,
    /// True until the card of the first start is closed.
    pub(crate) welcome: bool,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            theme: ThemeName::default(),
            window: None,
            scale: None,
            panes: Panes::default(),
            log_open: true,
            plots_open: false,
            preview: true,
            welcome: false,
        }
    }
}

impl Config {
    /// The configuration with every size clamped to its range.
    pub(crate) fn clamped(self) -> Self {
        let side = |side: usize| side.clamp(WINDOW[0], WINDOW[1]);
        Self {
            window: self.window.map(|(width, height)| (side(width), side(height))),
            scale: self.scale.filter(|scale| scale.is_finite()).map(|scale| scale.clamp(SCALE[0], SCALE[1])),
            panes: self.panes.clamped(),
            ..self
        }
    }
}
