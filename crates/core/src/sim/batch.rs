//! Decisions of a behavior for a batch of units.

use std::ops::Range;

use glam::{Mat4, Vec4};

use super::contribution::{Contribution, StoredContribution};
use super::work;

/// Maximum number of units in a batch.
pub const BATCH: usize = 8;
/// Maximum number of memory words of a behavior that decides for batches.
pub const MAX_WORDS: usize = 16;

/// An obstacle for each unit of a batch, one per lane.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchObstacles {
    /// All bits set for units with an obstacle, else 0.
    pub lanes: [u32; BATCH],
    /// Its index; 0 for the other units.
    pub obstacle: [u32; BATCH],
}

/// The memory of the units of a batch for one behavior.
#[derive(Debug)]
pub struct BatchMemory<'a> {
    /// The rows of the units, concatenated.
    pub rows: &'a mut [u32],
    /// Length of a row in words.
    pub stride: usize,
    /// The behavior's words in a row.
    pub words: Range<usize>,
}

/// The decisions of a behavior for a batch, one unit per lane. Compiled code writes it in place.
#[repr(C, align(32))]
#[derive(Clone, Debug, Default)]
pub struct BatchDecisions {
    /// All bits set for units with a decision, else 0: these must be decided separately, and their other fields are
    /// meaningless.
    pub decided: [u32; BATCH],
    /// Tags of the contributions; see [`super::Contribution::of_tag`].
    pub tags: [u32; BATCH],
    /// Components of the contributions, which are finite.
    pub values: [[f32; BATCH]; 3],
    /// The work of the calls.
    pub work: [u32; BATCH],
    /// The marks that are set: the lower halves of the masks, then the upper ones.
    pub marks: [[u32; BATCH]; 2],
    /// Number of batches for which vector code is skipped, because most lanes fell back before. It affects time only.
    pub skips: u32,
    /// Buffer for memory, by word.
    pub memory: [[u32; BATCH]; MAX_WORDS],
}

impl BatchDecisions {
    /// Copies the memory of the units into [`BatchDecisions::memory`].
    #[inline]
    pub fn load_memory(&mut self, memory: &BatchMemory<'_>) {
        if memory.words.is_empty() {
            return;
        }
        for (lane, row) in memory.rows.chunks_exact(memory.stride).take(BATCH).enumerate() {
            for (word, value) in self.memory.iter_mut().zip(&row[memory.words.clone()]) {
                word[lane] = *value;
            }
        }
    }

    /// Copies the memory back for units with a decision.
    #[inline]
    pub fn store_memory(&self, memory: &mut BatchMemory<'_>) {
        if memory.words.is_empty() {
            return;
        }
        let rows = memory.rows.chunks_exact_mut(memory.stride).take(BATCH).enumerate();
        for (lane, row) in rows.filter(|(lane, _)| self.decided[*lane] != 0) {
            for (value, word) in row[memory.words.clone()].iter_mut().zip(&self.memory) {
                *value = word[lane];
            }
        }
    }

    /// Clears the decisions of units whose contribution is not finite or whose call exceeded the work limit.
    pub fn drop_invalid(&mut self) {
        const EXPONENT: u32 = 0x7f80_0000;
        for lane in 0..BATCH {
            let is_finite = |axis: usize| self.values[axis][lane].to_bits() & EXPONENT != EXPONENT;
            let is_short = u64::from(self.work[lane]) <= work::CALL;
            let is_valid = is_finite(0) & is_finite(1) & is_finite(2) & is_short;
            self.decided[lane] &= u32::from(is_valid).wrapping_neg();
        }
    }

    /// Returns true if the first `count` units have a decision.
    #[inline]
    pub(super) fn are_all_decided(&self, count: usize) -> bool {
        let decided = self.decided[..count].iter();
        decided.fold(u32::MAX, |all, decided| all & decided) != 0
    }

    /// Returns true if a unit has a decision.
    #[inline]
    pub(super) fn is_decided(&self, lane: usize) -> bool {
        self.decided[lane] != 0
    }

    /// Returns the contribution to a unit and the work of the call, if decided.
    pub fn of(&self, lane: usize) -> Option<(Contribution, u64)> {
        self.is_decided(lane).then(|| (self.contribution(lane).get(), u64::from(self.work[lane])))
    }

    /// The marks that are set for a unit.
    #[inline]
    pub(super) fn marks(&self, lane: usize) -> u64 {
        joined(&self.marks, lane)
    }

    /// Returns the union of the marks that the behaviors set, for each unit.
    #[inline]
    pub(super) fn all_marks(decided: &[Self]) -> [u64; BATCH] {
        let mut marks = [[0; BATCH]; 2];
        for decided in decided {
            let halves = marks.as_flattened_mut().iter_mut().zip(decided.marks.as_flattened());
            halves.for_each(|(sum, half)| *sum |= half);
        }
        std::array::from_fn(|lane| joined(&marks, lane))
    }

    /// The contribution to each unit; meaningless without a decision.
    #[inline]
    pub(super) fn contributions(&self) -> [StoredContribution; BATCH] {
        let [x, y, z] = &self.values;
        // Transposes four words of four units at a time.
        let four = |first: usize| {
            let tags = Vec4::from_array(std::array::from_fn(|lane| f32::from_bits(self.tags[first + lane])));
            let [x, y, z] = [x, y, z].map(|of| Vec4::from_slice(&of[first..]));
            let units = Mat4::from_cols(tags, x, y, z).transpose();
            [units.x_axis, units.y_axis, units.z_axis, units.w_axis].map(|of| {
                let [tag, values @ ..] = of.to_array();
                StoredContribution { tag: tag.to_bits(), values }
            })
        };
        let ([a, b, c, d], [e, f, g, h]) = (four(0), four(4));
        [a, b, c, d, e, f, g, h]
    }

    /// The contribution to a unit; meaningless without a decision.
    #[inline]
    pub(super) fn contribution(&self, lane: usize) -> StoredContribution {
        StoredContribution { tag: self.tags[lane], values: self.values.map(|axis| axis[lane]) }
    }
}

/// Joins the halves of the marks of a lane.
fn joined([lower, upper]: &[[u32; BATCH]; 2], lane: usize) -> u64 {
    u64::from(upper[lane]) << 32 | u64::from(lower[lane])
}
