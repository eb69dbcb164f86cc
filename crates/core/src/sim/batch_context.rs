//! Queries of batch code. They are not charged: batch code counts its own work.

use super::batch::{BATCH, BatchObstacles};
use super::context::UnitContext;
use crate::perception::{BatchQueries, BatchUnits};
use crate::world::{SearchCost, random};

impl UnitContext {
    /// The queries for all units of the batch.
    pub fn batch_queries(&mut self) -> BatchQueries<'_> {
        self.queries.of_batch(&self.frozen.world, &self.frozen.grid)
    }

    /// Returns the random number of each unit after `draws` earlier draws; see [`UnitContext::random`]. The value is
    /// meaningless for invalid indices.
    pub fn random_of_batch(&self, units: &[u32; BATCH], draws: [u32; BATCH]) -> [f32; BATCH] {
        let world = &self.frozen.world;
        let keys = units.map(|unit| world.units.key.get(unit as usize).copied().unwrap_or_default());
        random::draw_each(world.seed, keys, world.steps, self.behavior, draws)
    }

    /// The units of the batch; their axes only if `axes` is true.
    pub fn batch(&mut self, axes: bool) -> BatchUnits<'_> {
        self.queries.batch(axes, &self.frozen.world)
    }

    /// Sets the deciding unit only. This suffices for functions that read its state or search obstacles.
    pub fn set_reading_unit(&mut self, unit: usize) {
        (self.unit, self.has_unit) = (unit, true);
        self.near.forget();
    }

    /// Returns the obstacles within reach of each active unit of the batch, nearest first: row i has the i-th obstacle of
    /// each unit. Also returns cost and number of results of each search. For an infinite reach all obstacles are
    /// returned in their order, without a search.
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

    /// Returns the nearest obstacle of each active unit of the batch, and the cost of each search.
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

/// Returns a mask of the given lanes.
fn bits(lanes: impl Iterator<Item = usize>) -> u8 {
    lanes.fold(0, |bits, lane| bits | 1 << lane)
}
