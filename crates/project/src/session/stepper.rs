//! The simulation, and the tasks that make its steps.
//!
//! The duration of a step is not known in advance. Steps run on the threads of the units' decisions, and the window
//! waits for them at most the time of a frame. Until they are finished, it shows a copy.
//!
//! Every step can be canceled, and a canceled step is discarded. Edits that add, remove or move units, or change a
//! view, cancel the step in progress, which could otherwise take minutes for a state that is obsolete.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use anyhow::Context as _;
use steerbox_core::sim::Simulation;

use super::allocator::release_unused_pages;
use super::explained::{Explained, Inspected};
use super::history::History;
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use super::state::{Observed, State};
use super::task::{Task, pool};

/// Removals of at least this many units return unused memory to the system.
const MANY_UNITS: usize = 2_000;

/// Finished steps after which no copy of the state before an edit exists.
const STEPS_OF_COPIES: u8 = 2;

/// Result of the running steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// No steps are running, or they are not finished.
    Nothing,
    /// Number of steps that were made.
    Made(u32),
    /// The shown state is complete: its last step is explained, or its behaviors have decided.
    Explained,
    /// A step panicked: the state is that before the steps.
    Panicked,
}

/// Running steps. They are canceled when this is dropped.
struct Job<O> {
    task: Task<(State<O>, u32, Poses)>,
    /// Inputs to apply after the steps.
    inputs: Vec<Input>,
    purpose: Purpose,
}

/// The purpose of a job.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Purpose {
    /// The state after new steps.
    Steps,
    /// The explanation of the last step, which was made before.
    Explain,
    /// The decisions of the next step, valid while the number of changes of the simulation is this.
    Decide(u64),
}

/// A simulation and the threads that make its steps. Reads never wait: while steps are running, they return the state
/// before, with all later inputs.
pub struct Stepper<O> {
    pool: rayon::ThreadPool,
    pub(super) state: State<O>,
    /// The recorded steps.
    pub(super) history: History,
    /// State before the last steps, from which they can be repeated.
    before: Option<State<O>>,
    inspected: Option<Arc<Inspected>>,
    job: Option<Job<O>>,
    /// Number of changes of the simulation by anything but its steps.
    changes: u64,
    /// The value of `changes` when decisions were last computed for the shown state.
    decided: Option<u64>,
    /// Poses before the last step, and buffers for those before the next.
    poses: Poses,
    spare: Poses,
    /// Results of steps after which unused memory is to be returned.
    releases: u8,
}

impl<O> Deref for Stepper<O> {
    type Target = Simulation;

    fn deref(&self) -> &Simulation {
        &self.state.simulation
    }
}

impl<O: Observer> Stepper<O> {
    /// Creates a simulation whose units decide on `threads` threads; one for each processor if `None`.
    ///
    /// # Errors
    /// If the system provides no threads.
    pub(super) fn new(state: State<O>, history: History, threads: Option<usize>) -> anyhow::Result<Self> {
        Ok(Self {
            pool: pool(threads.unwrap_or(0)).context("no threads to decide on")?,
            state,
            history,
            before: None,
            inspected: None,
            job: None,
            changes: 0,
            decided: None,
            poses: Poses::default(),
            spare: Poses::default(),
            releases: 0,
        })
    }

    /// Returns the observer of the simulation.
    pub fn observer(&self) -> &O {
        &self.state.observer
    }

    /// Makes one step and waits for it, unless `cancel` is set; returns true if it was made. Cancels running steps.
    pub fn step(&mut self, cancel: &AtomicBool) -> bool {
        let mut made = false;
        let Ok(()) = self.steps(1, cancel, |_| {
            made = true;
            Ok::<_, Infallible>(())
        });
        made
    }

    /// Makes up to `most` steps without pauses and calls `look` after each; ends when `cancel` is set or `look`
    /// fails. Cancels running steps.
    ///
    /// Everything runs on the threads of the units' decisions: passing each step to another thread costs more than a
    /// step of a small scene.
    ///
    /// # Errors
    /// The error of `look`.
    pub fn steps<E: Send>(
        &mut self,
        most: u64,
        cancel: &AtomicBool,
        mut look: impl FnMut(&Simulation) -> Result<(), E> + Send,
    ) -> Result<(), E> {
        self.cancel();
        self.before = None;
        let Self { pool, state, history, inspected, .. } = self;
        pool.install(|| {
            // A step without decisions does not check `cancel`.
            for _ in (0..most).take_while(|_| !cancel.load(Ordering::Relaxed)) {
                let made = state.recorded_step(inspected.as_deref(), true, cancel);
                history.keep(std::mem::take(&mut state.recorder.fresh));
                if !made {
                    break;
                }
                look(&state.simulation)?;
            }
            Ok(())
        })
    }

