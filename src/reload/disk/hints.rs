//! Events as hints that something may have changed; never reads, never waits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, RwLock};
use std::time::Instant;

use super::watch_set::Scope;

/// What an event says about a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEvent {
    /// A writer closed the file, or a finished file was renamed to this name.
    Closed,
    /// Data were written, and the writer has not closed the file yet.
    Written,
    /// The file was made; where there are data in it and no write was seen, it was linked.
    Made,
    /// Anything else: removed, renamed away, other rights.
    Other,
}

/// A message of the source of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// A path to check.
    Hint(Hint),
    /// Events were lost: everything is to be checked.
    Rescan,
    /// The source of events failed, for this reason.
    Failed(String),
}

/// A path to check, absolute, and why.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) path: PathBuf,
    pub(super) event: PathEvent,
    pub(super) at: Instant,
}

/// Where a source of events puts what it has seen. Nothing here blocks or fails.
#[derive(Clone)]
pub struct Mailbox {
    messages: SyncSender<Message>,
    state: Arc<MailboxState>,
}

/// What the reader and all its mailboxes share.
pub(super) struct MailboxState {
    scope: RwLock<Arc<Scope>>,
    /// Set when a message found the mailbox full.
    lost: AtomicBool,
    /// Set from a wake until the next check, so that wakes do not pile up.
    woken: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}

/// Messages kept between two checks; more count as lost and cause a rescan.
pub(super) const CAPACITY: usize = 1024;

impl Mailbox {
    pub(super) fn new(state: Arc<MailboxState>) -> (Self, Receiver<Message>) {
        let (messages, receiver) = sync_channel(CAPACITY);
        (Self { messages, state }, receiver)
    }

    /// Something happened to `path` (absolute). Paths that are not watched are ignored.
    pub fn hint(&self, path: PathBuf, event: PathEvent) {
        if self.state.concerns(&path) {
            let at = Instant::now();
            self.put(Message::Hint(Hint { path, event, at }));
        }
    }

    /// Events were lost.
    pub fn rescan(&self) {
        self.put(Message::Rescan);
    }

    /// The source of events cannot be relied on any more, for this reason.
    pub fn failed(&self, reason: String) {
        self.put(Message::Failed(reason));
    }

    fn put(&self, message: Message) {
        // Full: the flag replaces the message. Closed: another mailbox has taken over.
        if self.messages.try_send(message).is_err() {
            self.state.lost.store(true, Ordering::Release);
        }
        if !self.state.woken.swap(true, Ordering::AcqRel) {
            (self.state.wake)();
        }
    }
}

impl MailboxState {
    pub(super) fn new(wake: Box<dyn Fn() + Send + Sync>) -> Arc<Self> {
        Arc::new(Self {
            scope: RwLock::default(),
            lost: AtomicBool::new(false),
            woken: AtomicBool::new(false),
            wake,
        })
    }

    /// From here on only paths of this scope count.
    pub(super) fn set_scope(&self, scope: Arc<Scope>) {
        match self.scope.write() {
            Ok(mut held) => *held = scope,
            Err(poisoned) => *poisoned.into_inner() = scope,
        }
    }

    /// Begins a look: the next note wakes again. Whether messages were lost since the last look.
    pub(super) fn begin(&self) -> bool {
        self.woken.store(false, Ordering::Release);
        self.lost.swap(false, Ordering::AcqRel)
    }

    fn concerns(&self, path: &std::path::Path) -> bool {
        // While the scope is being replaced, one check too many is better than waiting.
        let scope = self.scope.try_read();
        scope.map_or(true, |scope| scope.concerns(path))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::disk::watch_set::WatchSet;
    use std::sync::atomic::AtomicUsize;

    #[test]
    fn a_full_or_closed_mailbox_loses_messages_and_says_so() {
        let wakes = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&wakes);
        let shared = MailboxState::new(Box::new(move || {
            counter.fetch_add(1, Ordering::Relaxed);
        }));
        shared.set_scope(Arc::new(WatchSet::new().file("/a/b", 1).scope()));
        let (mailbox, messages) = Mailbox::new(Arc::clone(&shared));
        mailbox.hint("/other/file".into(), PathEvent::Closed);
        assert_eq!(wakes.load(Ordering::Relaxed), 0);
        for _ in 0..CAPACITY {
            mailbox.hint("/a/b".into(), PathEvent::Written);
        }
        assert_eq!(wakes.load(Ordering::Relaxed), 1);
        assert!(!shared.begin());
        mailbox.hint("/a/b".into(), PathEvent::Written);
        assert_eq!(wakes.load(Ordering::Relaxed), 2);
        assert!(shared.begin());
        assert!(!shared.begin());
        drop(messages);
        mailbox.rescan();
        assert!(shared.begin());
    }
}
