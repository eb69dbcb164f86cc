//! A list in three figures: how many, where in the mean, and how they move in the mean.

use glam::Vec3;

use super::cohort::Cohort;
use super::lanes::{LANES, Lanes};

/// The units of a list as one: what rules over means ask for.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighborMeans {
    /// How many units the list holds.
    pub count: u32,
    /// Mean of their apparent positions; where there is nobody, the looking unit's own.
    pub position: Vec3,
    /// Mean of their velocities; where there is nobody, the looking unit's own.
    pub velocity: Vec3,
}

/// What up to eight units that look together see of a list, field by field. Compiled code reads it in
/// place.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct NeighborMeansX8 {
    /// How many units the list holds.
    pub count: [u32; LANES],
    /// Means of their apparent positions, as of [`NeighborMeans::position`].
    pub position: [Lanes; 3],
    /// Means of their velocities, as of [`NeighborMeans::velocity`].
    pub velocity: [Lanes; 3],
}

impl NeighborMeansX8 {
    /// Nobody, at the origin.
    pub const EMPTY: Self = Self {
        count: [0; LANES],
        position: [[0.0; LANES]; 3],
        velocity: [[0.0; LANES]; 3],
    };

    /// What the unit in a lane sees.
    #[inline]
    pub fn of(&self, lane: usize) -> NeighborMeans {
        let [x, y, z] = &self.position;
        let [vx, vy, vz] = &self.velocity;
        NeighborMeans {
            count: self.count[lane],
            position: Vec3::new(x[lane], y[lane], z[lane]),
            velocity: Vec3::new(vx[lane], vy[lane], vz[lane]),
        }
    }

    /// Sums over lists, of offsets from each unit and of how much faster than it others are, become
    /// means.
    #[inline(always)]
    pub(super) fn divide(&mut self, cohort: &Cohort) {
        // As signed integers, which every processor turns into numbers at once.
        let mut share = [0.0; LANES];
        for (share, count) in share.iter_mut().zip(self.count) {
            *share = 1.0 / (count as i32).max(1) as f32;
        }
        let own = [&cohort.position, &cohort.velocity];
        for (sums, own) in [&mut self.position, &mut self.velocity]
            .into_iter()
            .zip(own)
        {
            for (sums, own) in sums.iter_mut().zip(own) {
                for lane in 0..LANES {
                    sums[lane] = own[lane] + sums[lane] * share[lane];
                }
            }
        }
    }

    /// Sums over others than those, one unit at a time and in the order of slots, for one lane.
    pub(super) fn fill(
        &mut self,
        lane: usize,
        cohort: &Cohort,
        others: impl Iterator<Item = (Vec3, Vec3)>,
    ) {
        let own = cohort.velocity(lane);
        let (mut count, mut offsets, mut velocities) = (0, Vec3::ZERO, Vec3::ZERO);
        for (offset, velocity) in others {
            count += 1;
            offsets += offset;
            velocities += velocity - own;
        }
        let mut sums = Self::default();
        sums.count[lane] = count;
        for axis in 0..3 {
            sums.position[axis][lane] = offsets[axis];
            sums.velocity[axis][lane] = velocities[axis];
        }
        sums.divide(cohort);
        self.count[lane] = count;
        for axis in 0..3 {
            self.position[axis][lane] = sums.position[axis][lane];
            self.velocity[axis][lane] = sums.velocity[axis][lane];
        }
    }
}
