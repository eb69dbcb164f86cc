//! Means of a list: number of units, mean position and mean velocity.

use glam::Vec3;

use super::lanes::{LANES, Lanes};
use super::list::{PerSource, Source};
use super::query_batch::QueryBatch;

/// The means of a list.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct NeighborMeans {
    /// Number of units in the list.
    pub count: u32,
    /// Mean of their apparent positions; for an empty list the observing unit's position.
    pub position: Vec3,
    /// Mean of their velocities; for an empty list the observing unit's velocity.
    pub velocity: Vec3,
}

/// The means of a list for the units of a batch, by field. Compiled code reads it in place.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct NeighborMeansX8 {
    /// Number of units in the list.
    pub count: [u32; LANES],
    /// Means of their apparent positions, as [`NeighborMeans::position`].
    pub position: [Lanes; 3],
    /// Means of their velocities, as [`NeighborMeans::velocity`].
    pub velocity: [Lanes; 3],
}

/// Returns the reciprocal of a count, at least 1. The signed conversion is one instruction on every processor.
#[inline(always)]
pub(super) fn reciprocal(count: u32) -> f32 {
    1.0 / (count as i32).max(1) as f32
}

impl NeighborMeansX8 {
    /// No units, at the origin.
    pub const EMPTY: Self =
        Self { count: [0; LANES], position: [[0.0; LANES]; 3], velocity: [[0.0; LANES]; 3] };

    /// Returns the means for the unit in a lane.
    #[inline]
    pub fn of(&self, lane: usize) -> NeighborMeans {
        NeighborMeans {
            count: self.count[lane],
            position: self.position.map(|lanes| lanes[lane]).into(),
            velocity: self.velocity.map(|lanes| lanes[lane]).into(),
        }
    }

    /// Computes the means for one lane from the offsets and velocities of the other units, in order.
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
        let share = reciprocal(count);
        means.count[lane] = count;
        for axis in 0..3 {
            means.position[axis][lane] = batch.position[axis][lane] + offsets[axis] * share;
            means.velocity[axis][lane] = own[axis] + velocities[axis] * share;
        }
        means
    }
}

/// Maximum number of cached means.
const CAPACITY: usize = 8;

/// The key of an unused entry.
const NO_KEY: u64 = u64::MAX;

/// The latest means of a batch, by the keys of their lists. Compiled code searches the first entries in place.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct MeansCache {
    /// [`super::List::key`] if all lanes are computed, and a lane-specific key if only one is.
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

    /// Returns the index of the means of a list if those of `lane` are computed.
    #[inline(always)]
    pub(super) fn find(&self, key: u64, lane: usize) -> Option<usize> {
        let own = key_of_lane(lane, key);
        self.keys.iter().position(|it| *it == key || *it == own)
    }

    #[inline(always)]
    pub(super) fn at(&self, index: usize) -> &NeighborMeansX8 {
        &self.means_x8[index % CAPACITY]
    }

    /// Allocates entries for the means of all lanes of up to two lists; returns the index of the first.
    #[inline(always)]
    pub(super) fn insert(&mut self, keys: &[u64]) -> (usize, &mut [NeighborMeansX8]) {
        // Two lists that are computed together need adjacent entries.
        if self.next + keys.len() > CAPACITY {
            self.next = 0;
        }
        let places = self.next..self.next + keys.len();
        self.next = places.end;
        self.keys[places.clone()].copy_from_slice(keys);
        (places.start, &mut self.means_x8[places])
    }

    /// Stores the means of one lane of a list. Returns their index.
    pub(super) fn insert_lane(&mut self, lane: usize, key: u64, means: NeighborMeansX8) -> usize {
        let (index, room) = self.insert(&[key_of_lane(lane, key)]);
        room[0] = means;
        index
    }
}

/// Keys of lists whose reaches differ by unit. They are valid until the next batch starts.
#[derive(Clone, Debug, Default)]
pub(super) struct Reaches {
    /// The latest reaches; new ones replace the oldest.
    latest: [Lanes; 4],
    count: u32,
    /// True for sources whose velocities were requested.
    velocities: PerSource<bool>,
}

impl Reaches {
    /// A flag in the keys.
    const FLAG: u64 = 1 << 58;

    /// Records a request for means; returns true if velocities are needed, now or by an earlier request.
    pub(super) fn record_request(&mut self, source: Source, velocities: bool) -> bool {
        let needed = &mut self.velocities.0[PerSource::<bool>::slot(source)];
        *needed |= velocities;
        *needed
    }

    /// Returns the key of a source with these reaches: the number of the reaches is in the lower half.
    pub(super) fn key(&mut self, source: Source, reaches: &Lanes) -> u64 {
        let capacity = self.latest.len() as u32;
        let mut known = self.count.saturating_sub(capacity)..self.count;
        let number = known.find(|number| self.latest[(number % capacity) as usize] == *reaches);
        let number = number.unwrap_or_else(|| {
            self.latest[(self.count % capacity) as usize] = *reaches;
            self.count = self.count.wrapping_add(1);
            self.count.wrapping_sub(1)
        });
        Self::FLAG | (source.index() as u64) << 32 | u64::from(number)
    }
}

/// Returns a lane-specific key; the topmost bits of list keys are unused.
fn key_of_lane(lane: usize, key: u64) -> u64 {
    key | (lane as u64 + 1) << 60
}
