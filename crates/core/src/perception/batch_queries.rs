//! Batched queries of compiled code.

use super::batch_nearest::BatchNearest;
use super::batch_neighbors::BatchNeighbor;
use super::batch_ordered::BatchOrdered;
use super::grid::Grid;
use super::lanes::{LANES, Lanes};
use super::list::{List, Source};
use super::means::NeighborMeansX8;
use super::queries::NeighborQueries;
use super::query_batch::BatchUnits;
use super::scan::BatchScan;
use crate::world::World;

/// Queries for all units of a batch. Results are `None` if the units must be queried separately.
#[derive(Debug)]
pub struct BatchQueries<'a> {
    queries: &'a mut NeighborQueries,
    world: &'a World,
    grid: &'a Grid,
}

impl NeighborQueries {
    /// The queries of the batch.
    pub fn of_batch<'a>(&'a mut self, world: &'a World, grid: &'a Grid) -> BatchQueries<'a> {
        BatchQueries { queries: self, world, grid }
    }

    /// The units of the batch; their axes only if `axes` is true.
    pub fn batch(&mut self, axes: bool, world: &World) -> BatchUnits<'_> {
        if axes {
            self.batch.load_axes(&world.units);
        }
        self.batch.in_lanes()
    }

    #[inline(never)]
    fn gather_for_batch(&mut self, list: List, world: &World, grid: &Grid) -> Option<usize> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        let scan = BatchScan::new(list, &mut self.batch, &mut self.runs, (world, grid));
        self.batch_neighbors.gather(list.key(), scan)
    }
}

impl<'a> BatchQueries<'a> {
    /// [`NeighborQueries::means_x8`] of all units. Velocities may be meaningless unless requested.
    pub fn means(self, list: List, velocities: bool) -> Option<&'a NeighborMeansX8> {
        let is_batched = self.queries.can_be_batched(list, self.grid);
        is_batched.then(|| self.queries.means_x8(list, velocities, self.world, self.grid).0)
    }

    /// As [`BatchQueries::means`] for the units of a source within reaches that differ by unit; those of negative
    /// reaches are empty.
    pub fn means_within(self, list: (Source, &Lanes), velocities: bool) -> Option<&'a NeighborMeansX8> {
        self.queries.means_within(list, velocities, self.world, self.grid)
    }

    /// Returns the unit at an index of a list, nearest first, for each active unit.
    pub fn nth(self, list: List, active: &[u32; LANES], indices: &[u32; LANES]) -> Option<BatchNearest> {
        let rows = self.ordered(list, active)?;
        let (mut found, limit) = (BatchNearest::default(), list.limit());
        for lane in (0..LANES).filter(|lane| active[*lane] != 0) {
            let row = rows.get(indices[lane] as usize).filter(|row| row.square[lane] <= limit);
            if let Some(row) = row {
                found.set(lane, (row.unit[lane], row.square[lane]), |axis| {
                    [row.position[axis][lane], row.velocity[axis][lane]]
                });
            }
        }
        Some(found)
    }

    /// Returns the units of a list for all units of the batch, in slot order, with the positions of
    /// [`NeighborQueries::ordered`]. The pointers are valid until three other lists are requested.
    pub fn neighbors(self, list: List) -> Option<&'a mut [BatchNeighbor]> {
        let Self { queries, world, grid } = self;
        let position = match queries.batch_neighbors.find(list.key()) {
            Some(position) => position,
            None => queries.gather_for_batch(list, world, grid)?,
        };
        Some(queries.batch_neighbors.at(position))
    }

    /// Returns the nearest unit of a list for each unit.
    pub fn nearest(self, list: List) -> Option<BatchNearest> {
        let Self { queries, world, grid } = self;
        if !queries.can_be_batched(list, grid) {
            return None;
        }
        let known = queries.nearest.known(queries.epoch, list);
        Some(known.unwrap_or_else(|| {
            let NeighborQueries { nearest, batch, runs, epoch, .. } = queries;
            let batches = (*epoch, batch.count);
            nearest.find(batches, list, |list| BatchScan::new(list, batch, runs, (world, grid)).nearest())
        }))
    }

    /// Returns the sorted lists of the active units, as [`NeighborQueries::ordered`], possibly followed by units beyond the
    /// reach; `None` if a list is too long. The pointers are valid until another list is requested.
    pub fn ordered(self, list: List, active: &[u32; LANES]) -> Option<&'a [BatchOrdered]> {
        let Self { queries, world, grid } = self;
        let mut ordered = std::mem::take(&mut queries.batch_ordered);
        ordered.prepare(list.source);
        let units = *queries.batch.in_lanes().units;
        let stored = (0..queries.batch.count).filter(|lane| active[*lane] != 0).all(|lane| {
            ordered.has(lane, list.within) || {
                queries.set_unit_in_batch(units[lane] as usize, lane);
                let neighbors = queries.ordered(list, world, grid);
                ordered.store(lane, list.within, neighbors, &world.units.velocity)
            }
        });
        queries.set_unit_in_batch(units[0] as usize, 0);
        queries.batch_ordered = ordered;
        stored.then_some(queries.batch_ordered.rows())
    }

    /// Returns the units of a list that a prefilter selected (see [`BatchNeighbor::selected`]): sorted for each unit, or
    /// the nearest only. In the latter case also returns the work of each unit up to its nearest one. `None` if the list
    /// is not cached.
    pub fn selected(self, list: List, nearest: bool) -> Option<(&'a [BatchOrdered], [u32; LANES])> {
        let NeighborQueries { batch_neighbors, selection, .. } = self.queries;
        let position = batch_neighbors.find(list.key())?;
        Some(selection.select(batch_neighbors.at(position), nearest))
    }
}
