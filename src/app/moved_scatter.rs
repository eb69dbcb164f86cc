//! Scattered obstacles that were moved by hand.

use std::collections::BTreeMap;

use crate::scene::Scene;
use crate::world::Obstacle;

/// Scattered obstacles that were moved, by their place in the world: no file says where they stand.
#[derive(Clone, Debug, Default)]
pub(super) struct Strays(pub(super) BTreeMap<usize, Obstacle>);

impl Strays {
    pub(super) fn clear(&mut self) {
        self.0.clear();
    }

    /// Follows the obstacles from one scene to the next, as far as they are still the same.
    pub(super) fn follow(&mut self, before: &Scene, scene: &Scene) {
        let (had, has) = (before.world.obstacles.len(), scene.world.obstacles.len());
        let strays = std::mem::take(&mut self.0);
        if before.scatter == scene.scatter {
            let now = |(at, place): (usize, Obstacle)| (at + has - had.min(at), place);
            self.0 = strays.into_iter().map(now).collect();
        }
    }
}
