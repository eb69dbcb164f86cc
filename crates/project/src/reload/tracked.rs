//! The life cycle of a watched file: its contents, the version that runs, the version to replace it, and the status.

use std::sync::Arc;

use steerbox_core::diagnostics::Fault;

use super::disk::SavedText;
use super::event::{Event, EventKind};
use super::generation::{FileState, Status};

/// A watched file whose contents compile to a `T`.
#[derive(Clone, Debug)]
#[allow(clippy::struct_excessive_bools, reason = "each is a fact of its own")]
pub(super) struct Tracked<T> {
    /// Name of the file in messages and events.
    pub(super) path: String,
    /// Contents by folder, in the order of precedence.
    texts: Vec<SavedText>,
    /// Text that came with the binary.
    embedded: Option<Arc<str>>,
    /// True if a folder contained the file at some time.
    was_on_disk: bool,
    /// Unsaved text, which precedes the contents of all folders.
    buffer: Option<Arc<str>>,
    /// Version that ran before the unsaved text, and its generation, while there is unsaved text.
    saved: Option<(Option<T>, u64)>,
    /// Version that runs.
    pub(super) live: Option<T>,
    /// Newest content compiled, if it does not run.
    pub(super) candidate: Option<Result<T, Vec<Fault>>>,
    /// Status in the last generation.
    pub(super) status: Option<Status>,
    /// Generation since which `live` runs; 0 if none does.
    generation: u64,
    /// True if the content changed since the last generation.
    pub(super) is_fresh: bool,
    /// True if the unsaved text, or the content that it covers, changed since the last generation.
    is_buffer_fresh: bool,
    /// True if the version before the unsaved text runs again since the last generation.
    pub(super) is_reverted: bool,
}

/// Version of a file that a generation uses.
pub(super) struct Chosen<T> {
    pub(super) content: T,
    /// True if it does not run yet.
    pub(super) is_new: bool,
}

/// A file whose newest content does not work, with the reasons.
#[derive(Clone, Debug)]
pub(super) struct RejectedFile {
    pub(super) path: String,
    pub(super) faults: Vec<Fault>,
}

/// Files whose newest contents are not used.
#[derive(Debug, Default)]
pub(super) struct Rejected(pub(super) Vec<RejectedFile>);

/// Distinguishes the first generation from those that replace a running one.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Entry {
    First,
    Swap,
}

/// Effects of a generation on one file.
pub(super) struct Committed {
    /// True if the newest content runs since this generation.
    pub(super) is_new: bool,
    /// True if the content changed since the last generation.
    pub(super) is_fresh: bool,
    pub(super) event: Option<Event>,
}

impl RejectedFile {
    pub(super) fn new(path: &str, faults: Vec<Fault>) -> Self {
        Self { path: path.to_owned(), faults }
    }
}

impl Rejected {
    /// Returns the faults of a file if it is rejected.
    pub(super) fn faults(&self, path: &str) -> Option<&Vec<Fault>> {
        let mut files = self.0.iter();
        files.find(|file| file.path == path).map(|file| &file.faults)
    }

    pub(super) fn contains(&self, path: &str) -> bool {
        self.faults(path).is_some()
    }
}

impl<T: Clone> Tracked<T> {
    /// Creates a file without contents in any of `folders` folders.
    pub(super) fn new(path: String, folders: usize, embedded: Option<Arc<str>>) -> Self {
        Self {
            path,
            texts: vec![None; folders],
            embedded,
            was_on_disk: false,
            buffer: None,
            saved: None,
            live: None,
            candidate: None,
            status: None,
            generation: 0,
            is_fresh: false,
            is_buffer_fresh: false,
            is_reverted: false,
        }
    }

    /// Sets the number of folders; those that are added have no contents.
    pub(super) fn set_folders(&mut self, folders: usize) {
        self.texts.resize(folders, None);
    }

    /// Stores the content in the `rank`-th folder. Returns false if it is known; a missing file never is.
    pub(super) fn set_text(&mut self, rank: usize, text: SavedText) -> bool {
        let Some(slot) = self.texts.get_mut(rank).filter(|slot| text.is_none() || **slot != text) else {
            return false;
        };
        self.was_on_disk |= text.is_some();
        *slot = text;
        // Unsaved text covers the new content.
        self.refresh();
        true
    }

    /// Marks the content as changed, since something that belongs to it has changed.
    pub(super) fn refresh(&mut self) {
        self.is_fresh |= self.buffer.is_none();
        self.is_buffer_fresh |= self.buffer.is_some();
    }

    /// Stores unsaved text, which precedes the contents of all folders, or drops it: the version before it runs again,
    /// unless the text was saved. Returns false if nothing changes.
    pub(super) fn set_buffer(&mut self, text: Option<Arc<str>>) -> bool {
        if self.buffer == text {
            return false;
        }
        if self.buffer.is_none() {
            self.saved = Some((self.live.clone(), self.generation));
        }
        let before = std::mem::replace(&mut self.buffer, text);
        if self.buffer.is_none() {
            let saved = self.saved.take().filter(|_| self.newest() != before.map(Ok));
            if let Some((Some(live), generation)) = saved
                && generation != self.generation
            {
                (self.live, self.is_reverted) = (Some(live), true);
            }
        }
        (self.is_fresh, self.is_buffer_fresh) = (true, true);
        true
    }

