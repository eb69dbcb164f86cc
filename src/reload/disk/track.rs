//! One file: when it is read, and when what was read counts.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::FileState;
use super::read::{Fingerprint, ReadFault, read};

/// Stable for this long after the writer closed or renamed the file.
const CLOSED: Duration = Duration::from_millis(25);
/// Stable for this long when nothing is known of the writer.
const UNKNOWN: Duration = Duration::from_millis(120);
/// Stable for this long while the writer may still be writing, or when the file is empty.
const OPEN: Duration = Duration::from_millis(500);
/// Missing for this long before it counts as missing.
const GONE: Duration = Duration::from_millis(150);
/// Read again after this long although nothing seems to have changed.
const DISTRUST: Duration = Duration::from_secs(2);
/// Looked at again after this long while the file changes under the reader.
const RETRY: Duration = Duration::from_millis(2);

/// What an event says about a file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Hint {
    /// Data came; the writer may go on.
    Data(Instant),
    /// The writer closed the file, or renamed it into place.
    Closed(Instant),
}

type Content = Option<Result<Arc<str>, ReadFault>>;

/// A file's history.
#[derive(Debug, Default)]
pub(super) struct Track {
    /// What was last told; `None` before anything was.
    told: Option<Content>,
    /// What was last found, and since when it has been so.
    found: Option<(Content, Instant)>,
    fingerprint: Option<Fingerprint>,
    read_at: Option<Instant>,
    data: Option<Instant>,
    closed: Option<Instant>,
    retry: Option<Instant>,
}

impl Track {
    pub(super) fn hint(&mut self, hint: Hint) {
        match hint {
            Hint::Data(at) => self.data = Some(at),
            Hint::Closed(at) => self.closed = Some(at),
        }
    }

    /// Reads at once and tells what is there.
    pub(super) fn read_now(&mut self, path: &Path, cap: u64, now: Instant) -> Option<FileState> {
        let content = self.read(path, cap, now)?;
        self.told = Some(content.clone());
        content.is_some().then(|| state(content))
    }

    /// Counts `text` as told.
    pub(super) fn know(&mut self, text: Arc<str>) {
        self.told = Some(Some(Ok(text)));
        self.found = None;
    }

    /// Looks at the file; tells its content if that is new and has been stable for long enough.
    pub(super) fn look(&mut self, path: &Path, cap: u64, now: Instant) -> Option<FileState> {
        let fingerprint = Fingerprint::at(path);
        let distrusted = self
            .read_at
            .is_none_or(|at| now.saturating_duration_since(at) >= DISTRUST);
        let young = fingerprint.is_some_and(|print| print.is_young());
        if fingerprint != self.fingerprint
            || distrusted
            || young
            || self.retry.is_some()
            || self.due().is_some()
        {
            let content = self.read(path, cap, now)?;
            if self
                .found
                .as_ref()
                .is_none_or(|(found, _)| *found != content)
            {
                self.found = Some((content, now));
            }
        }
        let (content, _) = self.found.as_ref()?;
        if self.told.as_ref() == Some(content) || (self.told.is_none() && content.is_none()) {
            self.found = None;
            return None;
        }
        if self.due().is_some_and(|due| due > now) {
            return None;
        }
        let content = content.clone();
        self.found = None;
        self.told = Some(content.clone());
        Some(state(content))
    }

    /// When what was found will count, if it is not told yet.
    pub(super) fn due(&self) -> Option<Instant> {
        if self.retry.is_some() {
            return self.retry;
        }
        let (content, since) = self.found.as_ref()?;
        let empty = matches!(content, Some(Ok(text)) if text.trim().is_empty());
        let closed_last = self.closed >= self.data && self.closed.is_some();
        Some(match content {
            None => *since + GONE,
            _ if empty => *since + OPEN,
            _ if closed_last => self.closed.map_or(*since, |at| at.max(*since)) + CLOSED,
            _ if self.data.is_some() && self.data > self.closed => *since + OPEN,
            _ => *since + UNKNOWN,
        })
    }

    /// The content now; `None` if it changes under the reader.
    fn read(&mut self, path: &Path, cap: u64, now: Instant) -> Option<Content> {
        self.read_at = Some(now);
        self.retry = None;
        if Fingerprint::at(path).is_none() {
            self.fingerprint = None;
            return Some(None);
        }
        let Some((fingerprint, content)) = read(path, cap) else {
            self.retry = Some(now + RETRY);
            return None;
        };
        self.fingerprint = Some(fingerprint);
        Some(Some(content))
    }
}

fn state(content: Content) -> FileState {
    match content {
        None => FileState::Missing,
        Some(Ok(text)) => FileState::Content(text),
        Some(Err(fault)) => FileState::Unreadable(fault),
    }
}
