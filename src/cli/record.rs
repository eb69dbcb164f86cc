//! Recording of a run: `run --record FILE`.

use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use steerbox_core::sim::Simulation;
use steerbox_picture::record::{Format, PictureOptions, RecordError, RecordOptions, Recording};
use steerbox_project::reload::{Pending, ReplaceError};
use steerbox_project::session::Session;
use steerbox_scene::Scene;

use super::args::RunArgs;
use super::lines::OutputError;
use super::usage::UsageError;

/// A recording in progress.
pub(super) struct Record {
    path: PathBuf,
    stage: Stage,
}

/// The part of a recording.
enum Stage {
    /// Before the first state.
    Open(Box<(RecordOptions, Pending)>),
    Running(Box<Recording>),
    /// Complete or failed.
    Ended,
}

/// Returns the options of the recording, if there is one.
///
/// # Errors
/// If the extension of the file is unknown, or an option is out of range or does not fit the format.
pub(super) fn options(args: &RunArgs) -> Result<Option<RecordOptions>, UsageError> {
    let Some(path) = &args.record else { return Ok(None) };
    let usage = |error: RecordError| UsageError(format!("--record {}: {error}", path.display()));
    let look = &args.look;
    let options = RecordOptions {
        format: Format::of(path).map_err(usage)?,
        fps: look.fps,
        picture: PictureOptions {
            size: look.size,
            scale: look.scale,
            theme: look.theme.name(),
            transparent: look.transparent,
            trails: look.trails,
            bar: look.bar,
        },
    };
    options.check().map_err(usage)?;
    Ok(Some(options))
}

impl Record {
    /// Creates a recording into `file`.
    pub(super) fn new(path: PathBuf, options: RecordOptions, file: Pending) -> Self {
        Self { path, stage: Stage::Open(Box::new((options, file))) }
    }

    /// Records the present state; called before the first step and after each.
    ///
    /// # Errors
    /// If the recording fails; it leaves no file then.
    pub(super) fn state(&mut self, scene: &Arc<Scene>, simulation: &Simulation) -> Result<(), OutputError> {
        let recorded = match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Open(open) => {
                Recording::start(open.0, open.1, scene, simulation).map(|it| Some(Box::new(it)))
            }
            Stage::Running(mut recording) => recording.state(scene, simulation).map(|()| Some(recording)),
            Stage::Ended => Ok(None),
        };
        self.stage = recorded.map_err(|error| self.failed(error))?.map_or(Stage::Ended, Stage::Running);
        Ok(())
    }

    /// Completes the file.
    ///
    /// # Errors
    /// If that fails; there is no file then.
    pub(super) fn finish(&mut self, session: &Session, moment: Option<&str>) -> Result<(), OutputError> {
        match std::mem::replace(&mut self.stage, Stage::Ended) {
            Stage::Running(mut recording) => {
                let (generation, simulation) = (&session.generation, &session.simulation);
                let ended = recording.end(generation, simulation);
                let finished = ended.and_then(|()| recording.finish(&generation.scene, simulation, moment));
                finished.map_err(|error| self.failed(error))
            }
            Stage::Open(..) | Stage::Ended => Ok(()),
        }
    }

    fn failed(&self, error: RecordError) -> OutputError {
        let error = match error {
            RecordError::Io(error) | RecordError::File(ReplaceError::Io(error)) => error,
            error => io::Error::other(error),
        };
        OutputError::new(self.path.display().to_string(), error)
    }
}
