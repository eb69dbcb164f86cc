//! The run of a session as a moment and as a replay.

use std::sync::Arc;

use steerbox_core::diagnostics::Fault;

use super::fork::unobserved;
use super::observer::Observer;
use super::running_scene::Session;
use super::stored::{Digests, Moment, RecordedRun, ReplayFile};

impl<O: Observer> Session<O> {
    /// Returns the recorded run from the newest keyframe with at most `since` steps, or from the oldest one, to the present.
    /// Nothing is recorded without a history: the run has only its present state then.
    pub fn recorded_run(&self, since: u64) -> RecordedRun {
        let history = &self.simulation.history;
        let present = self.playback.as_ref().map_or(&self.simulation.state, |playback| &playback.present);
        let (end, seed) = (unobserved(present.simulation.clone(), false), self.seed);
        let Some(start) = history.keyframe_before(since) else {
            let generation = Arc::new(self.newest().clone());
            return RecordedRun { start: None, generation, seed, inputs: Vec::new(), end };
        };
        let inputs = history.between(start.steps(), u64::MAX);
        let generation = Arc::clone(history.generation(start.steps()));
        RecordedRun { start: Some(Arc::clone(start)), generation, seed, inputs, end }
    }

    /// Returns the whole recorded run as a replay. `digests` are those of its states, if they were recorded.
    ///
    /// # Errors
    /// If an edit of a scene cannot be written as text.
    pub fn replay_file(&self, digests: Digests) -> Result<ReplayFile, Fault> {
        self.recorded_run(0).file(digests)
    }

    /// Returns the shown state as a moment.
    ///
    /// # Errors
    /// If an edit of the scene cannot be written as text.
    pub fn moment(&self) -> Result<Moment, Fault> {
        Moment::of(&self.generation, &self.simulation, self.seed)
    }
}
