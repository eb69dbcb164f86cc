//! Broad phase: finds the pairs of units that may touch in a step, each pair once.
//!
//! The grid of the step is reused, since it is built over the positions before the move. If contacts reach much less
//! far than views and units are dense, units are sorted into smaller cells. Cells determine the order in which pairs
//! are found, but no result depends on that order.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::pair::{Pair, Rank, aside};
use crate::perception::Grid;
use crate::world::{Arena, PairLists};

/// Number of grid blocks per chunk; each chunk has its own list of pairs.
const CHUNK: usize = 32;
/// Pairs that come within this multiple of their reach are candidates: corrections may push them together.
const SLACK: f32 = 1.25;
/// Maximum number of candidates per unit: the nearest. A pair is kept if either unit selects it, so that a large unit
/// among many small ones touches all of them.
const MAX_PARTNERS: usize = 64;

/// The inputs of the pair search; all slices have the same length.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingUnits<'a> {
    pub(super) arena: &'a Arena,
    pub(super) keys: &'a [u64],
    pub(super) radius: &'a [f32],
    /// Positions before the step.
    pub(super) before: &'a [Vec3],
    /// Over these positions, unless it is for other units; see [`Grid::suits`].
    pub(super) grid: &'a Grid,
}

/// A pair of units that may touch in a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct Candidate {
    /// The unit with the greater extent.
    first: u32,
    second: u32,
    /// From the first to the second, before the step.
    offset: Vec3,
    /// The sum of both radii.
    reach: f32,
}

impl Candidate {
    /// The indices of the units.
    pub(super) fn units(&self) -> [usize; 2] {
        [self.first as usize, self.second as usize]
    }

    /// Returns the pair, moved by `first` and `second`, in the frame of the first.
    pub(super) fn pair(&self, first: Vec3, second: Vec3) -> Pair {
        Pair { offset: self.offset, change: second - first, reach: self.reach }
    }
}

impl MovingUnits<'_> {
    /// Returns a deterministic direction from one unit to another at the same point.
    pub(super) fn aside(&self, unit: usize, other: usize) -> Vec3 {
        aside(self.rank(unit), self.rank(other), self.arena.is_plane())
    }

    fn nearness(&self, unit: usize, other: usize) -> Nearness {
        let offset = self.arena.shortest(self.before[other] - self.before[unit]);
        // The bits of non-negative floats are ordered like the floats.
        let distance = offset.length_squared().to_bits();
        (distance, self.keys[unit] ^ self.keys[other])
    }

    /// Sort key of units, by their random keys, so that sums do not depend on the order of units.
    pub(super) fn rank(&self, unit: usize) -> Rank {
        (self.keys[unit], unit)
    }
}

/// The pairs of units that may touch in a step. Buffers are reused by the next step.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    /// Used if the grid of the world's units is not suitable.
    grid: Grid,
    /// Radius plus length of the move, for each unit.
    extent: Vec<f32>,
    /// For each slot of the grid, the maximum distance to a candidate with no greater extent.
    reach: Vec<f32>,
    /// The pairs of each chunk, each pair once.
    found: Vec<Vec<Candidate>>,
    /// Buffers of [`Candidates::thin`]: the number of pairs of each unit, all pairs, the partners of each unit, and the
    /// distance up to which a partner is kept.
    counts: Vec<u32>,
    pairs: Vec<(u32, u32)>,
    lists: PairLists,
    limits: Vec<Nearness>,
}

/// Symmetric sort key of a pair: squared distance, then a combination of both keys. The keys break ties between units
/// at one point, so that they do not all select the same partners.
type Nearness = (u32, u64);
const FARTHEST: Nearness = (u32::MAX, u64::MAX);

impl Candidates {
    /// Finds the candidates among units that move by `moved`. With `may_stop`, any unit may also stop where it is.
    pub(super) fn find(&mut self, moving: &MovingUnits<'_>, moved: &[Vec3], may_stop: bool) {
        let units = moved.len();
        self.extent.clear();
        let rows = moved.iter().zip(moving.radius);
        self.extent.extend(rows.map(|(moved, radius)| SLACK * radius + moved.length()));
        let mean = self.extent.iter().sum::<f32>() / units.max(1) as f32;
        let period = moving.arena.period();
        let grid = if moving.grid.suits(units, 2.0 * mean) {
            moving.grid
        } else {
            self.grid.sort(moving.before, period, 2.0 * mean);
            &self.grid
        };
        self.reach.clear();
        self.reach.extend(grid.order().iter().map(|unit| 2.0 * self.extent[*unit as usize]));
        let (blocks, reach) = (grid.blocks(), &*self.reach);
        self.found.resize_with(blocks.div_ceil(CHUNK), Vec::new);
        (self.found.par_iter_mut().enumerate()).for_each(|(chunk, found)| {
            found.clear();
            let chunk = chunk * CHUNK..blocks.min((chunk + 1) * CHUNK);
            grid.each_pair(chunk, reach, |unit, other, offset| {
                let reach = moving.radius[unit] + moving.radius[other];
                let near = |change: Vec3| Pair { offset, change, reach }.comes_near(SLACK);
                let (by, their) = (moved[unit], moved[other]);
                if near(their - by) || (may_stop && (near(Vec3::ZERO - by) || near(their))) {
                    found.push(Candidate { first: unit as u32, second: other as u32, offset, reach });
                }
            });
        });
        self.thin(moving);
    }

