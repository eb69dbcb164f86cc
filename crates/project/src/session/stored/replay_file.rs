//! A run in a file: its start, every input with its step, and digests of its states.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use serde::{Deserialize, Serialize};
use steerbox_core::diagnostics::Fault;
use steerbox_core::sim::{Simulation, Snapshot};
use steerbox_script::Execution;

use super::digests::Digests;
use super::envelope::{self, StoredError, StoredKind};
use super::moment::Moment;
use super::rules::{StoredRules, Successor};
use crate::reload::{Generation, Loader};
use crate::session::fork::Fork;
use crate::session::input::Input;
use crate::session::task::pool;

/// A run that can be repeated.
#[derive(Clone, Serialize, Deserialize)]
pub struct ReplayFile {
    /// Its start.
    pub start: Moment,
    /// Inputs with the number of steps before each, in order.
    inputs: Vec<(u64, StoredInput)>,
    /// The number of steps before its end.
    pub last: u64,
    /// The state hash at its end.
    pub hash: u64,
    /// Digests of the states after each step since the start, if they were recorded.
    pub digests: Digests,
}

/// An [`Input`] as plain data.
#[derive(Clone, Serialize, Deserialize)]
enum StoredInput {
    /// Any but a new generation.
    Plain(Input),
    Rules(StoredRules),
}

/// A run that is ready to be repeated.
pub struct LoadedReplay {
    /// Its first generation.
    pub generation: Generation,
    /// Its first state.
    pub simulation: Simulation,
    /// Its inputs with the number of steps before each.
    pub inputs: Vec<(u64, Input)>,
}

impl ReplayFile {
    /// Records a run: its start under `generation`, its inputs since, and its end.
    ///
    /// # Errors
    /// If an edit of a scene cannot be written as text.
    pub fn new(
        start: (&Generation, &Simulation, Option<u64>),
        inputs: &[(u64, Input)],
        end: &Simulation,
        digests: Digests,
    ) -> Result<Self, Fault> {
        let start = Moment::of(start.0, start.1, start.2)?;
        let mut texts = start.texts.clone();
        let mut stored = Vec::new();
        for (at, input) in inputs {
            let Input::Generation(replacement) = input else {
                stored.push((*at, StoredInput::Plain(input.clone())));
                continue;
            };
            stored.push((*at, StoredInput::Rules(StoredRules::new(replacement, &mut texts)?)));
            if replacement.generation.resumes {
                stored.push((*at, StoredInput::Plain(Input::Resume)));
            }
        }
        Ok(Self { start, inputs: stored, last: end.world().steps, hash: end.hash(), digests })
    }

    /// Returns the replay as the bytes of a file.
    ///
    /// # Errors
    /// If it is too large.
    pub fn to_bytes(&self) -> Result<Vec<u8>, StoredError> {
        envelope::seal(StoredKind::Replay, self, &self.start.state.changes)
    }

