//! The crowds that are known of the units that look together.

use super::crowd::Crowds;

/// Most that are kept.
const MOST: usize = 8;

/// The key of no list.
const NONE: u64 = u64::MAX;

/// The latest crowds, by the keys of their lists. Compiled code looks at the first of them in place.
#[repr(C)]
#[derive(Clone, Debug)]
pub struct Known {
    /// [`super::List::key`] where all lanes are known, and another number where only one is.
    pub keys: [u64; MOST],
    /// What is known.
    pub crowds: [Crowds; MOST],
    next: usize,
}

impl Default for Known {
    fn default() -> Self {
        Self {
            keys: [NONE; MOST],
            crowds: [Crowds::default(); MOST],
            next: 0,
        }
    }
}

impl Known {
    /// Forgets all.
    #[inline(always)]
    pub(super) fn clear(&mut self) {
        self.keys = [NONE; MOST];
        self.next = 0;
    }

    /// Where the crowds of a list are, if that of `lane` is known.
    #[inline(always)]
    pub(super) fn find(&self, key: u64, lane: usize) -> Option<usize> {
        let own = key_for(lane, key);
        self.keys.iter().position(|it| *it == key || *it == own)
    }

    #[inline(always)]
    pub(super) fn at(&self, place: usize) -> &Crowds {
        &self.crowds[place % MOST]
    }

    /// Keeps the crowds of all lanes, and says where.
    pub(super) fn keep(&mut self, key: u64, crowds: Crowds) -> usize {
        let place = self.next % MOST;
        (self.keys[place], self.crowds[place]) = (key, crowds);
        self.next += 1;
        place
    }

    /// As [`Known::keep`], where only the crowd of `lane` is worked out.
    pub(super) fn keep_for(&mut self, lane: usize, key: u64, crowds: Crowds) -> usize {
        self.keep(key_for(lane, key), crowds)
    }
}

/// Keys of lists leave the topmost bits alone.
fn key_for(lane: usize, key: u64) -> u64 {
    key | (lane as u64 + 1) << 60
}
