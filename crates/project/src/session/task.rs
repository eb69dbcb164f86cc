//! Background tasks on a thread pool.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use rayon::{ThreadPool, ThreadPoolBuildError, ThreadPoolBuilder};

use crate::reload::SCRIPT_STACK;

/// A running task. It is canceled when this is dropped.
pub(super) struct Task<R> {
    done: Receiver<R>,
    cancel: Arc<AtomicBool>,
    pub(super) since: Instant,
}

/// A panic of the work.
pub(super) struct Panicked;

/// Creates threads that can run scripts, one for each processor if `threads` is 0. A panic ends the task alone.
///
/// # Errors
/// If the system provides no threads.
pub fn pool(threads: usize) -> Result<ThreadPool, ThreadPoolBuildError> {
    let pool = ThreadPoolBuilder::new().num_threads(threads).stack_size(SCRIPT_STACK);
    // The panic is reported already, and the closed channel shows that there is no result.
    pool.panic_handler(|_| ()).build()
}

impl<R: Send + 'static> Task<R> {
    /// Starts `work` on a thread of `pool`. Its argument is true once the task is canceled.
    pub(super) fn spawn(pool: &ThreadPool, work: impl FnOnce(&AtomicBool) -> R + Send + 'static) -> Self {
        let (send, done) = mpsc::channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let canceled = Arc::clone(&cancel);
        pool.spawn(move || {
            if !canceled.load(Ordering::Relaxed) {
                // The receiver is gone if the task was canceled.
                let _ = send.send(work(&canceled));
            }
        });
        Self { done, cancel, since: Instant::now() }
    }
}

impl<R> Task<R> {
    /// Waits at most `patience` for the result; `None` if the work is not finished.
    pub(super) fn wait(&self, patience: Duration) -> Option<Result<R, Panicked>> {
        match self.done.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => None,
            done => Some(done.map_err(|_| Panicked)),
        }
    }

    /// Like [`Task::wait`], and removes a finished task.
    pub(super) fn take(task: &mut Option<Self>, patience: Duration) -> Option<Result<R, Panicked>> {
        let done = task.as_ref()?.wait(patience)?;
        *task = None;
        Some(done)
    }
}

impl<R> Drop for Task<R> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}
