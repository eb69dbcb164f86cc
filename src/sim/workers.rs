//! The contexts of the threads that decide, kept from step to step with their buffers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::context::UnitContext;
use super::frozen::Frozen;
use super::recording::Recorded;

/// As many contexts as threads have ever decided at once.
#[derive(Debug, Default)]
pub(super) struct Workers {
    idle: Mutex<Vec<UnitContext>>,
    /// What contexts hold between steps instead of the state.
    nothing: Arc<Frozen>,
}

impl Workers {
    /// Lends a context over a state for a part of a step. It may be that of an earlier part, with its
    /// caches. It keeps the state until it is [released](Self::release).
    pub(super) fn lend<R>(
        &self,
        frozen: &Arc<Frozen>,
        recorded: Recorded,
        work: impl FnOnce(&mut UnitContext) -> R,
    ) -> R {
        let context = self.idle().pop();
        let mut context = context.unwrap_or_else(|| UnitContext::new(Arc::clone(&self.nothing)));
        if !context.is_over(frozen) {
            context.attach(frozen, recorded);
        }
        let result = work(&mut context);
        self.idle().push(context);
        result
    }

    /// Releases the state when a group has decided: other groups make other queries, and the next step
    /// writes.
    pub(super) fn release(&self) {
        for context in &mut *self.idle() {
            context.attach(&self.nothing, Recorded::default());
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
    fn a_state_is_kept_from_part_to_part_until_it_is_released() {
        let (workers, frozen) = (Workers::default(), Arc::new(Frozen::default()));
        let none = Recorded::default();
        for _ in 0..3 {
            workers.lend(&frozen, none, |context| assert!(context.is_over(&frozen)));
            assert_eq!(Arc::strong_count(&frozen), 2);
        }
        workers.lend(&frozen, none, |_| workers.lend(&frozen, none, |_| ()));
        assert_eq!(Arc::strong_count(&frozen), 3);
        workers.release();
        assert_eq!(Arc::strong_count(&frozen), 1);
    }
}
