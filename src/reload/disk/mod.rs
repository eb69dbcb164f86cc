//! What the files of a project contain. Knows nothing of scripts and scenes.
//!
//! Events of the file system are hints only; the disk decides. Every file is looked at when a hint
//! comes, and a few times a second in any case; a content counts once it has been stable for as long
//! as the way it was saved asks for. So editors may write in place, by renaming, or in pieces.

mod events;
mod files;
mod hints;
mod interest;
mod lookout;
mod read;
mod state;
mod track;

use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

pub use events::{NoEvents, Notifier, SystemEvents, SystemWatch, Watch, WatchError};
pub(super) use files::open_at_once;
pub use files::{FileSystem, Fingerprint, Kind, OpenFile, RealFiles, Stat};
pub use hints::{Mailbox, Sign};
pub use interest::Interest;
pub(crate) use read::read_plain;
pub use state::{Change, FileState, ReadFault};

use hints::{Hint, Shared};
use interest::{Listing, Scope, absolute};
use lookout::Lookout;
use track::{Moment, Sight, Track};

/// Every file is looked at this often, whatever events say.
const LOOK: Duration = Duration::from_millis(250);
/// Between two looks lies at least this.
const BREATH: Duration = Duration::from_millis(1);
/// Files that are ready within this of each other are told together.
const TOGETHER: Duration = Duration::from_millis(8);
/// Longest wait of a file that is ready for others.
const COMPANY: Duration = Duration::from_millis(40);
/// How long the first load waits for files that somebody is just writing.
const PATIENCE: Duration = Duration::from_secs(1);

/// The files that matter, and what was last told of them. Owned by one thread, which calls `poll` when
/// it is woken and at `next_deadline`.
pub struct Disk<F: FileSystem = RealFiles, N: Notifier = SystemEvents> {
    files: F,
    lookout: Lookout<N>,
    scope: Arc<Scope>,
    folders: Vec<Folder>,
    /// By absolute path, the form in which hints come.
    tracks: BTreeMap<PathBuf, Track>,
    looked: Option<Instant>,
    /// When links were last followed.
    linked: Option<Instant>,
}

/// A folder asked for.
struct Folder {
    listing: Listing,
    /// Not listed yet: what is in it was there before.
    fresh: bool,
}

impl Disk {
    /// Begins to watch. `wake` is called from another thread when the disk may have changed; it must
    /// not block.
    pub fn new(interest: Interest, wake: impl Fn() + Send + Sync + 'static) -> Self {
        Disk::with(RealFiles, SystemEvents, interest, wake)
    }
}

impl Disk<RealFiles, NoEvents> {
    /// Files to be read once; nothing is watched.
    pub fn unwatched(interest: Interest) -> Self {
        Disk::with(RealFiles, NoEvents, interest, || {})
    }
}

impl<F: FileSystem, N: Notifier> Disk<F, N> {
    /// The same over another file system or another source of events.
    pub fn with(
        files: F,
        notifier: N,
        interest: Interest,
        wake: impl Fn() + Send + Sync + 'static,
    ) -> Self {
        let scope = Arc::new(interest.scope());
        let mut lookout = Lookout::new(notifier, Shared::new(Box::new(wake)));
        lookout.aim(&scope);
        let track = |single: interest::Single| {
            let track = Track::new(single.path.clone(), single.limit, false, true);
            (absolute(&single.path), track)
        };
        let folder = |listing| Folder {
            listing,
            fresh: true,
        };
        Self {
            files,
            lookout,
            scope,
            folders: interest.folders.into_iter().map(folder).collect(),
            tracks: interest.files.into_iter().map(track).collect(),
            looked: None,
            linked: None,
        }
    }

    /// Tells of `path`, which was there before, also when it is there no more.
    pub fn expect(&mut self, path: &Path) {
        let home = |folder: &&Folder| path.parent() == Some(&folder.listing.folder);
        if let Some(Folder { listing, .. }) = self.folders.iter().find(home) {
            let mut track = Track::new(path.to_owned(), listing.limit, false, false);
            track.excuse();
            self.tracks.entry(absolute(path)).or_insert(track);
        }
    }

    /// Every file that is there, and of single files also that they are missing. Waits while a file is
    /// being written, for 1 s at most; such a file is left to `poll`.
    pub fn read_all(&mut self) -> Vec<Change> {
        let patience = Instant::now() + PATIENCE;
        let mut states = BTreeMap::new();
        loop {
            let now = Instant::now();
            let changes = self.poll(now).into_iter();
            states.extend(changes.map(|change| (change.path, change.state)));
            if now >= patience || self.tracks.values().all(Track::is_settled) {
                break;
            }
            let wait = self.next_deadline().min(patience);
            std::thread::sleep(wait.saturating_duration_since(now));
        }
        let change = |(path, state)| Change { path, state };
        states.into_iter().map(change).collect()
    }

