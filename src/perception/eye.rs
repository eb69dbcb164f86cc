//! Offsets and distances of eight units at once.

use pulp::Simd;

use super::Grid;
use super::asks::Ask;
use super::batch::Batch;
use super::kin::{Wanted, Who};
use super::lanes::{bits, floats, lanes_of};
use super::question::{Block, Question};
use super::seam::Laps;

/// What is worked out at every unit; what is not, is not compiled.
pub(super) trait Case {
    /// There is no z.
    const FLAT: bool;
    /// Some may be across the edge.
    const WRAPS: bool;
    /// Not everyone is asked for.
    const CHOOSY: bool;
}

pub(super) struct Cased<const FLAT: bool, const WRAPS: bool, const CHOOSY: bool>;

impl<const F: bool, const W: bool, const C: bool> Case for Cased<F, W, C> {
    const FLAT: bool = F;
    const WRAPS: bool = W;
    const CHOOSY: bool = C;
}

/// The edge that offsets are taken across, in all lanes.
pub(super) struct Edge<S: Simd> {
    /// The size that offsets wrap over, and its negative.
    size: [[S::f32s; 2]; 2],
    half: [[S::f32s; 2]; 2],
    zero: S::f32s,
}

impl<S: Simd> Edge<S> {
    #[inline(always)]
    pub(super) fn new(simd: S, laps: Laps) -> Self {
        let size = match laps {
            Laps::One(size) => size.to_array(),
            _ => [0.0; 2],
        };
        Self {
            size: [both(simd, size[0]), both(simd, size[1])],
            half: [both(simd, 0.5 * size[0]), both(simd, 0.5 * size[1])],
            zero: simd.splat_f32s(0.0),
        }
    }

    /// As [`super::seam::wrapped`] along an axis that wraps.
    #[inline(always)]
    pub(super) fn shortest<C: Case>(&self, simd: S, offset: S::f32s, axis: usize) -> S::f32s {
        if !C::WRAPS || axis == 2 {
            return offset;
        }
        let ([size, minus], [half, minus_half]) = (self.size[axis], self.half[axis]);
        let ahead = simd.greater_than_or_equal_f32s(offset, half);
        let behind = simd.less_than_or_equal_f32s(offset, minus_half);
        let lap = simd.select_f32s(behind, minus, self.zero);
        simd.sub_f32s(offset, simd.select_f32s(ahead, size, lap))
    }
}

/// A question over a grid, with its numbers in all lanes.
pub(super) struct Eye<'a, S: Simd> {
    grid: &'a Grid,
    center: [S::f32s; 3],
    edge: Edge<S>,
    zero: S::f32s,
    wanted: Wanted,
}

impl<'a, S: Simd> Eye<'a, S> {
    #[inline(always)]
    pub(super) fn new(simd: S, grid: &'a Grid, ask: &Ask, question: &Question) -> Self {
        let [x, y, z] = question.center.to_array();
        Self {
            grid,
            center: [simd.splat_f32s(x), simd.splat_f32s(y), simd.splat_f32s(z)],
            edge: Edge::new(simd, question.laps),
            zero: simd.splat_f32s(0.0),
            wanted: match ask.who {
                Who::Some(wanted) => wanted,
                Who::Nobody | Who::Everyone => Wanted::EVERYONE,
            },
        }
    }

    /// Offsets to eight units, and their squares.
    #[inline(always)]
    pub(super) fn look<C: Case>(&self, simd: S, batch: &Batch) -> ([S::f32s; 3], S::f32s) {
        let x = self.offset::<C>(simd, floats(simd, &batch.x), 0);
        let y = self.offset::<C>(simd, floats(simd, &batch.y), 1);
        let square = simd.add_f32s(simd.mul_f32s(x, x), simd.mul_f32s(y, y));
        if C::FLAT {
            return ([x, y, self.zero], square);
        }
        let z = simd.sub_f32s(floats(simd, &batch.z), self.center[2]);
        ([x, y, z], simd.add_f32s(square, simd.mul_f32s(z, z)))
    }

    #[inline(always)]
    fn offset<C: Case>(&self, simd: S, at: S::f32s, axis: usize) -> S::f32s {
        let offset = simd.sub_f32s(at, self.center[axis]);
        self.edge.shortest::<C>(simd, offset, axis)
    }

    /// Which units of a block are asked for, wherever they are.
    #[inline(always)]
    pub(super) fn wanted<C: Case>(&self, simd: S, block: Block) -> S::u32s {
        let lanes = lanes_of(simd, block.mask);
        if !C::CHOOSY {
            return lanes;
        }
        let kin = self.grid.kin.eight(simd, self.wanted, block.batch as usize);
        simd.and_u32s(lanes, kin)
    }
}

#[inline(always)]
fn both<S: Simd>(simd: S, size: f32) -> [S::f32s; 2] {
    [simd.splat_f32s(size), simd.splat_f32s(-size)]
}

/// Those whose square is no greater than `limit`.
#[inline(always)]
pub(super) fn near<S: Simd>(simd: S, square: S::f32s, limit: S::f32s) -> S::u32s {
    bits(simd, simd.less_than_or_equal_f32s(square, limit))
}
