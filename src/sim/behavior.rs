//! What a behavior is: frozen state in, one contribution out.

use std::sync::LazyLock;

use super::batch::{BatchDecisions, BatchMemory};
use super::context::UnitContext;
use super::contribution::Contribution;
use super::failure::Failure;
use super::memory::MemoryLayout;

/// A rule that moves units: a pure function of frozen state, its memory and random draws.
pub trait Behavior: Send + Sync {
    /// The layout of its memory of each unit.
    fn memory(&self) -> &MemoryLayout {
        static NONE: LazyLock<MemoryLayout> = LazyLock::new(MemoryLayout::default);
        &NONE
    }

    /// Maps a unit's memory of the version of this behavior before it. `memory` holds what was carried
    /// over by name and kind, `before` the old memory and its layout. Returns the cause, if it fails for
    /// this unit, whose memory then stays as it was carried over; and how much work it took.
    fn reloaded(&self, before: (&MemoryLayout, &[u32]), memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        let _ = (before, memory);
        (Ok(()), 0)
    }

    /// Where it begins in its script: line and column, from 1; 0 where there is none.
    fn place(&self) -> (usize, usize) {
        (0, 0)
    }

    /// Its contribution to `context.unit()` in this step. `memory` is the unit's, laid out as
    /// [`Behavior::memory`] says. Its work is charged to `context`; see [`super::work`].
    ///
    /// # Errors
    /// With the cause, if it fails for this unit; it then contributes nothing in this step.
    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure>;

    /// Decides for all `units` of the context's batch at once, or for some or none of them: the others are then
    /// decided one by one. It gives the same bits either way.
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
