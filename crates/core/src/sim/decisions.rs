//! Decisions of a step, stored as rows in slot order: data of a unit is still in the cache from its predecessor, and
//! each worker writes contiguous rows.

use std::ops::Range;

use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};
use rayon::slice::ParallelSliceMut;

use super::contribution::StoredContribution;
use crate::dynamics::{GRAIN, Steering};
use crate::world::Splice;

/// The row of a unit that has not decided yet.
const NO_ROW: u32 = u32::MAX;

/// The combined result of a unit's behaviors.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct UnitDecision {
    /// The marks that they set.
    pub(super) marks: u64,
    /// The blended contributions.
    pub(super) steering: Steering,
}

/// Dimensions of the rows of one group.
#[derive(Clone, Copy, Debug)]
pub(super) struct RowShape {
    /// Contributions in a row.
    pub(super) slots: usize,
    /// Words of memory in a row, at least one.
    pub(super) memory: usize,
    /// Signals in a row.
    pub(super) signals: usize,
    /// Deposits in a row: one per environment grid.
    pub(super) deposits: usize,
}

/// The decisions of one group in a step: one row per unit.
#[derive(Clone, Default)]
pub(super) struct DecisionBuffers {
    /// For each row the unit and its slot in the grid.
    pub(super) units: Vec<[u32; 2]>,
    /// The row of each unit of the group.
    pub(super) row_of: Vec<u32>,
    /// One contribution per behavior, at least one.
    pub(super) contributions: Vec<StoredContribution>,
    pub(super) decisions: Vec<UnitDecision>,
    /// The memory of each row, if any.
    memory: Vec<u32>,
    /// The signals of each row, if any.
    signals: Vec<f32>,
    /// The deposits of each row, if any.
    deposits: Vec<f32>,
}

impl DecisionBuffers {
    /// Creates empty decisions, in unit order.
    pub(super) fn new(units: usize, slots: usize) -> Self {
        Self {
            units: vec![[0; 2]; units],
            row_of: (0..units as u32).collect(),
            contributions: vec![StoredContribution::NONE; units * slots.max(1)],
            decisions: vec![UnitDecision::default(); units],
            ..Self::default()
        }
    }

    /// Removes and inserts units: those of group `group`, whose first unit was `first`. The `new` ones have no row until
    /// [`DecisionBuffers::fit`].
    pub(super) fn splice(&mut self, splice: &Splice, (group, first): (usize, usize), new: usize) {
        self.row_of = splice.of_group(group, (&self.row_of, first), &vec![NO_ROW; new], 1);
    }

    /// Fits the rows to the number of units, each with the contributions of `slots` behaviors.
    pub(super) fn fit(&mut self, slots: usize) {
        let units = self.row_of.len();
        if units < self.units.len() / 4 {
            *self = Self::new(units, slots);
        } else if self.units.len() != units {
            self.units.resize(units, [0; 2]);
            self.contributions.resize(units * slots.max(1), StoredContribution::NONE);
            self.decisions.resize(units, UnitDecision::default());
        }
    }

    /// The contributions of `slots` behaviors to the `index`-th unit of the group.
    #[inline]
    pub(super) fn of_unit(&self, index: usize, slots: usize) -> &[StoredContribution] {
        let row = self.row_of.get(index);
        let from = row.map_or(usize::MAX, |row| *row as usize).saturating_mul(slots);
        let range = from..from.saturating_add(slots);
        self.contributions.get(range).unwrap_or(&[])
    }

    /// The decision for the `index`-th unit of the group.
    pub(super) fn decision(&self, index: usize) -> UnitDecision {
        let row = self.row_of.get(index).and_then(|row| self.decisions.get(*row as usize));
        row.copied().unwrap_or_default()
    }

