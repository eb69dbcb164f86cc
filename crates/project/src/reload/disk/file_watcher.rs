//! Reports of complete contents of watched files.

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use super::checkout::{self, Checkout};
use super::content::Change;
use super::directory_watcher::DirectoryWatcher;
use super::events::{NoEvents, Notifier, SystemEvents};
use super::files::{FileSystem, RealFiles};
use super::hints::{Hint, MailboxState, PathEvent};
use super::read;
use super::track::{Moment, StatResult, Track};
use super::watch_set::{Reason, Scope, WatchSet, WatchedFile, WatchedFolder, absolute};
use crate::reload::read_dir_sorted::is_absence;

/// Interval of checks of every file, independent of events.
pub(super) const CHECK_EVERY: Duration = Duration::from_millis(250);
/// Minimum time between two checks.
const LEAST_PAUSE: Duration = Duration::from_millis(1);
/// Files that become ready within this time of each other are reported together.
const COALESCE: Duration = Duration::from_millis(8);
/// Maximum time that a ready file waits for others.
const LONGEST_HOLD: Duration = Duration::from_millis(40);
/// Files of a checkout that become ready within this time of each other are reported together: a removed file counts
/// as missing 150 ms later.
const COALESCE_CHECKOUT: Duration = Duration::from_millis(200);
/// Maximum time that a ready file waits for a checkout.
const LONGEST_CHECKOUT: Duration = Duration::from_secs(1);
/// Maximum wait of the first load for files that are being written.
const PATIENCE: Duration = Duration::from_secs(1);

/// The watched files, and their last reported contents. Owned by one thread, which calls `poll` when it is woken and
/// at `next_deadline`.
pub struct FileWatcher<F: FileSystem = RealFiles, N: Notifier = SystemEvents> {
    files: F,
    directories: DirectoryWatcher<N>,
    scope: Arc<Scope>,
    folders: Vec<Folder>,
    /// By absolute path, as in hints.
    tracks: BTreeMap<PathBuf, Track>,
    checked: Option<Instant>,
    /// Time at which links were last followed.
    linked: Option<Instant>,
}

/// A watched folder.
struct Folder {
    files: WatchedFolder,
    /// True before its first listing: its files existed before.
    fresh: bool,
}

impl FileWatcher {
    /// Starts watching. `wake` is called from another thread when files may have changed; it must not block.
    pub fn new(watch_set: WatchSet, wake: impl Fn() + Send + Sync + 'static) -> Self {
        FileWatcher::with(RealFiles, SystemEvents, watch_set, wake)
    }
}

impl FileWatcher<RealFiles, NoEvents> {
    /// Creates a watcher for files that are read once.
    pub fn unwatched(watch_set: WatchSet) -> Self {
        FileWatcher::with(RealFiles, NoEvents, watch_set, || {})
    }
}

impl<F: FileSystem, N: Notifier> FileWatcher<F, N> {
    /// Creates a watcher over another file system or another source of events.
    pub fn with(files: F, notifier: N, watch_set: WatchSet, wake: impl Fn() + Send + Sync + 'static) -> Self {
        let scope = Arc::new(watch_set.scope());
        let mut directories = DirectoryWatcher::new(notifier, MailboxState::new(Box::new(wake)));
        directories.set_scope(&scope);
        let track = |WatchedFile { path, limit }| (absolute(&path), Track::new(path, limit, false, true));
        let folder = |files| Folder { files, fresh: true };
        Self {
            files,
            directories,
            scope,
            folders: watch_set.folders.into_iter().map(folder).collect(),
            tracks: watch_set.files.into_iter().map(track).collect(),
            checked: None,
            linked: None,
        }
    }

    /// Reports `path`, which existed before, even if it is missing now.
    pub fn expect(&mut self, path: &Path) {
        let mut folders = self.folders.iter().map(|folder| &folder.files);
        if let Some(folder) = folders.find(|files| path.parent() == Some(&files.folder)) {
            let mut track = Track::new(path.to_owned(), folder.limit, false, false);
            track.expect_no_event();
            self.tracks.entry(absolute(path)).or_insert(track);
        }
    }

