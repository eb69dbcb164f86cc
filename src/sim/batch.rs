//! What behaviors decide for several units at once.

use std::ops::Range;

use super::contribution::Contribution;

/// Most units that are decided at once.
pub const BATCH: usize = 8;

/// The memory of the units of a batch for one behavior.
#[derive(Debug)]
pub struct BatchMemory<'a> {
    /// The rows of the units, one after the other.
    pub rows: &'a mut [u32],
    /// Words from one row to the next.
    pub stride: usize,
    /// The behavior's words in a row.
    pub words: Range<usize>,
}

/// What a behavior decided for units of a batch.
#[derive(Clone, Debug, Default)]
pub struct BatchDecisions {
    /// A bit for each unit that it decided for; it failed for none of them.
    pub decided: u32,
    /// Their contributions, which are finite.
    pub contributions: [Contribution; BATCH],
    /// The work of their calls.
    pub work: [u32; BATCH],
}

impl BatchDecisions {
    /// What was decided for a unit, and the work that it took.
    #[inline]
    pub fn of(&self, lane: usize) -> Option<(Contribution, u64)> {
        (self.decided >> lane & 1 == 1).then(|| (self.contributions[lane], u64::from(self.work[lane])))
    }
}
