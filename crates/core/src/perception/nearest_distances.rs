//! Distances of all units to their nearest ones.
//!
//! Problem: a search by radius visits units one by one, and cells as long as a view contain many. Decision: eight units are
//! compared at once, and the nearest one in the block of a unit, which is mostly close in space, bounds the search.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::grid::Grid;
use super::lanes::{self, Kernel, LANES, Lanes, splat};
use super::periodic::ImageShift;
use super::scan::{Centers, specialize};
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
        let shift = self.grid.periodic.shift(true);
        match shift {
            ImageShift::Many(_) => self.distances::<S, true, true>(simd, shift),
            _ => specialize!([WRAPS = shift.wraps()] self.distances::<S, WRAPS, false>(simd, shift)),
        }
    }
}

impl OfBlock<'_> {
    #[inline(always)]
    fn distances<S: Simd, const WRAPS: bool, const FAR: bool>(self, simd: S, shift: ImageShift) {
        let first = self.block * LANES;
        let count = (self.grid.order().len() - first).min(LANES);
        for lane in 0..count {
            let center = self.grid.position(first + lane);
            let centers = Centers::new(simd, splat(simd, center.to_array()), shift);
            self.distances[lane] = self.distance::<S, WRAPS, FAR>(simd, first + lane, center, &centers);
        }
    }

    /// Returns the distance of the unit in a slot.
    #[inline(always)]
    fn distance<S: Simd, const WRAPS: bool, const FAR: bool>(
        &self,
        simd: S,
        slot: usize,
        center: Vec3,
        centers: &Centers<S, false, WRAPS, FAR>,
    ) -> f32 {
        let mut nearest = least(simd, self.in_block(simd, slot / LANES, slot, centers));
        let mut radius = self.usual;
        for _ in 0..MAX_DOUBLINGS {
            if nearest == 0.0 {
                break;
            }
            // Rounded up: its square is not below the square of the nearest distance.
            let reach = radius.lesser(nearest.sqrt() * (1.0 + f32::EPSILON));
            let spans = self.grid.layout.spans(center, center, reach);
            // Searches all blocks that contain the cells.
            let mut squares = simd.splat_f32s(nearest);
            self.grid.each_run(
                &spans,
                #[inline(always)]
                |from, to| {
                    for block in from as usize / LANES..(to as usize).div_ceil(LANES) {
                        let found = self.in_block(simd, block, slot, centers);
                        squares = simd.select_f32s(simd.less_than_f32s(found, squares), found, squares);
                    }
                },
            );
            nearest = least(simd, squares);
            if nearest <= reach * reach {
                break;
            }
            radius *= 2.0;
        }
        if nearest.is_finite() { nearest.sqrt() } else { 0.0 }
    }

    /// Returns the squared distances to the units in a block; infinity for the unit itself and for slots without a unit.
    #[inline(always)]
    fn in_block<S: Simd, const WRAPS: bool, const FAR: bool>(
        &self,
        simd: S,
        block: usize,
        slot: usize,
        centers: &Centers<S, false, WRAPS, FAR>,
    ) -> S::F32s {
        let (_, square) = centers.offset(simd, self.grid.blocks[block].positions(simd));
        let each: S::U32s = pulp::cast([0_u32, 1, 2, 3, 4, 5, 6, 7]);
        let slots = simd.add_u32s(simd.splat_u32s((block * LANES) as u32), each);
        let none = simd.splat_f32s(f32::INFINITY);
        let square = simd.select_f32s(simd.equal_u32s(slots, simd.splat_u32s(slot as u32)), none, square);
        let is_unit = simd.less_than_u32s(slots, simd.splat_u32s(self.grid.order().len() as u32));
        simd.select_f32s(is_unit, square, none)
    }
}

/// Returns the least number of all lanes; none is NaN.
#[inline(always)]
fn least<S: Simd>(_: S, numbers: S::F32s) -> f32 {
    let [a, b, c, d, e, f, g, h]: Lanes = pulp::cast(numbers);
    a.lesser(b).lesser(c.lesser(d)).lesser(e.lesser(f).lesser(g.lesser(h)))
}
