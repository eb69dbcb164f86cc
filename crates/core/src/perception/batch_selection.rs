//! Selection from the lists of a batch after a prefilter: sorted, or the nearest only.

use super::batch_neighbors::BatchNeighbor;
use super::batch_ordered::BatchOrdered;
use super::lanes::{self, Kernel, LANES, Lanes, bits, floats, words};
use super::neighbor_list;
use super::simd::Simd;

/// Buffers of the last selection.
#[derive(Clone, Debug, Default)]
pub(super) struct Selection {
    rows: Vec<BatchOrdered>,
    /// The first `count` elements are valid.
    selected: Vec<Selected>,
    count: usize,
    /// For each unit of the batch: sort key (squared distance and index) and position in the list.
    keys: [Vec<(u64, u32)>; LANES],
}

/// An element selected for at least one unit of the batch.
#[derive(Clone, Copy, Debug, Default)]
struct Selected {
    /// Its position in the list.
    at: u32,
    /// A bit for each unit of the batch that selects it.
    lanes: u32,
}

impl Selected {
    /// The set lanes, without a branch per lane, which would be mispredicted.
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
    /// Returns the selected units; with `nearest`, only the nearest and the work of each unit of the batch up to it.
    pub(super) fn select(
        &mut self,
        list: &[BatchNeighbor],
        nearest: bool,
    ) -> (&[BatchOrdered], [u32; LANES]) {
        self.rows.clear();
        self.find_selected(list);
        if !nearest {
            self.sort_all(list);
            return (&self.rows, [0; LANES]);
        }
        let limit = self.find_nearest(list);
        (&self.rows, lanes::run(WorkUpTo { list, limit }))
    }

    /// Branch-free compaction: every element is stored, and the index advances only if it is selected.
    fn find_selected(&mut self, list: &[BatchNeighbor]) {
        if self.selected.len() < list.len() {
            self.selected.resize(list.len(), Selected::default());
        }
        self.count = 0;
        for (row, at) in list.iter().zip(0_u32..) {
            self.selected[self.count] = Selected { at, lanes: row.selected };
            self.count += usize::from(row.selected != 0);
        }
    }

    fn sort_all(&mut self, list: &[BatchNeighbor]) {
        self.keys.iter_mut().for_each(Vec::clear);
        for selected in &self.selected[..self.count] {
            let row = &list[selected.at as usize];
            for lane in selected.lanes() {
                self.keys[lane].push((key(row, lane), selected.at));
            }
        }
        for lane in 0..LANES {
            self.keys[lane].sort_unstable();
            for index in 0..self.keys[lane].len() {
                self.put(index, lane, &list[self.keys[lane][index].1 as usize]);
            }
        }
    }

    /// Returns the sort key of each nearest unit; the greatest key if there is none.
    fn find_nearest(&mut self, list: &[BatchNeighbor]) -> [u64; LANES] {
        let none = (neighbor_list::key(f32::INFINITY.to_bits(), u32::MAX), 0);
        let mut nearest = [none; LANES];
        for selected in &self.selected[..self.count] {
            let row = &list[selected.at as usize];
            for lane in selected.lanes() {
                nearest[lane] = nearest[lane].min((key(row, lane), selected.at));
            }
        }
        for lane in (0..LANES).filter(|lane| nearest[*lane] != none) {
            self.put(0, lane, &list[nearest[lane].1 as usize]);
        }
        nearest.map(|(key, _)| key)
    }

    /// Writes a unit to row `index` of a lane.
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

/// Returns the sort key of an element.
fn key(row: &BatchNeighbor, lane: usize) -> u64 {
    neighbor_list::key(row.square[lane].to_bits(), row.unit)
}

/// Sums the work of elements up to and including those with the given keys.
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
            sum = simd.add_u32s(sum, simd.and_u32s(words(simd, &row.work), is_before));
        }
        pulp::cast(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn is_kept(row: &BatchNeighbor, lane: usize) -> bool {
        row.selected >> lane & 1 != 0
    }

    /// A list whose unit `n` is in `n % 3` of two lists, at repeated distances.
    fn list() -> Vec<BatchNeighbor> {
        let unit = |n: u32| {
            let mut row = BatchNeighbor { unit: (n * 7) % 40, velocity: [n as f32; 3], ..Default::default() };
            for lane in 0..LANES {
                let is_in = !(n + lane as u32).is_multiple_of(3);
                row.lanes[lane] = u32::from(is_in).wrapping_neg();
                row.square[lane] = ((n * 5 + lane as u32) % 6) as f32;
                row.position[0][lane] = (n * 10 + lane as u32) as f32;
                let is_kept = is_in && lane != 5 && (n + lane as u32).is_multiple_of(4);
                row.work[lane] = if is_in { n + 1 } else { 0 };
                row.selected |= u32::from(is_kept) << lane;
            }
            row
        };
        (0..40).map(unit).collect()
    }

    /// Keys of a lane: the selected ones, and all with their work.
    fn sorted(list: &[BatchNeighbor], lane: usize) -> (Vec<u64>, Vec<(u64, u32)>) {
        let mut all: Vec<_> = list.iter().map(|row| (key(row, lane), row.work[lane])).collect();
        all.sort_unstable();
        let mut selected: Vec<_> =
            list.iter().filter(|row| is_kept(row, lane)).map(|row| key(row, lane)).collect();
        selected.sort_unstable();
        (selected, all)
    }

    #[test]
    fn all_selected_units_are_sorted() {
        let (list, mut selection) = (list(), Selection::default());
        // A longer selection before it leaves no state.
        for list in [&list[..], &list[..9], &list[..0]] {
            let (rows, _) = selection.select(list, false);
            for lane in 0..LANES {
                let (selected, _) = sorted(list, lane);
                let found = rows.iter().take_while(|row| !row.square[lane].is_nan());
                let found = found.map(|row| {
                    let known = list.iter().find(|it| it.unit == row.unit[lane]).unwrap();
                    assert_eq!(row.position[0][lane], known.position[0][lane]);
                    assert_eq!(row.velocity[2][lane], known.velocity[2]);
                    u64::from(row.square[lane].to_bits()) << 32 | u64::from(row.unit[lane])
                });
                assert_eq!(found.collect::<Vec<_>>(), selected);
            }
        }
    }

    #[test]
    fn the_nearest_is_charged_up_to_itself() {
        let (list, mut selection) = (list(), Selection::default());
        for list in [&list[..], &list[..9], &list[..0]] {
            let (rows, work) = selection.select(list, true);
            assert!(rows.len() <= 1);
            for (lane, work) in work.into_iter().enumerate() {
                let (selected, all) = sorted(list, lane);
                let row = rows.first().filter(|row| !row.square[lane].is_nan());
                let unit = row.map(|row| row.unit[lane]);
                assert_eq!(unit, selected.first().map(|key| *key as u32));
                let last = selected.first().copied().unwrap_or(u64::MAX);
                let expected = all.iter().filter(|(key, _)| *key <= last).map(|(_, work)| work).sum::<u32>();
                assert_eq!(work, expected, "lane {lane}");
            }
        }
    }
}