    /// The files whose content has changed and held still since they were last told of, as of `now`,
    /// which must not run backwards.
    pub fn poll(&mut self, now: Instant) -> Vec<Change> {
        self.looked = Some(now);
        // Both clocks are read before the hints: what is written later is younger than every hint.
        let moment = Moment {
            at: now,
            wall: self.files.clock(),
        };
        let hints = self.lookout.drain(now);
        // Watched first and looked at after, nothing can happen unseen in between.
        let mut unheard = self.lookout.tend(&self.files, now);
        let any_new = self.list();
        let any_link = hints.iter().any(|hint| hint.sign != Sign::Written);
        if any_new || any_link || self.linked.is_none_or(|at| now >= at + LOOK) {
            self.linked = Some(now);
            unheard |= self.follow_links() && self.lookout.tend(&self.files, now);
        }
        if unheard {
            self.tracks.values_mut().for_each(Track::excuse);
        }
        for hint in &hints {
            self.sign(hint);
        }
        let folders = &self.folders;
        for track in self.tracks.values_mut() {
            let parent = track.path.parent().map(Path::to_owned);
            let listed = |at: &PathBuf| folders.iter().any(|it| it.listing.folder == *at);
            look(&self.files, track, moment, parent.filter(listed).as_deref());
        }
        let is_held = self.awaits_others(now);
        let mut changes = Vec::new();
        for track in self.tracks.values_mut() {
            if let Some(state) = track.due(now, is_held) {
                let path = track.path.clone();
                changes.push(Change { path, state });
            }
        }
        self.tracks.retain(|_, track| !track.is_over());
        changes
    }

    /// Whether files that are ready wait a little for others that will be: a checkout writes many at once.
    fn awaits_others(&self, now: Instant) -> bool {
        let deadlines = || self.tracks.values().filter_map(Track::deadline);
        let any_soon = deadlines().any(|at| at > now && at <= now + TOGETHER);
        any_soon && deadlines().all(|at| now < at + COMPANY)
    }

    /// Takes note of what a file holds because it was just written here: that is no news.
    pub fn know(&mut self, path: &Path, text: &str) {
        if let Some(track) = self.tracks.get_mut(&absolute(path)) {
            track.know(text);
        }
    }

    /// Passes a hint on.
    fn sign(&mut self, hint: &Hint) {
        for path in self.scope.meant_by(&hint.path) {
            if let Some(track) = self.tracks.get_mut(path) {
                track.sign(hint.sign, hint.at);
                let home = path.parent();
                let beside = self.tracks.iter_mut();
                let silent =
                    beside.filter(|(path, track)| track.is_silent() && path.parent() == home);
                silent.for_each(|(_, track)| track.excuse());
            }
        }
    }

    /// When `poll` must be called next, unless woken before: at most 250 ms after the last time.
    pub fn next_deadline(&self) -> Instant {
        let Some(looked) = self.looked else {
            return Instant::now();
        };
        let files = self.tracks.values().filter_map(Track::deadline);
        let soonest = files.fold(looked + LOOK, Instant::min);
        soonest.max(looked + BREATH)
    }

    /// Why there are no events and polling alone serves, if so.
    pub fn polling(&self) -> Option<String> {
        let silent = |track: &&Track| track.is_silent();
        let unheard = || {
            let track = self.tracks.values().find(silent)?;
            let name = track.path.file_name()?.to_string_lossy();
            Some(format!("{name} changed and no event came"))
        };
        self.lookout.trouble().or_else(unheard)
    }

    /// Takes in what the folders hold; whether there is anything new. What is gone from them is seen by
    /// looking at it.
    fn list(&mut self) -> bool {
        let before = self.tracks.len();
        for Folder { listing, fresh } in &mut self.folders {
            let Ok(names) = self.files.list(&listing.folder) else {
                continue;
            };
            for name in names.iter().filter(|name| listing.takes(name)) {
                let path = listing.folder.join(name);
                if let Entry::Vacant(place) = self.tracks.entry(absolute(&path)) {
                    place.insert(Track::new(path, listing.limit, true, *fresh));
                }
            }
            *fresh = false;
        }
        self.tracks.len() > before
    }

    /// Finds where files really are, since events come from there; whether that is news.
    fn follow_links(&mut self) -> bool {
        let mut links: BTreeMap<PathBuf, Vec<PathBuf>> = BTreeMap::new();
        for path in self.tracks.keys() {
            match self.files.resolve(path) {
                Ok(target) if target == *path => {}
                Ok(target) => links.entry(target).or_default().push(path.clone()),
                // The target is away for a moment, perhaps, and where it was it will come back.
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
        self.lookout.aim(&self.scope);
        true
    }
}

/// Looks at a file, and reads it if need be; links may not lead out of its `home`.
fn look(files: &impl FileSystem, track: &mut Track, now: Moment, home: Option<&Path>) {
    let sight = match files.stat(&track.path) {
        Ok(found) => match read::require_plain(found) {
            Ok(()) => Sight::File(found.print),
            Err(error) => Sight::Refused(error.into()),
        },
        Err(error) if read::is_absence(&error) => Sight::Gone,
        Err(error) => Sight::Refused(error.into()),
    };
    if track.look(sight, now) {
        let reading = read::read(files, &track.path, track.limit, home);
        track.take(reading, now);
    }
}

#[cfg(test)]
mod tests;
