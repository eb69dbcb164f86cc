//! The configuration that one window leaves to the next: theme, sizes, and what is open.

use serde::{Deserialize, Serialize};

use crate::app::render::theme::ThemeName;

/// Least and most of every size that is remembered: pixels of the window, scale, points of panel and log.
const WINDOW: [usize; 2] = [200, 16_384];
const SCALE: [f32; 2] = [0.5, 4.0];
const PANEL: [f32; 2] = [240.0, 560.0];
const LOG: [f32; 2] = [20.0, 500.0];

/// What is remembered.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(in crate::app) struct Config {
    pub(in crate::app) theme: ThemeName,
    /// Width and height of the window in pixels, if it was opened before.
    pub(in crate::app) window: Option<(usize, usize)>,
    /// Pixels of a point, if the user chose it.
    pub(in crate::app) scale: Option<f32>,
    /// Width of the panel and height of the log, points. A log of height 0 follows its content.
    pub(in crate::app) panel: f32,
    pub(in crate::app) log: f32,
    /// Whether log and plots are open.
    pub(in crate::app) log_open: bool,
    pub(in crate::app) plots_open: bool,
    /// Whether a save shows where selected units will be.
    pub(in crate::app) preview: bool,
    /// True until the card of the first start is closed.
    pub(in crate::app) welcome: bool,
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
    /// The same with every size within what makes sense.
    pub(in crate::app) fn sound(self) -> Self {
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
