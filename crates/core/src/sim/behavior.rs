//! The interface of behaviors: frozen state in, one contribution out.

use std::sync::LazyLock;

use super::batch::{BatchDecisions, BatchMemory};
use super::context::UnitContext;
use super::contribution::Contribution;
use super::event::{Event, Handled};
use super::failure::Failure;
use super::memory::MemoryLayout;

/// A rule that steers units: a pure function of frozen state, its memory and random draws.
pub trait Behavior: Send + Sync {
    /// The layout of its memory per unit.
    fn memory(&self) -> &MemoryLayout {
        static NONE: LazyLock<MemoryLayout> = LazyLock::new(MemoryLayout::default);
        &NONE
    }

    /// Migrates a unit's memory from the previous version of this behavior. `memory` holds the values migrated by name
    /// and kind, `before` the old memory and its layout. Returns an error if the migration fails for this unit (its
    /// memory then keeps the values migrated by name and kind), and the work of the call.
    fn reloaded(&self, before: (&MemoryLayout, &[u32]), memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        let _ = (before, memory);
        (Ok(()), 0)
    }

    /// The events that it handles. Other events are not passed to [`Behavior::handle`].
    fn handled(&self) -> Handled {
        Handled::NONE
    }

    /// Handles an event of `context.unit()` between two steps; the context is over the state after the event. `memory`
    /// is as in [`Behavior::decide`], and the work is charged to `context`.
    ///
    /// # Errors
    /// If it fails for this event. What it wrote to `memory` before remains.
    fn handle(&self, event: Event, context: &mut UnitContext, memory: &mut [u32]) -> Result<(), Failure> {
        let _ = (event, context, memory);
        Ok(())
    }

    /// True if it calls [`UnitContext::claim`] or [`UnitContext::take`]: its group then decides in unit order.
    fn is_ordered(&self) -> bool {
        false
    }

    /// Its position in its script: line and column from 1; 0 if there is none.
    fn place(&self) -> (usize, usize) {
        (0, 0)
    }

    /// The names of the values that it can watch, as far as its code shows them.
    fn watched(&self) -> &[String] {
        &[]
    }

    /// Computes its contribution to `context.unit()` in this step. `memory` is the unit's memory in the layout of
    /// [`Behavior::memory`]. The work is charged to `context`; see [`super::work`].
    ///
    /// # Errors
    /// If it fails for this unit; it then contributes nothing in this step.
    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure>;

    /// Decides for `units`, the context's batch, or for a subset of them; the others are decided one by one. The results
    /// are bit-identical to [`Behavior::decide`].
    fn decide_batch(
        &self,
        context: &mut UnitContext,
        units: &[[u32; 2]],
        memory: &mut BatchMemory<'_>,
        decisions: &mut BatchDecisions,
    ) {
        let _ = (context, units, memory, decisions);
    }
}

impl<F> Behavior for F
where
    F: Fn(&mut UnitContext) -> Contribution + Send + Sync,
{
    fn decide(&self, context: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
        Ok(self(context))
    }
}
