//! One file's way from hints and looks to a report: pure decisions over values and a clock.

use std::path::PathBuf;
use std::time::{Duration, Instant};

use super::files::Fingerprint;
use super::hints::Sign;
use super::read::{Key, Outcome, Reading};
use super::state::{FileState, ReadFault};

/// Quiet after a close or a rename: editors that write twice do so at once.
const AFTER_CLOSE: Duration = Duration::from_millis(25);
/// Quiet after a file with data was made and nobody was seen writing: it was linked, or the sign of the
/// write is on its way.
const AFTER_LINK: Duration = Duration::from_millis(50);
/// Quiet when nothing tells whether the writer is done.
const UNKNOWN: Duration = Duration::from_millis(120);
/// Quiet when the writer is known not to be done, and for an empty file, which is how many a save
/// begins.
const UNFINISHED: Duration = Duration::from_millis(500);
/// Quiet of an empty file that somebody has open: a shell empties it before it even starts the program
/// that is to fill it, which may first become another user.
const AWAITED: Duration = Duration::from_secs(3);
/// How long a file is away before it counts as missing: editors rename it away to write anew.
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

/// What a look at the path found.
#[derive(Clone, Debug)]
pub(super) enum Sight {
    Gone,
    File(Fingerprint),
    Refused(ReadFault),
}

/// What is known of one file.
#[derive(Debug)]
pub(super) struct Track {
    /// The file as the interest named it.
    pub(super) path: PathBuf,
    /// The most it may have, in bytes.
    pub(super) limit: u64,
    /// Whether it is here only because its folder lists it.
    pub(super) listed: bool,
    /// Not reported yet because it was only just asked for: its age counts as quiet.
    fresh: bool,
    published: Option<Key>,
    pending: Option<Pending>,
    mood: Mood,
    /// When the last sign since the last look came.
    signed: Option<Instant>,
    seen: Option<Seen>,
    retry: Option<Retry>,
    voice: Voice,
}

#[derive(Debug)]
struct Pending {
    outcome: Outcome,
    /// The last sign of a change.
    since: Instant,
}

/// The last whole reading.
#[derive(Clone, Copy, Debug)]
struct Seen {
    print: Fingerprint,
    at: Instant,
    young: bool,
}

/// When a content came to be, by the clock of looks and signs.
#[derive(Clone, Copy, Debug)]
struct Stamps {
    /// Its data, as far as programs do not say otherwise.
    written: Instant,
    /// Anything of it.
    changed: Instant,
}

impl Stamps {
    fn at(now: Instant) -> Self {
        Self {
            written: now,
            changed: now,
        }
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
enum Mood {
    Closed,
    Made,
    Unknown,
    Writing,
}

/// Whether events speak of the file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Voice {
    /// Not since the last report.
    Unheard,
    /// Since the last report, or none could be expected.
    Heard,
    /// The last report was of a change that no event spoke of.
    Silent,
}

impl Track {
    /// A file of which nothing is known. `fresh`: it was just asked for, rather than just made.
    pub(super) fn new(path: PathBuf, limit: u64, listed: bool, fresh: bool) -> Self {
        Self {
            path,
            limit,
            listed,
            fresh,
            // A listed file that is gone before it was reported need not be reported as missing.
            published: listed.then_some(Key::Missing),
            pending: None,
            mood: Mood::Unknown,
            signed: None,
            seen: None,
            retry: None,
            voice: if fresh { Voice::Heard } else { Voice::Unheard },
        }
    }

    /// Expects no event of what happened up to now.
    pub(super) fn excuse(&mut self) {
        self.voice = Voice::Heard;
    }

    /// Counts `text` as reported.
    pub(super) fn know(&mut self, text: &str) {
        self.published = Some(Key::of(text));
        self.pending = None;
        self.fresh = false;
    }

    /// Whether events fail to speak of the file.
    pub(super) fn is_silent(&self) -> bool {
        self.voice == Voice::Silent
    }

    /// Takes a hint of the time `at`.
    pub(super) fn sign(&mut self, sign: Sign, at: Instant) {
        self.excuse();
        self.mood = match sign {
            Sign::Closed => Mood::Closed,
            Sign::Made => Mood::Made,
            Sign::Written => Mood::Writing,
            Sign::Other => return,
        };
        self.signed = Some(at);
        // A mapping writes without a trace, up to the close.
        if let Some(seen) = &mut self.seen {
            seen.young = true;
        }
        if let Some(pending) = &mut self.pending {
            pending.since = at;
        }
    }

