//! Detection of git checkouts: git creates `index.lock`, writes the files, and renames the lock to `index`.

use std::path::{Path, PathBuf};

use super::files::{FileKind, FileSystem, OpenFile};

/// Age at which a lock counts as abandoned, or as held for something else than files, ns.
const ABANDONED: i128 = 10_000_000_000;
/// Time after a checkout in which its files are still becoming ready, ns.
const SETTLING: i128 = 250_000_000;
/// Maximum length of a `.git` file, which names the directory of a worktree, bytes.
const LINK_BYTES: u64 = 4096;

/// State of a checkout.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Checkout {
    /// None, or it ended long ago.
    None,
    /// It ended a moment ago.
    Ended,
    /// It is writing files.
    Running,
}

/// Returns the state of a checkout in the repository that contains `folder` (absolute), at the time `wall`, in
/// nanoseconds since 1970.
pub(super) fn state(files: &impl FileSystem, folder: &Path, wall: i128) -> Checkout {
    let Some(git) = folder.ancestors().find_map(|above| git_directory(files, above)) else {
        return Checkout::None;
    };
    let is_young = |name: &str, age: i128| {
        let found = files.stat(&git.join(name));
        found.is_ok_and(|found| wall - found.print.modified < age)
    };
    if is_young("index.lock", ABANDONED) {
        Checkout::Running
    } else if is_young("index", SETTLING) {
        Checkout::Ended
    } else {
        Checkout::None
    }
}

/// Returns the git directory of the repository or worktree whose root is `root`.
fn git_directory(files: &impl FileSystem, root: &Path) -> Option<PathBuf> {
    let path = root.join(".git");
    match files.stat(&path).ok()?.kind {
        FileKind::Folder => Some(path),
        FileKind::File => {
            let bytes = files.open(&path).ok()?.read(LINK_BYTES).ok()?;
            let target = std::str::from_utf8(&bytes).ok()?.strip_prefix("gitdir:")?.trim();
            Some(root.join(target))
        }
        FileKind::Other => None,
    }
}