    /// Returns every existing file, and single files even if they are missing. Waits while a file is being written,
    /// at most 1 s; such a file is left to `poll`.
    pub fn read_all(&mut self) -> Vec<Change> {
        let patience = Instant::now() + PATIENCE;
        let mut contents = BTreeMap::new();
        loop {
            let now = Instant::now();
            let changes = self.poll(now).into_iter();
            contents.extend(changes.map(|change| (change.path, change.content)));
            if now >= patience || self.tracks.values().all(Track::is_settled) {
                break;
            }
            let wait = self.next_deadline().min(patience);
            std::thread::sleep(wait.saturating_duration_since(now));
        }
        let change = |(path, content)| Change { path, content };
        contents.into_iter().map(change).collect()
    }

    /// Returns the files whose content has changed and is stable since the last report, as of `now`, which must not
    /// run backwards.
    pub fn poll(&mut self, now: Instant) -> Vec<Change> {
        self.checked = Some(now);
        // Both clocks are read before the hints: later writes are younger than every hint.
        let moment = Moment { at: now, wall: self.files.clock() };
        let hints = self.directories.take_hints(now);
        // Directories are watched before files are checked, so that no change is missed in between.
        let mut rewatched = self.directories.refresh(&self.files, now);
        let any_new = self.list();
        let any_link = hints.iter().any(|hint| hint.event != PathEvent::Written);
        if any_new || any_link || self.linked.is_none_or(|at| now >= at + CHECK_EVERY) {
            self.linked = Some(now);
            rewatched |= self.follow_links() && self.directories.refresh(&self.files, now);
        }
        if rewatched {
            self.tracks.values_mut().for_each(Track::expect_no_event);
        }
        for hint in &hints {
            self.pass_on(hint);
        }
        for track in self.tracks.values_mut() {
            let home = track.path.parent().filter(|parent| {
                let mut folders = self.folders.iter();
                folders.any(|folder| folder.files.folder == *parent)
            });
            let home = home.map(Path::to_owned);
            check(&self.files, track, moment, home.as_deref());
        }
        let is_held = self.awaits_others(moment);
        let mut changes = Vec::new();
        for track in self.tracks.values_mut() {
            if let Some(content) = track.due(now, is_held) {
                let path = track.path.clone();
                changes.push(Change { path, content });
            }
        }
        self.tracks.retain(|_, track| !track.is_over());
        changes
    }

    /// Returns the contents that `poll` will most likely report soon, if one of them is new: they are complete unless
    /// their writers write once more.
    pub fn drafts(&mut self) -> Vec<Change> {
        let mut any_new = false;
        let mut drafts = Vec::new();
        for track in self.tracks.values_mut() {
            if let Some((content, is_known)) = track.draft() {
                any_new |= !is_known;
                drafts.push(Change { path: track.path.clone(), content });
            }
        }
        if any_new { drafts } else { Vec::new() }
    }

    /// Returns true while ready files wait for others, which are written by the same save or checkout.
    fn awaits_others(&self, Moment { at: now, wall }: Moment) -> bool {
        let deadlines = || self.tracks.values().filter_map(Track::deadline);
        if deadlines().next().is_none() {
            return false;
        }
        let any_within = |span| deadlines().any(|at| at > now && at <= now + span);
        let none_waited = |longest| deadlines().all(|at| now < at + longest);
        match self.checkout(wall) {
            Checkout::None => any_within(COALESCE) && none_waited(LONGEST_HOLD),
            Checkout::Ended => any_within(COALESCE_CHECKOUT) && none_waited(LONGEST_CHECKOUT),
            Checkout::Running => none_waited(LONGEST_CHECKOUT),
        }
    }