    /// Takes a look at the path; whether the file is to be read now.
    pub(super) fn look(&mut self, sight: Sight, now: Moment) -> bool {
        match sight {
            Sight::Gone => self.take(Reading::Gone, now),
            Sight::Refused(fault) => self.take(Reading::Refused(fault), now),
            Sight::File(print) => return self.wants(print, now.at),
        }
        false
    }

    fn wants(&self, print: Fingerprint, now: Instant) -> bool {
        match (self.retry, self.seen) {
            (Some(retry), _) => now >= retry.at,
            (None, None) => true,
            (None, Some(seen)) => {
                seen.print != print || seen.young || now.duration_since(seen.at) >= REREAD
            }
        }
    }

    /// Takes the result of the read that `look` asked for.
    pub(super) fn take(&mut self, reading: Reading, now: Moment) {
        let (outcome, stamps) = match reading {
            Reading::Torn => {
                let wait = self.retry.map_or(RETRY, |last| last.wait * 2);
                let wait = wait.min(LONGEST_RETRY);
                let at = now.at + wait;
                self.retry = Some(Retry { at, wait });
                return;
            }
            Reading::Gone => {
                self.seen = None;
                (Outcome::missing(), Stamps::at(now.at))
            }
            Reading::Refused(fault) => {
                self.seen = None;
                (Outcome::fault(fault), Stamps::at(now.at))
            }
            Reading::Whole(outcome, print) => {
                let age = now.wall - print.modified.max(print.changed);
                self.seen = Some(Seen {
                    print,
                    at: now.at,
                    young: age.abs() < YOUNG,
                });
                (outcome, Stamps::of(print, now))
            }
        };
        self.retry = None;
        self.weigh(outcome, stamps, now.at);
    }

    /// Compares with what is reported or about to be; only news starts the wait for quiet anew.
    fn weigh(&mut self, outcome: Outcome, stamps: Stamps, now: Instant) {
        // What was written after the sign is another save, whose signs are on their way.
        let signed = self.signed.take().filter(|at| stamps.written <= *at);
        if self.published.as_ref() == Some(&outcome.key) {
            self.pending = None;
        } else if self.pending.as_ref().map(|pending| &pending.outcome.key) != Some(&outcome.key) {
            let since = match signed {
                Some(at) if matches!(outcome.key, Key::Text(_)) => at,
                _ if self.fresh => stamps.changed,
                _ => now,
            };
            // An earlier close says nothing of this change. An earlier write without a close does.
            if signed.is_none() && self.mood != Mood::Writing {
                self.mood = Mood::Unknown;
            }
            self.pending = Some(Pending { outcome, since });
        }
        self.fresh = false;
    }

    /// Ends a look: the state to report, if one has held still for long enough and is not to be held back.
    pub(super) fn due(&mut self, now: Instant, is_held: bool) -> Option<FileState> {
        if self.retry.is_some() {
            return None;
        }
        self.signed = None;
        if is_held || self.pending.as_ref()?.quiet_at(self.mood) > now {
            return None;
        }
        let outcome = self.pending.take()?.outcome;
        self.voice = match self.voice {
            Voice::Heard => Voice::Unheard,
            Voice::Unheard | Voice::Silent => Voice::Silent,
        };
        self.published = Some(outcome.key);
        Some(outcome.state)
    }

    /// When this file must be looked at again, if sooner than any other.
    pub(super) fn deadline(&self) -> Option<Instant> {
        match self.retry {
            Some(retry) => Some(retry.at),
            None => Some(self.pending.as_ref()?.quiet_at(self.mood)),
        }
    }

    /// Whether it stands as reported.
    pub(super) fn is_settled(&self) -> bool {
        self.pending.is_none() && self.retry.is_none() && self.published.is_some()
    }

    /// Whether it is gone, reported so, and nobody asked for it by name.
    pub(super) fn is_over(&self) -> bool {
        self.listed
            && self.seen.is_none()
            && self.published == Some(Key::Missing)
            && self.is_settled()
    }
}

impl Pending {
    fn quiet_at(&self, mood: Mood) -> Instant {
        let by_mood = match mood {
            Mood::Closed => AFTER_CLOSE,
            Mood::Made => AFTER_LINK,
            Mood::Unknown => UNKNOWN,
            Mood::Writing => UNFINISHED,
        };
        let quiet = match &self.outcome.state {
            FileState::Missing => AWAY,
            FileState::Content(text) if text.trim().is_empty() => match mood {
                Mood::Writing | Mood::Made => AWAITED,
                Mood::Closed | Mood::Unknown => UNFINISHED,
            },
            FileState::Unreadable(ReadFault::Io(_)) => by_mood.max(UNKNOWN),
            FileState::Content(_) | FileState::Unreadable(_) => by_mood,
        };
        self.since + quiet
    }
}