    /// Splits the rows into chunks; `length` returns the size of the next chunk, at least 1, given the remaining units.
    pub(super) fn chunks(
        &mut self,
        shape: RowShape,
        length: impl Fn(&[[u32; 2]]) -> usize,
    ) -> impl IndexedParallelIterator<Item = DecisionRows<'_>> {
        // At least one, so that `chunks_exact` is valid.
        let signals = shape.signals.max(1);
        self.memory.resize(self.units.len() * shape.memory, 0);
        self.signals.resize(self.units.len() * signals, 0.0);
        self.deposits.resize(self.units.len() * shape.deposits, 0.0);
        let mut left = DecisionRows {
            units: &self.units,
            contributions: &mut self.contributions,
            decisions: &mut self.decisions,
            memory: &mut self.memory,
            signals: &mut self.signals,
            deposits: &mut self.deposits,
        };
        let mut chunks = Vec::new();
        while !left.units.is_empty() {
            let rows = length(left.units);
            let (chunk, after) = left.split_at(rows, shape);
            chunks.push(chunk);
            left = after;
        }
        // One chunk per task: idle threads steal the remaining ones.
        chunks.into_par_iter().with_max_len(1)
    }

    /// Copies the memory back, in unit order.
    pub(super) fn store_memory(&self, stride: usize, memory: &mut [u32]) {
        store(&self.memory, &self.row_of, stride, memory);
    }

    /// The deposits of the `index`-th unit of the group, one per environment grid; empty before its first decision.
    pub(super) fn deposits(&self, index: usize, stride: usize) -> &[f32] {
        let from = self.row_of.get(index).map_or(usize::MAX, |row| *row as usize).saturating_mul(stride);
        self.deposits.get(from..from.saturating_add(stride)).unwrap_or(&[])
    }

    /// Copies the signals, `stride` per unit, in unit order.
    pub(super) fn store_signals(&self, stride: usize, signals: &mut [f32]) {
        if stride > 0 {
            store(&self.signals, &self.row_of, stride, signals);
        }
    }
}

/// Copies rows of `stride` values into unit order.
fn store<T: Copy + Send + Sync>(rows: &[T], row_of: &[u32], stride: usize, units: &mut [T]) {
    let units = units.par_chunks_exact_mut(stride).zip(row_of);
    units.with_min_len(GRAIN).for_each(|(values, row)| {
        let from = *row as usize * stride;
        copy_row(values, &rows[from..from + stride]);
    });
}

/// Copies a row. Most rows have one value, for which a general copy is slow.
#[inline]
pub(super) fn copy_row<T: Copy>(to: &mut [T], from: &[T]) {
    if let ([to], [from]) = (&mut *to, from) {
        *to = *from;
    } else {
        to.copy_from_slice(from);
    }
}

/// A mutable range of rows.
pub(super) struct DecisionRows<'a> {
    pub(super) units: &'a [[u32; 2]],
    pub(super) contributions: &'a mut [StoredContribution],
    pub(super) decisions: &'a mut [UnitDecision],
    pub(super) memory: &'a mut [u32],
    pub(super) signals: &'a mut [f32],
    pub(super) deposits: &'a mut [f32],
}

impl<'a> DecisionRows<'a> {
    /// Splits into the first `rows` rows and the others.
    fn split_at(self, rows: usize, shape: RowShape) -> (DecisionRows<'a>, DecisionRows<'a>) {
        let units = self.units.split_at(rows);
        let contributions = self.contributions.split_at_mut(rows * shape.slots.max(1));
        let decisions = self.decisions.split_at_mut(rows);
        let memory = self.memory.split_at_mut(rows * shape.memory);
        let signals = self.signals.split_at_mut(rows * shape.signals.max(1));
        let deposits = self.deposits.split_at_mut(rows * shape.deposits);
        let rows = |units, contributions, decisions, memory, signals, deposits| DecisionRows {
            units,
            contributions,
            decisions,
            memory,
            signals,
            deposits,
        };
        (
            rows(units.0, contributions.0, decisions.0, memory.0, signals.0, deposits.0),
            rows(units.1, contributions.1, decisions.1, memory.1, signals.1, deposits.1),
        )
    }

    /// Returns a range of these rows.
    #[inline]
    pub(super) fn part(&mut self, rows: Range<usize>, shape: RowShape) -> DecisionRows<'_> {
        let of = |width: usize| rows.start * width..rows.end * width;
        DecisionRows {
            units: &self.units[rows.clone()],
            contributions: &mut self.contributions[of(shape.slots.max(1))],
            decisions: &mut self.decisions[rows.clone()],
            memory: &mut self.memory[of(shape.memory)],
            signals: &mut self.signals[of(shape.signals.max(1))],
            deposits: &mut self.deposits[of(shape.deposits)],
        }
    }
}
