//! The simulation, and the steps that are made of it while the window goes on.
//!
//! How long a step takes is not known in advance. So all steps are made by the threads that units decide
//! on, and the window waits for them no longer than a frame may take. Until they are done it shows a copy.
//!
//! Every step can be canceled, and a canceled step is discarded. Edits that add, remove or move units, or change a
//! view, cancel the step in progress, which could otherwise take minutes for a state that is obsolete.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::RecvTimeoutError;
use std::time::Duration;

use anyhow::Context as _;

use super::explained::{Explained, Inspected};
use super::history::History;
use super::input::Input;
use super::observer::Observer;
use super::poses::Poses;
use super::state::State;
use super::task::Task;
use crate::reload::SCRIPT_STACK;
use crate::sim::Simulation;

/// The result of the steps that were started.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// None are under way, or they are not done yet.
    Nothing,
    /// So many were made.
    Made(u32),
    /// The shown state is complete: its last step is explained, or its behaviors have decided.
    Explained,
    /// The program panicked in one: the state is as before them.
    Panicked,
}

/// Steps under way. They are canceled when this is dropped.
struct Job<O> {
    task: Task<(State<O>, u32, Poses)>,
    /// Inputs to be made once they are done.
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

/// A simulation and the threads that make its steps. What is read of it is always there: while steps
/// are under way, as it was before them, with all changes since.
pub struct Stepper<O> {
    pool: rayon::ThreadPool,
    pub(super) state: State<O>,
    /// The past of the scene, and what it goes on from.
    pub(super) history: History,
    /// The state before the last steps, from which they come out the same again.
    before: Option<State<O>>,
    inspected: Option<Arc<Inspected>>,
    job: Option<Job<O>>,
    /// How often anything but its steps changed the simulation.
    changes: u64,
    /// The value of `changes` when decisions were last computed for the shown state.
    decided: Option<u64>,
    /// The poses before the last step, and buffers for those before the next.
    poses: Poses,
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
    pub(super) fn new(state: State<O>, history: History, threads: Option<usize>) -> anyhow::Result<Self> {
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
            history,
            before: None,
            inspected: None,
            job: None,
            changes: 0,
            decided: None,
            poses: Poses::default(),
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
        let mut made = false;
        let Ok(()) = self.steps(1, cancel, |_| {
            made = true;
            Ok::<_, Infallible>(())
        });
        made
    }

