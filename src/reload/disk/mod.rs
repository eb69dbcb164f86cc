//! What the files of a project contain. Knows nothing of scripts and scenes.
//!
//! Events of the file system are hints only; the disk decides. Every file is looked at when a hint
//! comes, and a few times a second in any case; a content counts once it has been stable for as long
//! as the way it was saved asks for. So editors may write in place, by renaming, or in pieces.

mod read;
mod track;
mod watch;

pub use read::ReadFault;

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use track::Track;
use watch::Watch;

/// How often the disk is looked at without any hint.
const LOOK: Duration = Duration::from_millis(250);

/// Which files matter.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    /// Folders, the extension of the files in them that matter, and the most bytes of each.
    pub folders: Vec<(PathBuf, &'static str, u64)>,
    /// Single files, and the most bytes of each.
    pub files: Vec<(PathBuf, u64)>,
}

/// What a file holds.
#[derive(Clone, Debug, PartialEq)]
pub enum FileState {
    /// Its text, without a byte order mark.
    Content(Arc<str>),
    /// There is no such file.
    Missing,
    /// It is there, but cannot serve.
    Unreadable(ReadFault),
}

/// A file whose content changed.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// The file.
    pub path: PathBuf,
    /// What it holds now.
    pub state: FileState,
}

/// The files that matter, and what was last told of them.
#[derive(Debug)]
pub struct Disk {
    interest: Interest,
    watch: Watch,
    tracks: BTreeMap<PathBuf, (Track, u64)>,
    looked: Instant,
}

impl Disk {
    /// Begins to watch. `wake` is called from another thread when the disk may have changed; it must
    /// not block.
    pub fn new(interest: Interest, wake: impl Fn() + Send + 'static) -> Self {
        let watch = Watch::new(wake);
        let mut disk = Self {
            interest,
            watch,
            tracks: BTreeMap::new(),
            looked: Instant::now(),
        };
        disk.settle_watches();
        disk
    }

    /// Files to be read once; nothing is watched.
    pub fn unwatched(interest: Interest) -> Self {
        Self {
            interest,
            watch: Watch::none(),
            tracks: BTreeMap::new(),
            looked: Instant::now(),
        }
    }

    /// Every file that is there, at once and whatever its age.
    pub fn read_all(&mut self) -> Vec<Change> {
        self.discover();
        let changes = self.tracks.iter_mut().filter_map(|(path, (track, cap))| {
            let state = track.read_now(path, *cap, Instant::now())?;
            Some(Change {
                path: path.clone(),
                state,
            })
        });
        changes.collect()
    }

    /// The files whose content has changed since they were last told of, as of `now`.
    pub fn poll(&mut self, now: Instant) -> Vec<Change> {
        for (path, hint) in self.watch.take_hints() {
            if let Some((track, _)) = self.tracks.get_mut(&path) {
                track.hint(hint);
            }
        }
        if now.saturating_duration_since(self.looked) >= LOOK || self.watch.take_doubt() {
            self.looked = now;
            self.settle_watches();
        }
        self.discover();
        let changes = self.tracks.iter_mut().filter_map(|(path, (track, cap))| {
            let state = track.look(path, *cap, now)?;
            Some(Change {
                path: path.clone(),
                state,
            })
        });
        changes.collect()
    }

    /// Takes note of what a file holds because it was just read or written here: that is no news.
    pub fn know(&mut self, path: &Path, text: Arc<str>) {
        if let Some((track, _)) = self.tracks.get_mut(path) {
            track.know(text);
        }
    }

    /// When to poll again if no hint comes.
    pub fn next_deadline(&self) -> Instant {
        let due = self.tracks.values().filter_map(|(track, _)| track.due());
        due.min()
            .unwrap_or(self.looked + LOOK)
            .min(self.looked + LOOK)
    }

    /// Why there are no events and polling alone serves, if so.
    pub fn polling(&self) -> Option<String> {
        self.watch.trouble()
    }

    /// Watches every folder that matters and its parent, anew where one was replaced.
    fn settle_watches(&mut self) {
        let folders = self
            .interest
            .folders
            .iter()
            .map(|(folder, ..)| folder.as_path());
        let homes = self
            .interest
            .files
            .iter()
            .filter_map(|(file, _)| file.parent());
        let wanted: Vec<&Path> = folders.chain(homes).collect();
        let parents = wanted.iter().filter_map(|folder| folder.parent());
        let mut all: Vec<PathBuf> = wanted
            .iter()
            .copied()
            .chain(parents)
            .map(Path::to_owned)
            .collect();
        all.sort();
        all.dedup();
        self.watch.settle(&all);
    }

    /// Finds files that are new in the folders.
    fn discover(&mut self) {
        for (file, cap) in &self.interest.files {
            self.tracks
                .entry(file.clone())
                .or_insert_with(|| (Track::default(), *cap));
        }
        for (folder, extension, cap) in &self.interest.folders {
            let Ok(entries) = std::fs::read_dir(folder) else {
                continue;
            };
            for path in entries.flatten().map(|entry| entry.path()) {
                let hidden = path
                    .file_name()
                    .is_none_or(|name| name.as_encoded_bytes().starts_with(b"."));
                if !hidden && path.extension().is_some_and(|found| found == *extension) {
                    self.tracks
                        .entry(path)
                        .or_insert_with(|| (Track::default(), *cap));
                }
            }
        }
    }
}

#[cfg(test)]
mod tests;
