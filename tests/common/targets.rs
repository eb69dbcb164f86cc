//! All kinds of targets of a path, for tests of code that writes files.
#![cfg(unix)]
#![allow(dead_code, reason = "each crate uses a part")]

use std::fs;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _, chown, symlink};
use std::os::unix::net::UnixListener;
use std::path::Path;
use std::process::Command;

/// The action of a writer on a path that is taken.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Policy {
    /// Replaces plain files, also through links.
    FollowsLinks,
    /// Replaces plain files, and refuses links.
    RefusesLinks,
    /// Creates files, and replaces none.
    Creates,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Kind {
    Device,
    BlockDevice,
    Pipe,
    Socket,
    Folder,
    ReadOnly,
    OfAnotherUser,
    Plain,
    Nothing,
}

const KINDS: [Kind; 9] = [
    Kind::Device,
    Kind::BlockDevice,
    Kind::Pipe,
    Kind::Socket,
    Kind::Folder,
    Kind::ReadOnly,
    Kind::OfAnotherUser,
    Kind::Plain,
    Kind::Nothing,
];

/// Calls a writer with a path for each kind of target, directly and through a link, and compares the target before
/// and after. `name` is the last part of the path, `text` the content of plain files.
pub(crate) fn check_writer(
    name: &str,
    text: &str,
    policy: Policy,
    write: &dyn Fn(&Path) -> Result<(), String>,
) {
    for kind in KINDS {
        for linked in [false, true] {
            check(name, text, policy, (kind, linked), write);
        }
    }
}

fn check(
    name: &str,
    text: &str,
    policy: Policy,
    (kind, linked): (Kind, bool),
    write: &dyn Fn(&Path) -> Result<(), String>,
) {
    let case = format!("{kind:?}, through a link: {linked}");
    let (folder, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    let path = folder.path().join(name);
    let target = if linked { home.path().join("target") } else { path.clone() };
    if !make(kind, &target, text) {
        eprintln!("not tested without root: {case}");
        return;
    }
    if linked {
        symlink(&target, &path).unwrap();
    }
    let before = described(&target);
    let written = write(&path);
    let after = described(&target);
    let is_replaced = match (kind, linked, policy) {
        (Kind::Nothing, linked, _) => !linked,
        (_, _, Policy::Creates) | (_, true, Policy::RefusesLinks) => false,
        (Kind::OfAnotherUser | Kind::Plain, ..) => true,
        _ => false,
    };
    assert_eq!(written.is_ok(), is_replaced, "{case}: {written:?}");
    match (before, after) {
        (None, after) => assert_eq!(after.is_some(), is_replaced, "{case}"),
        (Some(before), Some(after)) if is_replaced => {
            assert_eq!(before.node, after.node, "{case}");
            assert_ne!(before.content, after.content, "{case}");
        }
        (before, after) => assert_eq!(before, after, "{case}"),
    }
    assert_eq!(fs::symlink_metadata(&path).unwrap().is_symlink(), linked, "{case}");
    for folder in [folder.path(), home.path()] {
        #[allow(clippy::disallowed_methods, reason = "a number of files has no order")]
        let left = fs::read_dir(folder).unwrap().count();
        assert!(left <= 1, "{case}: {left} files are left behind");
    }
}

/// Creates a target; false where only root can.
fn make(kind: Kind, path: &Path, text: &str) -> bool {
    let is_run = |program: &str, args: &[&str]| {
        let output = Command::new(program).arg(path).args(args).output();
        output.is_ok_and(|output| output.status.success())
    };
    match kind {
        // The numbers of /dev/zero, and of a loop device that no machine has.
        Kind::Device => is_run("mknod", &["c", "1", "5"]),
        Kind::BlockDevice => is_run("mknod", &["b", "7", "250"]),
        Kind::Pipe => {
            assert!(is_run("mkfifo", &[]));
            true
        }
        Kind::Socket => UnixListener::bind(path).map(drop).is_ok(),
        Kind::Folder => fs::create_dir(path).is_ok(),
        Kind::Nothing => true,
        Kind::ReadOnly | Kind::OfAnotherUser | Kind::Plain => {
            fs::write(path, text).unwrap();
            let mode = if kind == Kind::ReadOnly { 0o444 } else { 0o640 };
            fs::set_permissions(path, fs::Permissions::from_mode(mode)).unwrap();
            kind != Kind::OfAnotherUser || chown(path, Some(12_345), Some(12_345)).is_ok()
        }
    }
}

/// The file at a path.
#[derive(Debug, PartialEq)]
struct Description {
    /// Kind, device number, permissions and owner.
    node: String,
    /// The text of a plain file.
    content: String,
}

fn described(path: &Path) -> Option<Description> {
    let found = fs::symlink_metadata(path).ok()?;
    let kind = found.file_type();
    let special = [kind.is_char_device(), kind.is_block_device(), kind.is_fifo(), kind.is_socket()];
    let node = format!("{:?}", (special, found.rdev(), found.mode(), found.uid(), found.gid()));
    let content = if kind.is_file() { fs::read_to_string(path).unwrap() } else { String::new() };
    Some(Description { node, content })
}
