//! Distances of all units to their nearest ones.
//!
//! Problem: a search by radius visits units one by one, and cells as long as a view contain many. Decision: eight units are
//! compared at once, and the nearest one in the block of a unit, which is mostly close in space, bounds the search.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::grid::Grid;
use super::lanes::{self, Kernel, LANES, Lanes, floats};
use super::layout::Spans;
use super::periodic::{ImageShift, ShiftLanes};
use super::simd::Simd;
use crate::world::Extrema;

/// Number of blocks per parallel task.
const GRAIN: usize = 64;
/// Maximum number of times that a search doubles its radius.
const MAX_DOUBLINGS: usize = 128;

impl Grid {
    /// Returns the distance of each unit to the nearest other one, across periodic edges where that is shorter; 0 for a
    /// single unit. Searches start with the radius `usual`.
    pub fn nearest_distances(&self, usual: f32) -> Vec<f32> {
        let mut in_slots = vec![[0.0; LANES]; self.blocks.len()];
        in_slots
            .par_iter_mut()
            .enumerate()
            .with_min_len(GRAIN)
            .for_each(|(block, distances)| lanes::run(OfBlock { grid: self, block, usual, distances }));
        let in_slots = in_slots.as_flattened();
        let mut of_units = vec![0.0; self.order().len()];
        for (unit, distance) in self.order().iter().zip(in_slots) {
            of_units[*unit as usize] = *distance;
        }
        of_units
    }
}

/// The search for all units of a block.
struct OfBlock<'a> {
    grid: &'a Grid,
    block: usize,
    usual: f32,
    distances: &'a mut Lanes,
}

impl Kernel for OfBlock<'_> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) {
        let first = self.block * LANES;
        let count = (self.grid.order().len() - first).min(LANES);
        for lane in 0..count {
            self.distances[lane] = self.distance(simd, first + lane);
        }
    }
}

impl OfBlock<'_> {
    /// Returns the distance of the unit in a slot.
    #[inline(always)]
    fn distance<S: Simd>(&self, simd: S, slot: usize) -> f32 {
        let (grid, center) = (self.grid, self.grid.position(slot));
        let is_far = grid.periodic.needs_many();
        let mut nearest = if is_far { f32::INFINITY } else { self.in_own_block(simd, slot, center) };
        let mut radius = self.usual;
        for _ in 0..MAX_DOUBLINGS {
            if nearest == 0.0 {
                break;
            }
            // Rounded up: its square is not below the square of the nearest distance.
            let reach = radius.lesser(nearest.sqrt() * (1.0 + f32::EPSILON));
            let spans = grid.layout.spans(center, center, reach);
            nearest = nearest.lesser(self.in_cells(simd, slot, center, &spans));
            if nearest <= reach * reach {
                break;
            }
            radius *= 2.0;
        }
        if nearest.is_finite() { nearest.sqrt() } else { 0.0 }
    }

    /// Returns the least squared distance to a unit in the block of the slot.
    #[inline(always)]
    fn in_own_block<S: Simd>(&self, simd: S, slot: usize, center: Vec3) -> f32 {
        let shift = ShiftLanes::new(simd, self.grid.periodic.shift(true));
        let first = slot / LANES * LANES;
        least(simd, self.in_block(simd, first, slot, center, Some(&shift)))
    }

    /// Returns the least squared distance to another unit in cells, or in the blocks that contain them.
    #[inline(always)]
    fn in_cells<S: Simd>(&self, simd: S, slot: usize, center: Vec3, spans: &Spans) -> f32 {
        let grid = self.grid;
        let shift = grid.periodic.shift(spans.wrap());
        if let ImageShift::Many(_) = shift {
            return self.one_by_one(slot, center, spans, shift);
        }
        let lanes = ShiftLanes::new(simd, shift);
        let lanes = if matches!(shift, ImageShift::One(_)) { Some(&lanes) } else { None };
        let mut nearest = simd.splat_f32s(f32::INFINITY);
        grid.each_run(
            spans,
            #[inline(always)]
            |from, to| {
                let (mut first, end) = (from as usize / LANES * LANES, to as usize);
                while first < end {
                    let squares = self.in_block(simd, first, slot, center, lanes);
                    nearest = simd.select_f32s(simd.less_than_f32s(squares, nearest), squares, nearest);
                    first += LANES;
                }
            },
        );
        least(simd, nearest)
    }

    /// Returns the squared distances to the units in the block from slot `first` on; infinity for the unit itself and for
    /// slots without a unit.
    #[inline(always)]
    fn in_block<S: Simd>(
        &self,
        simd: S,
        first: usize,
        slot: usize,
        center: Vec3,
        shift: Option<&ShiftLanes<S>>,
    ) -> S::F32s {
        let block = &self.grid.blocks[first / LANES];
        let x = squared(simd, &block.x, center.x, shift, 0);
        let y = squared(simd, &block.y, center.y, shift, 1);
        let mut square = simd.add_f32s(x, y);
        if !self.grid.flat {
            square = simd.add_f32s(square, squared(simd, &block.z, center.z, shift, 2));
        }
        let each: S::U32s = pulp::cast([0_u32, 1, 2, 3, 4, 5, 6, 7]);
        let slots = simd.add_u32s(simd.splat_u32s(first as u32), each);
        let none = simd.splat_f32s(f32::INFINITY);
        let square = simd.select_f32s(simd.equal_u32s(slots, simd.splat_u32s(slot as u32)), none, square);
        let is_unit = simd.less_than_u32s(slots, simd.splat_u32s(self.grid.order().len() as u32));
        simd.select_f32s(is_unit, square, none)
    }

    /// [`OfBlock::in_cells`] where nearest images may be several periods away.
    #[inline(never)]
    fn one_by_one(&self, slot: usize, center: Vec3, spans: &Spans, shift: ImageShift) -> f32 {
        let mut nearest = f32::INFINITY;
        self.grid.each_run(spans, |from, to| {
            for other in (from as usize..to as usize).filter(|other| *other != slot) {
                let offset = shift.minimum_image(self.grid.position(other) - center);
                nearest = nearest.lesser(offset.length_squared());
            }
        });
        nearest
    }
}

/// Returns the squared offsets from `center` along an axis.
#[inline(always)]
fn squared<S: Simd>(
    simd: S,
    values: &Lanes,
    center: f32,
    shift: Option<&ShiftLanes<S>>,
    axis: usize,
) -> S::F32s {
    let offset = simd.sub_f32s(floats(simd, values), simd.splat_f32s(center));
    // A closure would not be compiled for the instruction set.
    let offset = match shift {
        Some(shift) => shift.minimum_image(simd, offset, axis),
        None => offset,
    };
    simd.mul_f32s(offset, offset)
}

/// Returns the least number of all lanes; none is NaN.
#[inline(always)]
fn least<S: Simd>(_: S, numbers: S::F32s) -> f32 {
    let [a, b, c, d, e, f, g, h]: Lanes = pulp::cast(numbers);
    a.lesser(b).lesser(c.lesser(d)).lesser(e.lesser(f).lesser(g.lesser(h)))
}
