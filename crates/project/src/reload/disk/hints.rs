//! Hints that files may have changed. Never reads or waits.

use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::sync::{Arc, RwLock};
use std::time::Instant;

use super::watch_set::Scope;

/// Kind of an event of a path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PathEvent {
    /// A writer closed the file, or a complete file was renamed to this name.
    Closed,
    /// Data were written, and the writer has not closed the file yet.
    Written,
    /// The file was created; if it has data without a write event, it was linked.
    Made,
    /// Any other event: removed, renamed, other permissions.
    Other,
}

/// A message of the source of events.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Message {
    /// A path to check.
    Hint(Hint),
    /// Events were lost: everything must be checked.
    Rescan,
    /// The source of events failed, for this reason.
    Failed(String),
}

/// An absolute path to check, with the event.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Hint {
    pub(super) path: PathBuf,
    pub(super) event: PathEvent,
    pub(super) at: Instant,
}

/// Receiver of events from a source. Never blocks or fails.
#[derive(Clone)]
pub struct Mailbox {
    messages: SyncSender<Message>,
    state: Arc<MailboxState>,
}

/// State shared by the reader and all its mailboxes.
pub(super) struct MailboxState {
    scope: RwLock<Arc<Scope>>,
    /// True if a message did not fit into the mailbox.
    lost: AtomicBool,
    /// True from a wake until the next check, to avoid multiple wakes.
    woken: AtomicBool,
    wake: Box<dyn Fn() + Send + Sync>,
}

/// Maximum number of messages between two checks; more are lost and cause a rescan.
pub(super) const CAPACITY: usize = 1024;

impl Mailbox {
    pub(super) fn new(state: Arc<MailboxState>) -> (Self, Receiver<Message>) {
        let (messages, receiver) = sync_channel(CAPACITY);
        (Self { messages, state }, receiver)
    }

    /// Adds an event of `path` (absolute). Ignores paths that are not watched.
    pub fn hint(&self, path: PathBuf, event: PathEvent) {
        if self.state.concerns(&path) {
            let at = Instant::now();
            self.put(Message::Hint(Hint { path, event, at }));
        }
    }

    /// Reports lost events.
    pub fn rescan(&self) {
        self.put(Message::Rescan);
    }

    /// Reports that the source of events is not reliable any more.
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

    /// Replaces the scope: other paths are ignored from now on.
    pub(super) fn set_scope(&self, scope: Arc<Scope>) {
        match self.scope.write() {
            Ok(mut held) => *held = scope,
            Err(poisoned) => *poisoned.into_inner() = scope,
        }
    }

    /// Begins a check: the next message wakes again. Returns true if messages were lost since the last check.
    pub(super) fn begin(&self) -> bool {
        self.woken.store(false, Ordering::Release);
        self.lost.swap(false, Ordering::AcqRel)
    }

    fn concerns(&self, path: &std::path::Path) -> bool {
        // While the scope is replaced, an additional check is better than waiting.
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
    fn a_full_or_closed_mailbox_reports_lost_messages() {
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
