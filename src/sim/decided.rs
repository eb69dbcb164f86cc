//! A step between deciding and acting: what was decided, and the state that it was decided on.

use std::sync::Arc;

use super::context::UnitContext;
use super::contribution::Contribution;
use super::decisions::UnitDecision;
use super::frozen::Frozen;
use super::group_behaviors::{GroupBehaviors, group_of};
use super::recording::Recorded;
use super::slot::Slot;
use crate::world::World;

/// The step that the decisions of a simulation belong to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum DecidedStep {
    /// None: behaviors or units were replaced since the last step, an input of the next step has changed since it was
    /// decided, or deciding was canceled.
    Unknown,
    /// The last step.
    Last,
    /// The step to come, from the state in which they were computed.
    Next,
}

/// A step between deciding and acting. Nothing here can be changed, only calls made again beside it.
pub struct Decided<'a> {
    pub(super) frozen: &'a Arc<Frozen>,
    pub(super) behaviors: &'a [GroupBehaviors],
}

impl Decided<'_> {
    /// The state that all of it was decided on.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// What each behavior of a unit's group contributed, before gain.
    pub fn contributions(&self, unit: usize) -> Vec<(&Slot, Contribution)> {
        let Some((behaviors, index)) = group_of(self.world(), self.behaviors, unit) else {
            return Vec::new();
        };
        behaviors.slots.iter().zip(behaviors.contributions(index)).collect()
    }

    /// What came of them.
    pub(super) fn decision(&self, unit: usize) -> UnitDecision {
        let found = group_of(self.world(), self.behaviors, unit);
        found.map_or_else(UnitDecision::default, |(behaviors, index)| behaviors.buffers.decision(index))
    }

    /// Calls for a unit whatever `call` calls in place of each behavior that runs, in their order: with the
    /// same state, and a copy of the memory as it was before. It is given the behavior's place in the group.
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

    /// A context for a unit. What behaviors watch is recorded, what they draw is not.
    pub(super) fn context(&self, unit: usize) -> UnitContext {
        let mut context = UnitContext::new(Arc::clone(self.frozen));
        context.recording.recorded = Recorded { drawings: false, watches: true };
        context.set_unit(unit);
        context
    }
}
