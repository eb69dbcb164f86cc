//! Watches of directories, restored when these are moved, replaced or removed; independent of files.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::mpsc::{Receiver, TryRecvError};
use std::time::{Duration, Instant};

use super::events::{Notifier, Watch, WatchError};
use super::files::{FileKind, FileSystem};
use super::hints::{CAPACITY, Hint, Mailbox, MailboxState, Message};
use super::watch_set::{Reason, Scope};
use crate::reload::read_dir_sorted::is_absence;

/// Wait before a failed source of events is reopened.
const REOPEN: Duration = Duration::from_millis(500);

/// Device and number of a directory.
type Identity = (u64, u64);

/// The source of events and the watched directories.
pub(super) struct DirectoryWatcher<N: Notifier> {
    notifier: N,
    shared: Arc<MailboxState>,
    source: Option<Source<N::Watch>>,
    directories: BTreeMap<PathBuf, Directory>,
    /// Directories that are no longer needed and may still be watched.
    released: Vec<PathBuf>,
    /// True if a watch may be of another directory than intended.
    stale: bool,
    /// Time of the next attempt, after a source could not be opened or ended.
    reopen: Option<Instant>,
    /// Reason why there is no source.
    trouble: Option<String>,
}

struct Source<W> {
    watch: W,
    messages: Receiver<Message>,
}

/// A directory to be watched.
struct Directory {
    reason: Reason,
    /// The directory under watch.
    identity: Option<Identity>,
    trouble: Option<String>,
}

impl<N: Notifier> DirectoryWatcher<N> {
    pub(super) fn new(notifier: N, shared: Arc<MailboxState>) -> Self {
        Self {
            notifier,
            shared,
            source: None,
            directories: BTreeMap::new(),
            released: Vec::new(),
            stale: false,
            reopen: None,
            trouble: None,
        }
    }

    /// Watches exactly the directories of this scope from the next `refresh` on.
    pub(super) fn set_scope(&mut self, scope: &Arc<Scope>) {
        let mut before = std::mem::take(&mut self.directories);
        for (path, reason) in scope.directories() {
            let known = before.remove(path);
            let directory = Directory {
                reason,
                identity: known.as_ref().and_then(|known| known.identity),
                trouble: known.and_then(|known| known.trouble),
            };
            self.directories.insert(path.to_owned(), directory);
        }
        self.released.extend(before.into_keys());
        self.shared.set_scope(Arc::clone(scope));
    }

    /// Returns the hints since the last call.
    pub(super) fn take_hints(&mut self, now: Instant) -> Vec<Hint> {
        self.stale |= self.shared.begin();
        let mut hints = Vec::new();
        // A source with endless errors must not block this loop.
        for _ in 0..=CAPACITY {
            let Some(source) = &self.source else {
                break;
            };
            match source.messages.try_recv() {
                Ok(Message::Hint(hint)) => {
                    // The directory may have moved, together with the watches of those inside.
                    self.stale |= self.directories.contains_key(&hint.path);
                    hints.push(hint);
                }
                Ok(Message::Rescan) => self.stale = true,
                Ok(Message::Failed(reason)) => self.close(reason, now),
                Err(TryRecvError::Empty) => break,
                Err(TryRecvError::Disconnected) => {
                    self.close("the source of events ended".to_owned(), now);
                }
            }
        }
        hints
    }

    /// Opens a closed source, and restores lost watches. Returns true if a watch is new: earlier changes had no
    /// events then.
    pub(super) fn refresh(&mut self, files: &impl FileSystem, now: Instant) -> bool {
        if self.source.is_none() && self.reopen.is_none_or(|at| now >= at) {
            self.open(now);
        }
        let released = std::mem::take(&mut self.released);
        let found = self.identities(files);
        let Some(Source { watch, .. }) = &mut self.source else {
            return false;
        };
        for path in &released {
            watch.unwatch(path);
        }
        let stale = std::mem::take(&mut self.stale);
        let mut moved = Vec::new();
        for (path, directory) in &mut self.directories {
            let identity = found.get(path).copied();
            if identity == directory.identity && !stale {
                continue;
            }
            if directory.identity.take().is_some() {
                watch.unwatch(path);
            }
            directory.trouble = None;
            moved.extend(identity.map(|identity| (path, directory, identity)));
        }
        // The system has one watch per directory, whatever its path: old watches end before new ones start.
        let mut is_new = false;
        for (path, directory, identity) in moved {
            is_new |= directory.watch(path, identity, watch);
        }
        is_new
    }

    /// Returns the existing directories, each by one path only.
    fn identities(&self, files: &impl FileSystem) -> BTreeMap<PathBuf, Identity> {
        let mut paths: Vec<_> = self.directories.iter().collect();
        paths.sort_by_key(|(_, directory)| directory.reason);
        let mut seen = BTreeSet::new();
        let mut found = BTreeMap::new();
        for (path, directory) in paths {
            let identity = match files.stat(path) {
                Ok(there) if there.kind == FileKind::Folder => there.print.identity(),
                // It may exist nevertheless.
                Err(error) if !is_absence(&error) => match directory.identity {
                    Some(identity) => identity,
                    None => continue,
                },
                _ => continue,
            };
            if seen.insert(identity) {
                found.insert(path.clone(), identity);
            }
        }
        found
    }

    fn open(&mut self, now: Instant) {
        let (mailbox, messages) = Mailbox::new(Arc::clone(&self.shared));
        match self.notifier.open(mailbox) {
            Ok(watch) => {
                self.source = Some(Source { watch, messages });
                (self.reopen, self.trouble) = (None, None);
            }
            Err(error) => self.close(error.to_string(), now),
        }
    }

    fn close(&mut self, reason: String, now: Instant) {
        self.source = None;
        self.reopen = Some(now + REOPEN);
        self.trouble = Some(reason);
        for directory in self.directories.values_mut() {
            (directory.identity, directory.trouble) = (None, None);
        }
    }

    /// Returns the reason why events are missing, at least from some directory.
    pub(super) fn trouble(&self) -> Option<String> {
        let needed = |directory: &&Directory| directory.reason != Reason::Parent;
        let mut troubles = self.directories.values().filter(needed);
        let of_folder = || troubles.find_map(|found| found.trouble.clone());
        self.trouble.clone().or_else(of_folder)
    }
}

impl Directory {
    /// Starts a watch; returns true if it is active.
    fn watch(&mut self, path: &Path, identity: Identity, watch: &mut impl Watch) -> bool {
        match watch.watch(path) {
            Ok(()) => self.identity = Some(identity),
            Err(WatchError::Gone) => {}
            Err(WatchError::Refused(reason)) => self.trouble = Some(reason),
        }
        self.identity.is_some()
    }
}
