//! The simulation, and the steps that are made of it while the window goes on.
//!
//! Nobody knows in advance how long a step takes. So all steps are made by the threads that units decide
//! on, and the window waits for them no longer than a frame may take. Until they are back it shows a copy.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::trails::Trails;
use crate::sim::Simulation;

/// Stack of the threads that run scripts: they nest as deep as their limits allow.
const STACK: usize = 16 << 20;
/// Wall time that the steps of one frame may take before the rest is dropped.
pub(super) const STEP_BUDGET: Duration = Duration::from_millis(24);

/// What steps change.
#[derive(Clone)]
pub(super) struct State {
    pub(super) simulation: Simulation,
    /// Where its units have been.
    pub(super) trails: Trails,
    /// Smoothed wall time of a step.
    pub(super) step_time: Duration,
}

impl State {
    /// Nothing of it has run yet.
    pub(super) fn new(mut simulation: Simulation, trails: Trails) -> Self {
        simulation.drawing = true;
        Self {
            simulation,
            trails,
            step_time: Duration::ZERO,
        }
    }

    /// Makes up to `due` steps, at least one: as many as the budget allows. How many were made.
    fn advance(&mut self, due: u32, cancel: &AtomicBool) -> u32 {
        let start = Instant::now();
        let mut made = 0;
        while made < due && (made == 0 || start.elapsed() < STEP_BUDGET) {
            let begin = Instant::now();
            if !self.simulation.try_step(cancel) {
                break;
            }
            self.step_time = (self.step_time * 9 + begin.elapsed()) / 10;
            self.trails.note(self.simulation.world());
            made += 1;
        }
        made
    }
}

/// What became of the steps that were started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Outcome {
    /// None are under way, or they are not done yet.
    Nothing,
    /// So many were made.
    Made(u32),
    /// The program panicked in one: the state is as before them.
    Panicked,
}

/// A change of the simulation that can be made again.
type Change = Box<dyn Fn(&mut Simulation)>;

/// Steps under way. They are canceled when this is dropped.
struct Job {
    done: Receiver<(State, u32)>,
    cancel: Arc<AtomicBool>,
    since: Instant,
    /// Changes to be made once they are done.
    changes: Vec<Change>,
}

impl Drop for Job {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// A simulation and the threads that make its steps. What is read of it is always there: while steps
/// are under way, as it was before them, with all changes since.
pub(super) struct Stepper {
    pool: rayon::ThreadPool,
    state: State,
    job: Option<Job>,
}

impl Deref for Stepper {
    type Target = Simulation;

    fn deref(&self) -> &Simulation {
        &self.state.simulation
    }
}

impl Stepper {
    /// A simulation whose units decide on so many threads; on all processors if `None`.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub(super) fn new(state: State, threads: Option<usize>) -> anyhow::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .stack_size(STACK)
            // The panic was told already, and whoever waits for the steps learns that they are lost.
            .panic_handler(|_| ())
            .build()
            .context("no threads to decide on")?;
        Ok(Self {
            pool,
            state,
            job: None,
        })
    }

    /// Where units have been.
    pub(super) fn trails(&self) -> &Trails {
        &self.state.trails
    }

    /// Smoothed wall time of a step; of the one under way, if it takes longer already.
    pub(super) fn step_time(&self) -> Duration {
        self.state.step_time.max(self.busy().unwrap_or_default())
    }

    /// For how long steps have been under way.
    pub(super) fn busy(&self) -> Option<Duration> {
        self.job.as_ref().map(|job| job.since.elapsed())
    }

    /// Changes the simulation between two steps. It is made at once to what is shown; if steps are under
    /// way, also to what comes of them.
    pub(super) fn change(&mut self, change: impl Fn(&mut Simulation) + 'static) {
        change(&mut self.state.simulation);
        if let Some(job) = &mut self.job {
            job.changes.push(Box::new(change));
        }
    }

    /// The state, to be replaced: steps under way are given up.
    pub(super) fn replace(&mut self) -> &mut State {
        self.job = None;
        &mut self.state
    }

    /// Begins to make up to `due` steps, unless some are under way.
    pub(super) fn start(&mut self, due: u32) {
        if due == 0 || self.job.is_some() {
            return;
        }
        // The copy stays here, and the buffers of the simulation go with it.
        let copy = self.state.clone();
        let mut state = std::mem::replace(&mut self.state, copy);
        let (send, done) = mpsc::channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let canceled = Arc::clone(&cancel);
        self.pool.spawn(move || {
            if !canceled.load(Ordering::Relaxed) {
                let made = state.advance(due, &canceled);
                // Nobody waits any more for steps that were given up.
                let _ = send.send((state, made));
            }
        });
        self.job = Some(Job {
            done,
            cancel,
            since: Instant::now(),
            changes: Vec::new(),
        });
    }

    /// Waits for the steps under way, at most `patience`, and takes over what came of them.
    pub(super) fn finish(&mut self, patience: Duration) -> Outcome {
        let Some(job) = &mut self.job else {
            return Outcome::Nothing;
        };
        match job.done.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => Outcome::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                self.job = None;
                Outcome::Panicked
            }
            Ok((mut state, made)) => {
                for change in &job.changes {
                    change(&mut state.simulation);
                }
                self.state = state;
                self.job = None;
                Outcome::Made(made)
            }
        }
    }
}
