//! Recordings of the window that are in progress.

use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::Receiver;
use std::time::{Duration, Instant};

use steerbox_picture::record::{Format, Reel};
use steerbox_project::session::Film;

use crate::model::live_session::LiveSession;

/// Recordings in progress.
#[derive(Default)]
pub(crate) struct Filming {
    /// Folder of the files; the working folder if empty.
    pub(crate) folder: PathBuf,
    pub(crate) jobs: Vec<Job>,
    /// Replays that are written on other threads.
    pub(crate) replays: Vec<WrittenReplay>,
}

/// A replay that is being written. Dropped, it is canceled and leaves no file.
pub(crate) struct WrittenReplay {
    /// The file that it will be.
    pub(crate) path: PathBuf,
    /// Receives the result.
    pub(crate) done: Receiver<Result<(), String>>,
    pub(crate) cancel: Arc<AtomicBool>,
}

impl Drop for WrittenReplay {
    fn drop(&mut self) {
        self.cancel.store(true, Ordering::Relaxed);
    }
}

/// A recording in progress. Dropped, it is canceled and leaves no file.
pub(crate) struct Job {
    /// The file that it will be.
    pub(crate) path: PathBuf,
    pub(crate) format: Format,
    /// The file in progress.
    pub(crate) part: PathBuf,
    /// The recording, while no replay extends it.
    pub(crate) reel: Option<Reel>,
    /// The replay that extends it.
    pub(crate) film: Option<Film<Reel>>,
    /// The first step.
    pub(crate) first: u64,
    /// The last step; `None` while it follows the run.
    pub(crate) end: Option<u64>,
    /// The number of rewrites of the record at its start: after another one, the recorded steps are not those of the run.
    pub(crate) rewrites: u64,
    pub(crate) since: Instant,
}

impl Job {
    /// True while it follows the run.
    pub(crate) fn is_live(&self) -> bool {
        self.end.is_none()
    }

    /// The duration of the recording when it shows the last step, seconds: frames follow the speed of the scene.
    pub(crate) fn seconds(&self, session: &LiveSession) -> f32 {
        let scene = &session.run.generation.scene;
        let last = session.run.recorded().map_or(self.first, |recorded| *recorded.end());
        last.saturating_sub(self.first) as f32 * scene.world.step / scene.speed
    }

    /// Time left, estimated from the progress; `None` if it is unknown.
    pub(crate) fn time_left(&self) -> Option<Duration> {
        let share = self.film.as_ref()?.progress();
        let spent = self.since.elapsed();
        (share > 0.02 && !self.is_live()).then(|| spent.mul_f32((1.0 - share.min(1.0)) / share))
    }

    /// Bytes that are written so far.
    pub(crate) fn bytes(&self) -> u64 {
        std::fs::metadata(&self.part).map_or(0, |found| found.len())
    }
}

impl Filming {
    /// True while a file is written.
    pub(crate) fn is_busy(&self) -> bool {
        !self.jobs.is_empty() || !self.replays.is_empty()
    }

    /// The files that will be written.
    pub(crate) fn paths(&self) -> Vec<PathBuf> {
        let jobs = self.jobs.iter().map(|job| &job.path);
        jobs.chain(self.replays.iter().map(|replay| &replay.path)).cloned().collect()
    }

    /// The recording that follows the run.
    pub(crate) fn live(&mut self) -> Option<&mut Job> {
        self.jobs.iter_mut().find(|job| job.is_live())
    }
}
