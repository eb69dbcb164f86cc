//! Events of the file system, as hints. The handler never reads, waits or fails.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Instant;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind};
use notify::{Event, RecommendedWatcher, RecursiveMode, Watcher};

use super::read::folder_identity;
use super::track::Hint;

/// Most hints that wait; past that everything is in doubt.
const MOST_HINTS: usize = 4096;

#[derive(Debug, Default)]
struct Inbox {
    hints: Vec<(PathBuf, Hint)>,
    /// Events may have been missed: look at everything, watch anew.
    doubt: bool,
    trouble: Option<String>,
}

/// The watcher and the folders it watches.
#[derive(Debug)]
pub(super) struct Watch {
    inbox: Arc<Mutex<Inbox>>,
    watcher: Option<RecommendedWatcher>,
    watched: BTreeMap<PathBuf, (u64, u64)>,
}

impl Watch {
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> Self {
        let inbox = Arc::new(Mutex::new(Inbox::default()));
        let shared = Arc::clone(&inbox);
        let handler = move |event: notify::Result<Event>| {
            if note(&shared, event) {
                wake();
            }
        };
        let watcher = match notify::recommended_watcher(handler) {
            Ok(watcher) => Some(watcher),
            Err(error) => {
                lock(&inbox).trouble = Some(error.to_string());
                None
            }
        };
        Self {
            inbox,
            watcher,
            watched: BTreeMap::new(),
        }
    }

    /// Watches nothing, ever.
    pub(super) fn none() -> Self {
        Self {
            inbox: Arc::default(),
            watcher: None,
            watched: BTreeMap::new(),
        }
    }

    /// Watches exactly `folders`, each anew if it is no longer the same folder.
    pub(super) fn settle(&mut self, folders: &[PathBuf]) {
        let Some(watcher) = &mut self.watcher else {
            return;
        };
        let mut trouble = None;
        for folder in folders {
            let identity = folder_identity(folder);
            if self.watched.get(folder).copied() == identity {
                continue;
            }
            if self.watched.remove(folder).is_some() {
                // The watch may have gone with the folder.
                let _ = watcher.unwatch(folder);
            }
            if let Some(identity) = identity {
                match watcher.watch(folder, RecursiveMode::NonRecursive) {
                    Ok(()) => drop(self.watched.insert(folder.clone(), identity)),
                    Err(error) => trouble = Some(error.to_string()),
                }
            }
        }
        lock(&self.inbox).trouble = trouble;
    }

    pub(super) fn take_hints(&self) -> Vec<(PathBuf, Hint)> {
        std::mem::take(&mut lock(&self.inbox).hints)
    }

    /// Whether events may have been missed; then every watch is set anew.
    pub(super) fn take_doubt(&mut self) -> bool {
        let doubt = std::mem::take(&mut lock(&self.inbox).doubt);
        if doubt {
            let watched = std::mem::take(&mut self.watched);
            for folder in watched.keys() {
                if let Some(watcher) = &mut self.watcher {
                    let _ = watcher.unwatch(folder);
                }
            }
        }
        doubt
    }

    /// Why there are no events.
    pub(super) fn trouble(&self) -> Option<String> {
        lock(&self.inbox).trouble.clone()
    }
}

fn lock(inbox: &Mutex<Inbox>) -> std::sync::MutexGuard<'_, Inbox> {
    inbox.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Notes an event; whether anybody needs to be woken.
fn note(inbox: &Mutex<Inbox>, event: notify::Result<Event>) -> bool {
    let mut inbox = lock(inbox);
    let Ok(event) = event else {
        inbox.doubt = true;
        return true;
    };
    if event.need_rescan() || inbox.hints.len() > MOST_HINTS {
        inbox.doubt = true;
        return true;
    }
    let now = Instant::now();
    let hint = match event.kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write))
        | EventKind::Modify(ModifyKind::Name(_)) => Hint::Closed(now),
        EventKind::Modify(ModifyKind::Data(_)) => Hint::Data(now),
        // Reading a file is an event too: to heed it would mean to read for ever.
        EventKind::Access(_) | EventKind::Modify(ModifyKind::Metadata(_)) => return false,
        _ => return true,
    };
    inbox
        .hints
        .extend(event.paths.iter().map(|path| (path.clone(), hint)));
    true
}
