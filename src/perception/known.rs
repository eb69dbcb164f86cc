//! The means_of_eight that are known of the units that look together.

use super::means::NeighborMeansX8;

/// Most that are kept.
const MOST: usize = 8;

/// The key of no list.
const NONE: u64 = u64::MAX;

/// The latest means_of_eight, by the keys of their lists. Compiled code looks at the first of them in place.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct MeansCache {
    /// [`super::List::key`] where all lanes are known, and another number where only one is.
    pub keys: [u64; MOST],
    /// What is known.
    pub means_of_eight: [NeighborMeansX8; MOST],
    next: usize,
}

impl Default for MeansCache {
    fn default() -> Self {
        Self {
            keys: [NONE; MOST],
            means_of_eight: [NeighborMeansX8::default(); MOST],
            next: 0,
        }
    }
}

impl MeansCache {
    /// Forgets all.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.keys = [NONE; MOST];
        self.next = 0;
    }

    /// Where the means_of_eight of a list are, if that of `lane` is known.
    #[inline(always)]
    pub(super) fn find(&self, key: u64, lane: usize) -> Option<usize> {
        let own = key_for(lane, key);
        self.keys.iter().position(|it| *it == key || *it == own)
    }

    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> &NeighborMeansX8 {
        &self.means_of_eight[place % MOST]
    }

    /// Keeps the means_of_eight of all lanes, and says where.
    pub(super) fn keep(&mut self, key: u64, means_of_eight: NeighborMeansX8) -> usize {
        let place = self.next % MOST;
        (self.keys[place], self.means_of_eight[place]) = (key, means_of_eight);
        self.next += 1;
        place
    }

    /// As [`MeansCache::keep`], where only the means of `lane` is worked out.
    pub(super) fn keep_for(
        &mut self,
        lane: usize,
        key: u64,
        means_of_eight: NeighborMeansX8,
    ) -> usize {
        self.keep(key_for(lane, key), means_of_eight)
    }
}

/// Keys of lists leave the topmost bits alone.
fn key_for(lane: usize, key: u64) -> u64 {
    key | (lane as u64 + 1) << 60
}
