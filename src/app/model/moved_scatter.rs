//! Scattered obstacles that were moved by hand.

use std::collections::BTreeMap;

use crate::scene::Scene;
use crate::world::Obstacle;

/// Scattered obstacles as they stood before they were moved, counted back from the last one, from 1: no file says
/// where they stand.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Strays(pub(in crate::app) BTreeMap<usize, Obstacle>);

impl Strays {
    pub(in crate::app) fn clear(&mut self) {
        self.0.clear();
    }

    /// Keeps to the obstacles from one scene to the next, as far as they are still the same.
    pub(in crate::app) fn follow(&mut self, before: &Scene, scene: &Scene) {
        if before.scatter != scene.scatter {
            self.clear();
        }
    }
}
