//! What code for eight units asks of the context. None of it is charged for: such code counts its own work.

use super::context::UnitContext;
use super::frozen::Frozen;
use crate::perception::{BatchNearest, BatchNeighbor, BatchUnits, List, NeighborMeansX8};

/// Searches that are made one by one after most units of one had obstacles near.
const CROWDED: u32 = 7;

impl UnitContext {
    /// The means of a list for all units of the batch; `None` where they have to be looked at one by one. Velocities
    /// may mean nothing if they are not asked for.
    pub fn means_of_batch(&mut self, list: List, velocities: bool) -> Option<&NeighborMeansX8> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.means_of_batch(list, velocities, world, grid)
    }

    /// The units of a list for all units of the batch, in the order of the grid; `None` where they have to be
    /// looked at one by one.
    pub fn units_of_batch(&mut self, list: List) -> Option<&[BatchNeighbor]> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.of_batch(list, world, grid)
    }

    /// The nearest unit of a list for each unit of the batch; `None` where they have to be looked at one by one.
    pub fn nearest_of_batch(&mut self, list: List) -> Option<BatchNearest> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.nearest_of_batch(list, world, grid)
    }

    /// The units of the batch, with their axes if those are asked for.
    pub fn batch(&mut self, axes: bool) -> BatchUnits<'_> {
        self.queries.batch(axes, &self.frozen.world)
    }

    /// Sets the unit that decides and nothing else: for functions that compute nothing but what is read of it, and
    /// searches for obstacles.
    pub fn look_as(&mut self, unit: usize) {
        self.unit = unit;
        self.near.forget();
    }

    /// Whether units had better search for obstacles one by one for a while, as most of the last that searched together
    /// had some near. Nothing but time depends on it.
    pub fn is_among_obstacles(&mut self) -> bool {
        let is_among = self.crowded > 0;
        self.crowded = self.crowded.saturating_sub(1);
        is_among
    }

    /// Notes how many of the units that searched together have obstacles near.
    pub fn note_obstacles(&mut self, near: usize, asked: usize) {
        if near * 2 > asked {
            self.crowded = CROWDED;
        }
    }
}
