//! Contexts of worker threads, reused from step to step.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::context::UnitContext;
use super::frozen::Frozen;
use super::recording::Recorded;

/// A pool of contexts, as many as threads have decided at the same time.
#[derive(Debug, Default)]
pub(super) struct Workers {
    idle: Mutex<Vec<UnitContext>>,
    /// The state that contexts hold between steps.
    empty: Arc<Frozen>,
}

impl Workers {
    /// Calls `work` with a context over a state. The context may be one of an earlier call in the step, with its caches.
    /// It holds the state until [`Workers::release`].
    pub(super) fn with_context<R>(
        &self,
        frozen: &Arc<Frozen>,
        recorded: Recorded,
        work: impl FnOnce(&mut UnitContext) -> R,
    ) -> R {
        let context = self.idle().pop();
        let mut context = context.unwrap_or_else(|| UnitContext::new(Arc::clone(&self.empty)));
        if !context.is_over(frozen) {
            context.attach(frozen, recorded);
        }
        let result = work(&mut context);
        self.idle().push(context);
        result
    }

    /// Detaches all contexts from the state after a group has decided: other groups have other queries, and the next
    /// step writes to the state.
    pub(super) fn release(&self) {
        for context in &mut *self.idle() {
            context.attach(&self.empty, Recorded::default());
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<UnitContext>> {
        // The lock is held for push and pop only, which do not panic.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_state_is_held_until_it_is_released() {
        let (workers, frozen) = (Workers::default(), Arc::new(Frozen::default()));
        let none = Recorded::default();
        for _ in 0..3 {
            workers.with_context(&frozen, none, |context| assert!(context.is_over(&frozen)));
            assert_eq!(Arc::strong_count(&frozen), 2);
        }
        workers.with_context(&frozen, none, |_| workers.with_context(&frozen, none, |_| ()));
        assert_eq!(Arc::strong_count(&frozen), 3);
        workers.release();
        assert_eq!(Arc::strong_count(&frozen), 1);
    }
}
