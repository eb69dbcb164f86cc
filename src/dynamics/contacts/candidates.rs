//! Which units may touch in a step: each pair once by the grid, then as lists by unit.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::pair::{Aside, Pair};
use crate::perception::Grid;
use crate::world::{Arena, PairLists};

/// Units that one list of pairs is found for.
const CHUNK: usize = 256;
/// Pairs that come within this many times their reach are kept: pushes may make them touch.
const SLACK: f32 = 1.25;
/// Others of which a unit keeps the nearest, where more are near than there is room for. A pair stays
/// that either of the two keeps, so that a large unit among many small ones touches all of them.
const MOST: usize = 64;

/// What is to be known of the units to pair them; all slices have one length.
#[derive(Clone, Copy, Debug)]
pub(super) struct MovingUnits<'a> {
    pub(super) arena: &'a Arena,
    pub(super) keys: &'a [u64],
    pub(super) radius: &'a [f32],
    /// Positions before the step.
    pub(super) before: &'a [Vec3],
}

impl MovingUnits<'_> {
    /// Two units that move by `own` and `their` move, seen from the first.
    pub(super) fn pair(&self, unit: usize, other: usize, own: Vec3, their: Vec3) -> Pair {
        Pair {
            offset: self.arena.shortest(self.before[other] - self.before[unit]),
            change: their - own,
            reach: self.radius[unit] + self.radius[other],
            aside: Aside { own: self.rank(unit), their: self.rank(other), flat: self.arena.is_plane() },
        }
    }

    fn nearness(&self, unit: usize, other: usize) -> Nearness {
        let offset = self.arena.shortest(self.before[other] - self.before[unit]);
        // Of numbers that are not negative, the bits are ordered as the numbers are.
        let distance = offset.length_squared().to_bits();
        (distance, self.keys[unit] ^ self.keys[other])
    }

    /// What units are sorted by: their keys, so that sums do not depend on their order.
    fn rank(&self, unit: usize) -> (u64, usize) {
        (self.keys[unit], unit)
    }
}

/// For each unit the others that it may touch in a step. Buffers stay from step to step.
#[derive(Clone, Debug, Default)]
pub(super) struct Candidates {
    grid: Grid,
    /// Radius and move of each unit.
    extent: Vec<f32>,
    /// The pairs of each chunk of units, each pair once.
    found: Vec<Vec<(u32, u32)>>,
    lists: PairLists,
    /// Those that touch.
    touching: Vec<Vec<(u32, u32)>>,
    /// How near an other must be to be kept by each unit.
    limits: Vec<Nearness>,
}

/// How near two units are, the same from either: what compares as less is nearer. Units in one place
/// are told apart by their keys, so that not all of them keep the same ones.
type Nearness = (u32, u64);
const FARTHEST: Nearness = (u32::MAX, u64::MAX);

impl Candidates {
    /// Finds the pairs of units that move to `end`. `waits` tells that any of them may stay.
    pub(super) fn find(&mut self, moving: &MovingUnits<'_>, end: &[Vec3], waits: bool) {
        let units = end.len();
        self.extent.clear();
        self.extent.extend(
            (end.iter().zip(moving.before).zip(moving.radius))
                .map(|((end, before), radius)| SLACK * radius + end.distance(*before)),
        );
        let mean = self.extent.iter().sum::<f32>() / units.max(1) as f32;
        let period = moving.arena.period();
        self.grid.sort(moving.before, period, 2.0 * mean);
        self.found.resize_with(units.div_ceil(CHUNK), Vec::new);
        let (grid, extent) = (&self.grid, &*self.extent);
        (self.found.par_iter_mut().enumerate()).for_each(|(chunk, found)| {
            found.clear();
            for unit in chunk * CHUNK..((chunk + 1) * CHUNK).min(units) {
                pairs_of(moving, grid, extent, (unit, end, waits), found);
            }
        });
        self.list(moving, units);
        if self.thin(moving) {
            self.list(moving, units);
        }
    }

