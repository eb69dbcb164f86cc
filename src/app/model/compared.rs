//! The second of two runs that are compared.

use super::plots::Plots;
use crate::app::render::canvas::Canvas;
use crate::app::render::interpolated_poses::Shown;

/// What the window knows of the second run.
#[derive(Default)]
pub(in crate::app) struct Compared {
    /// What it is, in words.
    pub(in crate::app) name: String,
    /// The same of one that was asked for, while its rules are compiled.
    pub(in crate::app) asked: String,
    /// Where its units are drawn.
    pub(in crate::app) shown: Shown,
}

/// What the second view is drawn with.
pub(in crate::app) struct SecondView {
    pub(in crate::app) canvas: Canvas,
    /// Figures of its groups.
    pub(in crate::app) plots: Plots,
}

impl Default for SecondView {
    fn default() -> Self {
        Self { canvas: Canvas::new(1, 1), plots: Plots::default() }
    }
}
