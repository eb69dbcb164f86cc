//! What fails, once or for a while, in the file system or in its events, costs time and nothing else.
//! Time is simulated: the clock moves on to whenever the disk wants to be polled.

use std::collections::BTreeMap;
use std::fs;
use std::time::{Duration, Instant};

use super::super::*;
use super::bench::content;
use super::files::{Busy, Faulty, Op};
use super::source::Fake;
use crate::diagnostics::panics_are_wanted;

/// Within this much simulated time what failed is overcome.
const SECOND: Duration = Duration::from_secs(1);
const LIMIT: u64 = 1000;

/// A folder with `a.rhai` and `s.ron` under a clock of its own, and what was last told of it.
struct Case {
    root: tempfile::TempDir,
    files: Faulty,
    events: Fake,
    disk: Disk<Faulty, Fake>,
    now: Instant,
    told: BTreeMap<PathBuf, FileState>,
    log: Vec<FileState>,
}

impl Case {
    fn new() -> Self {
        let root = tempfile::tempdir().unwrap();
        fs::create_dir(root.path().join("scripts")).unwrap();
        fs::write(root.path().join("scripts/a.rhai"), "one").unwrap();
        fs::write(root.path().join("s.ron"), "()").unwrap();
        let interest = Interest::new()
            .folder(root.path().join("scripts"), "rhai", LIMIT)
            .file(root.path().join("s.ron"), LIMIT);
        let (files, events) = (Faulty::default(), Fake::default());
        let disk = Disk::with(files.clone(), events.clone(), interest, || {});
        let mut case = Self {
            root,
            files,
            events,
            disk,
            now: Instant::now(),
            told: BTreeMap::new(),
            log: Vec::new(),
        };
        case.pass(SECOND);
        assert_eq!(case.told.len(), 2);
        case
    }

    fn path(&self) -> PathBuf {
        self.root.path().join("scripts/a.rhai")
    }

    /// Saves, with the events of that if `heard`.
    fn save(&mut self, text: &str, heard: bool) {
        fs::write(self.path(), text).unwrap();
        if heard {
            let mailbox = self.events.mailbox();
            mailbox.hint(self.path(), Sign::Written);
            mailbox.hint(self.path(), Sign::Closed);
        }
    }

    /// Polls whenever the disk wants it, over this much time.
    fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            let next = self.disk.next_deadline().clamp(self.now, end);
            self.files.0.lock().unwrap().passed += next - self.now;
            self.now = next;
            for change in self.disk.poll(self.now) {
                self.log.push(change.state.clone());
                self.told.insert(change.path, change.state);
            }
        }
    }

    /// That a second later everything told is what is there.
    fn recovers(&mut self, what: &str) {
        self.pass(SECOND);
        for (path, told) in &self.told {
            let there = content(&fs::read_to_string(path).unwrap());
            assert_eq!(*told, there, "{what}: {}", path.display());
        }
    }
}

#[test]
fn each_operation_on_files_may_fail_once() {
    let mut case = Case::new();
    for op in Op::ALL {
        for spared in 0.. {
            case.files.doom(op, spared, 1);
            let text = format!("{op:?} {spared}");
            case.save(&text, spared % 2 == 0);
            case.recovers(&text);
            assert_eq!(case.told[&case.path()], content(&text));
            if case.files.failed() == 0 {
                assert!(spared > 0, "{op:?} is never done");
                break;
            }
        }
    }
    let faults = case
        .log
        .iter()
        .filter(|state| !matches!(state, FileState::Content(_)));
    assert_eq!(faults.count(), 0, "{:?}", case.log);
}

#[test]
fn each_operation_on_files_may_fail_for_a_while() {
    let mut case = Case::new();
    for op in Op::ALL {
        case.files.doom(op, 0, usize::MAX);
        case.save(&format!("{op:?} fails"), true);
        case.pass(SECOND * 3);
        assert!(case.files.failed() > 3, "{op:?}");
        case.files.doom(op, 0, 0);
        case.recovers(&format!("{op:?}"));
    }
}

#[test]
fn each_call_of_the_watcher_may_fail_once() {
    let mut case = Case::new();
    case.events.set(|switches| switches.refuse_open = 1);
    case.events.mailbox().failed("bad descriptor".into());
    case.pass(Duration::from_millis(1));
    assert_eq!(case.disk.polling().as_deref(), Some("bad descriptor"));
    case.save("opening fails", false);
    case.recovers("open");
    case.pass(SECOND);
    assert_eq!(case.disk.polling(), None);

    case.events.set(|switches| switches.refuse_watch = 1);
    case.events.mailbox().rescan();
    case.save("watching fails", false);
    case.recovers("watch");
    assert_eq!(case.disk.polling(), None);

    let watched = case.events.get(|switches| switches.watched);
    case.events.set(|switches| switches.ignore_unwatch = 1);
    case.events.mailbox().rescan();
    case.save("unwatching fails", false);
    case.recovers("unwatch");
    assert_eq!(case.disk.polling(), None);
    let again = case.events.get(|switches| switches.watched);
    assert_eq!(again, watched + 3, "three folders, all anew");
}

