//! Of the lists of a batch, the units that are left after a look through all of them: in order, or the nearest alone.

use super::batch_neighbors::BatchNeighbor;
use super::batch_ordered::BatchOrdered;
use super::lanes::{self, Kernel, LANES, Lanes, bits, floats, words};
use super::neighbor_list;
use super::simd::Simd;

/// What was selected last.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    rows: Vec<BatchOrdered>,
    /// The first `count` count.
    kept: Vec<Kept>,
    count: usize,
    /// Of each unit of the batch: squared distance and index, as they sort, and the place in the list.
    keys: [Vec<(u64, u32)>; LANES],
}

/// A unit that is kept for any unit of the batch.
#[derive(Clone, Copy, Debug, Default)]
struct Kept {
    /// Its place in the list.
    at: u32,
    /// A bit for each unit of the batch for which it is.
    lanes: u32,
}

impl Kept {
    /// Those lanes. Whether a lane is among them no processor can guess, so that none is asked.
    #[inline]
    fn lanes(self) -> impl Iterator<Item = usize> {
        let mut left = self.lanes;
        std::iter::from_fn(move || {
            let lane = left.trailing_zeros() as usize;
            left &= left.wrapping_sub(1);
            (lane < LANES).then_some(lane)
        })
    }
}

impl Selection {
    /// Those that are kept; if that is the nearest alone, also the work of each unit of the batch up to it.
    pub(super) fn select(
        &mut self,
        list: &[BatchNeighbor],
        nearest: bool,
    ) -> (&[BatchOrdered], [u32; LANES]) {
        self.rows.clear();
        self.find_kept(list);
        if !nearest {
            self.take_all(list);
            return (&self.rows, [0; LANES]);
        }
        let limit = self.take_nearest(list);
        (&self.rows, lanes::run(WorkUpTo { list, limit }))
    }

    /// Whether one is kept no processor can guess: each is written, and the next one over it if it is not.
    fn find_kept(&mut self, list: &[BatchNeighbor]) {
        if self.kept.len() < list.len() {
            self.kept.resize(list.len(), Kept::default());
        }
        self.count = 0;
        for (row, at) in list.iter().zip(0_u32..) {
            self.kept[self.count] = Kept { at, lanes: row.kept };
            self.count += usize::from(row.kept != 0);
        }
    }

    fn take_all(&mut self, list: &[BatchNeighbor]) {
        self.keys.iter_mut().for_each(Vec::clear);
        for kept in &self.kept[..self.count] {
            let row = &list[kept.at as usize];
            for lane in kept.lanes() {
                self.keys[lane].push((key(row, lane), kept.at));
            }
        }
        for lane in 0..LANES {
            self.keys[lane].sort_unstable();
            for index in 0..self.keys[lane].len() {
                self.put(index, lane, &list[self.keys[lane][index].1 as usize]);
            }
        }
    }

    /// Returns the key of each; where none is kept, one after all of them.
    fn take_nearest(&mut self, list: &[BatchNeighbor]) -> [u64; LANES] {
        let none = (neighbor_list::key(f32::INFINITY.to_bits(), u32::MAX), 0);
        let mut nearest = [none; LANES];
        for kept in &self.kept[..self.count] {
            let row = &list[kept.at as usize];
            for lane in kept.lanes() {
                nearest[lane] = nearest[lane].min((key(row, lane), kept.at));
            }
        }
        for lane in (0..LANES).filter(|lane| nearest[*lane] != none) {
            self.put(0, lane, &list[nearest[lane].1 as usize]);
        }
        nearest.map(|(key, _)| key)
    }

    /// Makes a unit the one of this number of a unit of the batch.
    fn put(&mut self, index: usize, lane: usize, unit: &BatchNeighbor) {
        if index == self.rows.len() {
            self.rows.push(BatchOrdered::NONE);
        }
        let row = &mut self.rows[index];
        row.square[lane] = unit.square[lane];
        row.unit[lane] = unit.unit;
        for axis in 0..3 {
            row.position[axis][lane] = unit.position[axis][lane];
            row.velocity[axis][lane] = unit.velocity[axis];
        }
    }
}

/// Sorts as lists do.
fn key(row: &BatchNeighbor, lane: usize) -> u64 {
    neighbor_list::key(row.square[lane].to_bits(), row.unit)
}

/// Sums the work of looking at those that sort before these keys, or have them.
struct WorkUpTo<'a> {
    list: &'a [BatchNeighbor],
    limit: [u64; LANES],
}