    /// Makes steps in a row as fast as they go, and shows `look` the simulation after each; ends before `most` of
    /// them when `cancel` is set or `look` fails. Steps under way are canceled.
    ///
    /// All of it happens on the threads that units decide on: to hand each step over to them would cost more than
    /// a step of a small scene.
    ///
    /// # Errors
    /// With what `look` failed with.
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
            // A step in which nobody decides would not look at `cancel`.
            for _ in (0..most).take_while(|_| !cancel.load(Ordering::Relaxed)) {
                let made = state.recorded_step(inspected.as_deref(), cancel);
                history.keep(std::mem::take(&mut state.recorder.fresh));
                if !made {
                    break;
                }
                look(&state.simulation)?;
            }
            Ok(())
        })
    }

    /// Cancels steps under way. Inputs since they began were made to the state before them, too.
    pub(super) fn cancel(&mut self) {
        if let Some(job) = self.job.take() {
            self.note(job.inputs);
        }
    }

    /// Records inputs that were made to the state.
    fn note(&mut self, inputs: Vec<Input>) {
        for input in inputs {
            self.history.note(self.state.simulation.world().steps, input);
            if self.history.first_step().is_none() {
                // The past was released, because its inputs exceeded the memory: it begins again with the next step.
                self.state.recorder = self.state.recorder.anew();
            }
        }
    }

    /// Shows another state; steps under way are canceled.
    pub(super) fn show(&mut self, mut state: State<O>) {
        let shown = &self.state.simulation;
        state.observe(shown.watching, shown.costing);
        *self.replace() = state;
        self.poses.forget();
    }

    /// Inspects a unit from the next step on, or none.
    pub(super) fn inspect(&mut self, inspected: Option<Inspected>) {
        self.inspected = inspected.map(Arc::new);
    }

    /// What is inspected.
    pub fn inspected(&self) -> Option<&Inspected> {
        self.inspected.as_deref()
    }

    /// The same, to be shared.
    pub(super) fn shared_inspected(&self) -> Option<Arc<Inspected>> {
        self.inspected.clone()
    }

    /// The last step of the unit that is inspected; nothing where it is not known.
    pub fn explained(&self) -> Option<&Arc<Explained>> {
        let unit = self.inspected.as_ref()?.unit();
        self.state.explained.as_ref().filter(|explained| explained.facts.unit == unit)
    }

    /// Where units were before the last step; nothing after a start, and where an observer draws nothing.
    pub fn poses_before(&self) -> Option<&Poses> {
        self.poses.are_before(self.state.simulation.world()).then_some(&self.poses)
    }

    /// Forgets where units were before the last step: they are others now, or elsewhere.
    pub(super) fn forget_poses(&mut self) {
        self.poses.forget();
    }

    /// Whether [`Stepper::replay`] can tell more of the last step than is known.
    pub(super) fn can_tell_more(&self) -> bool {
        let lacks = |inspected: &Arc<Inspected>| {
            let known = self.explained();
            known.is_none_or(|explained| inspected.has_values() && !explained.has_values)
        };
        self.job.is_none() && self.before.is_some() && self.inspected.as_ref().is_some_and(lacks)
    }

    /// Begins to make the last steps once more beside the state, to explain the last one; with `inspected`,
    /// by that instead of what is inspected. Steps that come out otherwise explain nothing.
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

    /// Begins to compute the decisions of the next step for the shown state, if those of its last step are lost.
    pub(super) fn decide_shown(&mut self) {
        // A failure is not tried again before something changes.
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

    /// Smoothed wall time of a step; of the one under way, if it takes longer already.
    pub fn step_time(&self) -> Duration {
        self.state.step_time.max(self.busy().unwrap_or_default())
    }

    /// For how long steps have been under way.
    pub fn busy(&self) -> Option<Duration> {
        self.job.as_ref().map(|job| job.task.since.elapsed())
    }

    /// Changes the simulation between two steps. It is made at once to what is shown; if steps are under
    /// way, also to what comes of them.
    pub fn input(&mut self, mut input: Input) {
        self.changes += 1;
        if let Input::AddUnits(states) = &mut input {
            // Only states that are added are recorded.
            self.state.simulation.retain_new(states);
        }
        input.apply(&mut self.state.simulation);
        if input.renumbers() {
            (self.poses, self.spare) = Default::default();
            (self.before, self.state.explained) = (None, None);
            self.state.observer.note(self.state.simulation.world());
        }
        if let Some(variant) = &mut self.state.variant {
            variant.input(&input);
        }
        match &mut self.job {
            Some(job) if job.purpose == Purpose::Steps => job.inputs.push(input),
            _ => self.note(vec![input]),
        }
    }

    /// How often anything but its steps changed the simulation; it counts inputs to steps under way twice.
    pub(super) fn changes(&self) -> u64 {
        self.changes
    }

    /// Changes what is shown of the past: the steps since do not change yet, and the next step that is shown has
    /// nothing of it.
    pub(super) fn show_input(&mut self, input: &Input) {
        self.changes += 1;
        input.apply(&mut self.state.simulation);
        self.poses.forget();
    }

    /// Records what scripts watch, and measures what behaviors cost, from the next steps on or no longer. No
    /// state depends on it.
    pub fn observe(&mut self, watching: bool, costing: bool) {
        self.state.observe(watching, costing);
    }

    /// The state, to be replaced: steps under way are canceled.
    pub fn replace(&mut self) -> &mut State<O> {
        self.cancel();
        self.changes += 1;
        self.before = None;
        &mut self.state
    }

    /// As [`Stepper::replace`], where units stay what they are: the last steps can still be explained.
    pub(super) fn replace_behaviors(&mut self) -> &mut State<O> {
        self.cancel();
        self.changes += 1;
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
        let (inspected, mut poses) = (self.inspected.clone(), std::mem::take(&mut self.spare));
        let task = self.spawn(move |cancel| {
            let made = state.advance(due, inspected.as_deref(), cancel, &mut poses);
            (state, made, poses)
        });
        self.job = Some(Job { task, inputs: Vec::new(), purpose: Purpose::Steps });
    }

    /// Lets `work` go on beside the window, by the threads that make steps.
    pub(super) fn spawn<R: Send + 'static>(
        &self,
        work: impl FnOnce(&AtomicBool) -> R + Send + 'static,
    ) -> Task<R> {
        Task::spawn(&self.pool, work)
    }

    /// Waits for the steps under way, at most `patience`, and takes over what came of them.
    pub fn finish(&mut self, patience: Duration) -> Outcome {
        let Some(job) = &self.job else {
            return Outcome::Nothing;
        };
        let done = job.task.wait(patience);
        if let Err(RecvTimeoutError::Timeout) = done {
            return Outcome::Nothing;
        }
        let Some(job) = self.job.take() else {
            return Outcome::Nothing;
        };
        match (job.purpose, done) {
            (Purpose::Explain, Ok((state, made, _))) => self.take_explained(state, made > 0),
            (Purpose::Explain, Err(_)) => self.take_explained(self.state.clone(), false),
            (Purpose::Decide(changes), Ok((mut state, made, _))) if made > 0 && changes == self.changes => {
                state.observe(self.state.simulation.watching, self.state.simulation.costing);
                self.state = state;
                Outcome::Explained
            }
            (Purpose::Decide(_), _) => Outcome::Nothing,
            (Purpose::Steps, Ok((state, made, poses))) => {
                self.spare = std::mem::replace(&mut self.poses, poses);
                self.take_over(state, job.inputs);
                Outcome::Made(made)
            }
            (Purpose::Steps, Err(_)) => {
                self.note(job.inputs);
                Outcome::Panicked
            }
        }
    }

    /// Goes on with the state that steps led to, and with the inputs since they began.
    fn take_over(&mut self, mut state: State<O>, inputs: Vec<Input>) {
        let shown = &self.state.simulation;
        state.observe(shown.watching, shown.costing);
        self.history.keep(std::mem::take(&mut state.recorder.fresh));
        let before = std::mem::replace(&mut self.state, state);
        // What was shown meanwhile had the inputs already, which the steps had not.
        self.before = inputs.is_empty().then_some(before);
        for input in inputs {
            self.input(input);
        }
    }

    /// Takes over what is known of the last step, if it was made as before.
    fn take_explained(&mut self, replayed: State<O>, made: bool) -> Outcome {
        let (before, now) = (&replayed.simulation, &self.state.simulation);
        if made && before.world().steps == now.world().steps && before.hash() == now.hash() {
            self.state.explained = replayed.explained;
            return Outcome::Explained;
        }
        self.before = None;
        Outcome::Nothing
    }
}
