//! The decisions of a step before units act, and the state they are based on.

use std::sync::Arc;

use super::claims::Claims;
use super::context::UnitContext;
use super::contribution::Contribution;
use super::decisions::UnitDecision;
use super::frozen::Frozen;
use super::group_behaviors::{GroupBehaviors, group_of};
use super::memory::MemoryLayout;
use super::recording::Recorded;
use super::slot::Slot;
use crate::world::World;

/// The step to which the stored decisions belong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedStep {
    /// None: behaviors or units were replaced since the last step, an input of the next step changed after it was
    /// decided, or deciding was canceled.
    Unknown,
    /// The last step.
    Last,
    /// The next step, from the current state.
    Next,
}

/// Read-only view of a step after deciding and before acting; calls can be repeated.
pub struct Decided<'a> {
    pub(super) frozen: &'a Arc<Frozen>,
    pub(super) behaviors: &'a [GroupBehaviors],
    pub(super) claims: &'a Claims,
}

impl Decided<'_> {
    /// The state on which the decisions are based.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// The contribution of each behavior of a unit's group, before gain.
    pub fn contributions(&self, unit: usize) -> Vec<(&Slot, Contribution)> {
        let Some((behaviors, index)) = group_of(self.world(), self.behaviors, unit) else {
            return Vec::new();
        };
        behaviors.slots.iter().zip(behaviors.contributions(index)).collect()
    }

    /// The memory of a unit before the step for the behavior with a key.
    pub(super) fn memory(&self, unit: usize, key: u64) -> Option<(&MemoryLayout, &[u32])> {
        let (behaviors, index) = group_of(self.world(), self.behaviors, unit)?;
        behaviors.memory.get(index, key)
    }

    /// The resulting decision for a unit.
    pub(super) fn decision(&self, unit: usize) -> UnitDecision {
        let found = group_of(self.world(), self.behaviors, unit);
        found.map_or_else(UnitDecision::default, |(behaviors, index)| behaviors.buffers.decision(index))
    }

    /// Calls `call` for each active behavior of a unit, in order, with the same state and a copy of the memory before
    /// the step. The first argument is the behavior's slot.
    pub fn call_again(&self, unit: usize, mut call: impl FnMut(usize, &mut UnitContext, &mut [u32])) {
        let Some((behaviors, index)) = group_of(self.world(), self.behaviors, unit) else {
            return;
        };
        let mut context = self.context(unit);
        for (at, slot) in behaviors.slots.iter().enumerate() {
            if slot.active().is_some() {
                let words = behaviors.memory.range(at);
                let mut memory = behaviors.memory.row(index).get(words).unwrap_or(&[]).to_vec();
                context.set_behavior(at, slot.key);
                call(at, &mut context, &mut memory);
            }
        }
    }

    /// Returns a context for a unit that records watched values, but no drawings.
    pub(super) fn context(&self, unit: usize) -> UnitContext {
        let mut context = UnitContext::new(Arc::clone(self.frozen));
        context.recording.recorded = Recorded { watches: true, ..Recorded::default() };
        context.claims = self.claims.of_unit(unit);
        context.set_unit(unit);
        context
    }
}
