//! A recording that receives its states from replays of the record, in one part or in several.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use steerbox_core::sim::Simulation;
use steerbox_project::reload::{Generation, Pending};
use steerbox_scene::Scene;

use super::error::RecordError;
use super::options::RecordOptions;
use super::recording::{Recording, View};

/// A recording of successive steps, and its result. Dropped before it is complete, it leaves no file.
pub struct Reel {
    stage: Stage,
    /// The next step to be recorded.
    next: u64,
    /// The file in progress.
    part: PathBuf,
    /// The last step and the rules that made it, if the end of the run is recorded with its texts.
    ending: Option<(u64, Arc<Generation>)>,
}

enum Stage {
    Open(Box<(RecordOptions, Pending, View)>),
    Running(Box<Recording>),
    /// Complete or failed.
    Ended(Result<(), RecordError>),
}

impl Reel {
    /// A recording that starts with a step.
    pub fn new(options: RecordOptions, file: Pending, view: View, first: u64) -> Self {
        let part = file.path().to_owned();
        Self { stage: Stage::Open(Box::new((options, file, view))), next: first, part, ending: None }
    }

    /// Records the texts of the rules that made the last step.
    #[must_use]
    pub fn ending(self, last: u64, generation: Arc<Generation>) -> Self {
        Self { ending: Some((last, generation)), ..self }
    }

    /// The file in progress.
    pub fn part(&self) -> &Path {
        &self.part
    }

    /// The next step to be recorded.
    pub fn next(&self) -> u64 {
        self.next
    }

    /// Records a state, unless it precedes the next step: such states are for trails. Returns false if the recording
    /// has failed.
    pub fn note(&mut self, scene: &Arc<Scene>, simulation: &Simulation) -> bool {
        let ended = Stage::Ended(Ok(()));
        let is_new = matches!(self.stage, Stage::Open(..));
        let begun = match std::mem::replace(&mut self.stage, ended) {
            Stage::Open(open) => {
                let (options, file, view) = *open;
                Recording::new(options, file, scene, simulation, view).map(Box::new)
            }
            Stage::Running(recording) => Ok(recording),
            ended @ Stage::Ended(_) => {
                self.stage = ended;
                return false;
            }
        };
        let steps = simulation.world().steps;
        let is_recorded = steps >= self.next;
        let noted = begun.and_then(|mut recording| {
            if is_recorded {
                recording.state(scene, simulation)?;
                if let Some((_, generation)) = self.ending.as_ref().filter(|(last, _)| *last == steps) {
                    recording.end(generation, simulation)?;
                }
            } else if is_new || recording.frames() == 0 {
                recording.lead(simulation);
            }
            Ok(recording)
        });
        if is_recorded {
            self.next = steps + 1;
        }
        self.stage = noted.map_or_else(|error| Stage::Ended(Err(error)), Stage::Running);
        matches!(self.stage, Stage::Running(_))
    }

    /// Completes the file.
    pub fn complete(&mut self) {
        self.stage = match std::mem::replace(&mut self.stage, Stage::Ended(Ok(()))) {
            Stage::Running(recording) => Stage::Ended(recording.complete()),
            Stage::Open(..) => Stage::Ended(Err(RecordError::Encoder("no step was recorded".to_owned()))),
            ended @ Stage::Ended(_) => ended,
        };
    }

    /// Ends it without a file, unless it has ended.
    pub fn fail(&mut self, why: &str) {
        if self.result().is_none() {
            self.stage = Stage::Ended(Err(RecordError::Encoder(why.to_owned())));
        }
    }

    /// The result, once it is complete or has failed.
    pub fn result(&self) -> Option<&Result<(), RecordError>> {
        if let Stage::Ended(result) = &self.stage { Some(result) } else { None }
    }
}