    /// Drops pairs that neither unit keeps; whether there were any. Without it a step takes as long as
    /// there are pairs, and in a world smaller than its units all of them are pairs.
    fn thin(&mut self, moving: &MovingUnits<'_>) -> bool {
        let units = moving.before.len();
        if (0..units).all(|unit| self.lists.of(unit).len() <= MOST) {
            return false;
        }
        let mut limits = std::mem::take(&mut self.limits);
        limits.resize(units, FARTHEST);
        (limits.par_iter_mut().enumerate()).for_each_init(Vec::new, |near, (unit, limit)| {
            near.clear();
            near.extend(self.of(unit).map(|other| moving.nearness(unit, other)));
            *limit = match near.len() {
                0..=MOST => FARTHEST,
                _ => *near.select_nth_unstable(MOST - 1).1,
            };
        });
        let kept = |(a, b): &(u32, u32)| {
            let (a, b) = (*a as usize, *b as usize);
            moving.nearness(a, b) <= limits[a].max(limits[b])
        };
        self.found.par_iter_mut().for_each(|found| found.retain(kept));
        self.limits = limits;
        true
    }

    /// The others that `unit` may touch, in an order that does not depend on that of the units.
    pub(super) fn of(&self, unit: usize) -> impl Iterator<Item = usize> {
        self.lists.of(unit).iter().map(|other| *other as usize)
    }

    /// Turns pairs into lists whose order does not depend on that of the units.
    fn list(&mut self, moving: &MovingUnits<'_>, units: usize) {
        self.lists.set(units, self.found.iter().flatten().copied());
        self.lists.sort_by_key(|other| moving.rank(other));
    }

    /// Leaves in `touching` the pairs that touch while they move to `end`, or overlap there.
    pub(super) fn touching(&mut self, moving: &MovingUnits<'_>, end: &[Vec3], touching: &mut PairLists) {
        let moved = |unit: usize| end[unit] - moving.before[unit];
        let touches = |(a, b): &(u32, u32)| {
            let (a, b) = (*a as usize, *b as usize);
            moving.pair(a, b, moved(a), moved(b)).contact().is_some()
        };
        self.touching.resize_with(self.found.len(), Vec::new);
        let chunks = self.touching.par_iter_mut().zip(&self.found);
        chunks.for_each(|(touching, found)| {
            touching.clear();
            touching.extend(found.iter().filter(|pair| touches(pair)));
        });
        touching.set(end.len(), self.touching.iter().flatten().copied());
    }
}

/// The pairs of which `unit` is the one that reaches farther. As the other reaches no farther, it
/// is within twice the reach; so a fast unit costs no one else a long search.
fn pairs_of(
    moving: &MovingUnits<'_>,
    grid: &Grid,
    extent: &[f32],
    (unit, end, waits): (usize, &[Vec3], bool),
    found: &mut Vec<(u32, u32)>,
) {
    let own = extent[unit];
    let (center, by) = (moving.before[unit], end[unit] - moving.before[unit]);
    grid.each_within(center, 2.0 * own, |other, offset, _| {
        if (extent[other], other) >= (own, unit) {
            return;
        }
        let their = end[other] - moving.before[other];
        let near = |own: Vec3, their: Vec3| {
            let reach = moving.radius[unit] + moving.radius[other];
            let (change, aside) = (their - own, Aside::default());
            let pair = Pair { offset, change, reach, aside };
            pair.comes_near(SLACK)
        };
        let alone = || near(by, Vec3::ZERO) || near(Vec3::ZERO, their);
        if near(by, their) || (waits && alone()) {
            found.push((unit as u32, other as u32));
        }
    });
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(before: &[Vec3], radius: &[f32], keys: &[u64]) -> Candidates {
        let moving = MovingUnits { arena: &Arena::default(), keys, radius, before };
        let mut candidates = Candidates::default();
        candidates.find(&moving, before, false);
        candidates
    }

    fn lengths(candidates: &Candidates, units: usize) -> Vec<usize> {
        (0..units).map(|unit| candidates.of(unit).count()).collect()
    }

    #[test]
    fn in_a_pile_pairs_are_as_many_as_units_and_the_same_in_any_order() {
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
        assert!(ones.iter().all(|length| *length >= MOST));
        assert!(ones.iter().sum::<usize>() <= 2 * MOST * units);
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
        assert_eq!(candidates.of(small).count(), small);
    }
}
