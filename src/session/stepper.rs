//! The simulation, and the steps that are made of it while the window goes on.
//!
//! How long a step takes is not known in advance. So all steps are made by the threads that units decide
//! on, and the window waits for them no longer than a frame may take. Until they are done it shows a copy.

use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::Context as _;

use super::explained::{Explained, Inspected};
use super::poses::Poses;
use crate::reload::SCRIPT_STACK;
use crate::scene::Scene;
use crate::sim::Simulation;
use crate::world::World;

/// Wall time that the steps of one frame may take before the rest is dropped.
pub const STEP_BUDGET: Duration = Duration::from_millis(24);

/// Observes a simulation step by step.
pub trait Observer: Clone + Send + 'static {
    /// Whether it shows what scripts draw.
    const DRAWS: bool;

    /// One that has seen nothing of a scene yet.
    fn of(scene: &Scene) -> Self;

    /// Called after each step.
    fn note(&mut self, world: &World);
}

impl Observer for () {
    const DRAWS: bool = false;

    fn of(_: &Scene) -> Self {}

    fn note(&mut self, _: &World) {}
}

/// What steps change.
#[derive(Clone)]
pub struct State<O> {
    /// The simulation.
    pub simulation: Simulation,
    /// What observes it.
    pub observer: O,
    /// The last step of the unit that is inspected.
    explained: Option<Arc<Explained>>,
    /// Smoothed wall time of a step.
    step_time: Duration,
}

impl<O: Observer> State<O> {
    /// The start of a scene.
    pub(super) fn new(mut simulation: Simulation, scene: &Scene) -> Self {
        simulation.drawing = O::DRAWS;
        let (observer, step_time) = (O::of(scene), Duration::ZERO);
        Self { simulation, observer, explained: None, step_time }
    }

    /// Makes up to `due` steps, at least one: as many as the budget allows. How many were made; `before` then
    /// holds the poses before the last one.
    fn advance(
        &mut self,
        due: u32,
        inspected: Option<&Inspected>,
        cancel: &AtomicBool,
        before: &mut Poses,
    ) -> u32 {
        let start = Instant::now();
        let mut made = 0;
        while made < due && (made == 0 || start.elapsed() < STEP_BUDGET) {
            let begin = Instant::now();
            if O::DRAWS {
                before.note(self.simulation.world());
            }
            if !self.step(inspected, cancel) {
                break;
            }
            self.step_time = (self.step_time * 9 + begin.elapsed()) / 10;
            made += 1;
        }
        made
    }

    fn step(&mut self, inspected: Option<&Inspected>, cancel: &AtomicBool) -> bool {
        let made = match inspected {
            None => self.simulation.try_step(cancel),
            Some(inspected) => {
                self.explained = inspected.step(&mut self.simulation, cancel).map(Arc::new);
                self.explained.is_some()
            }
        };
        if made {
            self.observer.note(self.simulation.world());
        }
        made
    }
}

/// The result of the steps that were started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
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
struct Job<O> {
    done: Receiver<(State<O>, u32, Poses)>,
    cancel: Arc<AtomicBool>,
    since: Instant,
    /// Changes to be made once they are done.
    changes: Vec<Change>,
}

impl<O> Drop for Job<O> {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// A simulation and the threads that make its steps. What is read of it is always there: while steps
/// are under way, as it was before them, with all changes since.
pub struct Stepper<O> {
    pool: rayon::ThreadPool,
    state: State<O>,
    inspected: Option<Arc<Inspected>>,
    job: Option<Job<O>>,
    /// The poses before the last step, and buffers for those before the next.
    before: Poses,
    spare: Poses,
}

impl<O> Deref for Stepper<O> {
    type Target = Simulation;

    fn deref(&self) -> &Simulation {
        &self.state.simulation
    }
}

impl<O: Observer> Stepper<O> {
    /// A simulation whose units decide on so many threads; on all processors if `None`.
    ///
    /// # Errors
    /// When the system gives no threads.
    pub(super) fn new(state: State<O>, threads: Option<usize>) -> anyhow::Result<Self> {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads.unwrap_or(0))
            .stack_size(SCRIPT_STACK)
            // The panic is reported already, and the closed channel says that the steps are lost.
            .panic_handler(|_| ())
            .build()
            .context("no threads to decide on")?;
        Ok(Self {
            pool,
            state,
            inspected: None,
            job: None,
            before: Poses::default(),
            spare: Poses::default(),
        })
    }

