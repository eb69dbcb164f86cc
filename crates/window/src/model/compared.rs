//! The second of two runs that are compared.

use steerbox_picture::render::canvas::Canvas;
use steerbox_picture::render::interpolated_poses::InterpolatedPoses;

use super::plots::Plots;

/// The second run as the window shows it.
#[derive(Default)]
pub(crate) struct Compared {
    /// A description of its rules.
    pub(crate) name: String,
    /// A description of a requested run's rules, while they are compiled.
    pub(crate) requested: String,
    /// The poses at which its units are drawn.
    pub(crate) poses: InterpolatedPoses,
}

/// Canvas and plots of the second view.
pub(crate) struct SecondView {
    pub(crate) canvas: Canvas,
    /// Figures of its groups.
    pub(crate) plots: Plots,
}

impl Default for SecondView {
    fn default() -> Self {
        Self { canvas: Canvas::new(1, 1), plots: Plots::default() }
    }
}
