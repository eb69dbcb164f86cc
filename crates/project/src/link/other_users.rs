//! Tests that processes of other users cannot connect.

use std::fs::{self, Permissions};
use std::io::{self, Read as _};
use std::os::unix::fs::{MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use super::publisher::Publisher;
use super::sockets::{Sockets, is_of_user};
use crate::reload::read_dir_sorted;

/// The user that other processes run as: nobody.
const OTHER: u32 = 65534;
/// The variables that make [`as_other_user`] act.
const CONNECT: &str = "STEERBOX_TEST_CONNECT";
const LISTEN: &str = "STEERBOX_TEST_LISTEN";
/// The statuses of the process of the other user.
const REFUSED_BY_SYSTEM: i32 = 13;
const REFUSED_BY_PEER: i32 = 14;
const ACCEPTED: i32 = 15;

/// Runs this program as the other user, which then acts as [`as_other_user`].
fn other_user(variable: &str, path: &Path) -> Command {
    let mut command = Command::new("/proc/self/exe");
    command.args(["--exact", "link::other_users::as_other_user"]).env(variable, path);
    command.uid(OTHER).gid(OTHER).stdout(Stdio::null());
    command
}

/// Returns true, after a note, unless this process may start processes of other users.
#[allow(clippy::print_stdout, reason = "a test that is skipped states why")]
fn is_skipped() -> bool {
    let is_root = rustix::process::geteuid().is_root();
    if !is_root {
        println!("skipped: only root can start a process of another user");
    }
    !is_root
}

/// Acts in the process of the other user; passes in all others.
#[test]
fn as_other_user() {
    if let Some(path) = std::env::var_os(CONNECT) {
        std::process::exit(connect(Path::new(&path)));
    }
    if let Some(path) = std::env::var_os(LISTEN) {
        let listener = UnixListener::bind(&path).expect("a socket");
        fs::set_permissions(&path, Permissions::from_mode(0o666)).expect("its mode");
        let (mut stream, _) = listener.accept().expect("a connection");
        assert_eq!(stream.read(&mut [0]).expect("its end"), 0);
    }
}

/// Returns how a connection ends.
fn connect(path: &Path) -> i32 {
    match UnixStream::connect(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => REFUSED_BY_SYSTEM,
        Err(error) => panic!("{error}"),
        Ok(mut stream) => {
            // A window that accepts sends its first state.
            let received = stream.read(&mut [0]).unwrap_or_default();
            if received == 0 { REFUSED_BY_PEER } else { ACCEPTED }
        }
    }
}

/// Opens a window's socket in a folder that others can reach; returns its path.
fn window(folder: &tempfile::TempDir) -> (Publisher, PathBuf) {
    fs::set_permissions(folder.path(), Permissions::from_mode(0o755)).expect("its mode");
    let sockets = folder.path().join("s");
    let window = Publisher::open(&Sockets::in_folder(&sockets), Path::new("/p")).expect("a socket");
    let socket = read_dir_sorted(&sockets).expect("a folder").remove(0);
    (window, socket)
}

#[test]
fn another_user_is_refused_by_modes_and_by_the_window() {
    if is_skipped() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    let (window, socket) = window(&folder);
    let sockets = socket.parent().expect("a folder");
    let mode = |path: &Path| fs::metadata(path).expect("a file").mode() & 0o777;
    let status = || other_user(CONNECT, &socket).status().expect("a process").code();
    assert_eq!((mode(sockets), mode(&socket)), (0o700, 0o600));
    assert_eq!(status(), Some(REFUSED_BY_SYSTEM), "by the mode of the folder");
    fs::set_permissions(sockets, Permissions::from_mode(0o777)).expect("its mode");
    assert_eq!(status(), Some(REFUSED_BY_SYSTEM), "by the mode of the socket");
    fs::set_permissions(&socket, Permissions::from_mode(0o666)).expect("its mode");
    assert_eq!(status(), Some(REFUSED_BY_PEER), "by the check of the user");
    assert!(!window.is_watched());
    fs::set_permissions(sockets, Permissions::from_mode(0o700)).expect("its mode");
}

#[test]
fn a_window_of_another_user_is_refused() {
    if is_skipped() {
        return;
    }
    let folder = tempfile::tempdir().expect("a folder");
    fs::set_permissions(folder.path(), Permissions::from_mode(0o777)).expect("its mode");
    let path = folder.path().join("other.sock");
    let mut other = other_user(LISTEN, &path).spawn().expect("a process");
    let stream = loop {
        if let Ok(stream) = UnixStream::connect(&path) {
            break stream;
        }
        assert_eq!(other.try_wait().expect("a process"), None, "it listens");
        std::thread::yield_now();
    };
    assert!(!is_of_user(&stream));
    drop(stream);
    assert!(other.wait().expect("a process").success());
}
