//! When the content of one file counts: pure decisions over hints, checks and a clock.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::content::{Content, ReadFault};
use super::files::Fingerprint;
use super::hints::PathEvent;
use super::read::{FileVersion, Reading, VersionKey};

/// Stable for this long after a close or a rename: editors that write twice do so at once.
const AFTER_CLOSE: Duration = Duration::from_millis(25);
/// After a file with data was made and no write was seen: it was linked, or the event of the write is
/// still to come.
const AFTER_LINK: Duration = Duration::from_millis(50);
/// Where it is unknown whether the writer is done.
const UNKNOWN: Duration = Duration::from_millis(120);
/// Where the writer is known not to be done, and for an empty file: many saves begin by emptying it.
const UNFINISHED: Duration = Duration::from_millis(500);
/// For an empty file that a program has open: a shell empties it before it even starts the program
/// that fills it, which may first ask for a password.
const AWAITED: Duration = Duration::from_secs(3);
/// How long a file is away before it counts as missing: editors rename it before they write it anew.
const AWAY: Duration = Duration::from_millis(150);
/// A file read so soon after it changed may change again under the same time stamp.
const YOUNG: i128 = 20_000_000;
/// Files are read this often whatever their fingerprint says.
const REREAD: Duration = Duration::from_secs(2);
/// First wait after a read that the writer disturbed; it doubles up to `LONGEST_RETRY`.
pub(super) const RETRY: Duration = Duration::from_millis(2);
const LONGEST_RETRY: Duration = Duration::from_millis(64);

/// A moment, by both clocks.
#[derive(Clone, Copy, Debug)]
pub(super) struct Moment {
    pub(super) at: Instant,
    /// The clock that stamps files, in nanoseconds since 1970.
    pub(super) wall: i128,
}

/// What a check of the path found.
#[derive(Clone, Debug)]
pub(super) enum StatResult {
    Gone,
    File(Fingerprint),
    Refused(ReadFault),
}

/// What is known of one file.
#[derive(Debug)]
pub(super) struct Track {
    /// The file as the watch set names it.
    pub(super) path: PathBuf,
    /// The most it may have, in bytes.
    pub(super) limit: u64,
    /// Whether it is here only because its folder lists it.
    pub(super) listed: bool,
    /// Not reported yet because watching has only just begun: its age counts as time that it was stable.
    fresh: bool,
    published: Option<VersionKey>,
    pending: Option<Pending>,
    writer: WriterState,
    /// When the last event since the last check came.
    event_at: Option<Instant>,
    seen: Option<Seen>,
    retry: Option<Retry>,
    coverage: EventCoverage,
}

#[derive(Debug)]
struct Pending {
    version: FileVersion,
    /// The last event or check that found a change.
    since: Instant,
    /// Whether it was told as a draft.
    is_drafted: bool,
}

/// The last whole reading.
#[derive(Clone, Copy, Debug)]
struct Seen {
    print: Fingerprint,
    at: Instant,
    young: bool,
}

/// When a content was written, by the clock of checks and events.
#[derive(Clone, Copy, Debug)]
struct Stamps {
    /// Its data; programs can set this time.
    written: Instant,
    /// Anything of it.
    changed: Instant,
}

impl Stamps {
    fn at(now: Instant) -> Self {
        Self { written: now, changed: now }
    }

    fn of(print: Fingerprint, now: Moment) -> Self {
        let when = |stamp: i128| {
            let age = u64::try_from(now.wall - stamp).map_or(Duration::ZERO, Duration::from_nanos);
            now.at.checked_sub(age)
        };
        // Older than the clock itself: long enough ago for every wait.
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

/// What is known of the file's last writer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum WriterState {
    Closed,
    Made,
    Unknown,
    Writing,
}

/// Whether events cover the changes of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum EventCoverage {
    /// No event since the last report.
    Unconfirmed,
    /// There was one since the last report, or none could be expected.
    Covered,
    /// The last report was of a change without an event.
    Missed,
}

impl Track {
    /// A file of which nothing is known. `fresh`: watching has just begun; else the file was just made.
    pub(super) fn new(path: PathBuf, limit: u64, listed: bool, fresh: bool) -> Self {
        Self {
            path,
            limit,
            listed,
            fresh,
            // A listed file that is gone before it was reported need not be reported as missing.
            published: listed.then_some(VersionKey::Missing),
            pending: None,
            writer: WriterState::Unknown,
            event_at: None,
            seen: None,
            retry: None,
            coverage: if fresh { EventCoverage::Covered } else { EventCoverage::Unconfirmed },
        }
    }

