//! The duration of the phases of a step.

use std::time::Duration;

/// Wall-clock time of the phases of a step.
#[derive(Clone, Copy, Debug, Default)]
pub struct Phases {
    /// Sorting of units into the grid, and of groups into its order.
    pub perceive: Duration,
    /// Gathering of lists and running of behaviors.
    pub decide: Duration,
    /// Blending, integration, contacts, edges.
    pub act: Duration,
}

impl Phases {
    /// Duration of the whole step.
    pub fn total(&self) -> Duration {
        self.perceive + self.decide + self.act
    }
}