    /// Reads a replay from the bytes of a file.
    ///
    /// # Errors
    /// If it is not a replay, is damaged, or contains what no run has.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, StoredError> {
        let (mut replay, changes): (Self, _) = envelope::open(StoredKind::Replay, bytes)?;
        replay.start.state.changes = changes;
        replay.start.check()?;
        let steps = replay.inputs.iter().map(|(at, _)| *at);
        if !steps.is_sorted() || replay.last < replay.start.steps() {
            return Err(StoredError::Content("its steps are not in order".to_owned()));
        }
        Ok(replay)
    }

    /// Repeats the run on `threads` threads, one for each processor if `None`. Calls `step` after each step, until it returns
    /// false or `cancel` is set. Returns the last state.
    ///
    /// # Errors
    /// If a scene or script has errors, an input fits no run, or the system provides no threads.
    pub fn repeat(
        &self,
        (execution, threads): (Execution, Option<usize>),
        cancel: &AtomicBool,
        step: impl FnMut(&Simulation) -> bool + Send,
    ) -> Result<Simulation, StoredError> {
        let pool = pool(threads.unwrap_or(0)).map_err(|error| StoredError::Content(error.to_string()))?;
        pool.install(|| Ok(self.load(execution)?.run(self.last, cancel, step)))
    }

    /// Repeats the run to record the digests of its states, until `cancel` is set.
    ///
    /// # Errors
    /// If it is canceled, or ends with another state.
    pub fn with_digests(mut self, cancel: &AtomicBool) -> Result<Self, StoredError> {
        let mut digests = Digests::default();
        // Digests do not depend on execution and threads. One thread disturbs a running scene least.
        let end = self.repeat((Execution::default(), Some(1)), cancel, |simulation| {
            digests.record(simulation);
            true
        })?;
        if end.hash() != self.hash {
            return Err(StoredError::Content("the run was not repeated exactly".to_owned()));
        }
        self.digests = digests;
        Ok(self)
    }

    /// Compiles all scenes and scripts of the run.
    ///
    /// # Errors
    /// If one of them has errors, or an input fits no run.
    pub fn load(&self, execution: Execution) -> Result<LoadedReplay, StoredError> {
        let loaded = Loader::load_as(self.start.place(), self.start.settings.clone(), execution);
        let (project, generation) = loaded.map_err(|error| StoredError::of_rules(&error))?;
        let simulation = self.start.start(&generation)?;
        let mut successor = Successor::new(project, &generation, self.start.rules());
        let mut inputs = Vec::new();
        for (at, input) in &self.inputs {
            let failed = |error: StoredError| StoredError::Content(format!("after step {at}: {error}"));
            inputs.push((*at, input.loaded(&mut successor).map_err(failed)?));
        }
        Ok(LoadedReplay { generation, simulation, inputs })
    }
}

/// A recorded run in memory, from which a replay is made on any thread.
pub struct RecordedRun {
    /// The first state; `None` if that is the last one.
    pub(crate) start: Option<Arc<Snapshot>>,
    /// The rules at the start.
    pub(crate) generation: Arc<Generation>,
    pub(crate) seed: Option<u64>,
    pub(crate) inputs: Vec<(u64, Input)>,
    /// The last state.
    pub(crate) end: Simulation,
}

impl RecordedRun {
    /// Returns the run as a replay. `digests` are those of its states, if they were recorded.
    ///
    /// # Errors
    /// If an edit of a scene cannot be written as text.
    pub fn file(self, digests: Digests) -> Result<ReplayFile, Fault> {
        let mut start = self.end.clone();
        if let Some(state) = &self.start {
            start.restore_exactly(state);
        }
        ReplayFile::new((&self.generation, &start, self.seed), &self.inputs, &self.end, digests)
    }
}

impl StoredInput {
    fn loaded(&self, successor: &mut Successor) -> Result<Input, StoredError> {
        match self {
            Self::Rules(rules) => Ok(Input::Generation(successor.next(rules)?)),
            Self::Plain(input) if input.is_possible() => Ok(input.clone()),
            Self::Plain(_) => Err(StoredError::Content("an input has impossible values".to_owned())),
        }
    }
}

impl LoadedReplay {
    /// Makes all steps up to the last and calls `step` after each, until it returns false or `cancel` is set. Returns
    /// the last state.
    pub fn run(
        self,
        last: u64,
        cancel: &AtomicBool,
        mut step: impl FnMut(&Simulation) -> bool,
    ) -> Simulation {
        let mut fork = Fork::new(self.simulation, self.inputs);
        while fork.state.world().steps < last && !cancel.load(Ordering::Relaxed) {
            if !fork.state.try_step(cancel) {
                break;
            }
            // The digest of a step precedes the inputs after it.
            let goes_on = step(&fork.state);
            fork.receive();
            if !goes_on {
                break;
            }
        }
        fork.state
    }
}