    /// Cancels running steps. Inputs since they started are in the present state.
    pub(super) fn cancel(&mut self) {
        if let Some(job) = self.job.take() {
            self.note(job.inputs);
        }
    }

    /// Records inputs of the present state.
    fn note(&mut self, inputs: Vec<Input>) {
        for input in inputs {
            self.history.note(self.state.simulation.world().steps, input);
            if self.history.first_step().is_none() {
                // The history was released, because its inputs exceeded the memory: it starts again with the next
                // step.
                self.state.recorder = self.state.recorder.restarted();
            }
        }
    }

    /// Replaces the state; cancels running steps.
    pub(super) fn show(&mut self, mut state: State<O>) {
        state.observe(self.observed());
        *self.replace() = state;
        self.poses.forget();
    }

    /// Inspects a unit from the next step on, or none.
    pub(super) fn inspect(&mut self, inspected: Option<Inspected>) {
        self.inspected = inspected.map(Arc::new);
    }

    /// Returns the inspected unit.
    pub fn inspected(&self) -> Option<&Inspected> {
        self.inspected.as_deref()
    }

    /// Returns the inspected unit for use in a task.
    pub(super) fn shared_inspected(&self) -> Option<Arc<Inspected>> {
        self.inspected.clone()
    }

    /// Returns the last step of the inspected unit, if it is explained.
    pub fn explained(&self) -> Option<&Arc<Explained>> {
        let key = self.inspected.as_ref()?.key();
        self.state.explained.as_ref().filter(|explained| explained.facts.key == key)
    }

    /// Returns the poses before the last step; `None` after a start, and for an observer that draws nothing.
    pub fn poses_before(&self) -> Option<&Poses> {
        self.poses.are_before(self.state.simulation.world()).then_some(&self.poses)
    }

    /// Removes the poses before the last step, as they are of other units or places.
    pub(super) fn forget_poses(&mut self) {
        self.poses.forget();
    }

    /// Returns true if [`Stepper::replay`] can explain more of the last step.
    pub(super) fn can_explain_more(&self) -> bool {
        let lacks = |inspected: &Arc<Inspected>| {
            let known = self.explained();
            known.is_none_or(|explained| inspected.has_values() && !explained.has_values)
                && inspected.has_decided(self.state.simulation.world())
        };
        self.job.is_none() && self.before.is_some() && self.inspected.as_ref().is_some_and(lacks)
    }

    /// Starts a replay of the last steps, to explain the last one for `inspected`, or for the inspected unit. A
    /// replay with another result explains nothing.
    pub(super) fn replay(&mut self, inspected: Option<Inspected>) {
        let inspected = inspected.map(Arc::new).or_else(|| self.inspected.clone());
        let (Some(before), Some(inspected), None) = (&self.before, inspected, &self.job) else {
            return;
        };
        let due = self.state.simulation.world().steps - before.simulation.world().steps;
        let mut state = before.clone();
        let task = self.spawn(move |cancel| {
            let made = u32::from(state.replay(due, &inspected, cancel));
            (state, made, Poses::default())
        });
        self.job = Some(Job { task, inputs: Vec::new(), purpose: Purpose::Explain });
    }

    /// Starts the computation of the next step's decisions for the shown state, if those of its last step are lost.
    pub(super) fn decide_shown(&mut self) {
        // A failure is not repeated before something changes.
        if self.job.is_some()
            || self.state.has_decisions()
            || self.decided.replace(self.changes) == Some(self.changes)
        {
            return;
        }
        let mut state = self.state.clone();
        let task = self.spawn(move |cancel| {
            let made = u32::from(state.decide_next(cancel));
            (state, made, Poses::default())
        });
        self.job = Some(Job { task, inputs: Vec::new(), purpose: Purpose::Decide(self.changes) });
    }

    /// Returns the smoothed wall time of a step, or that of the running one if it is longer.
    pub fn step_time(&self) -> Duration {
        self.state.step_time.max(self.busy().unwrap_or_default())
    }

    /// Returns the time since the running steps started.
    pub fn busy(&self) -> Option<Duration> {
        self.job.as_ref().map(|job| job.task.since.elapsed())
    }

