//! A folder, a `Disk` over it, and a log of what it reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::super::*;

/// Longest wait for a report before a test fails.
const PATIENCE: Duration = Duration::from_secs(10);
pub(super) const LIMIT: u64 = 64 * 1024;

/// The system's events, or none.
pub(super) struct Events(bool);

impl Notifier for Events {
    type Watch = SystemWatch;

    fn open(&mut self, mailbox: Mailbox) -> Result<SystemWatch, WatchError> {
        if self.0 {
            return SystemEvents.open(mailbox);
        }
        Err(WatchError::Refused("no events here".into()))
    }
}

pub(super) struct Bench<F: FileSystem = RealFiles, N: Notifier = Events> {
    pub(super) root: PathBuf,
    pub(super) disk: Disk<F, N>,
    /// Everything reported since the start, by file name.
    pub(super) log: Vec<(String, FileState)>,
    /// How often events called for a look.
    pub(super) wakes: usize,
    woken: Receiver<()>,
    _folder: tempfile::TempDir,
}

/// With `a.rhai` holding `one`, loaded.
pub(super) fn bench() -> Bench {
    Bench::with(RealFiles, Events(true))
}

/// The same without events.
pub(super) fn polling() -> Bench {
    Bench::with(RealFiles, Events(false))
}

impl<F: FileSystem, N: Notifier> Bench<F, N> {
    pub(super) fn with(files: F, notifier: N) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_path_buf();
        fs::create_dir(root.join("scripts")).unwrap();
        fs::write(root.join("scripts/a.rhai"), "one").unwrap();
        let (wake, woken) = channel();
        let interest = Interest::new()
            .folder(root.join("scripts"), "rhai", LIMIT)
            .file(root.join("scene.ron"), LIMIT);
        let disk = Disk::with(files, notifier, interest, move || {
            let _ = wake.send(());
        });
        let mut bench = Self {
            root,
            disk,
            log: Vec::new(),
            wakes: 0,
            woken,
            _folder: folder,
        };
        let changes = bench.disk.read_all();
        bench.note(changes);
        bench
    }

    pub(super) fn path(&self, name: &str) -> PathBuf {
        match name.rsplit_once('.') {
            Some((_, "ron")) => self.root.join(name),
            _ => self.root.join("scripts").join(name),
        }
    }

    /// Saves in place, as most editors do.
    pub(super) fn save(&self, name: &str, text: &str) {
        fs::write(self.path(name), text).unwrap();
    }

    /// Saves beside it, and renames.
    pub(super) fn swap(&self, name: &str, text: &str) {
        fs::write(self.path("temporary~"), text).unwrap();
        fs::rename(self.path("temporary~"), self.path(name)).unwrap();
    }

    pub(super) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Polls as the loader does, until the last report of `name` is `state`.
    pub(super) fn until(&mut self, name: &str, state: &FileState) {
        self.until_that(&format!("{name} is {state:?}"), |bench| {
            bench.last(name) == Some(state)
        });
    }

    pub(super) fn until_text(&mut self, name: &str, text: &str) {
        self.until(name, &content(text));
    }

    pub(super) fn until_that(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let patience = Instant::now() + PATIENCE;
        while !done(self) {
            assert!(Instant::now() < patience, "{what}: {:?}", self.log);
            self.step(PATIENCE);
        }
    }

    /// Polls for this long, in which somebody else acts.
    pub(super) fn run(&mut self, span: Duration) {
        let end = Instant::now() + span;
        while Instant::now() < end {
            self.step(end.saturating_duration_since(Instant::now()));
        }
    }

    fn step(&mut self, longest: Duration) {
        let next = self.disk.next_deadline();
        let wait = next.saturating_duration_since(Instant::now());
        let woken = self.woken.recv_timeout(wait.min(longest));
        self.wakes += usize::from(woken.is_ok());
        let changes = self.disk.poll(Instant::now());
        self.note(changes);
    }

    /// Lets everything come to rest that has happened: a later save has come through, and every
    /// wait is over. Nothing can be asked of the bench's timing after that.
    pub(super) fn rest(&mut self) {
        self.save("z.rhai", "rest");
        self.until_text("z.rhai", "rest");
        for seconds in [5, 10] {
            let changes = self
                .disk
                .poll(Instant::now() + Duration::from_secs(seconds));
            self.note(changes);
        }
        self.log.retain(|(name, _)| name != "z.rhai");
    }

    pub(super) fn last(&self, name: &str) -> Option<&FileState> {
        let mut found = self.log.iter().rev().filter(|(found, _)| found == name);
        found.next().map(|(_, state)| state)
    }

    /// Everything reported of `name`; a report that repeats the one before fails the test.
    pub(super) fn reports(&self, name: &str) -> Vec<FileState> {
        let found = self.log.iter().filter(|(found, _)| found == name);
        let reports: Vec<_> = found.map(|(_, state)| state.clone()).collect();
        assert!(
            reports.windows(2).all(|pair| pair[0] != pair[1]),
            "{reports:?}"
        );
        reports
    }

    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let texts = self.reports(name).into_iter().map(|state| match state {
            FileState::Content(text) => text.to_string(),
            other => format!("{other:?}"),
        });
        texts.collect()
    }

    /// The last report of every file against what is there.
    pub(super) fn compare(&self) {
        let last: BTreeMap<_, _> = self.log.iter().cloned().collect();
        for (name, state) in last {
            let expected = fs::read_to_string(self.path(&name));
            let expected = expected.map_or(FileState::Missing, |text| content(&text));
            assert_eq!(state, expected, "{name}");
        }
    }

    fn note(&mut self, changes: Vec<Change>) {
        for Change { path, state } in changes {
            assert_eq!(path, self.path(&name_of(&path)));
            self.log.push((name_of(&path), state));
        }
    }
}

fn name_of(path: &Path) -> String {
    path.file_name().unwrap().to_string_lossy().into_owned()
}

pub(super) fn content(text: &str) -> FileState {
    FileState::Content(text.into())
}
