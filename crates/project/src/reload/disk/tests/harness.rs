//! A folder, a `FileWatcher` over it, and a log of what it reported.

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

use super::super::*;

/// Maximum wait for a report before a test fails.
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

pub(super) struct Harness<F: FileSystem = RealFiles, N: Notifier = Events> {
    pub(super) root: PathBuf,
    pub(super) watcher: FileWatcher<F, N>,
    /// Everything reported since the start, by file name.
    pub(super) log: Vec<(String, Content)>,
    /// Number of wakes by events.
    pub(super) wakes: usize,
    woken: Receiver<()>,
    _folder: tempfile::TempDir,
}

/// Returns a harness with `a.rhai` that contains `one`, loaded.
pub(super) fn harness() -> Harness {
    Harness::with(RealFiles, Events(true))
}

/// Returns a harness without events.
pub(super) fn polling() -> Harness {
    Harness::with(RealFiles, Events(false))
}

impl<F: FileSystem, N: Notifier> Harness<F, N> {
    pub(super) fn with(files: F, notifier: N) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().to_path_buf();
        fs::create_dir(root.join("scripts")).unwrap();
        fs::write(root.join("scripts/a.rhai"), "one").unwrap();
        let (wake, woken) = channel();
        let watch_set =
            WatchSet::new().folder(root.join("scripts"), "rhai", LIMIT).file(root.join("scene.ron"), LIMIT);
        let watcher = FileWatcher::with(files, notifier, watch_set, move || {
            let _ = wake.send(());
        });
        let mut harness = Self { root, watcher, log: Vec::new(), wakes: 0, woken, _folder: folder };
        let changes = harness.watcher.read_all();
        harness.note(changes);
        harness
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

    /// Saves, and waits for the report.
    pub(super) fn save_shows(&mut self, name: &str, text: &str) {
        self.save(name, text);
        self.until_text(name, text);
    }

    /// Saves into a temporary file, and renames it.
    pub(super) fn swap(&self, name: &str, text: &str) {
        fs::write(self.path("temporary~"), text).unwrap();
        fs::rename(self.path("temporary~"), self.path(name)).unwrap();
    }

    pub(super) fn remove(&self, name: &str) {
        fs::remove_file(self.path(name)).unwrap();
    }

    /// Polls as the loader does, until the last report of `name` is `content`.
    pub(super) fn until(&mut self, name: &str, content: &Content) {
        self.until_that(&format!("{name} is {content:?}"), |harness| harness.last(name) == Some(content));
    }

    pub(super) fn until_text(&mut self, name: &str, text: &str) {
        self.until(name, &self::text(text));
    }

    pub(super) fn until_that(&mut self, what: &str, done: impl Fn(&Self) -> bool) {
        let patience = Instant::now() + PATIENCE;
        while !done(self) {
            assert!(Instant::now() < patience, "{what}: {:?}", self.log);
            self.step(PATIENCE);
        }
    }

    /// Polls for this long, while another thread acts.
    pub(super) fn run(&mut self, span: Duration) {
        let end = Instant::now() + span;
        while Instant::now() < end {
            self.step(end.saturating_duration_since(Instant::now()));
        }
    }

    fn step(&mut self, longest: Duration) {
        let next = self.watcher.next_deadline();
        let wait = next.saturating_duration_since(Instant::now());
        let woken = self.woken.recv_timeout(wait.min(longest));
        self.wakes += usize::from(woken.is_ok());
        self.poll(Instant::now());
    }

    pub(super) fn poll(&mut self, now: Instant) {
        let changes = self.watcher.poll(now);
        self.note(changes);
    }

    /// Waits until all earlier changes are reported and no debounce time is running, so that nothing after it depends
    /// on timing.
    pub(super) fn rest(&mut self) {
        self.save("z.rhai", "rest");
        self.until_text("z.rhai", "rest");
        for seconds in [5, 10] {
            self.poll(Instant::now() + Duration::from_secs(seconds));
        }
        self.log.retain(|(name, _)| name != "z.rhai");
    }

    pub(super) fn last(&self, name: &str) -> Option<&Content> {
        let mut found = self.log.iter().rev().filter(|(found, _)| found == name);
        found.next().map(|(_, content)| content)
    }

    /// Returns all reports of `name`; a repeated report fails the test.
    pub(super) fn reports(&self, name: &str) -> Vec<Content> {
        let found = self.log.iter().filter(|(found, _)| found == name);
        let reports: Vec<_> = found.map(|(_, content)| content.clone()).collect();
        assert!(reports.windows(2).all(|pair| pair[0] != pair[1]), "{reports:?}");
        reports
    }

    pub(super) fn texts(&self, name: &str) -> Vec<String> {
        let text = |content| match content {
            Content::Text(text) => text.to_string(),
            other => format!("{other:?}"),
        };
        self.reports(name).into_iter().map(text).collect()
    }

    /// Compares the last report of every file with the file.
    pub(super) fn compare(&self, what: &str) {
        let last: BTreeMap<_, _> = self.log.iter().cloned().collect();
        for (name, content) in last {
            let expected = fs::read_to_string(self.path(&name));
            let expected = expected.map_or(Content::Missing, |there| text(&there));
            assert_eq!(content, expected, "{what}: {name}");
        }
    }

    fn note(&mut self, changes: Vec<Change>) {
        for Change { path, content } in changes {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            assert_eq!(path, self.path(&name));
            self.log.push((name, content));
        }
    }
}

pub(super) fn text(text: &str) -> Content {
    Content::Text(text.into())
}
