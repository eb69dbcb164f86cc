//! What compiled code asks for all units of a batch at once.

use super::batch_nearest::BatchNearest;
use super::batch_neighbors::{BatchNeighbor, BatchScan};
use super::batch_ordered::BatchOrdered;
use super::grid::Grid;
use super::lanes::LANES;
use super::list::List;
use super::means::NeighborMeansX8;
use super::queries::NeighborQueries;
use super::query_batch::BatchUnits;
use crate::world::World;

impl NeighborQueries {
    /// As [`NeighborQueries::means_x8`], for all units of the batch alike; `None` where they have to be looked at
    /// one by one. Velocities may mean nothing if they are not asked for.
    pub fn means_of_batch(
        &mut self,
        list: List,
        velocities: bool,
        world: &World,
        grid: &Grid,
    ) -> Option<&NeighborMeansX8> {
        self.can_be_batched(list, grid).then(|| self.means_x8(list, velocities, world, grid).0)
    }

    /// The units of a list for all units of the batch, in the order of the grid, with the positions that
    /// [`NeighborQueries::ordered`] tells; `None` where the units of a batch have to be looked at one by one.
    /// They stay where they are until three other lists are asked for.
    pub fn of_batch(&mut self, list: List, world: &World, grid: &Grid) -> Option<&mut [BatchNeighbor]> {
        let place = match self.of_batch.find(list.key()) {
            Some(place) => place,
            None => self.gather_of_batch(list, world, grid)?,
        };
        Some(self.of_batch.at(place))
    }

    #[inline(never)]
    fn gather_of_batch(&mut self, list: List, world: &World, grid: &Grid) -> Option<usize> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        let scan = BatchScan::new(list, &mut self.batch, &mut self.runs, (world, grid));
        self.of_batch.gather(list.key(), scan)
    }

    /// The nearest unit of a list for each unit of the batch; `None` where they have to be looked at one by one.
    pub fn nearest_of_batch(&mut self, list: List, world: &World, grid: &Grid) -> Option<BatchNearest> {
        if !self.can_be_batched(list, grid) {
            return None;
        }
        let known = self.nearest.known(self.turn, list);
        Some(known.unwrap_or_else(|| {
            let Self { nearest, batch, runs, .. } = self;
            let batches = (self.turn, batch.count);
            nearest.find(batches, list, |list| BatchScan::new(list, batch, runs, (world, grid)).nearest())
        }))
    }

    /// The units of a list for each unit of the batch that asks, as [`NeighborQueries::ordered`] tells them, and maybe
    /// some behind that are too far for it; `None` where that is too many. They stay where they are until another list is
    /// asked for.
    pub fn ordered_of_batch(
        &mut self,
        list: List,
        asking: &[u32; LANES],
        world: &World,
        grid: &Grid,
    ) -> Option<&[BatchOrdered]> {
        let mut ordered = std::mem::take(&mut self.ordered_of_batch);
        ordered.prepare(list.source);
        let units = *self.batch.in_lanes().units;
        let taken = (0..self.batch.count).filter(|lane| asking[*lane] != 0).all(|lane| {
            ordered.knows(lane, list.within) || {
                self.set_unit_in_batch(units[lane] as usize, lane);
                let neighbors = self.ordered(list, world, grid);
                ordered.take(lane, list.within, neighbors, &world.units.velocity)
            }
        });
        self.set_unit_in_batch(units[0] as usize, 0);
        self.ordered_of_batch = ordered;
        taken.then_some(self.ordered_of_batch.rows())
    }

    /// Those of a list that were kept for some unit of the batch when it was looked through with [`Self::of_batch`]:
    /// for each of them nearest first, or the nearest alone. Where that is all, also the work of looking through the list
    /// up to it for each unit. `None` if the list is not there.
    pub fn selected_of_batch(
        &mut self,
        list: List,
        nearest: bool,
    ) -> Option<(&[BatchOrdered], [u32; LANES])> {
        let place = self.of_batch.find(list.key())?;
        Some(self.selection.select(self.of_batch.at(place), nearest))
    }

    /// The units of the batch; their axes only if they are asked for.
    pub fn batch(&mut self, axes: bool, world: &World) -> BatchUnits<'_> {
        if axes {
            self.batch.face(&world.units);
        }
        self.batch.in_lanes()
    }
}
