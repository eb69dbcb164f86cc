//! What behaviors decide for several units at once.

use std::ops::Range;

use glam::{Mat4, Vec4};

use super::contribution::{Contribution, StoredContribution};
use super::work;

/// Most units that are decided at once.
pub const BATCH: usize = 8;
/// Most words of memory of a behavior that decides for several units at once.
pub const MOST_WORDS: usize = 16;

/// An obstacle near each of some units of a batch, a lane each.
#[repr(C, align(32))]
#[derive(Clone, Copy, Debug, Default)]
pub struct BatchObstacles {
    /// All bits set for the units that have one.
    pub lanes: [u32; BATCH],
    /// Its index; 0 for the others.
    pub obstacle: [u32; BATCH],
}

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

/// What a behavior decided for units of a batch, a lane each. Compiled code writes it in place.
#[repr(C, align(32))]
#[derive(Clone, Debug, Default)]
pub struct BatchDecisions {
    /// All bits set for the units that it decided for; it failed for none of them. The other fields tell nothing of
    /// the others.
    pub decided: [u32; BATCH],
    /// Which contributions they are, as [`super::Contribution::of_tag`] takes it.
    pub tags: [u32; BATCH],
    /// Their components, which are finite.
    pub values: [[f32; BATCH]; 3],
    /// The work of the calls.
    pub work: [u32; BATCH],
    /// The marks that are set: the lower halves of their bits, then the upper ones.
    pub marks: [[u32; BATCH]; 2],
    /// How many batches are still to be decided one by one: most units of an earlier one had to be. Nothing but time
    /// depends on it.
    pub skips: u32,
    /// Room for memory, word by word.
    pub memory: [[u32; BATCH]; MOST_WORDS],
}

impl BatchDecisions {
    /// Copies what units remember, to be read and written here.
    #[inline]
    pub fn take_memory(&mut self, memory: &BatchMemory<'_>) {
        if memory.words.is_empty() {
            return;
        }
        for (lane, row) in memory.rows.chunks_exact(memory.stride).take(BATCH).enumerate() {
            for (word, value) in self.memory.iter_mut().zip(&row[memory.words.clone()]) {
                word[lane] = *value;
            }
        }
    }

    /// Copies it back for the units that it decided for.
    #[inline]
    pub fn give_memory(&self, memory: &mut BatchMemory<'_>) {
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

    /// Leaves units to be decided one by one whose contribution is not finite or whose call took too much work.
    pub fn keep_valid(&mut self) {
        const EXPONENT: u32 = 0x7f80_0000;
        for lane in 0..BATCH {
            let is_finite = |axis: usize| self.values[axis][lane].to_bits() & EXPONENT != EXPONENT;
            let is_short = u64::from(self.work[lane]) <= work::CALL;
            let is_valid = is_finite(0) & is_finite(1) & is_finite(2) & is_short;
            self.decided[lane] &= u32::from(is_valid).wrapping_neg();
        }
    }

    /// Whether it decided for all of the first units.
    #[inline]
    pub(super) fn are_all_decided(&self, count: usize) -> bool {
        let decided = self.decided[..count].iter();
        decided.fold(u32::MAX, |all, decided| all & decided) != 0
    }

    /// Whether it decided for a unit.
    #[inline]
    pub(super) fn is_decided(&self, lane: usize) -> bool {
        self.decided[lane] != 0
    }

    /// What was decided for a unit, and the work that it took.
    pub fn of(&self, lane: usize) -> Option<(Contribution, u64)> {
        self.is_decided(lane).then(|| (self.contribution(lane).get(), u64::from(self.work[lane])))
    }

    /// The marks that are set for a unit.
    #[inline]
    pub(super) fn marks(&self, lane: usize) -> u64 {
        joined(&self.marks, lane)
    }

    /// The marks that any of some behaviors sets for each unit.
    #[inline]
    pub(super) fn all_marks(decided: &[Self]) -> [u64; BATCH] {
        let mut marks = [[0; BATCH]; 2];
        for decided in decided {
            let halves = marks.as_flattened_mut().iter_mut().zip(decided.marks.as_flattened());
            halves.for_each(|(sum, half)| *sum |= half);
        }
        std::array::from_fn(|lane| joined(&marks, lane))
    }

    /// What was decided for each unit, if it was.
    #[inline]
    pub(super) fn contributions(&self) -> [StoredContribution; BATCH] {
        let [x, y, z] = &self.values;
        // Four words of four units are moved together.
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

    /// What was decided for a unit, if it was.
    #[inline]
    pub(super) fn contribution(&self, lane: usize) -> StoredContribution {
        StoredContribution { tag: self.tags[lane], values: self.values.map(|axis| axis[lane]) }
    }
}

/// The marks of a lane out of their halves.
fn joined([lower, upper]: &[[u32; BATCH]; 2], lane: usize) -> u64 {
    u64::from(upper[lane]) << 32 | u64::from(lower[lane])
}
