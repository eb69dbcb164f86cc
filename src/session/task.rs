//! Work beside the window.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// Work under way. It is canceled when this is dropped.
pub(super) struct Task<R> {
    done: Receiver<R>,
    cancel: Arc<AtomicBool>,
    pub(super) since: Instant,
}

impl<R: Send + 'static> Task<R> {
    /// Lets a thread of `pool` begin to work. `work` is told when it is to end early.
    pub(super) fn spawn(
        pool: &rayon::ThreadPool,
        work: impl FnOnce(&AtomicBool) -> R + Send + 'static,
    ) -> Self {
        let (send, done) = mpsc::channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let canceled = Arc::clone(&cancel);
        pool.spawn(move || {
            if !canceled.load(Ordering::Relaxed) {
                // There is no receiver any more if it was canceled.
                let _ = send.send(work(&canceled));
            }
        });
        Self { done, cancel, since: Instant::now() }
    }
}

impl<R> Task<R> {
    /// What it led to, once it is done; waits at most `patience`. `Disconnected` where it panicked.
    pub(super) fn wait(&self, patience: Duration) -> Result<R, RecvTimeoutError> {
        self.done.recv_timeout(patience)
    }
}

impl<R> Drop for Task<R> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}