    /// Changes the shown state between two steps, and the result of running steps.
    pub fn input(&mut self, mut input: Input) {
        self.changes += 1;
        if let Input::AddUnits(states) = &mut input {
            // Only states that are added are recorded, with the present names.
            self.state.simulation.fit_new(states);
        }
        input.apply(&mut self.state.simulation);
        if input.renumbers() {
            (self.poses, self.spare) = Default::default();
            (self.before, self.state.explained) = (None, None);
            self.state.observer.note(self.state.simulation.world());
        }
        if matches!(&input, Input::RemoveUnits(keys) if keys.len() >= MANY_UNITS) {
            self.releases = STEPS_OF_COPIES;
            self.pool.spawn(release_unused_pages);
        }
        if let Some(variant) = &mut self.state.variant {
            variant.input(&input);
        }
        match &mut self.job {
            Some(job) if job.purpose == Purpose::Steps => job.inputs.push(input),
            _ => self.note(vec![input]),
        }
    }

    /// Changes the shown recorded step only; the next shown step does not contain the change.
    pub(super) fn show_input(&mut self, input: &Input) {
        self.changes += 1;
        input.apply(&mut self.state.simulation);
        self.poses.forget();
    }

    /// Returns the present recordings.
    pub fn observed(&self) -> Observed {
        self.state.observed()
    }

    /// Enables or disables recordings, from the next step on.
    pub fn observe(&mut self, observed: Observed) {
        self.state.observe(observed);
    }

    /// Returns the state for replacement; cancels running steps.
    pub fn replace(&mut self) -> &mut State<O> {
        self.cancel();
        self.changes += 1;
        self.before = None;
        &mut self.state
    }

    /// Like [`Stepper::replace`], for changes that leave the units as they are: the last steps can still be
    /// explained.
    pub(super) fn replace_behaviors(&mut self) -> &mut State<O> {
        self.cancel();
        self.changes += 1;
        &mut self.state
    }

    /// Starts up to `due` steps, unless steps are running.
    pub fn start(&mut self, due: u32) {
        if due == 0 || self.job.is_some() {
            return;
        }
        // The copy is shown, and the buffers of the simulation go to the task.
        let copy = self.state.clone();
        let mut state = std::mem::replace(&mut self.state, copy);
        let (inspected, mut poses) = (self.inspected.clone(), std::mem::take(&mut self.spare));
        let task = self.spawn(move |cancel| {
            let made = state.advance(due, inspected.as_deref(), cancel, &mut poses);
            (state, made, poses)
        });
        self.job = Some(Job { task, inputs: Vec::new(), purpose: Purpose::Steps });
    }

    /// Starts a task on the threads that make steps.
    pub(super) fn spawn<R: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> R + Send + 'static,
    ) -> Task<R> {
        Task::spawn(&self.pool, work)
    }

    /// Waits at most `patience` for the running steps, and applies their result.
    pub fn finish(&mut self, patience: Duration) -> Outcome {
        let done = self.job.as_ref().and_then(|job| job.task.wait(patience));
        let Some((done, job)) = done.and_then(|done| Some((done, self.job.take()?))) else {
            return Outcome::Nothing;
        };
        match (job.purpose, done) {
            (Purpose::Explain, Ok((state, made, _))) => self.store_explanation(state, made > 0),
            (Purpose::Explain, Err(_)) => self.store_explanation(self.state.clone(), false),
            (Purpose::Decide(changes), Ok((mut state, made, _))) if made > 0 && changes == self.changes => {
                state.observe(self.observed());
                self.state = state;
                Outcome::Explained
            }
            (Purpose::Decide(_), _) => Outcome::Nothing,
            (Purpose::Steps, Ok((state, made, poses))) => {
                self.spare = std::mem::replace(&mut self.poses, poses);
                self.replace_by_result(state, job.inputs);
                if let Some(releases) = self.releases.checked_sub(1) {
                    self.releases = releases;
                    self.pool.spawn(release_unused_pages);
                }
                Outcome::Made(made)
            }
            (Purpose::Steps, Err(_)) => {
                self.note(job.inputs);
                Outcome::Panicked
            }
        }
    }

    /// Replaces the state by the result of steps, and applies the inputs since they started.
    fn replace_by_result(&mut self, mut state: State<O>, inputs: Vec<Input>) {
        state.observe(self.observed());
        self.history.keep(std::mem::take(&mut state.recorder.fresh));
        let before = std::mem::replace(&mut self.state, state);
        // The shown state has inputs that the steps did not have.
        self.before = inputs.is_empty().then_some(before);
        for input in inputs {
            self.input(input);
        }
    }

    /// Stores the explanation of the last step, if its replay has the same result.
    fn store_explanation(&mut self, replayed: State<O>, made: bool) -> Outcome {
        let (before, now) = (&replayed.simulation, &self.state.simulation);
        if made && before.world().steps == now.world().steps && before.hash() == now.hash() {
            self.state.explained = replayed.explained;
            return Outcome::Explained;
        }
        self.before = None;
        Outcome::Nothing
    }
}
