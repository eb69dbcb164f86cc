//! A replay of the last minute beside the window's configuration. It is removed when the window closes; one of a process
//! that no longer runs is what a crash left.

use std::fs;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, TryRecvError, channel};
use std::time::{Duration, Instant};

use steerbox_project::reload::{Pending, move_file, read_dir_sorted, remove_written};
use steerbox_project::session::{Digests, Observer, RecordedRun, Session};

/// Minimum time between two writes.
const INTERVAL: Duration = Duration::from_secs(2);
/// Simulated time of a replay at the scene's speed, seconds of real time.
const SECONDS: f32 = 60.0;
/// Maximum share of a processor that writing takes: the inverse of the time between writes, in writing times.
const PAUSE: u32 = 50;
/// Maximum number of replays of crashes; older ones are removed.
const MAX_KEPT: usize = 5;
/// Ending of the files.
const EXTENSION: &str = "replay";

/// The replay of this process.
#[derive(Debug, Default)]
pub(crate) struct LastMinute {
    path: Option<PathBuf>,
    /// Earliest time of the next write.
    due: Option<Instant>,
    /// The steps that the last written replay contains.
    steps: u64,
    /// The time that a running write took, once it is finished.
    writing: Option<Receiver<Duration>>,
}

impl LastMinute {
    /// The replay of this process in a folder; without one, nothing is written.
    pub(crate) fn new(folder: Option<PathBuf>) -> Self {
        let name = format!("{}.{EXTENSION}", std::process::id());
        Self { path: folder.map(|folder| folder.join(name)), ..Self::default() }
    }

    /// Returns the newest replay that a crashed process left since the last call, and renames it, so that it is
    /// reported once.
    pub(crate) fn of_crash(&self) -> Option<PathBuf> {
        let folder = self.path.as_ref()?.parent()?;
        let files = read_dir_sorted(folder).ok()?;
        let replays = files.into_iter().filter(|path| path.extension().is_some_and(|it| it == EXTENSION));
        let stem = |path: &Path| path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let (reported, left): (Vec<_>, Vec<_>) = replays.partition(|path| stem(path).starts_with("crash-"));
        let left = left.into_iter().filter_map(|path| Some((stem(&path).parse().ok()?, path)));
        let known = reported.last().and_then(|path| stem(path).trim_start_matches("crash-").parse().ok());
        let (mut number, mut found) = (known.unwrap_or(0_u32), None);
        for (_, path) in left.filter(|(process, _)| !is_running(*process)) {
            number = number.saturating_add(1);
            let to = folder.join(crash_name(number));
            found = move_file(&path, &to).ok().map(|()| to).or(found);
        }
        let surplus = reported.len().saturating_sub(MAX_KEPT - 1);
        for old in reported.iter().take(surplus) {
            let _ = remove_written(old);
        }
        found
    }

    /// Writes the last minute on a thread of its own, if a write is due.
    pub(crate) fn remember<O: Observer>(&mut self, run: &Session<O>, now: Instant) {
        let Some(path) = &self.path else { return };
        if let Some(writing) = &self.writing {
            let took = match writing.try_recv() {
                Ok(took) => took,
                Err(TryRecvError::Empty) => return,
                Err(TryRecvError::Disconnected) => Duration::ZERO,
            };
            (self.writing, self.due) = (None, Some(now + INTERVAL.max(took * PAUSE)));
        }
        let steps = run.simulation.world().steps;
        if self.due.is_some_and(|due| now < due) || steps == self.steps || run.past_step().is_some() {
            return;
        }
        let scene = &run.generation.scene;
        let minute = (SECONDS * scene.speed / scene.world.step) as u64;
        let (recorded, path) = (run.recorded_run(steps.saturating_sub(minute)), path.clone());
        let (report, writing) = channel();
        let thread = std::thread::Builder::new().name("last minute".to_owned());
        let started = thread.spawn(move || {
            let start = Instant::now();
            // A replay that cannot be written is missing after a crash; the window goes on.
            let _ = write(&path, recorded);
            let _ = report.send(start.elapsed());
        });
        (self.steps, self.writing) = (steps, started.ok().map(|_| writing));
    }

