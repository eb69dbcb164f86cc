//! Conversion of system events to hints.

use std::io;
use std::path::Path;

use notify::event::{AccessKind, AccessMode, EventKind, ModifyKind, RenameMode};
use notify::{Config, ErrorKind, Event, RecommendedWatcher, RecursiveMode, Watcher};
use steerbox_core::diagnostics::caught;

use super::hints::{Mailbox, PathEvent};

/// Factory of event sources; tests provide their own.
pub trait Notifier: Send {
    /// An open source of events.
    type Watch: Watch;

    /// Opens a source of events that fills `mailbox` until it is dropped. A source that ended by itself has dropped
    /// its mailbox.
    ///
    /// # Errors
    /// The reason why there are no events.
    fn open(&mut self, mailbox: Mailbox) -> Result<Self::Watch, WatchError>;
}

/// An open source of events.
pub trait Watch: Send {
    /// Reports events of the entries of `directory` (absolute) and of the directory itself, not of deeper ones, from
    /// now on.
    ///
    /// # Errors
    /// There are no events of the directory then.
    fn watch(&mut self, directory: &Path) -> Result<(), WatchError>;

    /// Ends the watch of a directory, if there is one.
    fn unwatch(&mut self, directory: &Path);
}

/// Reason why a directory cannot be watched.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WatchError {
    /// It does not exist.
    #[error("there is no such folder")]
    Gone,
    /// The system refused.
    #[error("{0}")]
    Refused(String),
}

/// Events of the operating system.
#[derive(Clone, Copy, Debug, Default)]
pub struct SystemEvents;

/// Watcher of the operating system. Its thread may have died; every call panics then.
#[derive(Debug)]
pub struct SystemWatch(Option<RecommendedWatcher>);

impl Notifier for SystemEvents {
    type Watch = SystemWatch;

    fn open(&mut self, mailbox: Mailbox) -> Result<SystemWatch, WatchError> {
        let handler = move |result: notify::Result<Event>| match result {
            Ok(event) => pass(&mailbox, event),
            Err(error) => mailbox.failed(reason(&error)),
        };
        match RecommendedWatcher::new(handler, Config::default()) {
            Ok(watcher) => Ok(SystemWatch(Some(watcher))),
            Err(error) => Err(WatchError::Refused(reason(&error))),
        }
    }
}

impl SystemWatch {
    fn call(
        &mut self,
        call: impl FnOnce(&mut RecommendedWatcher) -> notify::Result<()>,
    ) -> Result<(), WatchError> {
        let dead = || WatchError::Refused("the watcher has died".to_owned());
        let watcher = self.0.as_mut().ok_or_else(dead)?;
        caught(|| call(watcher)).ok_or_else(dead)?.map_err(|error| match &error.kind {
            ErrorKind::PathNotFound => WatchError::Gone,
            ErrorKind::Io(inner) if inner.kind() == io::ErrorKind::NotFound => WatchError::Gone,
            _ => WatchError::Refused(reason(&error)),
        })
    }
}

impl Watch for SystemWatch {
    fn watch(&mut self, directory: &Path) -> Result<(), WatchError> {
        self.call(|watcher| watcher.watch(directory, RecursiveMode::NonRecursive))
    }

    fn unwatch(&mut self, directory: &Path) {
        // This fails if the watch ended with its directory.
        let _ = self.call(|watcher| watcher.unwatch(directory));
    }
}

impl Drop for SystemWatch {
    fn drop(&mut self) {
        let watcher = self.0.take();
        let _ = caught(|| drop(watcher));
    }
}

/// No events: for files that are read once, or for polling, which network file systems need.
#[derive(Clone, Copy, Debug, Default)]
pub struct NoEvents;

impl Notifier for NoEvents {
    type Watch = NoEvents;

    fn open(&mut self, _mailbox: Mailbox) -> Result<NoEvents, WatchError> {
        Err(WatchError::Refused("events are switched off".to_owned()))
    }
}

impl Watch for NoEvents {
    fn watch(&mut self, _directory: &Path) -> Result<(), WatchError> {
        Ok(())
    }

    fn unwatch(&mut self, _directory: &Path) {}
}

fn pass(mailbox: &Mailbox, event: Event) {
    if event.need_rescan() {
        mailbox.rescan();
        return;
    }
    let last = event.paths.len().saturating_sub(1);
    for (place, path) in event.paths.into_iter().enumerate() {
        if let Some(event) = path_event(event.kind, place == last) {
            mailbox.hint(path, event);
        }
    }
}

/// Returns the kind of an event for a path; `last` is true for the last path of an event, the target of a rename.
/// Returns `None` for reads, as otherwise every check would cause the next.
fn path_event(kind: EventKind, last: bool) -> Option<PathEvent> {
    match kind {
        EventKind::Access(AccessKind::Close(AccessMode::Write)) => Some(PathEvent::Closed),
        EventKind::Access(_) => None,
        EventKind::Modify(ModifyKind::Name(RenameMode::To | RenameMode::Both)) if last => {
            Some(PathEvent::Closed)
        }
        EventKind::Create(_) if HAS_CLOSE_EVENTS => Some(PathEvent::Made),
        EventKind::Modify(ModifyKind::Data(_)) if HAS_CLOSE_EVENTS => Some(PathEvent::Written),
        _ => Some(PathEvent::Other),
    }
}

/// True if every writer's close has an event: data without one are known to be incomplete then.
const HAS_CLOSE_EVENTS: bool = cfg!(any(target_os = "linux", target_os = "android"));

fn reason(error: &notify::Error) -> String {
    match &error.kind {
        ErrorKind::MaxFilesWatch => "the system watches no more folders for this user \
            (fs.inotify.max_user_watches)"
            .to_owned(),
        ErrorKind::Io(inner) => inner.to_string(),
        _ => error.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use notify::event::{CreateKind, DataChange};

    #[test]
    fn reading_is_no_event_and_a_rename_closes_its_target() {
        let open = EventKind::Access(AccessKind::Open(AccessMode::Any));
        assert_eq!(path_event(open, true), None);
        let both = EventKind::Modify(ModifyKind::Name(RenameMode::Both));
        assert_eq!(path_event(both, false), Some(PathEvent::Other));
        assert_eq!(path_event(both, true), Some(PathEvent::Closed));
        let made = EventKind::Create(CreateKind::File);
        assert_eq!(path_event(made, true) == Some(PathEvent::Made), HAS_CLOSE_EVENTS);
        let data = EventKind::Modify(ModifyKind::Data(DataChange::Any));
        assert_eq!(path_event(data, true) == Some(PathEvent::Written), HAS_CLOSE_EVENTS);
    }
}
