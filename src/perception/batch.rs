//! Eight units side by side, in the order of the grid, as passes read them.

use glam::Vec3;
use rayon::iter::{IndexedParallelIterator, IntoParallelRefMutIterator, ParallelIterator};

use super::lanes::{LANES, Lanes};

/// Batches that a thread takes in one go.
pub(super) const GRAIN: usize = 128;

/// Eight units by field. What a plane needs comes first and fills two lines of the cache.
#[repr(C, align(64))]
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Batch {
    pub(super) x: Lanes,
    pub(super) y: Lanes,
    pub(super) velocity_x: Lanes,
    pub(super) velocity_y: Lanes,
    pub(super) z: Lanes,
    pub(super) velocity_z: Lanes,
    /// Which units they are.
    pub(super) units: [u32; LANES],
    /// The cells they are in.
    pub(super) cells: [u32; LANES],
}

impl Batch {
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

/// Copies positions, and velocities if there are any, in the order of `order`. The answer is whether
/// all of them are flat: no z is anything but 0.
pub(super) fn gather(
    batches: &mut Vec<Batch>,
    order: &[u32],
    cells: &[u32],
    positions: &[Vec3],
    velocities: &[Vec3],
) -> bool {
    batches.resize(order.len().div_ceil(LANES), Batch::default());
    let fill = |at: usize, batch: &mut Batch| {
        let units = &order[at * LANES..order.len().min((at + 1) * LANES)];
        let mut heights = 0;
        for (lane, unit) in units.iter().enumerate() {
            batch.units[lane] = *unit;
            batch.cells[lane] = cells[*unit as usize];
            let position = positions[*unit as usize];
            [batch.x[lane], batch.y[lane], batch.z[lane]] = position.to_array();
            let velocity = velocities.get(*unit as usize).copied().unwrap_or_default();
            batch.velocity_x[lane] = velocity.x;
            batch.velocity_y[lane] = velocity.y;
            batch.velocity_z[lane] = velocity.z;
            heights |= position.z.abs().to_bits() | velocity.z.abs().to_bits();
        }
        heights == 0
    };
    let batches = batches.par_iter_mut().enumerate();
    (batches.with_min_len(GRAIN).with_max_len(GRAIN))
        .map(|(at, batch)| fill(at, batch))
        .reduce(|| true, |one, other| one && other)
}
