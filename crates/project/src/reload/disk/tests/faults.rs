//! Failures of the file system or of its events cost time and nothing else. Time is simulated: the clock moves to the
//! watcher's next deadline.

use std::fs;
use std::path::PathBuf;
use std::time::{Duration, Instant};

use steerbox_core::diagnostics::expecting_panics;

use super::super::file_watcher::CHECK_EVERY;
use super::super::*;
use super::fakes::{Fake, Faulty, Op};
use super::harness::{Harness, text};

/// Simulated time after which a failure is overcome.
const SECOND: Duration = Duration::from_secs(1);

/// Real files under a simulated clock, with events from the test.
pub(super) struct Case {
    files: Faulty,
    events: Fake,
    pub(super) harness: Harness<Faulty, Fake>,
    now: Instant,
}

impl Case {
    pub(super) fn new() -> Self {
        let (files, events) = (Faulty::default(), Fake::default());
        let harness = Harness::with(files.clone(), events.clone());
        harness.save("scene.ron", "()");
        let now = Instant::now();
        let mut case = Self { files, events, harness, now };
        case.events.mailbox().hint(case.harness.path("scene.ron"), PathEvent::Closed);
        case.recovers("the start");
        case
    }

    fn path(&self) -> PathBuf {
        self.harness.path("a.rhai")
    }

    fn save(&self, text: &str) {
        self.harness.save("a.rhai", text);
    }

    fn save_with_events(&self, text: &str) {
        self.save(text);
        for event in [PathEvent::Written, PathEvent::Closed] {
            self.events.mailbox().hint(self.path(), event);
        }
    }

    /// Polls at every deadline over this much time.
    pub(super) fn pass(&mut self, time: Duration) {
        let end = self.now + time;
        while self.now < end {
            let next = self.harness.watcher.next_deadline().clamp(self.now, end);
            self.files.0.lock().unwrap().passed += next - self.now;
            self.now = next;
            self.harness.poll(next);
        }
    }

    /// Asserts that one second later every report equals the file.
    fn recovers(&mut self, what: &str) {
        self.pass(SECOND);
        self.harness.compare(what);
    }

    fn polling(&self) -> Option<String> {
        self.harness.watcher.polling()
    }

    fn watched(&self) -> usize {
        self.events.get(|switches| switches.watched)
    }
}

#[test]
fn each_operation_on_files_may_fail_once() {
    let mut case = Case::new();
    for op in Op::ALL {
        for spared in 0.. {
            case.files.doom(op, spared, 1);
            let saved = format!("{op:?} {spared}");
            match spared % 2 {
                0 => case.save_with_events(&saved),
                _ => case.save(&saved),
            }
            case.recovers(&saved);
            assert_eq!(case.harness.last("a.rhai"), Some(&text(&saved)));
            if case.files.failed() == 0 {
                assert!(spared > 0, "{op:?} is never done");
                break;
            }
        }
    }
    let reports = case.harness.reports("a.rhai");
    assert!(reports.iter().all(|report| matches!(report, Content::Text(_))), "{reports:?}");
}

