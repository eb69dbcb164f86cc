//! A list in three figures: how many units, their mean position and their mean velocity.

use glam::Vec3;

use super::lanes::{LANES, Lanes};
use super::query_batch::QueryBatch;

/// The means of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighborMeans {
    /// How many units the list holds.
    pub count: u32,
    /// Mean of their apparent positions; of an empty list, the observing unit's own.
    pub position: Vec3,
    /// Mean of their velocities; of an empty list, the observing unit's own.
    pub velocity: Vec3,
}

/// The means of a list for up to eight units that are queried together, field by field. Compiled code
/// reads it in place.
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

/// What a sum of so many is to be multiplied by. As a signed integer, which every processor turns into a number at once.
#[inline(always)]
pub(super) fn share_of(count: u32) -> f32 {
    1.0 / (count as i32).max(1) as f32
}

impl NeighborMeansX8 {
    /// No units, at the origin.
    pub const EMPTY: Self =
        Self { count: [0; LANES], position: [[0.0; LANES]; 3], velocity: [[0.0; LANES]; 3] };

    /// The means for the unit in a lane.
    #[inline]
    pub fn of(&self, lane: usize) -> NeighborMeans {
        NeighborMeans {
            count: self.count[lane],
            position: self.position.map(|lanes| lanes[lane]).into(),
            velocity: self.velocity.map(|lanes| lanes[lane]).into(),
        }
    }

    /// The means for one lane alone: of offsets and velocities of others, summed one by one.
    pub(super) fn of_lane(
        lane: usize,
        batch: &QueryBatch,
        others: impl Iterator<Item = (Vec3, Vec3)>,
    ) -> Self {
        let own = batch.velocity(lane);
        let (mut count, mut offsets, mut velocities) = (0, Vec3::ZERO, Vec3::ZERO);
        for (offset, velocity) in others {
            count += 1;
            offsets += offset;
            velocities += velocity - own;
        }
        let mut means = Self::default();
        let share = share_of(count);
        means.count[lane] = count;
        for axis in 0..3 {
            means.position[axis][lane] = batch.position[axis][lane] + offsets[axis] * share;
            means.velocity[axis][lane] = own[axis] + velocities[axis] * share;
        }
        means
    }
}

/// Most lists that are kept.
const CAPACITY: usize = 8;

/// The key of no list.
const NO_KEY: u64 = u64::MAX;

/// The latest means of a batch, by the keys of their lists. Compiled code looks at the first of them in
/// place.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct MeansCache {
    /// [`super::List::key`] where all lanes are computed, and another number where only one is.
    pub keys: [u64; CAPACITY],
    /// The means.
    pub means_x8: [NeighborMeansX8; CAPACITY],
    next: usize,
}

impl Default for MeansCache {
    fn default() -> Self {
        Self { keys: [NO_KEY; CAPACITY], means_x8: [NeighborMeansX8::default(); CAPACITY], next: 0 }
    }
}

impl MeansCache {
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.keys = [NO_KEY; CAPACITY];
        self.next = 0;
    }

    /// The index of the means of a list, if those of `lane` are computed.
    #[inline(always)]
    pub(super) fn find(&self, key: u64, lane: usize) -> Option<usize> {
        let own = key_of_lane(lane, key);
        self.keys.iter().position(|it| *it == key || *it == own)
    }

    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> &NeighborMeansX8 {
        &self.means_x8[index % CAPACITY]
    }

    /// Room for the means of all lanes of up to two lists, whose keys it takes, and the index of the first.
    #[inline(always)]
    pub(super) fn insert(&mut self, keys: &[u64]) -> (usize, &mut [NeighborMeansX8]) {
        // Two that are computed together stay side by side.
        if self.next + keys.len() > CAPACITY {
            self.next = 0;
        }
        let places = self.next..self.next + keys.len();
        self.next = places.end;
        self.keys[places.clone()].copy_from_slice(keys);
        (places.start, &mut self.means_x8[places])
    }

    /// Keeps the means of one lane of a list. Returns their index.
    pub(super) fn insert_lane(&mut self, lane: usize, key: u64, means: NeighborMeansX8) -> usize {
        let (index, room) = self.insert(&[key_of_lane(lane, key)]);
        room[0] = means;
        index
    }
}

/// Keys of lists leave the topmost bits alone.
fn key_of_lane(lane: usize, key: u64) -> u64 {
    key | (lane as u64 + 1) << 60
}
