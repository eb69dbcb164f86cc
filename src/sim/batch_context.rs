//! What code for eight units asks of the context. None of it is charged for: such code counts its own work.

use super::batch::{BATCH, BatchObstacles};
use super::context::UnitContext;
use super::frozen::Frozen;
use crate::perception::{BatchNearest, BatchNeighbor, BatchOrdered, BatchUnits, List, NeighborMeansX8};

impl UnitContext {
    /// The means of a list for all units of the batch; `None` where they have to be looked at one by one. Velocities
    /// may mean nothing if they are not asked for.
    pub fn means_of_batch(&mut self, list: List, velocities: bool) -> Option<&NeighborMeansX8> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.means_of_batch(list, velocities, world, grid)
    }

    /// The units of a list for all units of the batch, in the order of the grid; `None` where they have to be
    /// looked at one by one.
    pub fn units_of_batch(&mut self, list: List) -> Option<&mut [BatchNeighbor]> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.of_batch(list, world, grid)
    }

    /// The nearest unit of a list for each unit of the batch; `None` where they have to be looked at one by one.
    pub fn nearest_of_batch(&mut self, list: List) -> Option<BatchNearest> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.nearest_of_batch(list, world, grid)
    }

    /// The units of a list for each unit of the batch that asks, nearest first; `None` where they have to be looked at
    /// one by one.
    pub fn ordered_of_batch(&mut self, list: List, asking: &[u32; BATCH]) -> Option<&[BatchOrdered]> {
        let Frozen { world, grid, .. } = &*self.frozen;
        self.queries.ordered_of_batch(list, asking, world, grid)
    }

    /// See [`crate::perception::NeighborQueries::selected_of_batch`].
    pub fn selected_of_batch(
        &mut self,
        list: List,
        nearest: bool,
    ) -> Option<(&[BatchOrdered], [u32; BATCH])> {
        self.queries.selected_of_batch(list, nearest)
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

    /// An empty buffer for the obstacles near the units of a batch: in each row one of each unit.
    pub fn take_batch_obstacles(&mut self) -> Vec<BatchObstacles> {
        let mut rows = std::mem::take(&mut self.batch_obstacles);
        rows.clear();
        rows
    }

    /// Keeps them where they are until the next are taken.
    pub fn keep_batch_obstacles(&mut self, rows: Vec<BatchObstacles>) {
        self.batch_obstacles = rows;
    }
}
