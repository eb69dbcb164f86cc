//! Debouncing of one file: decides from hints, checks and a clock when a content is stable.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::content::{Content, ReadFault};
use super::files::Fingerprint;
use super::hints::PathEvent;
use super::read::{FileVersion, Reading, VersionKey};

/// Debounce time after a close or a rename: editors that write twice do so immediately.
const AFTER_CLOSE: Duration = Duration::from_millis(25);
/// Debounce time after a file with data was created without a write: it was linked, or the event of the write is
/// still to come.
const AFTER_LINK: Duration = Duration::from_millis(50);
/// Debounce time if it is unknown whether the writer is done.
const UNKNOWN: Duration = Duration::from_millis(120);
/// Debounce time if the writer is known not to be done, and for an empty file: many saves begin by truncating it.
const UNFINISHED: Duration = Duration::from_millis(500);
/// Debounce time for an empty file that a program has open: a shell truncates it before it starts the program that
/// fills it, possibly after a password prompt.
const AWAITED: Duration = Duration::from_secs(3);
/// Time until a file that does not exist counts as missing: editors rename it before they write it again.
const AWAY: Duration = Duration::from_millis(150);
/// A file read so soon after a change may change again with the same time stamp.
const YOUNG: i128 = 20_000_000;
/// Interval of reads independent of the fingerprint.
const REREAD: Duration = Duration::from_secs(2);
/// First wait after a torn read; it doubles up to `LONGEST_RETRY`.
pub(super) const RETRY: Duration = Duration::from_millis(2);
const LONGEST_RETRY: Duration = Duration::from_millis(64);

/// A time, by both clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) at: Instant,
    /// The clock for time stamps of files, in nanoseconds since 1970.
    pub(super) wall: i128,
}

/// Result of a check of the path.
#[derive(Clone, Debug)]
pub(super) enum StatResult {
    Gone,
    File(Fingerprint),
    Refused(ReadFault),
}

/// State of one file.
#[derive(Debug)]
pub(super) struct Track {
    /// The file as in the watch set.
    pub(super) path: PathBuf,
    /// Size limit, bytes.
    pub(super) limit: u64,
    /// True if the file is watched only as part of its folder.
    pub(super) listed: bool,
    /// True before the first report after watching started: the age of the file counts as stable time.
    fresh: bool,
    published: Option<VersionKey>,
    pending: Option<Pending>,
    writer: WriterState,
    /// Time of the last event since the last check.
    event_at: Option<Instant>,
    seen: Option<Seen>,
    retry: Option<Retry>,
    coverage: EventCoverage,
    /// True if the reported content was written again.
    is_rewritten: bool,
}

#[derive(Debug)]
struct Pending {
    version: FileVersion,
    /// Time of the last event or check with a change.
    since: Instant,
    /// True if it was reported as a draft.
    is_drafted: bool,
}

/// The last consistent read.
#[derive(Clone, Copy, Debug)]
struct Seen {
    print: Fingerprint,
    at: Instant,
    young: bool,
}

/// Times of writing, by the clock of checks and events.
#[derive(Clone, Copy, Debug)]
struct Stamps {
    /// Time of the content; programs can set it.
    written: Instant,
    /// Time of content or metadata.
    changed: Instant,
}

impl Stamps {
    fn at(now: Instant) -> Self {
        Self { written: now, changed: now }
    }

    fn new(print: Fingerprint, now: Moment) -> Self {
        let when = |stamp: i128| {
            let age = u64::try_from(now.wall - stamp).map_or(Duration::ZERO, Duration::from_nanos);
            now.at.checked_sub(age)
        };
        // Before the start of the clock: long enough ago for every debounce time.
        let long_ago = now.at.checked_sub(UNFINISHED).unwrap_or(now.at);
        Self {
            written: when(print.modified).unwrap_or(long_ago),
            changed: when(print.modified.max(print.changed)).unwrap_or(long_ago),
        }
    }
}

