//! UnitContext for whichever threads decide, kept from step to step with their buffers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Frozen, UnitContext};

/// As many context as threads have ever decided at once.
#[derive(Debug, Default)]
pub(super) struct Workers {
    idle: Mutex<Vec<UnitContext>>,
    /// What context hold between steps instead of the state.
    nothing: Arc<Frozen>,
}

impl Workers {
    /// Lends context over a state for a part of a step. They may be those of the part before, and know
    /// what its units asked for. All keep the state until they [rest](Self::rest).
    pub(super) fn lend<R>(
        &self,
        frozen: &Arc<Frozen>,
        recording: bool,
        work: impl FnOnce(&mut UnitContext) -> R,
    ) -> R {
        let context = self.idle().pop();
        let mut context = context.unwrap_or_else(|| UnitContext::new(Arc::clone(&self.nothing)));
        if !context.is_over(frozen) {
            context.attach(frozen, recording);
        }
        let result = work(&mut context);
        self.idle().push(context);
        result
    }

    /// Lets go of the state, when a group has decided: others ask otherwise, and the next step writes.
    pub(super) fn rest(&self) {
        for context in &mut *self.idle() {
            context.attach(&self.nothing, false);
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<UnitContext>> {
        // Nothing can fail between pushing and popping.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_kept_from_part_to_part_and_let_go_of_at_rest() {
        let (workers, frozen) = (Workers::default(), Arc::new(Frozen::default()));
        for _ in 0..3 {
            workers.lend(&frozen, false, |context| assert!(context.is_over(&frozen)));
            assert_eq!(Arc::strong_count(&frozen), 2);
        }
        workers.lend(&frozen, false, |_| workers.lend(&frozen, false, |_| ()));
        assert_eq!(Arc::strong_count(&frozen), 3);
        workers.rest();
        assert_eq!(Arc::strong_count(&frozen), 1);
    }
}
