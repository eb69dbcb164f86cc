//! Scattered obstacles that were moved in the window.

use std::collections::BTreeMap;

use steerbox_core::world::Obstacle;
use steerbox_scene::Scene;

/// Scattered obstacles before they were moved, by their index from the end, starting at 1: no file stores them.
#[derive(Clone, Debug, Default)]
pub(crate) struct MovedScatter(pub(crate) BTreeMap<usize, Obstacle>);

impl MovedScatter {
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }

    /// Drops all obstacles if another scene scatters others.
    pub(crate) fn follow(&mut self, before: &Scene, scene: &Scene) {
        if before.scatter != scene.scatter {
            self.clear();
        }
    }
}
