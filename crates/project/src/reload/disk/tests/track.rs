//! Debouncing of one file, without real files.

use std::time::{Duration, Instant};

use super::super::content::{Content, ReadFault};
use super::super::files::Fingerprint;
use super::super::hints::PathEvent;
use super::super::read::{FileVersion, Reading};
use super::super::track::{Moment, RETRY, StatResult, Track};
use super::harness::text;

/// A listed file on a simulated disk.
struct Case {
    now: Moment,
    track: Track,
    print: Fingerprint,
    text: Option<String>,
    reads: usize,
}

impl Case {
    /// Creates a reported file that contains `one`.
    fn new() -> Self {
        let (at, wall) = (Instant::now(), 1_000_000_000_000);
        let mut case = Self {
            now: Moment { at, wall },
            track: Track::new("a".into(), 100, true, true),
            print: Fingerprint::default(),
            text: None,
            reads: 0,
        };
        case.save("one");
        case.pass(1000);
        assert_eq!(case.look(), Some(text("one")));
        case
    }

    fn pass(&mut self, milliseconds: u64) {
        self.now.at += Duration::from_millis(milliseconds);
        self.now.wall += i128::from(milliseconds) * 1_000_000;
    }

    fn save(&mut self, text: &str) {
        self.text = Some(text.to_owned());
        self.print.size = text.len() as u64;
        (self.print.changed, self.print.modified) = (self.now.wall, self.now.wall);
    }

    fn event(&mut self, event: PathEvent) {
        self.track.note_event(event, self.now.at);
    }

    /// Saves, with the event of a close.
    fn save_closed(&mut self, text: &str) {
        self.save(text);
        self.event(PathEvent::Closed);
    }

    fn look(&mut self) -> Option<Content> {
        let found = match self.text {
            None => StatResult::Gone,
            Some(_) => StatResult::File(self.print),
        };
        if self.track.apply_check(found, self.now) {
            self.reads += 1;
            let version = FileVersion::from_text(self.text.as_ref().unwrap());
            self.track.apply_read(Reading::Whole(version, self.print), self.now);
        }
        self.track.due(self.now.at, false)
    }

    /// Checks every millisecond until a report; returns it and its time.
    fn wait(&mut self) -> (Content, u64) {
        for waited in 0..3000 {
            if let Some(content) = self.look() {
                return (content, waited);
            }
            self.pass(1);
        }
        panic!("nothing reported");
    }
}

impl Case {
    /// Carries out one act: a change of the file, or an expected report after a number of milliseconds.
    fn act(&mut self, act: &str) {
        match act.split(' ').collect::<Vec<_>>()[..] {
            ["save", text] => self.save(text),
            ["empty"] => self.save(""),
            // Another text under the same fingerprint.
            ["map", text] => self.text = Some(text.to_owned()),
            ["permit"] => self.print.changed = self.now.wall,
            ["remove"] => self.text = None,
            ["written"] => self.event(PathEvent::Written),
            ["closed"] => self.event(PathEvent::Closed),
            ["made"] => self.event(PathEvent::Made),
            ["pass", milliseconds] => self.pass(milliseconds.parse().unwrap()),
            ["silent"] => assert_eq!(self.look(), None),
            ["reports", expected, after] => {
                assert_eq!(self.wait(), (text(expected), after.parse().unwrap()));
            }
            ["reports-empty", after] => assert_eq!(self.wait(), (text(""), after.parse().unwrap())),
            ["reports-missing", after] => {
                assert!(!self.track.is_over());
                assert_eq!(self.wait(), (Content::Missing, after.parse().unwrap()));
                self.look();
                assert!(self.track.is_over());
            }
            _ => panic!("{act}"),
        }
    }
}

#[test]
fn a_content_counts_once_it_is_stable_for_as_long_as_its_save_asks_for() {
    let idle = ["pass 100, silent"; 28].join(", ");
    for acts in [
        "save two, written, silent, closed, reports two 25",
        "save two, reports two 120",
        "save two, written, reports two 500",
        "save two, made, reports two 50",
        "save two, made, written, reports two 500",
        // An earlier close is not of a later change, and a late one is not of the next save.
        "save two, closed, silent, pass 10, save thr, reports thr 120",
        "save two, closed, pass 40, save thr, silent, save three, written, closed, reports three 25",
        "save two, closed, pass 1, permit, reports two 24",
        // A memory mapping writes without events up to the close.
        "save two, written, silent, pass 30, silent, map tow, closed, reports tow 25",
        "empty, closed, silent, pass 400, silent, save two, closed, reports two 25",
        "empty, closed, reports-empty 500",
        // Like `su somebody -c script > file`, during the password prompt.
        &format!("empty, written, silent, {idle}, save two, written, closed, reports two 25"),
        &format!("empty, made, silent, {idle}, save two, written, closed, reports two 25"),
        "remove, silent, pass 149, silent, save one, silent, remove, reports-missing 150",
        "save two, closed, silent, save one, closed, silent, pass 1000, silent",
    ] {
        println!("{acts}");
        let mut case = Case::new();
        acts.split(", ").for_each(|act| case.act(act));
        assert!(case.track.is_settled(), "{acts}");
    }
}