#[derive(Clone, Copy, Debug)]
struct Retry {
    at: Instant,
    wait: Duration,
}

/// State of the file's last writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriterState {
    Closed,
    Made,
    Unknown,
    Writing,
}

/// Coverage of the file's changes by events.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventCoverage {
    /// No event since the last report.
    Unconfirmed,
    /// An event since the last report, or no event expected.
    Covered,
    /// The last report was of a change without an event.
    Missed,
}

impl Track {
    /// Creates a file without known content. `fresh` is true if watching has just started, false if the file was just
    /// created.
    pub(super) fn new(path: PathBuf, limit: u64, listed: bool, fresh: bool) -> Self {
        Self {
            path,
            limit,
            listed,
            fresh,
            // A listed file that is deleted before its first report is not reported as missing.
            published: listed.then_some(VersionKey::Missing),
            pending: None,
            writer: WriterState::Unknown,
            event_at: None,
            seen: None,
            retry: None,
            is_rewritten: false,
            coverage: if fresh { EventCoverage::Covered } else { EventCoverage::Unconfirmed },
        }
    }

    /// Expects no events of earlier changes.
    pub(super) fn expect_no_event(&mut self) {
        self.coverage = EventCoverage::Covered;
    }

    /// Marks `text` as reported.
    pub(super) fn mark_reported(&mut self, text: &str) {
        self.published = Some(VersionKey::new(text));
        self.pending = None;
        self.fresh = false;
        // The next read is of this write.
        self.seen = None;
    }

    /// Returns true, once, if the reported content was written again.
    pub(super) fn take_rewritten(&mut self) -> bool {
        std::mem::take(&mut self.is_rewritten)
    }

    /// Returns true if the last change came without an event.
    pub(super) fn has_missed_event(&self) -> bool {
        self.coverage == EventCoverage::Missed
    }

    /// Records an event of the time `at`.
    pub(super) fn note_event(&mut self, event: PathEvent, at: Instant) {
        self.expect_no_event();
        self.writer = match event {
            PathEvent::Closed => WriterState::Closed,
            PathEvent::Made => WriterState::Made,
            PathEvent::Written => WriterState::Writing,
            PathEvent::Other => return,
        };
        self.event_at = Some(at);
        // A memory mapping writes without events up to the close.
        if let Some(seen) = &mut self.seen {
            seen.young = true;
        }
        if let Some(pending) = &mut self.pending {
            pending.since = at;
        }
    }

    /// Applies the result of a check; returns true if the file must be read.
    pub(super) fn apply_check(&mut self, found: StatResult, now: Moment) -> bool {
        match found {
            StatResult::Gone => self.apply_read(Reading::Gone, now),
            StatResult::Refused(fault) => self.apply_read(Reading::Refused(fault), now),
            StatResult::File(print) => return self.must_read(print, now.at),
        }
        false
    }

    fn must_read(&self, print: Fingerprint, now: Instant) -> bool {
        match (self.retry, self.seen) {
            (Some(retry), _) => now >= retry.at,
            (None, None) => true,
            (None, Some(seen)) => seen.print != print || seen.young || now.duration_since(seen.at) >= REREAD,
        }
    }

    /// Applies the result of a read.
    pub(super) fn apply_read(&mut self, reading: Reading, now: Moment) {
        let (version, stamps) = match reading {
            Reading::Torn => {
                let wait = self.retry.map_or(RETRY, |last| last.wait * 2);
                let wait = wait.min(LONGEST_RETRY);
                let at = now.at + wait;
                self.retry = Some(Retry { at, wait });
                return;
            }
            Reading::Gone => {
                self.seen = None;
                (FileVersion::missing(), Stamps::at(now.at))
            }
            Reading::Refused(fault) => {
                self.seen = None;
                (FileVersion::fault(fault), Stamps::at(now.at))
            }
            Reading::Whole(version, print) => {
                let age = now.wall - print.modified.max(print.changed);
                let is_written = self.seen.is_some_and(|seen| seen.print.modified != print.modified);
                self.is_rewritten |= is_written && self.published.as_ref() == Some(&version.key);
                self.seen = Some(Seen { print, at: now.at, young: age.abs() < YOUNG });
                (version, Stamps::new(print, now))
            }
        };
        self.retry = None;
        self.update_pending(version, stamps, now.at);
    }