    /// Returns the version that runs, or the one before the unsaved text.
    pub(super) fn saved_version(&self) -> Option<&T> {
        self.saved.as_ref().map_or(self.live.as_ref(), |(version, _)| version.as_ref())
    }

    /// Returns true if there is unsaved text.
    pub(super) fn has_buffer(&self) -> bool {
        self.buffer.is_some()
    }

    /// Returns the content that takes precedence.
    pub(super) fn newest(&self) -> SavedText {
        self.buffer.clone().map(Ok).or_else(|| self.saved_text())
    }

    /// Returns the content that takes precedence among those that are saved.
    fn saved_text(&self) -> SavedText {
        let on_disk = self.texts.iter().flatten().next().cloned();
        on_disk.or_else(|| self.embedded.clone().map(Ok))
    }

    /// Returns the newest content unless it runs, which `is_live` decides, or the file was deleted.
    pub(super) fn newest_unless(&self, is_live: impl FnOnce(&T, &Arc<str>) -> bool) -> SavedText {
        let newest = self.newest().filter(|_| !self.is_gone());
        newest.filter(|newest| match (newest, &self.live) {
            (Ok(text), Some(live)) => !is_live(live, text),
            _ => true,
        })
    }

    /// Returns the folders that contain the file.
    pub(super) fn ranks(&self) -> impl Iterator<Item = usize> {
        self.texts.iter().enumerate().filter_map(|(rank, text)| text.as_ref().map(|_| rank))
    }

    /// Returns true if the content came with the binary.
    pub(super) fn is_embedded(&self) -> bool {
        self.ranks().next().is_none() && self.embedded.is_some()
    }

    /// Returns true if there is no such file, or only the embedded one after another version ran.
    pub(super) fn is_gone(&self) -> bool {
        let is_covered = self.embedded.is_some() && !(self.was_on_disk && self.live.is_some());
        self.ranks().next().is_none() && self.buffer.is_none() && !is_covered
    }

    /// Returns true if a content was compiled.
    pub(super) fn is_compiled(&self) -> bool {
        self.live.is_some() || self.candidate.is_some()
    }

    /// Returns true if a content that works by itself does not run yet.
    pub(super) fn has_candidate(&self) -> bool {
        matches!(self.candidate, Some(Ok(_)))
    }

    /// Returns true if the next generation changes the version or the status.
    pub(super) fn has_news(&self) -> bool {
        let is_live = self.status == Some(Status::Live) && !self.is_gone();
        self.is_buffer_fresh || (self.is_fresh && (self.candidate.is_some() || !is_live))
    }

    /// Returns the newest version that is not rejected.
    pub(super) fn chosen(&self, rejected: &Rejected) -> Option<Chosen<T>> {
        let (content, is_new) = match &self.candidate {
            Some(Ok(candidate)) if !rejected.contains(&self.path) => (candidate, true),
            _ => (self.live.as_ref()?, false),
        };
        Some(Chosen { content: content.clone(), is_new })
    }

    /// Returns the file as rejected if its newest content does not compile.
    pub(super) fn broken(&self) -> Option<RejectedFile> {
        let faults = self.candidate.as_ref()?.as_ref().err()?;
        Some(RejectedFile::new(&self.path, faults.clone()))
    }

    /// Makes the candidate the version that runs, in generation `number`, unless it is rejected.
    pub(super) fn commit(&mut self, rejected: Option<&Vec<Fault>>, number: u64, entry: Entry) -> Committed {
        let is_fresh = std::mem::take(&mut self.is_fresh);
        let is_reverted = std::mem::take(&mut self.is_reverted);
        self.is_buffer_fresh = false;
        let runs_embedded = self.is_embedded() && self.status == Some(Status::Live) && !is_fresh;
        let before = self.status.take().filter(|_| entry == Entry::Swap);
        let mut is_new = false;
        let status = if let Some(faults) = rejected {
            Status::Rejected(faults.clone())
        } else if let Some(Ok(content)) = self.candidate.take() {
            (self.live, self.generation, is_new) = (Some(content), number, true);
            Status::Live
        } else if self.live.is_none() || (self.is_gone() && !runs_embedded) {
            Status::Missing
        } else {
            Status::Live
        };
        if is_reverted && !is_new {
            (self.generation, is_new) = (number, true);
        }
        let is_changed = before.as_ref() != Some(&status);
        let event = match &status {
            Status::Live if is_new || is_changed => Some((EventKind::Live, &[][..])),
            Status::Rejected(faults) if is_fresh || is_changed => Some((EventKind::Rejected, &faults[..])),
            Status::Missing if is_changed => Some((EventKind::Missing, &[][..])),
            _ => None,
        };
        let event = event.map(|(kind, faults)| {
            let (error, others) = (faults.first().cloned(), faults.iter().skip(1).cloned().collect());
            let (path, is_unsaved) = (self.path.clone(), self.buffer.is_some());
            Event { kind, path, generation: number, error, others, is_unsaved }
        });
        self.status = Some(status);
        Committed { is_new, is_fresh, event }
    }

    /// Returns the status for display.
    pub(super) fn state(&self, used: bool) -> FileState {
        FileState {
            path: self.path.clone(),
            status: self.status.clone().unwrap_or(Status::Live),
            generation: self.generation,
            embedded: self.is_embedded(),
            used,
            unsaved: self.buffer.clone(),
            saved: self.saved_text(),
        }
    }
}