    /// Returns the state of a checkout of watched files.
    fn checkout(&self, wall: i128) -> Checkout {
        let directories = self.scope.directories().into_iter();
        let homes = directories.filter(|(_, reason)| *reason == Reason::Home);
        let states = homes.map(|(home, _)| checkout::state(&self.files, home, wall));
        states.max().unwrap_or(Checkout::None)
    }

    /// Returns true, once, if a file was saved with the content that was reported last.
    pub fn take_rewritten(&mut self) -> bool {
        self.tracks.values_mut().fold(false, |any, track| track.take_rewritten() | any)
    }

    /// Marks `text` as reported, since this program wrote it.
    pub fn mark_reported(&mut self, path: &Path, text: &str) {
        if let Some(track) = self.tracks.get_mut(&absolute(path)) {
            track.mark_reported(text);
        }
    }

    /// Passes a hint to its files.
    fn pass_on(&mut self, hint: &Hint) {
        for path in self.scope.files_behind(&hint.path) {
            let Some(track) = self.tracks.get_mut(path) else {
                continue;
            };
            track.note_event(hint.event, hint.at);
            for (other, track) in &mut self.tracks {
                if track.has_missed_event() && other.parent() == path.parent() {
                    track.expect_no_event();
                }
            }
        }
    }

    /// Returns the time of the next `poll` unless woken earlier: at most 250 ms after the last one.
    pub fn next_deadline(&self) -> Instant {
        let Some(checked) = self.checked else {
            return Instant::now();
        };
        let files = self.tracks.values().filter_map(Track::deadline);
        files.fold(checked + CHECK_EVERY, Instant::min).max(checked + LEAST_PAUSE)
    }

    /// Returns the reason why only polling works, if so.
    pub fn polling(&self) -> Option<String> {
        self.directories.trouble().or_else(|| {
            let track = self.tracks.values().find(|track| track.has_missed_event())?;
            let name = track.path.file_name()?.to_string_lossy();
            Some(format!("{name} changed and no event came"))
        })
    }

    /// Lists the folders; returns true if there is a new file. The check of a file notices its deletion.
    fn list(&mut self) -> bool {
        let before = self.tracks.len();
        for Folder { files, fresh } in &mut self.folders {
            let Ok(names) = self.files.list(&files.folder) else {
                continue;
            };
            for name in names.iter().filter(|name| files.takes(name)) {
                let path = files.folder.join(name);
                if let Entry::Vacant(place) = self.tracks.entry(absolute(&path)) {
                    place.insert(Track::new(path, files.limit, true, *fresh));
                }
            }
            *fresh = false;
        }
        self.tracks.len() > before
    }

    /// Resolves the targets of links, since events come from there; returns true if one has changed.
    fn follow_links(&mut self) -> bool {
        let mut links: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for path in self.tracks.keys() {
            match self.files.resolve(path) {
                Ok(target) if target == *path => {}
                Ok(target) => links.entry(target).or_default().push(path.clone()),
                // The target may be missing for a moment only.
                Err(_) => {
                    let mut known = self.scope.links.iter();
                    if let Some((target, _)) = known.find(|(_, linked)| linked.contains(path)) {
                        links.entry(target.clone()).or_default().push(path.clone());
                    }
                }
            }
        }
        if links == self.scope.links {
            return false;
        }
        Arc::make_mut(&mut self.scope).links = links;
        self.directories.set_scope(&self.scope);
        true
    }
}

/// Checks a file, and reads it if necessary; links may not lead out of its `home`.
fn check(files: &impl FileSystem, track: &mut Track, now: Moment, home: Option<&Path>) {
    let found = match files.stat(&track.path).and_then(read::require_plain) {
        Ok(found) => StatResult::File(found.print),
        Err(error) if is_absence(&error) => StatResult::Gone,
        Err(error) => StatResult::Refused(error.into()),
    };
    if track.apply_check(found, now) {
        let reading = read::read(files, &track.path, track.limit, home);
        track.apply_read(reading, now);
    }
}
