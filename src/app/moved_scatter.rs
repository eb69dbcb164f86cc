//! Scattered obstacles that were moved by hand.

use std::collections::BTreeMap;

use crate::scene::Scene;
use crate::world::Obstacle;

/// Scattered obstacles as they stood before they were moved, counted back from the last one, from 1: no file says
/// where they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Strays(pub(super) BTreeMap<usize, Obstacle>);

impl Strays {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps to the obstacles from one scene to the next, as far as they are still the same.
    pub(super) fn follow(&mut self, before: &Scene, scene: &Scene) {
        if before.scatter != scene.scatter {
            self.clear();
        }
    }
}
