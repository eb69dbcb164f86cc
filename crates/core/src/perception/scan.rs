//! Scans over candidates: offsets by the minimum image convention, their squares, and the units of a batch that a candidate
//! may be listed for.

use super::block::Block;
use super::filters::{FilterMask, QueryFilter};
use super::grid::Grid;
use super::lanes::{LANES, bits, dot, lanes_of, splat, vectors, words};
use super::list::List;
use super::periodic::{ImageShift, ShiftLanes};
use super::query_batch::QueryBatch;
use super::simd::Simd;
use super::view_lanes::ViewLanes;
use crate::world::{Extrema, View, World};

/// Evaluates an expression in which constants are the values of conditions: one specialization per combination.
macro_rules! specialize {
    ([] $body:expr) => { $body };
    ([$name:ident = $value:expr $(, $others:ident = $values:expr)*] $body:expr) => {
        if $value {
            const $name: bool = true;
            specialize!([$($others = $values),*] $body)
        } else {
            const $name: bool = false;
            specialize!([$($others = $values),*] $body)
        }
    };
}
pub(super) use specialize;

/// A point in each lane, from which offsets are measured. `FLAT` omits z, which must be 0. Offsets are those of nearest images
/// with `WRAPS` at most one period away, with `FAR` at any distance.
pub(super) struct Centers<S: Simd, const FLAT: bool, const WRAPS: bool, const FAR: bool = false> {
    pub(super) at: [S::F32s; 3],
    shift: ShiftLanes<S>,
}

impl<S: Simd, const FLAT: bool, const WRAPS: bool, const FAR: bool> Centers<S, FLAT, WRAPS, FAR> {
    #[inline(always)]
    pub(super) fn new(simd: S, at: [S::F32s; 3], shift: ImageShift) -> Self {
        Self { at, shift: ShiftLanes::new(simd, shift) }
    }

    /// Returns the offset of a point in each lane and its square.
    #[inline(always)]
    pub(super) fn offset(&self, simd: S, point: [S::F32s; 3]) -> ([S::F32s; 3], S::F32s) {
        let mut offset = [simd.splat_f32s(0.0); 3];
        for (axis, offset) in offset.iter_mut().enumerate().take(if FLAT { 2 } else { 3 }) {
            let to = simd.sub_f32s(point[axis], self.at[axis]);
            *offset = match (WRAPS, FAR) {
                (false, false) => to,
                (true, false) => self.shift.minimum_image(simd, to, axis),
                (_, true) => self.shift.any_image(to, axis),
            };
        }
        (offset, dot::<S, FLAT>(simd, offset, offset))
    }
}

/// A scan over the candidates of a batch. Offsets must need at most one shift.
#[derive(Clone, Copy)]
pub(super) struct BatchScan<'a> {
    pub(super) grid: &'a Grid,
    pub(super) filter: &'a QueryFilter,
    pub(super) shift: ImageShift,
    pub(super) batch: &'a QueryBatch,
    /// Slots of the candidates, as [from, to).
    pub(super) runs: &'a [[u32; 2]],
    /// Maximum squared distance.
    pub(super) limit: f32,
}

/// The units of a batch.
pub(super) struct Observers<S: Simd, const FLAT: bool, const WRAPS: bool> {
    pub(super) centers: Centers<S, FLAT, WRAPS>,
    pub(super) view: ViewLanes<S>,
    slots: S::U32s,
    /// The lanes that hold a unit.
    pub(super) used: S::U32s,
}

impl<S: Simd, const FLAT: bool, const WRAPS: bool> Observers<S, FLAT, WRAPS> {
    /// Returns the lanes whose unit is not the one in `slot`: a unit is not in its own list.
    #[inline(always)]
    pub(super) fn others(&self, simd: S, slot: usize) -> S::U32s {
        let itself = bits(simd, simd.equal_u32s(self.slots, simd.splat_u32s(slot as u32)));
        simd.and_u32s(self.used, simd.not_u32s(itself))
    }
}

impl<'a> BatchScan<'a> {
    /// A scan for a list that can be gathered for a batch; overwrites `runs`.
    pub(super) fn new(
        list: List,
        batch: &'a mut QueryBatch,
        runs: &'a mut Vec<[u32; 2]>,
        (world, grid): (&World, &'a Grid),
    ) -> Self {
        let filter = grid.filters.get(batch.group, list.source);
        let limit = filter.limit.lesser(list.limit());
        if filter.view.is_some() {
            batch.load_axes(&world.units);
        }
        let mut shift = ImageShift::None;
        runs.clear();
        if limit >= 0.0 {
            shift = batch.candidates(filter.reach.lesser(list.within), filter, grid, runs);
        }
        Self { grid, filter, shift, batch, runs, limit }
    }

    /// The view of the units.
    pub(super) fn view(&self) -> View {
        self.filter.view.unwrap_or(View::Around { radius: f32::INFINITY })
    }

    #[inline(always)]
    pub(super) fn observers<S: Simd, const FLAT: bool, const WRAPS: bool>(
        &self,
        simd: S,
        view: View,
    ) -> Observers<S, FLAT, WRAPS> {
        let batch = self.batch;
        Observers {
            centers: Centers::new(simd, vectors(simd, &batch.position), self.shift),
            view: ViewLanes::of_batch(simd, view, &batch.axes),
            slots: words(simd, &batch.slots),
            used: lanes_of(simd, (1 << batch.count) - 1),
        }
    }

    /// Calls `visit` with each candidate that passes `mask`: its slot, its block and lane, and its offsets with their squares.
    #[inline(always)]
    pub(super) fn each<S: Simd, const FLAT: bool, const WRAPS: bool>(
        &self,
        simd: S,
        centers: &Centers<S, FLAT, WRAPS>,
        mask: Option<FilterMask>,
        mut visit: impl FnMut(usize, (&Block, usize), [S::F32s; 3], S::F32s),
    ) {
        for [from, to] in self.runs {
            for slot in *from as usize..*to as usize {
                if let Some(mask) = mask
                    && !self.grid.masks.passes(mask, slot)
                {
                    continue;
                }
                let (block, lane) = (&self.grid.blocks[slot / LANES], slot % LANES);
                let (offset, square) = centers.offset(simd, splat(simd, block.position(lane).to_array()));
                visit(slot, (block, lane), offset, square);
            }
        }
    }
}
