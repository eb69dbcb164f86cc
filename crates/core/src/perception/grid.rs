//! A uniform grid over the units, rebuilt every step by counting sort.

use std::ops::Range;

use glam::{Vec2, Vec3};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::block::{self, Block};
use super::filters::{GroupMasks, NO_SLOT, QueryFilters};
use super::lanes::LANES;
use super::layout::{Layout, Spans};
use super::list::Source;
use super::periodic::PeriodicBoundary;
use crate::world::{Extrema, Group, World};

/// Minimum number of units per parallel task while sorting.
const GRAIN: usize = 4096;
/// Number of units per group that the cost estimate of queries samples.
const SAMPLES: usize = 8;
/// Number of units up to which the estimate counts all of them as candidates.
const MAX_ALL_PAIRS: usize = 256;
/// Maximum distance of consecutive slots in a batch; the slots between them are read in vain.
const MAX_GAP: usize = 16;
/// Factor by which cells may exceed the requested length before a new sort pays.
const MAX_COARSENESS: f32 = 2.0;

/// The observing unit of a query.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Observer {
    pub(super) slot: u32,
    pub(super) cell: u32,
    pub(super) group: usize,
    pub(super) position: Vec3,
}

/// Units sorted by cell, cells sorted by row, so that a run of cells along x is one range of slots. Units of one cell
/// are sorted by index.
#[derive(Clone, Debug, Default)]
pub struct Grid {
    pub(super) layout: Layout,
    pub(super) periodic: PeriodicBoundary,
    /// The first slot of each cell, and the end of the last one.
    starts: Vec<u32>,
    cell_of: Vec<u32>,
    /// The unit in each slot.
    order: Vec<u32>,
    /// The slot of each unit.
    slots: Vec<u32>,
    /// Copies of the data that queries read, in slot order.
    pub(super) blocks: Vec<Block>,
    pub(super) masks: GroupMasks,
    pub(super) filters: QueryFilters,
    /// True if z is 0 for all positions and velocities.
    pub(super) flat: bool,
    /// True if in addition no z is −0.
    pub(super) planar: bool,
}

impl Grid {
    /// Sorts the units of `world` into cells of about the length of the shortest view.
    pub fn rebuild(&mut self, world: &World) {
        self.rebuild_beside(world, |_| ());
    }

    /// [`Grid::rebuild`], in parallel with `work`, which receives the units in slot order.
    pub fn rebuild_beside(&mut self, world: &World, work: impl FnOnce(&[u32]) + Send) {
        let units = &world.units;
        let edge = shortest_reach(world);
        self.arrange(&units.position, world.arena.period(), edge);
        let (order, cells) = (&self.order, &self.cell_of);
        let (blocks, masks) = (&mut self.blocks, &mut self.masks);
        let copy = || {
            masks.gather(world, order);
            block::gather(blocks, order, cells, &units.position, &units.velocity)
        };
        let ((), heights) = rayon::join(|| work(order), copy);
        self.set_planar(heights);
        let player = world.player.and_then(|player| self.slots.get(player));
        let player = player.copied().unwrap_or(NO_SLOT);
        self.filters.prepare(world, &self.masks, &self.slots, player);
    }

    /// Sorts `positions` into cells no shorter than `edge`; with a `period`, cells wrap.
    pub fn sort(&mut self, positions: &[Vec3], period: Option<Vec2>, edge: f32) {
        self.arrange(positions, period, edge);
        let (order, cells) = (&self.order, &self.cell_of);
        let heights = block::gather(&mut self.blocks, order, cells, positions, &[]);
        self.set_planar(heights);
    }

    /// Sets the flags from the union of the bits of all z.
    fn set_planar(&mut self, heights: u32) {
        (self.flat, self.planar) = (f32::from_bits(heights) == 0.0, heights == 0);
    }

    /// Computes the order; copies no data.
    fn arrange(&mut self, positions: &[Vec3], period: Option<Vec2>, edge: f32) {
        self.layout = Layout::over(positions, period, edge);
        self.periodic = PeriodicBoundary::new(period, positions);
        self.count(positions);
        self.place();
    }

    /// Computes the cell of each position, and stores the end of each cell in `starts`.
    fn count(&mut self, positions: &[Vec3]) {
        let layout = &self.layout;
        let cells = positions.par_iter().with_min_len(GRAIN);
        cells.map(|position| layout.index(*position) as u32).collect_into_vec(&mut self.cell_of);
        self.starts.clear();
        self.starts.resize(layout.count() + 1, 0);
        for cell in &self.cell_of {
            self.starts[*cell as usize] += 1;
        }
        let mut end = 0;
        for start in &mut self.starts {
            end += *start;
            *start = end;
        }
    }

    /// Assigns slots. Filling backwards moves each entry of `starts` from the end of its cell to the start.
    fn place(&mut self) {
        self.order.resize(self.cell_of.len(), 0);
        self.slots.resize(self.cell_of.len(), 0);
        let cells = self.cell_of.iter().zip(&mut self.slots).enumerate().rev();
        for (unit, (cell, slot)) in cells {
            let start = &mut self.starts[*cell as usize];
            *start -= 1;
            *slot = *start;
            self.order[*start as usize] = unit as u32;
        }
    }