#[test]
fn each_operation_on_files_may_fail_for_a_while() {
    let mut case = Case::new();
    for op in Op::ALL {
        case.files.doom(op, 0, usize::MAX);
        case.save_with_events(&format!("{op:?} fails"));
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
    assert_eq!(case.polling().as_deref(), Some("bad descriptor"));
    case.save("opening fails");
    case.recovers("open");
    case.pass(SECOND);
    assert_eq!(case.polling(), None);

    case.events.set(|switches| switches.refuse_watch = 1);
    case.events.mailbox().rescan();
    case.save("watching fails");
    case.recovers("watch");
    assert_eq!(case.polling(), None);

    let watched = case.watched();
    case.events.set(|switches| switches.ignore_unwatch = 1);
    case.events.mailbox().rescan();
    case.save("unwatching fails");
    case.recovers("unwatch");
    assert_eq!(case.polling(), None);
    assert_eq!(case.watched(), watched + 3, "three folders, all anew");
}

#[test]
fn polling_replaces_missing_events_and_reports_the_reason() {
    let mut case = Case::new();
    case.events.set(|switches| switches.refuse_open = usize::MAX);
    case.events.mailbox().failed("too many files".into());
    case.pass(SECOND);
    assert_eq!(case.polling().as_deref(), Some("too many instances"));
    case.save("two");
    case.recovers("no source");
    case.events.set(|switches| (switches.refuse_open, switches.refuse_watch) = (0, usize::MAX));
    case.save("three");
    case.recovers("no watches");
    assert_eq!(case.polling().as_deref(), Some("too many folders"));
    case.events.set(|switches| switches.refuse_watch = 0);
    case.save("four");
    case.recovers("watches");
    assert_eq!(case.polling(), None);
}

#[test]
fn a_source_that_ends_is_reopened() {
    let mut case = Case::new();
    case.events.set(|switches| switches.mailbox = None);
    case.pass(CHECK_EVERY * 2);
    assert_eq!(case.polling().as_deref(), Some("the source of events ended"));
    case.save("two");
    case.recovers("dead");
    assert_eq!(case.polling(), None);
    assert_eq!(case.events.get(|switches| switches.opened), 2);
}

#[test]
fn a_change_without_an_event_is_found_and_reported() {
    let mut case = Case::new();
    case.save("two");
    case.recovers("no event");
    assert_eq!(case.polling().as_deref(), Some("a.rhai changed and no event came"));
    case.save_with_events("three");
    case.recovers("an event");
    assert_eq!(case.polling(), None);
}

#[test]
fn lost_events_and_exchanged_folders_renew_watches() {
    let mut case = Case::new();
    let watched = case.watched();
    case.events.mailbox().rescan();
    case.pass(CHECK_EVERY);
    assert_eq!(case.watched(), watched + 3);
    for _ in 0..2000 {
        case.events.mailbox().hint(case.path(), PathEvent::Closed);
    }
    case.pass(CHECK_EVERY * 2);
    assert_eq!(case.watched(), watched + 6);
    let here = case.path().parent().unwrap().to_owned();
    fs::rename(&here, here.with_file_name("away")).unwrap();
    fs::create_dir(&here).unwrap();
    case.pass(CHECK_EVERY);
    assert_eq!(case.watched(), watched + 7, "without any hint");
}

#[test]
fn a_handler_that_panics_ends_its_thread_and_another_follows() {
    let root = tempfile::tempdir().unwrap();
    let path = root.path().join("a.rhai");
    let watch_set = WatchSet::new().folder(root.path(), "rhai", 1000);
    let (wake, woken) = std::sync::mpsc::channel();
    let panicked = std::sync::atomic::AtomicBool::new(false);
    let mut watcher = FileWatcher::new(watch_set, move || {
        let _ = wake.send(());
        let first = !panicked.swap(true, std::sync::atomic::Ordering::Relaxed);
        assert!(!first, "the handler panics, as this test wants");
    });
    let mut until = |what: &str, done: &dyn Fn(&[Change], Option<String>) -> bool| {
        let patience = Instant::now() + SECOND * 10;
        loop {
            assert!(Instant::now() < patience, "{what}");
            let wait = watcher.next_deadline().saturating_duration_since(Instant::now());
            let _ = woken.recv_timeout(wait);
            // A call of a watcher whose thread has died panics.
            let changes = expecting_panics(|| watcher.poll(Instant::now()));
            if done(&changes, watcher.polling()) {
                return;
            }
        }
    };
    until("it watches", &|_, trouble| trouble.is_none());
    for (saved, watches) in [("one", Some(false)), ("two", Some(true)), ("three", None)] {
        fs::write(&path, saved).unwrap();
        until(saved, &|changes, _| changes.iter().any(|change| change.content == text(saved)));
        if let Some(watches) = watches {
            until("another thread", &|_, trouble| trouble.is_none() == watches);
        }
    }
}

#[test]
fn a_file_written_while_it_is_read_is_torn() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a");
    // The same size, so that only the rest of the fingerprint differs.
    fs::write(&path, "one").unwrap();
    let stamp = std::time::SystemTime::now() - Duration::from_secs(9);
    let file = fs::File::options().write(true).open(&path).unwrap();
    file.set_modified(stamp).unwrap();
    let files = Faulty::default();
    files.0.lock().unwrap().overwritten = Some("two");
    let reading = read::read(&files, &path, 100, None);
    assert!(matches!(reading, read::Reading::Torn), "{reading:?}");
}
