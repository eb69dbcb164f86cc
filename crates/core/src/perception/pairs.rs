//! Pairs of units within their reach.

use std::ops::Range;

use glam::Vec3;

use super::grid::Grid;
use super::lanes::{self, Kernel, LANES, Lanes, any, bits, floats, splat, within};
use super::layout::Spans;
use super::periodic::ImageShift;
use super::scan::{Centers, specialize};
use super::simd::Simd;
use crate::world::Extrema;

impl Grid {
    /// The number of blocks of eight slots.
    pub fn blocks(&self) -> usize {
        self.blocks.len()
    }

    /// Calls `visit` with every pair of units whose distance is at most the greater of their reaches, and the offset
    /// from the first to the second. The first unit is in one of `blocks` and has the greater reach, or in a tie the
    /// greater index, so that a unit with a long reach does not slow down the searches of others.
    ///
    /// `reach` is indexed by slot.
    pub fn each_pair(&self, blocks: Range<usize>, reach: &[f32], visit: impl FnMut(usize, usize, Vec3)) {
        lanes::run(Pairs { grid: self, blocks, reach, visit });
    }
}

struct Pairs<'a, V> {
    grid: &'a Grid,
    blocks: Range<usize>,
    reach: &'a [f32],
    visit: V,
}

impl<V: FnMut(usize, usize, Vec3)> Kernel for Pairs<'_, V> {
    type Output = ();

    #[inline(always)]
    fn run<S: Simd>(mut self, simd: S) {
        for block in self.blocks.clone() {
            let mut from = block * LANES;
            let end = self.reach.len().min(from + LANES);
            while from < end {
                let to = from + self.grid.batch_len(from..end);
                self.search(simd, from..to);
                from = to;
            }
        }
    }
}

impl<V: FnMut(usize, usize, Vec3)> Pairs<'_, V> {
    /// Finds the pairs whose first unit is in `slots`, which are in one block.
    #[inline(always)]
    fn search<S: Simd>(&mut self, simd: S, slots: Range<usize>) {
        let (grid, mut farthest) = (self.grid, 0.0_f32);
        let (mut low, mut high) = (Vec3::INFINITY, Vec3::NEG_INFINITY);
        // Other lanes have a negative limit, so they never match.
        let (mut reach, mut square) = ([0.0; LANES], [-1.0; LANES]);
        for slot in slots.clone() {
            let (position, lane) = (grid.position(slot), slot % LANES);
            (low, high) = (low.min(position), high.max(position));
            reach[lane] = self.reach[slot];
            square[lane] = reach[lane] * reach[lane];
            farthest = farthest.greater(reach[lane]);
        }
        let spans = grid.layout.spans(low, high, farthest);
        let shift = grid.periodic.shift(spans.wrap());
        let own = (slots.start / LANES, &reach, &square);
        match shift {
            ImageShift::Many(_) => self.scan::<S, false, true, true>(simd, own, &spans, shift),
            _ => specialize!([FLAT = grid.flat, WRAPS = shift.wraps()]
                self.scan::<S, FLAT, WRAPS, false>(simd, own, &spans, shift)),
        }
    }

    #[inline(always)]
    fn scan<S: Simd, const FLAT: bool, const WRAPS: bool, const FAR: bool>(
        &mut self,
        simd: S,
        (block, reach, square): (usize, &Lanes, &Lanes),
        spans: &Spans,
        shift: ImageShift,
    ) {
        let grid = self.grid;
        let center = grid.blocks[block].positions(simd);
        let centers = Centers::<S, FLAT, WRAPS, FAR>::new(simd, center, shift);
        let (reach, limit) = (floats(simd, reach), floats(simd, square));
        grid.each_run(
            spans,
            #[inline(always)]
            |from, to| {
                for slot in from as usize..to as usize {
                    let (_, square) = centers.offset(simd, splat(simd, grid.position(slot).to_array()));
                    let others = simd.splat_f32s(self.reach[slot]);
                    let reaches = bits(simd, simd.less_than_or_equal_f32s(others, reach));
                    let found = simd.and_u32s(within(simd, square, limit), reaches);
                    if any(simd, found) {
                        let found: [u32; LANES] = pulp::cast(found);
                        for lane in (0..LANES).filter(|lane| found[*lane] != 0) {
                            self.found(block * LANES + lane, slot, shift);
                        }
                    }
                }
            },
        );
    }

    /// Visits a pair whose second unit has no greater reach, unless the pair belongs to the second unit.
    #[inline(always)]
    fn found(&mut self, own: usize, other: usize, shift: ImageShift) {
        let grid = self.grid;
        let [first, second] = [own, other].map(|slot| grid.unit(slot) as usize);
        if self.reach[other] < self.reach[own] || second < first {
            (self.visit)(first, second, shift.minimum_image(grid.position(other) - grid.position(own)));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Edges, testing};

    #[test]
    fn every_pair_is_found_once_by_the_unit_with_the_greater_reach() {
        for case in 0..12 {
            let (wraps, flat, apart) = (case % 2 == 0, case / 2 % 2 == 0, [1.0, 1.3, 0.0][case / 4]);
            let mut world = testing::world(&[300], 2.0, |_, draw| {
                let z = if flat { 0.0 } else { draw(2) * 0.1 };
                (Vec3::new(draw(0), draw(1), z) * 20.0 * apart, Vec3::ZERO)
            });
            world.arena = testing::plane(20.0, 20.0, if wraps { Edges::Wrap } else { Edges::Open });
            world.arena.seamless = wraps;
            let mut grid = Grid::default();
            grid.rebuild(&world);
            let position = &world.units.position;
            // Many units with the same reach.
            let of_unit = |unit: usize| (unit % 5) as f32 * 0.4;
            let reach: Vec<_> = grid.order().iter().map(|unit| of_unit(*unit as usize)).collect();
            let mut found = Vec::new();
            for block in 0..grid.blocks() {
                grid.each_pair(block..block + 1, &reach, |first, second, offset| {
                    assert_eq!(
                        offset,
                        grid.periodic.any_shift().minimum_image(position[second] - position[first])
                    );
                    found.push((first, second));
                });
            }
            let mut expected = Vec::new();
            for (first, at) in position.iter().enumerate() {
                grid.each_within(*at, of_unit(first), |second, _, _| {
                    if (of_unit(second), second) < (of_unit(first), first) {
                        expected.push((first, second));
                    }
                });
            }
            found.sort_unstable();
            expected.sort_unstable();
            assert!(found == expected && found.len() > 100, "case {case}");
        }
    }
}