    /// What observes the simulation.
    pub fn observer(&self) -> &O {
        &self.state.observer
    }

    /// Makes one step and waits for it, unless `cancel` is set meanwhile; whether it was made. Steps
    /// under way are canceled.
    pub fn step(&mut self, cancel: &AtomicBool) -> bool {
        self.job = None;
        let Self { pool, state, inspected, .. } = self;
        pool.install(|| state.step(inspected.as_deref(), cancel))
    }

    /// Inspects a unit from the next step on, or none.
    pub(super) fn inspect(&mut self, inspected: Option<Inspected>) {
        self.inspected = inspected.map(Arc::new);
    }

    /// What is inspected.
    pub fn inspected(&self) -> Option<&Inspected> {
        self.inspected.as_deref()
    }

    /// The last step of the unit that is inspected; nothing before one was made with it.
    pub fn explained(&self) -> Option<&Arc<Explained>> {
        let unit = self.inspected.as_ref()?.unit();
        self.state.explained.as_ref().filter(|explained| explained.facts.unit == unit)
    }

    /// Where units were before the last step; nothing after a start, and where an observer draws nothing.
    pub fn before(&self) -> Option<&Poses> {
        self.before.are_before(self.state.simulation.world()).then_some(&self.before)
    }

    /// Forgets where units were before the last step: they are others now, or elsewhere.
    pub(super) fn forget_before(&mut self) {
        self.before.forget();
    }

    /// Smoothed wall time of a step; of the one under way, if it takes longer already.
    pub fn step_time(&self) -> Duration {
        self.state.step_time.max(self.busy().unwrap_or_default())
    }

    /// For how long steps have been under way.
    pub fn busy(&self) -> Option<Duration> {
        self.job.as_ref().map(|job| job.since.elapsed())
    }

    /// Changes the simulation between two steps. It is made at once to what is shown; if steps are under
    /// way, also to what comes of them.
    pub fn change(&mut self, change: impl Fn(&mut Simulation) + 'static) {
        change(&mut self.state.simulation);
        if let Some(job) = &mut self.job {
            job.changes.push(Box::new(change));
        }
    }

    /// The state, to be replaced: steps under way are canceled.
    pub fn replace(&mut self) -> &mut State<O> {
        self.job = None;
        &mut self.state
    }

    /// Begins to make up to `due` steps, unless some are under way.
    pub fn start(&mut self, due: u32) {
        if due == 0 || self.job.is_some() {
            return;
        }
        // The copy stays here, and the buffers of the simulation go with it.
        let copy = self.state.clone();
        let mut state = std::mem::replace(&mut self.state, copy);
        let (send, done) = mpsc::channel();
        let cancel = Arc::new(AtomicBool::new(false));
        let canceled = Arc::clone(&cancel);
        let inspected = self.inspected.clone();
        let mut before = std::mem::take(&mut self.spare);
        self.pool.spawn(move || {
            if !canceled.load(Ordering::Relaxed) {
                let made = state.advance(due, inspected.as_deref(), &canceled, &mut before);
                // There is no receiver any more if they were canceled.
                let _ = send.send((state, made, before));
            }
        });
        self.job = Some(Job { done, cancel, since: Instant::now(), changes: Vec::new() });
    }

    /// Waits for the steps under way, at most `patience`, and takes over what came of them.
    pub fn finish(&mut self, patience: Duration) -> Outcome {
        let Some(job) = &mut self.job else {
            return Outcome::Nothing;
        };
        match job.done.recv_timeout(patience) {
            Err(RecvTimeoutError::Timeout) => Outcome::Nothing,
            Err(RecvTimeoutError::Disconnected) => {
                self.job = None;
                Outcome::Panicked
            }
            Ok((mut state, made, before)) => {
                for change in &job.changes {
                    change(&mut state.simulation);
                }
                self.state = state;
                self.job = None;
                self.spare = std::mem::replace(&mut self.before, before);
                Outcome::Made(made)
            }
        }
    }
}
