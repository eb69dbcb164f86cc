//! Batched queries of compiled code.

use super::batch_nearest::BatchNearest;
use super::batch_neighbors::BatchNeighbor;
use super::batch_ordered::BatchOrdered;
use super::grid::Grid;
use super::lanes::LANES;
use super::list::List;
use super::means::NeighborMeansX8;
use super::queries::NeighborQueries;
use super::query_batch::BatchUnits;
use super::scan::BatchScan;
use crate::world::World;

impl NeighborQueries {
    /// [`NeighborQueries::means_x8`] for all units of the batch; `None` if they must be queried separately. Velocities
    /// may be meaningless unless requested.
    pub fn means_of_batch(
        &mut self,
        list: List,
        velocities: bool,
        world: &World,
        grid: &Grid,
    ) -> Option<&NeighborMeansX8> {
        self.can_be_batched(list, grid).then(|| self.means_x8(list, velocities, world, grid).0)
    }

    /// Returns the unit at an index of a list, nearest first, for each active unit of the batch; `None` if they must be
    /// queried separately.
    pub fn nth_of_batch(
        &mut self,
        list: List,
        active: &[u32; LANES],
        indices: &[u32; LANES],
        world: &World,
        grid: &Grid,
    ) -> Option<BatchNearest> {
        let rows = self.ordered_of_batch(list, active, world, grid)?;
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
    /// [`NeighborQueries::ordered`]; `None` if the units of the batch must be queried separately. The pointers are valid
    /// until three other lists are requested.
    pub fn neighbors_of_batch(
        &mut self,
        list: List,
        world: &World,
        grid: &Grid,
    ) -> Option<&mut [BatchNeighbor]> {
        let position = match self.batch_neighbors.find(list.key()) {
            Some(position) => position,
            None => self.gather_for_batch(list, world, grid)?,
        };
        Some(self.batch_neighbors.at(position))
    }

    #[inline(never)]
    fn gather_for_batch(&mut self, list: List, world: &World, grid: &Grid) -> Option<usize> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        let scan = BatchScan::new(list, &mut self.batch, &mut self.runs, (world, grid));
        self.batch_neighbors.gather(list.key(), scan)
    }

    /// Returns the nearest unit of a list for each unit of the batch; `None` if they must be queried separately.
    pub fn nearest_of_batch(&mut self, list: List, world: &World, grid: &Grid) -> Option<BatchNearest> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        let known = self.nearest.known(self.epoch, list);
        Some(known.unwrap_or_else(|| {
            let Self { nearest, batch, runs, .. } = self;
            let batches = (self.epoch, batch.count);
            nearest.find(batches, list, |list| BatchScan::new(list, batch, runs, (world, grid)).nearest())
        }))
    }

    /// Returns the sorted lists of the active units of the batch, as [`NeighborQueries::ordered`], possibly followed by
    /// units beyond the reach; `None` if a list is too long. The pointers are valid until another list is requested.
    pub fn ordered_of_batch(
        &mut self,
        list: List,
        active: &[u32; LANES],
        world: &World,
        grid: &Grid,
    ) -> Option<&[BatchOrdered]> {
        let mut ordered = std::mem::take(&mut self.batch_ordered);
        ordered.prepare(list.source);
        let units = *self.batch.in_lanes().units;
        let stored = (0..self.batch.count).filter(|lane| active[*lane] != 0).all(|lane| {
            ordered.has(lane, list.within) || {
                self.set_unit_in_batch(units[lane] as usize, lane);
                let neighbors = self.ordered(list, world, grid);
                ordered.store(lane, list.within, neighbors, &world.units.velocity)
            }
        });
        self.set_unit_in_batch(units[0] as usize, 0);
        self.batch_ordered = ordered;
        stored.then_some(self.batch_ordered.rows())
    }

    /// Returns the units of a list that a prefilter selected (see [`BatchNeighbor::selected`]): sorted for each unit of
    /// the batch, or the nearest only. In the latter case also returns the work of each unit up to its nearest one.
    /// `None` if the list is not cached.
    pub fn selected_of_batch(
        &mut self,
        list: List,
        nearest: bool,
    ) -> Option<(&[BatchOrdered], [u32; LANES])> {
        let position = self.batch_neighbors.find(list.key())?;
        Some(self.selection.select(self.batch_neighbors.at(position), nearest))
    }

    /// The units of the batch; their axes only if `axes` is true.
    pub fn batch(&mut self, axes: bool, world: &World) -> BatchUnits<'_> {
        if axes {
            self.batch.load_axes(&world.units);
        }
        self.batch.in_lanes()
    }
}