#[test]
fn without_events_polling_serves_says_why_and_ends_when_they_come_back() {
    let mut case = Case::new();
    case.events
        .set(|switches| switches.refuse_open = usize::MAX);
    case.events.mailbox().failed("too many files".into());
    case.pass(SECOND);
    assert_eq!(case.disk.polling().as_deref(), Some("too many instances"));
    case.save("two", false);
    case.recovers("no source");
    case.events
        .set(|switches| (switches.refuse_open, switches.refuse_watch) = (0, usize::MAX));
    case.save("three", false);
    case.recovers("no watches");
    assert_eq!(case.disk.polling().as_deref(), Some("too many folders"));
    case.events.set(|switches| switches.refuse_watch = 0);
    case.save("four", false);
    case.recovers("watches");
    assert_eq!(case.disk.polling(), None);
}

#[test]
fn a_source_that_dies_is_opened_anew() {
    let mut case = Case::new();
    case.events.set(|switches| switches.mailbox = None);
    case.pass(LOOK * 2);
    assert_eq!(
        case.disk.polling().as_deref(),
        Some("the source of events ended")
    );
    case.save("two", false);
    case.recovers("dead");
    assert_eq!(case.disk.polling(), None);
    assert_eq!(case.events.get(|switches| switches.opened), 2);
}

#[test]
fn a_change_that_no_event_told_is_found_and_said() {
    let mut case = Case::new();
    case.save("two", false);
    case.recovers("silence");
    let trouble = case.disk.polling();
    assert_eq!(trouble.as_deref(), Some("a.rhai changed and no event came"));
    case.save("three", true);
    case.recovers("a voice");
    assert_eq!(case.disk.polling(), None);
}

#[test]
fn lost_events_put_every_watch_anew() {
    let mut case = Case::new();
    let watched = case.events.get(|switches| switches.watched);
    case.events.mailbox().rescan();
    case.pass(LOOK);
    assert_eq!(case.events.get(|switches| switches.watched), 2 * watched);
    for _ in 0..2000 {
        case.events.mailbox().hint(case.path(), Sign::Closed);
    }
    case.pass(LOOK * 2);
    assert_eq!(case.events.get(|switches| switches.watched), 3 * watched);
}

#[test]
fn a_folder_exchanged_without_a_hint_is_watched_anew() {
    let mut case = Case::new();
    let watched = case.events.get(|switches| switches.watched);
    let here = case.root.path().join("scripts");
    fs::rename(&here, case.root.path().join("away")).unwrap();
    fs::create_dir(&here).unwrap();
    case.pass(LOOK);
    assert_eq!(case.events.get(|switches| switches.watched), watched + 1);
}

#[test]
fn a_handler_that_panics_takes_its_thread_along_and_another_follows() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.rhai");
    let interest = Interest::new().folder(root.path(), "rhai", LIMIT);
    let (wake, woken) = std::sync::mpsc::channel();
    let panicked = std::sync::atomic::AtomicBool::new(false);
    let mut disk = Disk::new(interest, move || {
        let _ = wake.send(());
        let first = !panicked.swap(true, std::sync::atomic::Ordering::Relaxed);
        assert!(!first, "the handler panics, as this test wants");
    });
    let mut until = |what: &str, done: &dyn Fn(&[Change], Option<String>) -> bool| {
        let patience = Instant::now() + SECOND * 10;
        loop {
            assert!(Instant::now() < patience, "{what}");
            let wait = disk
                .next_deadline()
                .saturating_duration_since(Instant::now());
            let _ = woken.recv_timeout(wait);
            // To ask a watcher whose thread is dead panics.
            let changes = panics_are_wanted(|| disk.poll(Instant::now()));
            if done(&changes, disk.polling()) {
                return;
            }
        }
    };
    let shows = |text: &'static str| {
        move |changes: &[Change], _| changes.iter().any(|change| change.state == content(text))
    };
    until("it watches", &|_, trouble| trouble.is_none());
    fs::write(&path, "one").unwrap();
    until("one", &shows("one"));
    until("the thread is dead", &|_, trouble| trouble.is_some());
    fs::write(&path, "two").unwrap();
    until("two", &shows("two"));
    until("another thread", &|_, trouble| trouble.is_none());
    fs::write(&path, "three").unwrap();
    until("three", &shows("three"));
}

#[test]
fn a_file_written_while_it_is_read_is_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    // The same size, so that only the rest of the fingerprint tells.
    fs::write(&path, "one").unwrap();
    let stamp = std::time::SystemTime::now() - Duration::from_secs(9);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(stamp).unwrap();
    let reading = read::read(&Busy, &path, 100, None);
    assert!(matches!(reading, read::Reading::Torn), "{reading:?}");
}