    /// Expects no event of what happened up to now.
    pub(super) fn expect_no_event(&mut self) {
        self.coverage = EventCoverage::Covered;
    }

    /// Counts `text` as reported.
    pub(super) fn mark_reported(&mut self, text: &str) {
        self.published = Some(VersionKey::of(text));
        self.pending = None;
        self.fresh = false;
    }

    /// Whether the last change came without an event.
    pub(super) fn has_missed_event(&self) -> bool {
        self.coverage == EventCoverage::Missed
    }

    /// Notes an event of the time `at`.
    pub(super) fn note_event(&mut self, event: PathEvent, at: Instant) {
        self.expect_no_event();
        self.writer = match event {
            PathEvent::Closed => WriterState::Closed,
            PathEvent::Made => WriterState::Made,
            PathEvent::Written => WriterState::Writing,
            PathEvent::Other => return,
        };
        self.event_at = Some(at);
        // A memory mapping writes without any event, up to the close.
        if let Some(seen) = &mut self.seen {
            seen.young = true;
        }
        if let Some(pending) = &mut self.pending {
            pending.since = at;
        }
    }

    /// Takes the result of a check; whether the file is to be read now.
    pub(super) fn look(&mut self, found: StatResult, now: Moment) -> bool {
        match found {
            StatResult::Gone => self.take(Reading::Gone, now),
            StatResult::Refused(fault) => self.take(Reading::Refused(fault), now),
            StatResult::File(print) => return self.wants(print, now.at),
        }
        false
    }

    fn wants(&self, print: Fingerprint, now: Instant) -> bool {
        match (self.retry, self.seen) {
            (Some(retry), _) => now >= retry.at,
            (None, None) => true,
            (None, Some(seen)) => seen.print != print || seen.young || now.duration_since(seen.at) >= REREAD,
        }
    }

    /// Takes the result of the read that `look` asked for.
    pub(super) fn take(&mut self, reading: Reading, now: Moment) {
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
                self.seen = Some(Seen { print, at: now.at, young: age.abs() < YOUNG });
                (version, Stamps::of(print, now))
            }
        };
        self.retry = None;
        self.weigh(version, stamps, now.at);
    }

    /// Compares with what is reported or about to be; only a new content restarts the wait.
    fn weigh(&mut self, version: FileVersion, stamps: Stamps, now: Instant) {
        // What was written after the event is another save, whose own events are still to come.
        let event_at = self.event_at.take().filter(|at| stamps.written <= *at);
        if self.published.as_ref() == Some(&version.key) {
            self.pending = None;
        } else if self.pending.as_ref().map(|pending| &pending.version.key) != Some(&version.key) {
            let since = match event_at {
                Some(at) if matches!(version.key, VersionKey::Text(_)) => at,
                _ if self.fresh => stamps.changed,
                _ => now,
            };
            // An earlier close says nothing about this change. An earlier write without a close does.
            if event_at.is_none() && self.writer != WriterState::Writing {
                self.writer = WriterState::Unknown;
            }
            self.pending = Some(Pending { version, since, is_drafted: false });
        }
        self.fresh = false;
    }

    /// Ends a check: the content to report, if it has been stable for long enough and is not held back.
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

    /// The content that is only waited for because its writer, which is done, might write once more; and whether it
    /// was told before.
    pub(super) fn draft(&mut self) -> Option<(Content, bool)> {
        let is_done = self.writer == WriterState::Closed && self.retry.is_none();
        let pending = self.pending.as_mut().filter(|_| is_done)?;
        let content = &pending.version.content;
        let has_text = matches!(content, Content::Text(text) if !text.trim().is_empty());
        has_text.then(|| (content.clone(), std::mem::replace(&mut pending.is_drafted, true)))
    }

    /// When this file must be checked again, if sooner than the others.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.retry {
            Some(retry) => Some(retry.at),
            None => Some(self.pending.as_ref()?.quiet_at(self.writer)),
        }
    }

    /// Whether it stands as reported.
    pub(super) fn is_settled(&self) -> bool {
        self.pending.is_none() && self.retry.is_none() && self.published.is_some()
    }

    /// Whether it is gone, reported so, and not watched by its name.
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
