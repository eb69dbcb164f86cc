//! The nearest unit of a list for each unit of a batch.
//!
//! Problem: lists usually reach several times as far as the nearest unit. Decision: the first search covers 1.5 times
//! the nearest distances of the previous batch; the whole list is searched only if a unit found none. Requests for one
//! source with different reaches share the result.

use super::filters::NO_SLOT;
use super::lanes::{self, Kernel, LANES, Lanes, any, bits, within};
use super::list::{List, PerSource};
use super::scan::{BatchScan, specialize};
use super::simd::Simd;
use crate::world::Extrema;

/// The nearest units of a list, one for each unit of a batch. Compiled code reads it in place.
#[repr(C)]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchNearest {
    /// All bits set if there is a nearest unit; otherwise the other fields are zero.
    pub found: [u32; LANES],
    /// Its index.
    pub unit: [u32; LANES],
    /// Its apparent position, by component.
    pub position: [Lanes; 3],
    /// Its velocity, by component.
    pub velocity: [Lanes; 3],
    /// Squared distance.
    pub square: Lanes,
}

impl BatchNearest {
    /// Sets the unit of a lane: index, squared distance, and position and velocity of each axis.
    #[inline(always)]
    pub(super) fn set(&mut self, lane: usize, unit: (u32, f32), motion: impl Fn(usize) -> [f32; 2]) {
        self.found[lane] = u32::MAX;
        (self.unit[lane], self.square[lane]) = unit;
        for axis in 0..3 {
            [self.position[axis][lane], self.velocity[axis][lane]] = motion(axis);
        }
    }

    /// Removes units farther than `limit`, a squared distance.
    #[inline]
    fn within(mut self, limit: f32) -> Self {
        for lane in 0..LANES {
            if self.square[lane] > limit {
                (self.found[lane], self.unit[lane], self.square[lane]) = (0, 0, 0.0);
                for part in self.position.iter_mut().chain(&mut self.velocity) {
                    part[lane] = 0.0;
                }
            }
        }
        self
    }

    /// Returns the greatest squared distance if each of the first `count` lanes has a nearest unit.
    fn farthest_of_all(&self, count: usize) -> Option<f32> {
        let all = self.found[..count].iter().all(|found| *found != 0);
        all.then(|| self.square[..count].iter().copied().fold(0.0, f32::greater))
    }
}

/// Number of cached results.
const CACHE_SIZE: usize = 3;
/// Reach of the first search, relative to the nearest distances of the previous batch.
const REACH_FACTOR: f32 = 1.5;

/// Cached results for a batch, and the reach of the first search.
#[derive(Clone, Debug, Default)]
pub(super) struct NearestUnits {
    /// The epoch, the list and its result; a new result replaces the oldest.
    found: [Option<(u64, List, BatchNearest)>; CACHE_SIZE],
    made: usize,
    /// Reach of the first search for each source; 0 to search the whole list.
    usual: PerSource<f32>,
}

impl NearestUnits {
    /// Returns the nearest units of a list if a result of this epoch determines them.
    pub(super) fn known(&self, epoch: u64, list: List) -> Option<BatchNearest> {
        let mut found = self.found.iter().flatten();
        let known = found.find(|(of, other, _)| {
            *of == epoch && other.source == list.source && other.within >= list.within
        });
        known.map(|(.., nearest)| nearest.within(list.limit()))
    }

    /// Finds the nearest units of a list for a batch of `count` units by `search`, with a short reach first. Results do
    /// not depend on earlier searches.
    pub(super) fn find(
        &mut self,
        (epoch, count): (u64, usize),
        list: List,
        mut search: impl FnMut(List) -> BatchNearest,
    ) -> BatchNearest {
        let usual = self.usual[list.source];
        let is_shorter = usual > 0.0 && usual < list.within;
        let near = is_shorter.then(|| search(List { within: usual, ..list }));
        let near = near.filter(|near| near.farthest_of_all(count).is_some());
        let nearest = near.unwrap_or_else(|| search(list));
        self.usual.0[PerSource::<f32>::slot(list.source)] =
            nearest.farthest_of_all(count).map_or(0.0, |square| square.sqrt() * REACH_FACTOR);
        self.found[self.made % CACHE_SIZE] = Some((epoch, list, nearest));
        self.made += 1;
        nearest
    }
}

impl BatchScan<'_> {
    /// Returns the nearest unit for each lane; in a tie, that of the least index.
    pub(super) fn nearest(self) -> BatchNearest {
        let (batch, grid, shift) = (self.batch, self.grid, self.shift);
        let (slots, squares) = lanes::run(Nearest(self));
        let mut nearest = BatchNearest::default();
        for (lane, slot) in slots.into_iter().enumerate().filter(|(_, slot)| *slot != NO_SLOT) {
            let observer = glam::Vec3::from(batch.position.map(|of| of[lane]));
            let (position, velocity) = grid.motion(slot as usize);
            let position = observer + shift.minimum_image(position - observer);
            let unit = (grid.unit(slot as usize), squares[lane]);
            nearest.set(lane, unit, |axis| [position[axis], velocity[axis]]);
        }
        nearest
    }
}

/// Finds the slot of the nearest unit in each lane, and its squared distance.
struct Nearest<'a>(BatchScan<'a>);

impl Kernel for Nearest<'_> {
    type Output = ([u32; LANES], Lanes);

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> Self::Output {
        let BatchScan { grid, filter, shift, .. } = self.0;
        specialize!([FLAT = grid.flat, WRAPS = shift.wraps(), VIEW = filter.view.is_some()]
            self.find::<S, FLAT, WRAPS, VIEW>(simd))
    }
}

impl Nearest<'_> {
    #[inline(always)]
    fn find<S: Simd, const FLAT: bool, const WRAPS: bool, const VIEW: bool>(
        self,
        simd: S,
    ) -> ([u32; LANES], Lanes) {
        let observers = self.0.observers::<S, FLAT, WRAPS>(simd, self.0.view());
        // Squared distance, index and slot of the nearest unit so far. Unused lanes never accept one.
        let unused = simd.equal_u32s(observers.used, simd.splat_u32s(0));
        let mut best = simd.select_f32s(unused, simd.splat_f32s(-1.0), simd.splat_f32s(self.0.limit));
        let mut units = simd.splat_u32s(u32::MAX);
        let mut slots = simd.splat_u32s(NO_SLOT);
        self.0.each(
            simd,
            &observers.centers,
            self.0.filter.mask(),
            #[inline(always)]
            |slot, (block, lane), offset, square| {
                // Cheap rejection: most units are farther than the nearest so far.
                let close = within(simd, square, best);
                if !any(simd, close) {
                    return;
                }
                let unit = simd.splat_u32s(block.units[lane]);
                let is_nearer = bits(simd, simd.less_than_f32s(square, best));
                let is_first = simd.and_u32s(close, bits(simd, simd.less_than_u32s(unit, units)));
                let mut accepted =
                    simd.and_u32s(simd.or_u32s(is_nearer, is_first), observers.others(simd, slot));
                if !any(simd, accepted) {
                    return;
                }
                if VIEW {
                    let admitted = observers.view.admits::<FLAT>(simd, offset, square, accepted);
                    accepted = simd.and_u32s(accepted, admitted);
                }
                let rejected = simd.equal_u32s(accepted, simd.splat_u32s(0));
                best = simd.select_f32s(rejected, best, square);
                units = simd.select_u32s(rejected, units, unit);
                slots = simd.select_u32s(rejected, slots, simd.splat_u32s(slot as u32));
            },
        );
        (pulp::cast(slots), pulp::cast(best))
    }
}
