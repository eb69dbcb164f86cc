//! Senses for whichever threads decide, kept from step to step with their buffers.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::{Frozen, Senses};

/// As many senses as threads have ever decided at once.
#[derive(Debug, Default)]
pub(super) struct Workers {
    idle: Mutex<Vec<Senses>>,
    /// What senses hold between steps instead of the state.
    nothing: Arc<Frozen>,
}

impl Workers {
    /// Lends senses over a state for a part of a step, and lets go of the state after it.
    pub(super) fn lend<R>(
        &self,
        frozen: &Arc<Frozen>,
        recording: bool,
        work: impl FnOnce(&mut Senses) -> R,
    ) -> R {
        let senses = self.idle().pop();
        let mut senses = senses.unwrap_or_else(|| Senses::new(Arc::clone(&self.nothing)));
        senses.attach(frozen, recording);
        let result = work(&mut senses);
        senses.attach(&self.nothing, false);
        self.idle().push(senses);
        result
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Senses>> {
        // Nothing can fail between pushing and popping.
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