    /// Compares a content with the reported and the pending one; only a new content restarts the debounce time.
    fn update_pending(&mut self, version: FileVersion, stamps: Stamps, now: Instant) {
        // Data written after the event belong to another save, whose events are still to come.
        let event_at = self.event_at.take().filter(|at| stamps.written <= *at);
        if self.published.as_ref() == Some(&version.key) {
            self.pending = None;
        } else if self.pending.as_ref().map(|pending| &pending.version.key) != Some(&version.key) {
            let since = match event_at {
                Some(at) if matches!(version.key, VersionKey::Text(_)) => at,
                _ if self.fresh => stamps.changed,
                _ => now,
            };
            // An earlier close is not of this change. An earlier write without a close is.
            if event_at.is_none() && self.writer != WriterState::Writing {
                self.writer = WriterState::Unknown;
            }
            self.pending = Some(Pending { version, since, is_drafted: false });
        }
        self.fresh = false;
    }

    /// Ends a check: returns the content to report, if it is stable and not held back.
    pub(super) fn due(&mut self, now: Instant, is_held: bool) -> Option<Content> {
        if self.retry.is_some() {
            return None;
        }
        self.event_at = None;
        if is_held || self.pending.as_ref()?.quiet_at(self.writer) > now {
            return None;
        }
        let version = self.pending.take()?.version;
        self.coverage = match self.coverage {
            EventCoverage::Covered => EventCoverage::Unconfirmed,
            EventCoverage::Unconfirmed | EventCoverage::Missed => EventCoverage::Missed,
        };
        self.published = Some(version.key);
        Some(version.content)
    }

    /// Returns the pending content of a writer that is done but might write once more, and true if it was returned
    /// before.
    pub(super) fn draft(&mut self) -> Option<(Content, bool)> {
        let is_done = self.writer == WriterState::Closed && self.retry.is_none();
        let pending = self.pending.as_mut().filter(|_| is_done)?;
        let content = &pending.version.content;
        let has_text = matches!(content, Content::Text(text) if !text.trim().is_empty());
        has_text.then(|| (content.clone(), std::mem::replace(&mut pending.is_drafted, true)))
    }

    /// Returns the time of the next check, if this file needs one earlier than the others.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.retry {
            Some(retry) => Some(retry.at),
            None => Some(self.pending.as_ref()?.quiet_at(self.writer)),
        }
    }

    /// Returns true if the content is reported.
    pub(super) fn is_settled(&self) -> bool {
        self.pending.is_none() && self.retry.is_none() && self.published.is_some()
    }

    /// Returns true if the file is gone, reported as missing, and not watched by its name.
    pub(super) fn is_over(&self) -> bool {
        self.listed && self.seen.is_none() && self.published == Some(VersionKey::Missing) && self.is_settled()
    }
}

impl Pending {
    fn quiet_at(&self, writer: WriterState) -> Instant {
        let by_writer = match writer {
            WriterState::Closed => AFTER_CLOSE,
            WriterState::Made => AFTER_LINK,
            WriterState::Unknown => UNKNOWN,
            WriterState::Writing => UNFINISHED,
        };
        let quiet = match &self.version.content {
            Content::Missing => AWAY,
            Content::Text(text) if text.trim().is_empty() => match writer {
                WriterState::Writing | WriterState::Made => AWAITED,
                WriterState::Closed | WriterState::Unknown => UNFINISHED,
            },
            Content::Unreadable(ReadFault::Io(_)) => by_writer.max(UNKNOWN),
            Content::Text(_) | Content::Unreadable(_) => by_writer,
        };
        self.since + quiet
    }
}
