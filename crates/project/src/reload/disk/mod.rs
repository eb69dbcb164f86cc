//! Contents of the files of a project. Does not depend on scripts and scenes.
//!
//! File system events are only hints. Every file is checked after a hint, and a few times per second in any case; a
//! content is reported once it has been stable for the time that its way of writing requires. So editors may write in
//! place, by renaming, or in pieces.

mod checkout;
mod content;
mod directory_watcher;
mod events;
mod file_watcher;
mod files;
mod hints;
mod picture;
mod read;
#[cfg(test)]
mod tests;
mod track;
mod watch_set;

pub use content::{Change, Content, ReadFault, SavedText};
pub use events::{NoEvents, Notifier, SystemEvents, SystemWatch, Watch, WatchError};
pub use file_watcher::FileWatcher;
pub(super) use files::open_at_once;
pub use files::{FileKind, FileSystem, Fingerprint, OpenFile, RealFiles, Stat};
pub use hints::{Mailbox, PathEvent};
pub use read::{read_plain, read_text as read_text_of};
pub use watch_set::WatchSet;