    /// The units in slot order: neighbors in space are mostly close in it.
    pub fn order(&self) -> &[u32] {
        &self.order
    }

    /// The units and their slots, in slot order.
    #[cfg(test)]
    pub(super) fn rows(&self) -> Vec<[u32; 2]> {
        self.order.iter().copied().zip(0..).map(|(unit, slot)| [unit, slot]).collect()
    }

    /// The unit in a slot.
    #[inline(always)]
    pub(super) fn unit(&self, slot: usize) -> u32 {
        self.order[slot]
    }

    /// Returns true if it holds `units` units and a grid with cells of `edge` would not be much finer.
    pub fn suits(&self, units: usize, edge: f32) -> bool {
        self.order.len() == units
            && (self.layout.count() >= units || self.layout.edge() <= MAX_COARSENESS * edge)
    }

    /// The slot of a unit.
    #[inline(always)]
    pub(super) fn slot(&self, unit: usize) -> usize {
        self.slots[unit] as usize
    }

    /// The position of the unit in a slot.
    #[inline(always)]
    pub(super) fn position(&self, slot: usize) -> Vec3 {
        self.blocks[slot / LANES].position(slot % LANES)
    }

    /// The cell of the unit in a slot.
    #[inline(always)]
    pub(super) fn cell(&self, slot: usize) -> u32 {
        self.blocks[slot / LANES].cells[slot % LANES]
    }

    /// Returns the length (at least 1) of the ascending prefix of `slots` whose units are close to each other in one row
    /// of cells, so that they can be queried as a batch.
    #[inline(always)]
    pub(crate) fn batch_len(&self, mut slots: impl Iterator<Item = usize>) -> usize {
        let Some(mut last) = slots.next() else { return 1 };
        let end = self.layout.row_end(self.cell(last));
        let mut near = |slot: &usize| {
            let is_near = slot.wrapping_sub(last) <= MAX_GAP && self.cell(*slot) < end;
            last = *slot;
            is_near
        };
        1 + slots.take_while(|slot| near(slot)).count()
    }

    /// Position and velocity of the unit in a slot.
    #[inline(always)]
    pub(super) fn motion(&self, slot: usize) -> (Vec3, Vec3) {
        let (block, lane) = (&self.blocks[slot / LANES], slot % LANES);
        (block.position(lane), block.velocity(lane))
    }

    /// Returns the unit in a slot as an observer.
    #[inline(always)]
    pub(super) fn observer(&self, slot: usize) -> Observer {
        Observer {
            slot: slot as u32,
            cell: self.cell(slot),
            group: self.masks.group(slot),
            position: self.position(slot),
        }
    }

    /// Calls `visit` with runs of slots, as (from, to), that contain every unit of some cells.
    #[inline(always)]
    pub(super) fn each_run(&self, spans: &Spans, mut visit: impl FnMut(u32, u32)) {
        self.layout.each_run(
            spans,
            #[inline(always)]
            |cells| visit(self.starts[cells.start], self.starts[cells.end]),
        );
    }

    /// Estimates the number of candidates of a unit of a group for a list of `source`: the mean over a sample of
    /// `units`, the units of the group.
    pub fn candidates(&self, group: usize, source: Source, units: &Range<usize>) -> u32 {
        let filter = self.filters.get(group, source);
        if filter.limit < 0.0 || units.is_empty() {
            return 0;
        }
        if self.slots.len() <= MAX_ALL_PAIRS {
            return self.slots.len() as u32;
        }
        let (mut sum, mut count) = (0, 0);
        for unit in units.clone().step_by(units.len().div_ceil(SAMPLES)) {
            let center = self.position(self.slot(unit));
            let spans = self.layout.spans(center, center, filter.reach);
            self.each_run(&spans, |from, to| sum += u64::from(to - from));
            count += 1;
        }
        (sum / count) as u32
    }

    /// Calls `visit` with every unit within `radius` (inclusive) of `center`, its offset and its squared distance. Each
    /// unit is visited at most once, by its nearest image if views reach across the edge.
    pub fn each_within(&self, center: Vec3, radius: f32, mut visit: impl FnMut(usize, Vec3, f32)) {
        if self.slots.is_empty() {
            return;
        }
        let limit = radius * radius;
        let shift = self.periodic.any_shift();
        let spans = self.layout.spans(center, center, radius);
        self.each_run(&spans, |from, to| {
            for slot in from as usize..to as usize {
                let offset = shift.minimum_image(self.position(slot) - center);
                let distance_squared = offset.length_squared();
                if distance_squared <= limit {
                    visit(self.order[slot] as usize, offset, distance_squared);
                }
            }
        });
    }
}

/// The radius of the shortest view.
fn shortest_reach(world: &World) -> f32 {
    let radius = |group: &Group| Some(world.views[group.view?].view.radius());
    let radii = world.groups.iter().filter_map(radius);
    let reach = radii.fold(f32::INFINITY, f32::lesser);
    if reach.is_finite() { reach } else { world.arena.radius() }
}