#[test]
fn a_change_under_the_same_fingerprint_is_found() {
    let mut case = Case::new();
    case.save("two");
    assert_eq!(case.wait().0, text("two"));
    case.text = Some("tow".into());
    let (content, waited) = case.wait();
    assert_eq!(content, text("tow"));
    assert!(waited <= 2120, "{waited}");
    // Shortly after a change, the same stamp may be of two contents.
    case.save("six");
    case.look();
    case.text = Some("sxi".into());
    assert_eq!(case.wait(), (text("sxi"), 120));
}

#[test]
fn a_stable_file_is_read_every_two_seconds_only() {
    let mut case = Case::new();
    let before = case.reads;
    for _ in 0..100 {
        case.pass(100);
        assert_eq!(case.look(), None);
    }
    assert_eq!(case.reads - before, 5);
}

#[test]
fn a_torn_read_is_tried_again_and_keeps_its_event() {
    let mut case = Case::new();
    case.save_closed("two");
    let now = case.now;
    assert!(case.track.apply_check(StatResult::File(case.print), now));
    case.track.apply_read(Reading::Torn, now);
    assert_eq!(case.track.due(now.at, false), None);
    assert_eq!(case.track.deadline(), Some(now.at + RETRY));
    assert_eq!(case.wait(), (text("two"), 25));
}

#[test]
fn a_refusal_that_passes_is_not_reported() {
    let mut case = Case::new();
    let refused = |case: &mut Case| {
        let fault = ReadFault::from(std::io::Error::other("no"));
        case.track.apply_check(StatResult::Refused(fault), case.now);
        case.track.due(case.now.at, false)
    };
    assert_eq!(refused(&mut case), None);
    case.pass(100);
    assert_eq!(case.look(), None);
    assert!(case.track.is_settled());
    assert_eq!(refused(&mut case), None);
    case.pass(120);
    assert!(matches!(refused(&mut case), Some(Content::Unreadable(_))));
    assert_eq!(case.wait().0, text("one"));
}

#[test]
fn the_age_of_a_file_counts_when_watching_begins() {
    let mut case = Case::new();
    let anew = || Track::new("a".into(), 100, true, true);
    case.track = anew();
    assert_eq!(case.look(), Some(text("one")));
    case.save("two");
    case.track = anew();
    assert_eq!(case.wait(), (text("two"), 120));
    case.track = Track::new("b".into(), 100, false, true);
    case.text = None;
    assert_eq!(case.wait(), (Content::Missing, 150));
    assert!(!case.track.is_over());
}

#[test]
fn a_change_without_an_event_is_missed_until_an_event_comes() {
    let mut case = Case::new();
    assert!(!case.track.has_missed_event());
    case.save_closed("two");
    case.wait();
    assert!(!case.track.has_missed_event());
    case.save("three");
    case.wait();
    assert!(case.track.has_missed_event());
    case.event(PathEvent::Other);
    assert!(!case.track.has_missed_event());
}

#[test]
fn a_text_whose_writer_is_done_is_a_draft_while_it_is_waited_for() {
    let mut case = Case::new();
    assert_eq!(case.track.draft(), None);
    case.save_closed("two");
    assert_eq!(case.look(), None);
    assert_eq!(case.track.draft(), Some((text("two"), false)));
    assert_eq!(case.track.draft(), Some((text("two"), true)), "the draft is known");
    // Written once more before the report.
    case.pass(5);
    case.save("three");
    case.event(PathEvent::Written);
    assert_eq!(case.look(), None);
    assert_eq!(case.track.draft(), None, "its writer is not done");
    case.event(PathEvent::Closed);
    assert_eq!(case.look(), None);
    assert_eq!(case.track.draft(), Some((text("three"), false)));
    case.pass(25);
    assert_eq!(case.look(), Some(text("three")));
    assert_eq!(case.track.draft(), None);
    // Truncated, as at the start of a save.
    case.save_closed(" ");
    assert_eq!((case.look(), case.track.draft()), (None, None));
}

#[test]
fn the_reported_content_written_again_is_noted_once_and_not_reported() {
    let mut case = Case::new();
    assert!(!case.track.take_rewritten());
    case.pass(500);
    case.save_closed("one");
    assert_eq!(case.look(), None);
    assert_eq!([case.track.take_rewritten(), case.track.take_rewritten()], [true, false]);
    case.pass(500);
    case.save_closed("two");
    assert_eq!(case.wait().0, text("two"));
    assert!(!case.track.take_rewritten(), "another content is reported instead");
    // A write of this program.
    case.save("three");
    case.track.mark_reported("three");
    assert_eq!(case.look(), None);
    assert!(!case.track.take_rewritten());
}
