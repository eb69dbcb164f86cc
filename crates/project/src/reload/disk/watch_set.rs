//! The set of watched files: folders by extension, and single files.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The watched files.
///
/// ```
/// use steerbox_project::reload::disk::WatchSet;
/// let watch_set = WatchSet::new()
///     .folder("scripts", "rhai", 64 * 1024)
///     .file("scenes/demo.ron", 4 * 1024 * 1024);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WatchSet {
    pub(super) folders: Vec<WatchedFolder>,
    pub(super) files: Vec<WatchedFile>,
}

/// All files with one extension directly in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WatchedFolder {
    /// The folder as specified.
    pub(super) folder: PathBuf,
    /// Extension without its dot.
    pub(super) extension: String,
    /// Ending of names that are skipped.
    pub(super) except: Option<String>,
    /// Size limit, bytes.
    pub(super) limit: u64,
}

/// One file, which need not exist.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct WatchedFile {
    /// The file as specified.
    pub(super) path: PathBuf,
    /// Size limit, bytes.
    pub(super) limit: u64,
}

impl WatchSet {
    /// Creates an empty set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds every file directly in `folder` (which need not exist) whose name ends in `.extension` and does not begin
    /// with a dot, of at most `limit` bytes. A link that leads out of the folder is unreadable; the folder itself may
    /// be a link.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>, extension: &str, limit: u64) -> Self {
        self.folders.push(WatchedFolder {
            folder: folder.into(),
            extension: extension.to_owned(),
            except: None,
            limit,
        });
        self
    }

    /// Skips the files of the folders so far whose names end in `ending`.
    #[must_use]
    pub fn except(mut self, ending: &str) -> Self {
        for listing in &mut self.folders {
            listing.except = Some(ending.to_owned());
        }
        self
    }

    /// Adds the file `path` (which need not exist) of at most `limit` bytes.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>, limit: u64) -> Self {
        let path = path.into();
        self.files.push(WatchedFile { path, limit });
        self
    }

    /// Returns the set with absolute paths.
    pub(super) fn scope(&self) -> Scope {
        let mut listings = self.folders.clone();
        for listing in &mut listings {
            listing.folder = absolute(&listing.folder);
        }
        Scope {
            listings,
            files: self.files.iter().map(|file| absolute(&file.path)).collect(),
            links: BTreeMap::new(),
        }
    }
}

/// The watched files and their directories, all as absolute paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    listings: Vec<WatchedFolder>,
    files: BTreeSet<PathBuf>,
    /// Targets of links, and the watched files that link there.
    pub(super) links: BTreeMap<PathBuf, Vec<PathBuf>>,
}

/// Reason why a directory is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// It contains watched files.
    Home,
    /// It contains the target of a link.
    Link,
    /// It contains watched directories: its events show their removal and creation early.
    Parent,
}

impl Scope {
    /// Returns true if an event of `path` (absolute) may be relevant.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let listed = |listing: &WatchedFolder| {
            path.parent() == Some(&listing.folder) && path.file_name().is_some_and(|name| listing.takes(name))
        };
        self.files.contains(path)
            || self.links.contains_key(path)
            || self.listings.iter().any(listed)
            || self.directories().contains_key(path)
    }

    /// Returns the watched files that a hint at `path` concerns.
    pub(super) fn files_behind<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a Path> {
        let linked = self.links.get(path).into_iter().flatten();
        std::iter::once(path).chain(linked.map(PathBuf::as_path))
    }

    /// Returns the directories to watch.
    pub(super) fn directories(&self) -> BTreeMap<&Path, Reason> {
        let folders = self.listings.iter().map(|listing| listing.folder.as_path());
        let homes = self.files.iter().filter_map(|file| file.parent());
        let homes: BTreeSet<&Path> = folders.chain(homes).collect();
        let parents = homes.iter().filter_map(|path| path.parent());
        let mut directories: BTreeMap<&Path, Reason> = parents.map(|path| (path, Reason::Parent)).collect();
        let targets = self.links.keys().filter_map(|path| path.parent());
        directories.extend(targets.map(|path| (path, Reason::Link)));
        directories.extend(homes.iter().map(|path| (*path, Reason::Home)));
        directories
    }
}

impl WatchedFolder {
    /// Returns true if a file of this name is watched. Names that begin with a dot are editors' own files (Emacs
    /// locks `a.rhai` by a link `.#a.rhai`).
    pub(super) fn takes(&self, name: &OsStr) -> bool {
        let bytes = name.as_encoded_bytes();
        let is_excepted = |ending: &String| bytes.ends_with(ending.as_bytes());
        !bytes.starts_with(b".")
            && !self.except.as_ref().is_some_and(is_excepted)
            && Path::new(name).extension() == Some(OsStr::new(&self.extension))
    }
}

/// Returns the absolute path without resolving links, as in events.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_take_their_extension_and_no_hidden_names() {
        let scope = WatchSet::new().folder("/a/scripts", "rhai", 1).except(".d.rhai").scope();
        for (path, concerns) in [
            ("/a/scripts/x.rhai", true),
            ("/a/scripts/d.rhai", true),
            ("/a/scripts", true),
            ("/a", true),
            ("/a/x.rhai", false),
            ("/a/scripts/x.d.rhai", false),
            ("/a/scripts/x.rhai~", false),
            ("/a/scripts/.#x.rhai", false),
            ("/a/scripts/deep/x.rhai", false),
        ] {
            assert_eq!(scope.concerns(Path::new(path)), concerns, "{path}");
        }
    }

    #[test]
    fn the_directory_of_a_file_its_parent_and_the_targets_of_links_are_watched() {
        let mut scope = WatchSet::new().file("/a/b/demo.ron", 1).scope();
        let [above, home] = ["/a", "/a/b"].map(Path::new);
        let directories = [(above, Reason::Parent), (home, Reason::Home)];
        assert!(scope.directories().into_iter().eq(directories));
        let (link, target) = (Path::new("/a/b/demo.ron"), Path::new("/c/y"));
        assert!(!scope.concerns(target));
        scope.links.insert(target.into(), vec![link.into()]);
        assert!(scope.concerns(target));
        assert!(scope.files_behind(target).any(|file| file == link));
        assert_eq!(scope.directories()[Path::new("/c")], Reason::Link);
    }
}
