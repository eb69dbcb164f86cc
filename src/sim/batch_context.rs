//! What code for eight units asks of the context. None of it is charged for: such code counts its own work.

use super::batch::{BATCH, BatchObstacles};
use super::context::UnitContext;
use super::frozen::Frozen;
use crate::perception::{BatchNearest, BatchNeighbor, BatchOrdered, BatchUnits, List, NeighborMeansX8};
use crate::world::{SearchCost, random};

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

    /// The random number that each of some units draws after `draws` others; see [`UnitContext::random`]. There is
    /// none for units that are not there.
    pub fn random_of_batch(&self, units: &[u32; BATCH], draws: [u32; BATCH]) -> [f32; BATCH] {
        let world = &self.frozen.world;
        let keys = units.map(|unit| world.units.key.get(unit as usize).copied().unwrap_or_default());
        random::draw_each(world.seed, keys, world.steps, self.behavior, draws)
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

    /// The obstacles within reach of each unit of the batch that asks, nearest first: in each row one of each unit. With
    /// them comes what each search cost and found. Where the reach is infinite, it is all obstacles in their order,
    /// without a search.
    pub fn obstacles_of_batch(
        &mut self,
        reaches: &[f32; BATCH],
        asking: &[u32; BATCH],
    ) -> (&[BatchObstacles], [(SearchCost, u64); BATCH]) {
        let world = &self.frozen.world;
        let position = self.queries.batch(false, world).position;
        let is_search = |lane: &usize| asking[*lane] != 0 && reaches[*lane] != f32::INFINITY;
        let searching = bits((0..BATCH).filter(is_search));
        let costs = world.obstacles.within_each(position, reaches, searching, &mut self.found_obstacles);
        let mut searches = costs.map(|cost| (cost, 0));
        let rows = &mut self.batch_obstacles;
        rows.clear();
        let mut give = |lane: usize, index: u64, obstacle: usize| {
            if index as usize == rows.len() {
                rows.push(BatchObstacles::default());
            }
            let row = &mut rows[index as usize];
            (row.lanes[lane], row.obstacle[lane]) = (u32::MAX, obstacle as u32);
        };
        for (lane, near) in &self.found_obstacles {
            let (_, found) = &mut searches[*lane];
            give(*lane, *found, near.obstacle);
            *found += 1;
        }
        for lane in (0..BATCH).filter(|lane| asking[*lane] != 0 && !is_search(lane)) {
            (0..world.obstacles.len()).for_each(|obstacle| give(lane, obstacle as u64, obstacle));
        }
        (&self.batch_obstacles, searches)
    }

    /// The obstacle that is nearest to each unit of the batch that asks, and what finding it cost.
    pub fn nearest_obstacles_of_batch(
        &mut self,
        asking: &[u32; BATCH],
    ) -> ([Option<usize>; BATCH], [SearchCost; BATCH]) {
        let world = &self.frozen.world;
        let position = self.queries.batch(false, world).position;
        let asking = bits((0..BATCH).filter(|lane| asking[*lane] != 0));
        world.obstacles.nearest_to_each(position, asking)
    }
}

/// A bit for each of some lanes.
fn bits(lanes: impl Iterator<Item = usize>) -> u8 {
    lanes.fold(0, |bits, lane| bits | 1 << lane)
}
