//! The stored configuration of the window: theme, sizes, and open parts.

use serde::{Deserialize, Serialize};

use crate::app::render::theme::ThemeName;

/// Least and greatest value of every stored size: pixels of the window, scale, points of panel and log.
const WINDOW: [usize; 2] = [200, 16_384];
const SCALE: [f32; 2] = [0.5, 4.0];
const PANEL: [f32; 2] = [240.0, 560.0];
const LOG: [f32; 2] = [20.0, 500.0];

/// The configuration.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(crate) struct Config {
    pub(crate) theme: ThemeName,
    /// Width and height of the window in pixels, if it was opened before.
    pub(crate) window: Option<(usize, usize)>,
    /// Pixels per point, if the user chose them.
    pub(crate) scale: Option<f32>,
    /// Width of the panel and height of the log, points. A log of height 0 fits its content.
    pub(crate) panel: f32,
    pub(crate) log: f32,
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
            panel: 322.0,
            log: 0.0,
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
        let Self { panel, log, .. } = Self::default();
        let within = |value: f32, [least, most]: [f32; 2], usual: f32| {
            if value.is_finite() { value.clamp(least, most) } else { usual }
        };
        let side = |side: usize| side.clamp(WINDOW[0], WINDOW[1]);
        Self {
            window: self.window.map(|(width, height)| (side(width), side(height))),
            scale: self.scale.filter(|scale| scale.is_finite()).map(|scale| scale.clamp(SCALE[0], SCALE[1])),
            panel: within(self.panel, PANEL, panel),
            log: if self.log == 0.0 { log } else { within(self.log, LOG, log) },
            ..self
        }
    }
}
