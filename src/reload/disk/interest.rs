//! Which files are asked for: folders by extension, and single files; knows not what they hold.

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::path::{Path, PathBuf};

/// The files asked for.
///
/// ```
/// use steerbox::reload::disk::Interest;
/// let interest = Interest::new()
///     .folder("scripts", "rhai", 64 * 1024)
///     .file("scenes/demo.ron", 4 * 1024 * 1024);
/// ```
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Interest {
    pub(super) folders: Vec<Listing>,
    pub(super) files: Vec<Single>,
}

/// All files of one extension directly in one folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Listing {
    /// The folder as it was named.
    pub(super) folder: PathBuf,
    /// Without its dot.
    pub(super) extension: String,
    /// How the names of files end that are not asked for.
    pub(super) except: Option<String>,
    /// The most a file may have, in bytes.
    pub(super) limit: u64,
}

/// One file, whether it exists or not.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Single {
    /// The file as it was named.
    pub(super) path: PathBuf,
    /// The most it may have, in bytes.
    pub(super) limit: u64,
}

impl Interest {
    /// No file at all.
    pub fn new() -> Self {
        Self::default()
    }

    /// And every file directly in `folder` (which may not exist yet) whose name ends in
    /// `.extension` and does not begin with a dot, of at most `limit` bytes. A link that leads out of
    /// the folder is told as unreadable; the folder itself may be a link.
    #[must_use]
    pub fn folder(mut self, folder: impl Into<PathBuf>, extension: &str, limit: u64) -> Self {
        self.folders.push(Listing {
            folder: folder.into(),
            extension: extension.to_owned(),
            except: None,
            limit,
        });
        self
    }

    /// No file of any folder asked for so far whose name ends in `ending`.
    #[must_use]
    pub fn except(mut self, ending: &str) -> Self {
        for listing in &mut self.folders {
            listing.except = Some(ending.to_owned());
        }
        self
    }

    /// And the file `path` (which may not exist yet) of at most `limit` bytes.
    #[must_use]
    pub fn file(mut self, path: impl Into<PathBuf>, limit: u64) -> Self {
        self.files.push(Single {
            path: path.into(),
            limit,
        });
        self
    }

    /// The same, as paths from the root on.
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

/// The files asked for and what to watch for them, all as absolute paths.
#[derive(Clone, Debug, Default)]
pub(super) struct Scope {
    listings: Vec<Listing>,
    files: BTreeSet<PathBuf>,
    /// Where links lead, and the files asked for that lead there.
    pub(super) links: BTreeMap<PathBuf, Vec<PathBuf>>,
}

/// Why a directory is watched.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Reason {
    /// Files asked for are in it.
    Home,
    /// A link leads there.
    Link,
    /// It only tells sooner that a directory went or came.
    Parent,
}

impl Scope {
    /// Whether something that happened to `path` (absolute) can matter.
    pub(super) fn concerns(&self, path: &Path) -> bool {
        let listed = |listing: &Listing| {
            path.parent() == Some(&listing.folder)
                && path.file_name().is_some_and(|name| listing.takes(name))
        };
        self.files.contains(path)
            || self.links.contains_key(path)
            || self.listings.iter().any(listed)
            || self.directories().contains_key(path)
    }

    /// The files asked for that a hint at `path` is about.
    pub(super) fn meant_by<'a>(&'a self, path: &'a Path) -> impl Iterator<Item = &'a Path> {
        let linked = self.links.get(path).into_iter().flatten();
        std::iter::once(path).chain(linked.map(PathBuf::as_path))
    }

    /// The directories to watch.
    pub(super) fn directories(&self) -> BTreeMap<&Path, Reason> {
        let folders = self.listings.iter().map(|listing| listing.folder.as_path());
        let homes = self.files.iter().filter_map(|file| file.parent());
        let homes: BTreeSet<&Path> = folders.chain(homes).collect();
        let parents = homes.iter().filter_map(|path| path.parent());
        let mut directories: BTreeMap<&Path, Reason> =
            parents.map(|path| (path, Reason::Parent)).collect();
        let targets = self.links.keys().filter_map(|path| path.parent());
        directories.extend(targets.map(|path| (path, Reason::Link)));
        directories.extend(homes.iter().map(|path| (*path, Reason::Home)));
        directories
    }
}

impl Listing {
    /// Whether a file of this name is asked for. Names that begin with a dot are editors' own
    /// (Emacs locks `a.rhai` by a link `.#a.rhai`).
    pub(super) fn takes(&self, name: &OsStr) -> bool {
        let bytes = name.as_encoded_bytes();
        let is_excepted = |ending: &String| bytes.ends_with(ending.as_bytes());
        !bytes.starts_with(b".")
            && !self.except.as_ref().is_some_and(is_excepted)
            && Path::new(name).extension() == Some(OsStr::new(&self.extension))
    }
}

/// The path from the root on, links kept: the form in which events name files.
pub(super) fn absolute(path: &Path) -> PathBuf {
    std::path::absolute(path).unwrap_or_else(|_| path.to_path_buf())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn folders_take_their_extension_and_no_hidden_names() {
        let interest = Interest::new().folder("/a/scripts", "rhai", 1).scope();
        assert!(interest.concerns(Path::new("/a/scripts/x.rhai")));
        assert!(interest.concerns(Path::new("/a/scripts")));
        assert!(interest.concerns(Path::new("/a")));
        assert!(!interest.concerns(Path::new("/a/x.rhai")));
        assert!(!interest.concerns(Path::new("/a/scripts/x.rhai~")));
        assert!(!interest.concerns(Path::new("/a/scripts/.#x.rhai")));
        assert!(!interest.concerns(Path::new("/a/scripts/deep/x.rhai")));
        let except = Interest::new().folder("/a", "rhai", 1).except(".d.rhai");
        let except = except.scope();
        assert!(except.concerns(Path::new("/a/d.rhai")));
        assert!(!except.concerns(Path::new("/a/x.d.rhai")));
    }

    #[test]
    fn a_single_file_has_its_directory_and_the_parent_of_that_watched() {
        let scope = Interest::new().file("/a/b/demo.ron", 1).scope();
        let directories: Vec<_> = scope.directories().into_iter().collect();
        assert_eq!(
            directories,
            [
                (Path::new("/a"), Reason::Parent),
                (Path::new("/a/b"), Reason::Home)
            ]
        );
    }

    #[test]
    fn what_happens_where_a_link_leads_is_meant_for_the_link() {
        let mut scope = Interest::new().folder("/a", "rhai", 1).scope();
        let (link, target) = (Path::new("/a/x.rhai"), Path::new("/b/y"));
        assert!(!scope.concerns(target));
        scope.links.insert(target.into(), vec![link.into()]);
        assert!(scope.concerns(target));
        assert!(scope.meant_by(target).any(|meant| meant == link));
        assert_eq!(scope.directories()[Path::new("/b")], Reason::Link);
    }
}