    /// The pairs in chunks, for parallel processing.
    pub(super) fn chunks(&self) -> &[Vec<Candidate>] {
        &self.found
    }

    /// Drops pairs that neither unit selects. Otherwise the number of pairs would be quadratic in a world smaller than
    /// its units.
    fn thin(&mut self, moving: &MovingUnits<'_>) {
        let units = moving.before.len();
        self.counts.clear();
        self.counts.resize(units, 0);
        for unit in self.found.iter().flatten().flat_map(Candidate::units) {
            self.counts[unit] += 1;
        }
        if self.counts.iter().all(|count| *count as usize <= MAX_PARTNERS) {
            return;
        }
        self.pairs.clear();
        self.pairs.extend(self.found.iter().flatten().map(|pair| (pair.first, pair.second)));
        let pairs = &*self.pairs;
        self.lists.set(units, pairs.len(), |pair| pairs[pair]);
        let (lists, limits) = (&self.lists, &mut self.limits);
        limits.resize(units, FARTHEST);
        (limits.par_iter_mut().enumerate()).for_each_init(Vec::new, |near, (unit, limit)| {
            near.clear();
            near.extend(lists.of(unit).iter().map(|other| moving.nearness(unit, *other as usize)));
            *limit = match near.len() {
                0..=MAX_PARTNERS => FARTHEST,
                _ => *near.select_nth_unstable(MAX_PARTNERS - 1).1,
            };
        });
        let kept = |pair: &Candidate| {
            let [first, second] = pair.units();
            moving.nearness(first, second) <= limits[first].max(limits[second])
        };
        self.found.par_iter_mut().for_each(|found| found.retain(kept));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &[Vec3], radius: &[f32], keys: &[u64]) -> Candidates {
        let moving = MovingUnits { arena: &Arena::default(), keys, radius, before, grid: &Grid::default() };
        let mut candidates = Candidates::default();
        candidates.find(&moving, &vec![Vec3::ZERO; before.len()], false);
        candidates
    }

    /// Number of pairs of each unit.
    fn lengths(candidates: &Candidates, units: usize) -> Vec<usize> {
        let mut lengths = vec![0; units];
        let ends = candidates.chunks().iter().flatten().flat_map(Candidate::units);
        ends.for_each(|unit| lengths[unit] += 1);
        lengths
    }

    #[test]
    fn a_pile_has_linearly_many_pairs_and_the_same_in_any_order() {
        let units = 600;
        let place = |unit: usize| Vec3::new(libm::sinf(unit as f32), libm::cosf(unit as f32), 0.0) * 0.01;
        let key = |unit: usize| (unit as u64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let order: Vec<usize> = (0..units).rev().collect();
        let of = |order: &[usize]| {
            let before: Vec<_> = order.iter().map(|unit| place(*unit)).collect();
            let keys: Vec<_> = order.iter().map(|unit| key(*unit)).collect();
            found(&before, &vec![1.0; units], &keys)
        };
        let (one, other) = (of(&(0..units).collect::<Vec<_>>()), of(&order));
        let (mut ones, others) = (lengths(&one, units), lengths(&other, units));
        assert!(ones.iter().all(|length| *length >= MAX_PARTNERS));
        assert!(ones.iter().sum::<usize>() <= 2 * MAX_PARTNERS * units);
        ones.reverse();
        assert_eq!(ones, others);
    }

    #[test]
    fn a_large_unit_touches_all_small_ones_around_it() {
        let small = 300;
        let around = |unit: usize| {
            let turn = unit as f32 / small as f32 * std::f32::consts::TAU;
            Vec3::new(libm::cosf(turn), libm::sinf(turn), 0.0) * 10.0
        };
        let mut before: Vec<_> = (0..small).map(around).collect();
        before.push(Vec3::ZERO);
        let mut radius = vec![0.1; small];
        radius.push(10.0);
        let keys: Vec<_> = (0..=small as u64).collect();
        let candidates = found(&before, &radius, &keys);
        assert_eq!(lengths(&candidates, small + 1)[small], small);
    }
}
