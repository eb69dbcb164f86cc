//! The decisions over one file, without any file.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::super::files::Fingerprint;
use super::super::hints::Sign;
use super::super::read::{Key, Outcome, Reading};
use super::super::state::{FileState, ReadFault};
use super::super::track::{Moment, RETRY, Sight, Track};

struct Clock(Moment);

impl Clock {
    fn new() -> Self {
        Self(Moment {
            at: Instant::now(),
            wall: 1_000_000_000_000,
        })
    }
    fn pass(&mut self, milliseconds: u64) {
        self.0.at += Duration::from_millis(milliseconds);
        self.0.wall += i128::from(milliseconds) * 1_000_000;
    }
}

fn text(text: &str) -> Outcome {
    Outcome {
        key: Key::Text(xxhash_rust::xxh3::xxh3_128(text.as_bytes())),
        state: FileState::Content(Arc::from(text)),
    }
}

/// A listed file on a pretended disk.
struct Case {
    clock: Clock,
    track: Track,
    print: Fingerprint,
    text: Option<String>,
    reads: usize,
}

impl Case {
    /// It stands as `one` and is reported.
    fn new() -> Self {
        let mut case = Self {
            clock: Clock::new(),
            track: Track::new("a".into(), 100, true, true),
            print: Fingerprint::default(),
            text: None,
            reads: 0,
        };
        case.save("one");
        case.clock.pass(1000);
        assert_eq!(case.look(), Some(content("one")));
        case
    }
    fn save(&mut self, text: &str) {
        self.text = Some(text.to_owned());
        self.print.size = text.len() as u64;
        self.print.changed = self.clock.0.wall;
        self.print.modified = self.clock.0.wall;
    }
    fn sign(&mut self, sign: Sign) {
        self.track.sign(sign, self.clock.0.at);
    }
    fn look(&mut self) -> Option<FileState> {
        let now = self.clock.0;
        let sight = self
            .text
            .as_ref()
            .map_or(Sight::Gone, |_| Sight::File(self.print));
        if self.track.look(sight, now) {
            self.reads += 1;
            let outcome = text(self.text.as_ref().unwrap());
            self.track.take(Reading::Whole(outcome, self.print), now);
        }
        self.track.due(now.at, false)
    }
    /// Looks every millisecond until something is reported: what, and after how many.
    fn wait(&mut self) -> (FileState, u64) {
        for waited in 0..3000 {
            if let Some(state) = self.look() {
                return (state, waited);
            }
            self.clock.pass(1);
        }
        panic!("nothing reported");
    }
}

fn content(text: &str) -> FileState {
    FileState::Content(text.into())
}

#[test]
fn a_closed_file_is_reported_after_25_ms() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Written);
    assert_eq!(case.look(), None);
    case.sign(Sign::Closed);
    assert_eq!(case.wait(), (content("two"), 25));
}

#[test]
fn without_signs_it_takes_120_ms_and_without_a_close_500() {
    let mut case = Case::new();
    case.save("two");
    assert_eq!(case.wait(), (content("two"), 120));
    case.save("three");
    case.sign(Sign::Written);
    assert_eq!(case.wait(), (content("three"), 500));
}

#[test]
fn an_earlier_close_says_nothing_of_a_later_change() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Closed);
    case.look();
    case.clock.pass(10);
    case.save("thr");
    assert_eq!(case.wait(), (content("thr"), 120));
}

#[test]
fn a_close_that_is_told_late_says_nothing_of_the_next_save() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Closed);
    case.clock.pass(40);
    case.save("thr");
    assert_eq!(case.look(), None);
    case.save("three");
    case.sign(Sign::Written);
    case.sign(Sign::Closed);
    assert_eq!(case.wait(), (content("three"), 25));
}

#[test]
fn rights_changed_after_a_close_do_not_prolong_the_wait() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Closed);
    case.clock.pass(1);
    case.print.changed = case.clock.0.wall;
    assert_eq!(case.wait(), (content("two"), 24));
}

#[test]
fn what_was_mapped_is_read_again_at_the_close() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Written);
    case.look();
    case.clock.pass(30);
    case.look();
    case.text = Some("tow".into());
    case.sign(Sign::Closed);
    assert_eq!(case.wait(), (content("tow"), 25));
}

#[test]
fn an_empty_file_waits_for_its_content() {
    let mut case = Case::new();
    case.save("");
    case.sign(Sign::Closed);
    assert_eq!(case.look(), None);
    case.clock.pass(400);
    assert_eq!(case.look(), None);
    case.save("two");
    case.sign(Sign::Closed);
    assert_eq!(case.wait(), (content("two"), 25));
    case.save("");
    case.sign(Sign::Closed);
    assert_eq!(case.wait(), (content(""), 500));
}

