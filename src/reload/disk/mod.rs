//! What the files of a project contain. Knows nothing of scripts and scenes.
//!
//! Events of the file system are hints only; the disk decides. Every file is checked when a hint
//! comes, and a few times a second in any case; a content counts once it has been stable for as long
//! as the way it was saved asks for. So editors may write in place, by renaming, or in pieces.

mod content;
mod directory_watcher;
mod events;
mod file_watcher;
mod files;
mod hints;
mod read;
#[cfg(test)]
mod tests;
mod track;
mod watch_set;

pub use content::{Change, Content, ReadFault};
pub use events::{NoEvents, Notifier, SystemEvents, SystemWatch, Watch, WatchError};
pub use file_watcher::FileWatcher;
pub(super) use files::open_at_once;
pub use files::{FileKind, FileSystem, Fingerprint, OpenFile, RealFiles, Stat};
pub use hints::{Mailbox, PathEvent};
pub(crate) use read::read_plain;
pub use watch_set::WatchSet;
