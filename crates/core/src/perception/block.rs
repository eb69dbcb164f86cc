//! Blocks of eight units in slot order, the input format of kernels.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::lanes::{LANES, Lanes, floats};
use super::simd::Simd;

/// Number of blocks per parallel task.
pub(super) const GRAIN: usize = 128;

/// Eight units by field. The fields for a plane are first and fill two cache lines.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Block {
    pub(super) x: Lanes,
    pub(super) y: Lanes,
    pub(super) velocity_x: Lanes,
    pub(super) velocity_y: Lanes,
    pub(super) z: Lanes,
    pub(super) velocity_z: Lanes,
    /// Indices of the units.
    pub(super) units: [u32; LANES],
    /// Their cells.
    pub(super) cells: [u32; LANES],
}

impl Block {
    /// The positions of all units.
    #[inline(always)]
    pub(super) fn positions<S: Simd>(&self, simd: S) -> [S::F32s; 3] {
        [floats(simd, &self.x), floats(simd, &self.y), floats(simd, &self.z)]
    }

    #[inline(always)]
    pub(super) fn position(&self, lane: usize) -> Vec3 {
        Vec3::new(self.x[lane], self.y[lane], self.z[lane])
    }

    #[inline(always)]
    pub(super) fn velocity(&self, lane: usize) -> Vec3 {
        let z = self.velocity_z[lane];
        Vec3::new(self.velocity_x[lane], self.velocity_y[lane], z)
    }
}

/// Copies positions, and velocities if there are any, in slot order. Returns the union of the bits of all z.
pub(super) fn gather(
    blocks: &mut Vec<Block>,
    order: &[u32],
    cells: &[u32],
    positions: &[Vec3],
    velocities: &[Vec3],
) -> u32 {
    blocks.resize(order.len().div_ceil(LANES), Block::default());
    let fill = |at: usize, block: &mut Block| {
        let units = &order[at * LANES..order.len().min((at + 1) * LANES)];
        let mut heights = 0;
        for (lane, unit) in units.iter().enumerate() {
            block.units[lane] = *unit;
            block.cells[lane] = cells[*unit as usize];
            let position = positions[*unit as usize];
            [block.x[lane], block.y[lane], block.z[lane]] = position.to_array();
            let velocity = velocities.get(*unit as usize).copied().unwrap_or_default();
            block.velocity_x[lane] = velocity.x;
            block.velocity_y[lane] = velocity.y;
            block.velocity_z[lane] = velocity.z;
            heights |= position.z.to_bits() | velocity.z.to_bits();
        }
        heights
    };
    let blocks = blocks.par_iter_mut().enumerate();
    (blocks.with_min_len(GRAIN).with_max_len(GRAIN))
        .map(|(at, block)| fill(at, block))
        .reduce(|| 0, |one, other| one | other)
}
