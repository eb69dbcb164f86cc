//! What events are taken for: hints that something may have happened; never reads, never waits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, RwLock};
use std::time::Instant;

use super::interest::Scope;

/// What an event says of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sign {
    /// A writer closed the file, or a finished file was renamed to this name.
    Closed,
    /// Data were written, and the writer has not closed the file yet.
    Written,
    /// The file was made; where there are data in it and no sign of a write, it was linked.
    Made,
    /// Anything else: removed, renamed away, other rights.
    Other,
}

/// Something that events told.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Note {
    /// A path to look at.
    Hint(Hint),
    /// Events were lost: everything is to be looked at.
    Rescan,
    /// The source of events is in trouble.
    Failed(String),
}

/// A path to look at, absolute, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) path: PathBuf,
    pub(super) sign: Sign,
    pub(super) at: Instant,
}

/// Where a source of events drops what it has seen. Nothing here blocks or fails.
#[derive(Clone)]
pub struct Mailbox {
    notes: SyncSender<Note>,
    shared: Arc<Shared>,
}

/// What the owner of the disk and all its mailboxes share.
pub(super) struct Shared {
    scope: RwLock<Arc<Scope>>,
    /// Set when a note found the mailbox full.
    lost: AtomicBool,
    /// Set from a wake until the next look, so that wakes do not pile up.
    woken: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}

/// Notes kept between two looks; more count as lost and cause a rescan.
pub(super) const CAPACITY: usize = 1024;

impl Mailbox {
    pub(super) fn new(shared: Arc<Shared>) -> (Self, Receiver<Note>) {
        let (notes, receiver) = sync_channel(CAPACITY);
        (Self { notes, shared }, receiver)
    }

    /// Something happened to `path` (absolute). Paths that nobody asked for are dropped.
    pub fn hint(&self, path: PathBuf, sign: Sign) {
        if self.shared.concerns(&path) {
            let at = Instant::now();
            self.put(Note::Hint(Hint { path, sign, at }));
        }
    }

    /// Events were lost.
    pub fn rescan(&self) {
        self.put(Note::Rescan);
    }

    /// The source of events cannot be relied on any more, for this reason.
    pub fn failed(&self, reason: String) {
        self.put(Note::Failed(reason));
    }

    fn put(&self, note: Note) {
        // Full: the flag stands for the note. Closed: another mailbox has taken over.
        if self.notes.try_send(note).is_err() {
            self.shared.lost.store(true, Ordering::Release);
        }
        if !self.shared.woken.swap(true, Ordering::AcqRel) {
            (self.shared.wake)();
        }
    }
}

impl Shared {
    pub(super) fn new(wake: Box<dyn Fn() + Send + Sync>) -> Arc<Self> {
        Arc::new(Self {
            scope: RwLock::default(),
            lost: AtomicBool::new(false),
            woken: AtomicBool::new(false),
            wake,
        })
    }

    /// From here on only paths of this scope are noted.
    pub(super) fn set_scope(&self, scope: Arc<Scope>) {
        match self.scope.write() {
            Ok(mut held) => *held = scope,
            Err(poisoned) => *poisoned.into_inner() = scope,
        }
    }

    /// Begins a look: the next note wakes again. Whether notes were lost since the last look.
    pub(super) fn begin(&self) -> bool {
        self.woken.store(false, Ordering::Release);
        self.lost.swap(false, Ordering::AcqRel)
    }

    fn concerns(&self, path: &std::path::Path) -> bool {
        // While the scope is being replaced, one look too many is better than waiting.
        self.scope
            .try_read()
            .map_or(true, |scope| scope.concerns(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::disk::Interest;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn a_full_or_closed_mailbox_loses_notes_and_says_so() {
        let wakes = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&wakes);
        let shared = Shared::new(Box::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        }));
        let scope = Interest::new().file("/a/b", 1).scope();
        shared.set_scope(Arc::new(scope));
        let (mailbox, notes) = Mailbox::new(Arc::clone(&shared));
        mailbox.hint("/other/file".into(), Sign::Closed);
        assert_eq!(wakes.load(Ordering::Relaxed), 0);
        for _ in 0..CAPACITY {
            mailbox.hint("/a/b".into(), Sign::Written);
        }
        assert_eq!(wakes.load(Ordering::Relaxed), 1);
        assert!(!shared.begin());
        mailbox.hint("/a/b".into(), Sign::Written);
        assert_eq!(wakes.load(Ordering::Relaxed), 2);
        assert!(shared.begin());
        assert!(!shared.begin());
        drop(notes);
        mailbox.rescan();
        assert!(shared.begin());
    }
}