    /// Removes the replay: the window closes in order.
    pub(crate) fn finish(&mut self) {
        if let Some(writing) = self.writing.take() {
            // The thread would write it again.
            let _ = writing.recv_timeout(INTERVAL);
        }
        if let Some(path) = self.path.take() {
            let _ = remove_written(&path);
        }
    }
}

fn crash_name(number: u32) -> String {
    format!("crash-{number:04}.{EXTENSION}")
}

fn write(path: &Path, recorded: RecordedRun) -> Result<(), String> {
    let text = |error: &dyn std::fmt::Display| error.to_string();
    let replay = recorded.file(Digests::default()).map_err(|fault| fault.summary())?;
    let bytes = replay.to_bytes().map_err(|error| text(&error))?;
    fs::create_dir_all(path.parent().unwrap_or(Path::new("."))).map_err(|error| text(&error))?;
    let mut file = Pending::replace(path).map_err(|error| text(&error))?;
    file.write_all(&bytes).map_err(|error| text(&error))?;
    file.complete().map_err(|error| text(&error))
}

/// Returns true if a process runs; its number may be that of another program by now.
fn is_running(process: u32) -> bool {
    #[cfg(unix)]
    {
        let id = i32::try_from(process).ok().and_then(rustix::process::Pid::from_raw);
        let exists =
            id.is_some_and(|id| rustix::process::test_kill_process(id) != Err(rustix::io::Errno::SRCH));
        // A process that has ended exists until its parent has read its status; `/proc` shows that on Linux.
        let status = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
        exists && !status.rsplit(')').next().is_some_and(|rest| rest.trim_start().starts_with('Z'))
    }
    #[cfg(not(unix))]
    {
        let _ = process;
        false
    }
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::{Keep, Options, ReplayFile};

    use super::*;

    fn session() -> Session {
        let place = Place::built_in("flock.ron");
        let options = Options { threads: Some(1), keep: Keep::USUAL, ..Options::new(place) };
        let mut session: Session = Session::open(options).expect("the scene is valid");
        steps(&mut session, 5);
        session
    }

    fn steps(session: &mut Session, count: u32) {
        (0..count).for_each(|_| assert!(session.simulation.step(&std::sync::atomic::AtomicBool::new(false))));
    }

    fn written(last: &mut LastMinute) {
        let writing = last.writing.take().expect("a write has started");
        writing.recv_timeout(Duration::from_mins(1)).expect("the write is finished");
    }

    #[test]
    fn a_crash_leaves_a_replay_that_ends_with_the_last_state() {
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = session();
        let mut last = LastMinute::new(Some(folder.path().join("replays")));
        let now = Instant::now();
        last.remember(&session, now);
        written(&mut last);
        steps(&mut session, 3);
        last.remember(&session, now + INTERVAL);
        written(&mut last);
        assert_eq!(last.of_crash(), None, "this process runs");
        let path = last.path.clone().expect("a path");
        // No process has this number.
        let left = path.with_file_name("2147483647.replay");
        fs::rename(&path, &left).expect("renamed");
        let found = last.of_crash().expect("a crash");
        assert_eq!(last.of_crash(), None, "it is reported once");
        let replay = ReplayFile::from_bytes(&fs::read(found).expect("a file")).expect("a replay");
        assert_eq!((replay.last, replay.hash), (8, session.simulation.hash()));
    }

    #[test]
    fn nothing_remains_after_an_orderly_end_and_old_replays_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        for number in 1..9 {
            fs::write(folder.path().join(crash_name(number)), "").expect("written");
        }
        let mut last = LastMinute::new(Some(folder.path().to_owned()));
        last.remember(&session(), Instant::now());
        assert_eq!(last.of_crash(), None);
        last.finish();
        let names = read_dir_sorted(folder.path()).expect("a folder");
        let names: Vec<_> = names.iter().filter_map(|path| path.file_name()?.to_str()).collect();
        assert_eq!(names, [5, 6, 7, 8].map(crash_name));
    }
}
