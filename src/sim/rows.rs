//! Rows of what is decided, in the order of deciding: cell by cell, so that what a unit looks at has
//! just been looked at by the one before, and each worker writes rows of its own side by side.

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::{ParallelSlice, ParallelSliceMut};

use super::Contribution;
use crate::dynamics::{GRAIN, Steering};

/// What a unit's behaviors lead to.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Outcome {
    /// The marks that they set.
    pub(super) marks: u64,
    /// The sum of their contributions.
    pub(super) steering: Steering,
}

/// What one group decides in a step.
#[derive(Clone, Default)]
pub(super) struct Rows {
    /// The unit of each row, and its slot in the grid.
    pub(super) units: Vec<[u32; 2]>,
    /// The row of each unit of the group.
    pub(super) row_of: Vec<u32>,
    /// A contribution a slot, at least one.
    pub(super) decisions: Vec<Contribution>,
    /// What comes of them.
    pub(super) outcomes: Vec<Outcome>,
    /// The memory of each row's unit, if there is any.
    pub(super) memory: Vec<u32>,
}

impl Rows {
    /// Rows of nothing, for units in their own order.
    pub(super) fn new(units: usize, slots: usize) -> Self {
        Self {
            units: vec![[0; 2]; units],
            row_of: (0..units as u32).collect(),
            decisions: vec![Contribution::None; units * slots.max(1)],
            outcomes: vec![Outcome::default(); units],
            memory: Vec::new(),
        }
    }

    /// The contributions of `slots` slots to the `index`-th unit of the group.
    #[inline]
    pub(super) fn decided(&self, index: usize, slots: usize) -> &[Contribution] {
        let row = self
            .row_of
            .get(index)
            .map_or(usize::MAX, |row| *row as usize);
        let from = row.saturating_mul(slots);
        self.decisions
            .get(from..from.saturating_add(slots))
            .unwrap_or(&[])
    }

    /// The row of each unit of the group.
    pub(super) fn row_of(&self) -> &[u32] {
        &self.row_of
    }

    /// The rows in chunks, for `slots` slots and `stride` words of memory a row.
    pub(super) fn chunks(
        &mut self,
        rows: usize,
        slots: usize,
        stride: usize,
    ) -> impl IndexedParallelIterator<Item = RowsMut<'_>> {
        self.memory.resize(self.units.len() * stride, 0);
        let chunks = (
            self.units.par_chunks(rows),
            self.decisions.par_chunks_mut(rows * slots.max(1)),
            self.outcomes.par_chunks_mut(rows),
            self.memory.par_chunks_mut(rows * stride),
        );
        // One at a time: who is done early takes over what is left.
        let chunks = chunks.into_par_iter().with_max_len(1);
        chunks.map(|(units, decisions, outcomes, memory)| RowsMut {
            units,
            decisions,
            outcomes,
            memory,
        })
    }

    /// Writes what was remembered back in the order of units.
    pub(super) fn remember(&self, stride: usize, memory: &mut [u32]) {
        let units = memory.par_chunks_exact_mut(stride).zip(&self.row_of);
        units.with_min_len(GRAIN).for_each(|(memory, row)| {
            let from = *row as usize * stride;
            memory.copy_from_slice(&self.memory[from..from + stride]);
        });
    }
}

/// Some of the rows, to be written.
pub(super) struct RowsMut<'a> {
    pub(super) units: &'a [[u32; 2]],
    pub(super) decisions: &'a mut [Contribution],
    pub(super) outcomes: &'a mut [Outcome],
    pub(super) memory: &'a mut [u32],
}
