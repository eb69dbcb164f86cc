//! The switches of the view.

/// A part of the view that is on or off.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Switch {
    /// Trails of units.
    Trails,
    /// Velocities and contributions of all units.
    Vectors,
    Grid,
    /// The measured cost of behaviors.
    Costs,
    /// The world without panes.
    Presentation,
    FullScreen,
    /// A preview of the selected units after each save.
    Preview,
    /// The notes of the scene.
    Notes,
    Log,
    /// The hint of the scene, in the status line.
    Hint,
    Plots,
    /// The results of a sweep.
    Results,
    /// The view centered on the inspected unit.
    Following,
    /// Runs every text that passes the checks.
    Live,
    /// The difference of the shown text to the saved content.
    Difference,
}