#[test]
fn a_file_that_is_emptied_long_before_it_is_filled_is_not_told_empty() {
    for sign in [Sign::Written, Sign::Made] {
        let mut case = Case::new();
        // As `su somebody -c script > file` does, while it asks who that is.
        case.save("");
        case.sign(sign);
        assert_eq!(case.look(), None);
        for _ in 0..28 {
            case.clock.pass(100);
            assert_eq!(case.look(), None);
        }
        case.save("two");
        case.sign(Sign::Written);
        case.sign(Sign::Closed);
        assert_eq!(case.wait(), (content("two"), 25));
    }
}

#[test]
fn away_for_150_ms_is_missing_and_over() {
    let mut case = Case::new();
    case.text = None;
    case.look();
    case.clock.pass(149);
    assert_eq!(case.look(), None);
    assert!(!case.track.is_over());
    case.save("one");
    assert_eq!(case.look(), None, "back with the same content");
    case.text = None;
    assert_eq!(case.wait(), (FileState::Missing, 150));
    case.look();
    assert!(case.track.is_over());
}

#[test]
fn the_same_content_is_no_news_however_it_came() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Closed);
    case.look();
    case.save("one");
    case.sign(Sign::Closed);
    case.look();
    case.clock.pass(1000);
    assert_eq!(case.look(), None);
    assert!(case.track.is_settled());
}

#[test]
fn a_change_under_the_same_fingerprint_is_found() {
    let mut case = Case::new();
    case.save("two");
    assert_eq!(case.wait().0, content("two"));
    case.text = Some("tow".into());
    let (state, waited) = case.wait();
    assert_eq!(state, content("tow"));
    assert!(waited <= 2120, "{waited}");
    // Just after a change the same stamp may stand for two.
    case.save("six");
    case.look();
    case.text = Some("sxi".into());
    assert_eq!(case.wait(), (content("sxi"), 120));
}

#[test]
fn what_stands_still_is_read_every_two_seconds_only() {
    let mut case = Case::new();
    let before = case.reads;
    for _ in 0..100 {
        case.clock.pass(100);
        assert_eq!(case.look(), None);
    }
    assert_eq!(case.reads - before, 5);
}

#[test]
fn a_torn_read_is_tried_again_and_keeps_its_sign() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Closed);
    let now = case.clock.0;
    assert!(case.track.look(Sight::File(case.print), now));
    case.track.take(Reading::Torn, now);
    assert_eq!(case.track.due(now.at, false), None);
    assert_eq!(case.track.deadline(), Some(now.at + RETRY));
    assert_eq!(case.wait(), (content("two"), 25));
}

#[test]
fn a_refusal_that_passes_is_not_reported() {
    let mut case = Case::new();
    let refused = |case: &mut Case| {
        let fault = ReadFault::from(std::io::Error::other("no"));
        case.track.look(Sight::Refused(fault), case.clock.0);
        case.track.due(case.clock.0.at, false)
    };
    assert_eq!(refused(&mut case), None);
    case.clock.pass(100);
    assert_eq!(case.look(), None);
    assert!(case.track.is_settled());
    assert_eq!(refused(&mut case), None);
    case.clock.pass(120);
    assert!(matches!(refused(&mut case), Some(FileState::Unreadable(_))));
    assert_eq!(case.wait().0, content("one"));
}

#[test]
fn a_file_asked_for_counts_its_age_as_quiet() {
    let mut case = Case::new();
    let anew = || Track::new("a".into(), 100, true, true);
    case.track = anew();
    assert_eq!(case.look(), Some(content("one")));
    case.save("two");
    case.track = anew();
    assert_eq!(case.wait(), (content("two"), 120));
    case.track = Track::new("b".into(), 100, false, true);
    case.text = None;
    assert_eq!(case.wait(), (FileState::Missing, 150));
    assert!(!case.track.is_over());
}

#[test]
fn a_file_that_is_linked_into_place_is_reported_after_50_ms() {
    let mut case = Case::new();
    case.save("two");
    case.sign(Sign::Made);
    assert_eq!(case.wait(), (content("two"), 50));
    case.save("three");
    case.sign(Sign::Made);
    case.sign(Sign::Written);
    assert_eq!(case.wait(), (content("three"), 500));
}

#[test]
fn a_change_that_no_event_spoke_of_is_silent_until_one_does() {
    let mut case = Case::new();
    assert!(!case.track.is_silent());
    case.save("two");
    case.sign(Sign::Closed);
    case.wait();
    assert!(!case.track.is_silent());
    case.save("three");
    case.wait();
    assert!(case.track.is_silent());
    case.sign(Sign::Other);
    assert!(!case.track.is_silent());
}
