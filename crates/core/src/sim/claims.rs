//! Claims of units, and amounts taken from environment grids: the first unit in unit order receives what several request in
//! a step.
//!
//! Groups with a behavior that claims or takes decide one after the other, in unit order; see [`super::decide`]. All
//! others decide in parallel and are not affected.

use std::sync::Arc;

use crate::world::{Extrema, ScalarGrid, World};

/// The claimant of a unit that nobody has claimed.
const NONE: u32 = u32::MAX;

/// The claims and takings of a step so far.
#[derive(Clone, Debug, Default)]
pub(super) struct Claims {
    /// The claimant of each unit, or [`NONE`]; as long as the last unit that was claimed requires.
    claimants: Vec<u32>,
    /// The units that are claimed, in the order of the claims.
    claimed: Vec<u32>,
    /// Per grid the amount taken from each cell.
    taken: Vec<Vec<f32>>,
    /// The cells from which an amount was taken, each with the amount before, in order: grid, cell, amount.
    takes: Vec<(usize, usize, f32)>,
    /// The results of all calls, by unit and slot, in order: 1 or 0 for a claim, else the amount.
    results: Vec<Call>,
    /// True if results are those of [`Claims::results`], for a call that is repeated.
    repeats: bool,
}

/// A call and its result.
#[derive(Clone, Copy, Debug)]
struct Call {
    unit: usize,
    slot: usize,
    result: f32,
}

/// A state to which [`Claims::undo`] returns.
#[derive(Clone, Copy, Debug)]
pub(super) struct Mark {
    claimed: usize,
    takes: usize,
    results: usize,
}

impl Claims {
    /// Starts a step.
    pub(super) fn clear(&mut self) {
        self.undo(Mark { claimed: 0, takes: 0, results: 0 });
    }

    pub(super) fn mark(&self) -> Mark {
        Mark { claimed: self.claimed.len(), takes: self.takes.len(), results: self.results.len() }
    }

    /// Forgets everything since a mark.
    pub(super) fn undo(&mut self, mark: Mark) {
        for unit in self.claimed.drain(mark.claimed..) {
            self.claimants[unit as usize] = NONE;
        }
        for (grid, cell, before) in self.takes.drain(mark.takes..).rev() {
            self.taken[grid][cell] = before;
        }
        self.results.truncate(mark.results);
    }

    /// Returns true if an amount has been taken that the grids still contain.
    pub(super) fn has_taken(&self) -> bool {
        !self.takes.is_empty()
    }

    /// Removes the amounts from the grids; what is taken later is taken from the rest.
    pub(super) fn apply(&mut self, grids: &mut [ScalarGrid]) {
        for (grid, cell, _) in self.takes.drain(..) {
            let taken = std::mem::take(&mut self.taken[grid][cell]);
            if taken > 0.0 {
                let value = &mut Arc::make_mut(grids[grid].shared())[cell];
                *value = (*value - taken).greater(0.0);
            }
        }
    }

    /// Returns claims that repeat the results of a unit's calls.
    pub(super) fn of_unit(&self, unit: usize) -> Self {
        let results = self.results.iter().filter(|call| call.unit == unit).copied().collect();
        Self { results, repeats: true, ..Self::default() }
    }

    pub(super) fn claim(&mut self, claimant: usize, other: usize) -> bool {
        if self.claimants.len() <= other {
            self.claimants.resize(other + 1, NONE);
        }
        if self.claimants[other] == NONE {
            self.claimants[other] = claimant as u32;
            self.claimed.push(other as u32);
        }
        self.claimants[other] == claimant as u32
    }

    pub(super) fn take(&mut self, world: &World, grid: usize, cell: usize, amount: f32) -> f32 {
        let values = world.grids[grid].values();
        self.taken.resize_with(self.taken.len().max(grid + 1), Vec::new);
        let taken = &mut self.taken[grid];
        taken.resize(values.len(), 0.0);
        let before = taken[cell];
        let amount = amount.limited(0.0, (values[cell] - before).greater(0.0));
        if amount > 0.0 {
            taken[cell] = before + amount;
            self.takes.push((grid, cell, before));
        }
        amount
    }

    /// Returns the result of a call by a unit and slot, which is that of the first call if calls are repeated.
    pub(super) fn result(
        &mut self,
        (unit, slot): (usize, usize),
        call: impl FnOnce(&mut Self) -> f32,
    ) -> f32 {
        if self.repeats {
            let found = self.results.iter().position(|call| call.slot == slot);
            return found.map_or(0.0, |at| self.results.remove(at).result);
        }
        let result = call(self);
        self.results.push(Call { unit, slot, result });
        result
    }
}
