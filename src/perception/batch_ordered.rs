//! Lists nearest first for all units of a batch: the first unit of each list, then the second of each, and so on.

use super::grid::Grid;
use super::lanes::{LANES, Lanes};
use super::list::{List, Source};
use super::queries::NeighborQueries;
use crate::world::World;

/// A unit of the list of each unit of a batch. Compiled code reads it in place.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug)]
pub struct BatchOrdered {
    /// Where it appears to be, by component.
    pub position: [Lanes; 3],
    /// Its velocity, by component.
    pub velocity: [Lanes; 3],
    /// The squared distance; no number for units of the batch whose list is not that long, of which the rest means
    /// nothing.
    pub square: Lanes,
    /// Its index.
    pub unit: [u32; LANES],
}

impl BatchOrdered {
    const NONE: Self = Self {
        position: [[0.0; LANES]; 3],
        velocity: [[0.0; LANES]; 3],
        square: [f32::NAN; LANES],
        unit: [0; LANES],
    };
}

/// Lists of the source that was asked for last, until the next batch starts.
#[derive(Clone, Debug, Default)]
pub(super) struct OrderedLists {
    source: Option<Source>,
    /// How far the list of each lane reaches that is there; nothing where there is none.
    reach: [Option<f32>; LANES],
    rows: Vec<BatchOrdered>,
}

impl OrderedLists {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.source = None;
    }
}

impl NeighborQueries {
    /// The units of a list for each unit of the batch that asks, as [`NeighborQueries::ordered`] tells them, and maybe
    /// some behind that are too far for it. They stay where they are until another list is asked for.
    pub fn ordered_of_batch(
        &mut self,
        list: List,
        asking: &[u32; LANES],
        world: &World,
        grid: &Grid,
    ) -> &[BatchOrdered] {
        let mut ordered = std::mem::take(&mut self.ordered_of_batch);
        if ordered.source != Some(list.source) {
            ordered.rows.clear();
            (ordered.source, ordered.reach) = (Some(list.source), [None; LANES]);
        }
        let units = *self.batch.in_lanes().units;
        for lane in (0..self.batch.count).filter(|lane| asking[*lane] != 0) {
            // Nothing is in a list without a number for a reach.
            if list.within.is_nan() || ordered.reach[lane].is_some_and(|reach| list.within <= reach) {
                continue;
            }
            ordered.reach[lane] = Some(list.within);
            self.set_unit_in_batch(units[lane] as usize, lane);
            let neighbors = self.ordered(list, world, grid);
            if ordered.rows.len() < neighbors.len() {
                ordered.rows.resize(neighbors.len(), BatchOrdered::NONE);
            }
            for (row, it) in ordered.rows.iter_mut().zip(neighbors) {
                row.square[lane] = it.distance_squared;
                row.unit[lane] = it.unit as u32;
                let velocity = world.units.velocity[it.unit];
                for axis in 0..3 {
                    row.position[axis][lane] = it.position[axis];
                    row.velocity[axis][lane] = velocity[axis];
                }
            }
        }
        self.set_unit_in_batch(units[0] as usize, 0);
        self.ordered_of_batch = ordered;
        &self.ordered_of_batch.rows
    }
}