impl Kernel for WorkUpTo<'_> {
    type Output = [u32; LANES];

    #[inline(always)]
    fn run<S: Simd>(self, simd: S) -> [u32; LANES] {
        let squares: Lanes = self.limit.map(neighbor_list::square_of);
        let squares = floats(simd, &squares);
        let units: [u32; LANES] = self.limit.map(|key| neighbor_list::unit_of(key) as u32);
        let units = words(simd, &units);
        let mut sum = simd.splat_u32s(0);
        for row in self.list {
            let square = floats(simd, &row.square);
            let is_nearer = bits(simd, simd.less_than_f32s(square, squares));
            let ties = bits(simd, simd.equal_f32s(square, squares));
            let is_first = simd.less_than_or_equal_u32s(simd.splat_u32s(row.unit), units);
            let is_before = simd.or_u32s(is_nearer, simd.and_u32s(ties, bits(simd, is_first)));
            sum = simd.add_u32s(sum, simd.and_u32s(words(simd, &row.looked), is_before));
        }
        pulp::cast(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(row: &BatchNeighbor, lane: usize) -> bool {
        row.kept >> lane & 1 != 0
    }

    /// A list whose unit `n` is in `n % 3` of two lists, at squares that repeat.
    fn list() -> Vec<BatchNeighbor> {
        let unit = |n: u32| {
            let mut row = BatchNeighbor { unit: (n * 7) % 40, velocity: [n as f32; 3], ..Default::default() };
            for lane in 0..LANES {
                let is_in = !(n + lane as u32).is_multiple_of(3);
                row.lanes[lane] = u32::from(is_in).wrapping_neg();
                row.square[lane] = ((n * 5 + lane as u32) % 6) as f32;
                row.position[0][lane] = (n * 10 + lane as u32) as f32;
                let is_kept = is_in && lane != 5 && (n + lane as u32).is_multiple_of(4);
                row.looked[lane] = if is_in { n + 1 } else { 0 };
                row.kept |= u32::from(is_kept) << lane;
            }
            row
        };
        (0..40).map(unit).collect()
    }

    /// Keys of a lane, the kept ones and all with their work.
    fn sorted(list: &[BatchNeighbor], lane: usize) -> (Vec<u64>, Vec<(u64, u32)>) {
        let mut all: Vec<_> = list.iter().map(|row| (key(row, lane), row.looked[lane])).collect();
        all.sort_unstable();
        let mut kept: Vec<_> =
            list.iter().filter(|row| is_kept(row, lane)).map(|row| key(row, lane)).collect();
        kept.sort_unstable();
        (kept, all)
    }

    #[test]
    fn all_that_is_kept_comes_in_order() {
        let (list, mut selection) = (list(), Selection::default());
        // A longer selection before leaves nothing.
        for list in [&list[..], &list[..9], &list[..0]] {
            let (rows, _) = selection.select(list, false);
            for lane in 0..LANES {
                let (kept, _) = sorted(list, lane);
                let found = rows.iter().take_while(|row| !row.square[lane].is_nan());
                let found = found.map(|row| {
                    let known = list.iter().find(|it| it.unit == row.unit[lane]).unwrap();
                    assert_eq!(row.position[0][lane], known.position[0][lane]);
                    assert_eq!(row.velocity[2][lane], known.velocity[2]);
                    u64::from(row.square[lane].to_bits()) << 32 | u64::from(row.unit[lane])
                });
                assert_eq!(found.collect::<Vec<_>>(), kept);
            }
        }
    }

    #[test]
    fn the_nearest_is_paid_for_up_to_itself() {
        let (list, mut selection) = (list(), Selection::default());
        for list in [&list[..], &list[..9], &list[..0]] {
            let (rows, work) = selection.select(list, true);
            assert!(rows.len() <= 1);
            for (lane, work) in work.into_iter().enumerate() {
                let (kept, all) = sorted(list, lane);
                let row = rows.first().filter(|row| !row.square[lane].is_nan());
                let unit = row.map(|row| row.unit[lane]);
                assert_eq!(unit, kept.first().map(|key| *key as u32));
                let last = kept.first().copied().unwrap_or(u64::MAX);
                let expected = all.iter().filter(|(key, _)| *key <= last).map(|(_, work)| work).sum::<u32>();
                assert_eq!(work, expected, "lane {lane}");
            }
        }
    }
}
