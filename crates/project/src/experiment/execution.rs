//! Runs on all processors, with results in the order of the plan.
//!
//! Each thread makes whole runs on its own, which costs less than sharing the steps of one. Threads claim runs in order,
//! at most [`AHEAD`] beyond the last line that was passed on, so that memory is bounded however long a run takes.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Sender};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};

use anyhow::Context as _;

use super::measured_run::{RunLine, Runner};
use super::plan::Plan;
use super::rules::Rules;
use crate::session;

/// Number of runs that may be claimed before the lines of earlier ones are passed on.
const AHEAD: u64 = 4096;

/// Makes the runs at these positions of the plan's part on `threads` threads and passes their lines on in order, several
/// at once if they are ready. Ends early when `cancel` is set or `accept` fails; all lines before are passed on.
///
/// # Errors
/// The error of `accept`, or if the system provides no threads.
pub fn execute(
    (plan, rules): (&Plan, &Rules),
    positions: Range<u64>,
    run_at: &(dyn Fn(u64) -> u64 + Sync),
    threads: usize,
    cancel: &AtomicBool,
    mut accept: impl FnMut(&[RunLine]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let queue = Queue::new(positions.clone());
    let pools = (0..threads.max(1)).map(|_| session::pool(1).context("no threads for runs"));
    let pools = pools.collect::<anyhow::Result<Vec<_>>>()?;
    let (send, lines) = mpsc::channel();
    std::thread::scope(|scope| {
        for pool in &pools {
            let (send, queue, rules) = (send.clone(), &queue, rules.clone());
            std::thread::Builder::new()
                .spawn_scoped(scope, move || {
                    pool.install(|| work(&mut Runner::new(plan, rules), queue, run_at, cancel, &send));
                    // The others need not wait for its runs.
                    queue.change(|state| state.stopped |= cancel.load(Ordering::Relaxed));
                })
                .context("no threads for runs")?;
        }
        drop(send);
        let mut next = positions.start;
        let mut waiting = BTreeMap::new();
        let mut ready = Vec::new();
        for (position, line) in lines {
            waiting.insert(position, line);
            while let Some(line) = waiting.remove(&next) {
                ready.push(line);
                next += 1;
            }
            if !ready.is_empty() {
                let accepted = accept(&ready);
                ready.clear();
                queue.change(|state| {
                    (state.passed, state.stopped) = (next, state.stopped || accepted.is_err());
                });
                accepted?;
            }
        }
        Ok(())
    })
}

fn work(
    runner: &mut Runner<'_>,
    queue: &Queue,
    run_at: &(dyn Fn(u64) -> u64 + Sync),
    cancel: &AtomicBool,
    send: &Sender<(u64, RunLine)>,
) {
    while let Some(position) = queue.claim(cancel) {
        let Some(line) = runner.line(run_at(position), cancel) else { return };
        if send.send((position, line)).is_err() {
            return;
        }
    }
}

/// The positions that are not claimed yet.
struct Queue {
    state: Mutex<QueueState>,
    changed: Condvar,
}

struct QueueState {
    next: u64,
    end: u64,
    /// The lines before this position were passed on.
    passed: u64,
    stopped: bool,
}

impl Queue {
    fn new(positions: Range<u64>) -> Self {
        let Range { start, end } = positions;
        let state = QueueState { next: start, end, passed: start, stopped: false };
        Self { state: Mutex::new(state), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, QueueState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn change(&self, change: impl FnOnce(&mut QueueState)) {
        change(&mut self.state());
        self.changed.notify_all();
    }

    /// Returns the next position, or `None` at the end; waits while too many are ahead.
    fn claim(&self, cancel: &AtomicBool) -> Option<u64> {
        let mut state = self.state();
        while state.next < state.end && !state.stopped && !cancel.load(Ordering::Relaxed) {
            if state.next - state.passed < AHEAD {
                state.next += 1;
                return Some(state.next - 1);
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
        None
    }
}
