//! The folder of sockets, their names, and the user at the other end.

use std::fs::{self, DirBuilder, Permissions};
use std::io;
use std::os::unix::fs::{DirBuilderExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};
use std::process;

use rustix::process::geteuid;

use crate::reload::read_dir_sorted;

/// The folder of sockets.
#[derive(Clone, Debug)]
pub struct Sockets {
    folder: PathBuf,
}

impl Sockets {
    /// Returns the folder of the user: in `$XDG_RUNTIME_DIR`, or else in the folder of temporary files.
    pub fn of_user() -> Self {
        let runtime =
            std::env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from).filter(|path| path.is_absolute());
        let of_user = || std::env::temp_dir().join(format!("steerbox-{}", geteuid().as_raw()));
        Self { folder: runtime.map_or_else(of_user, |runtime| runtime.join("steerbox")) }
    }

    /// Returns sockets in another folder.
    pub fn in_folder(folder: &Path) -> Self {
        Self { folder: folder.to_owned() }
    }

    /// Creates the folder if it does not exist.
    ///
    /// # Errors
    /// If it cannot be created, or another user owns it or may enter it.
    fn prepare(&self) -> io::Result<()> {
        match DirBuilder::new().mode(0o700).create(&self.folder) {
            Err(error) if error.kind() != io::ErrorKind::AlreadyExists => return Err(error),
            _ => {}
        }
        let found = fs::symlink_metadata(&self.folder)?;
        if found.is_dir() && is_private(found.uid(), found.mode(), geteuid().as_raw()) {
            return Ok(());
        }
        Err(io::Error::other(format!("{} is not a folder of this user alone", self.folder.display())))
    }

    /// Opens a socket of this process for a project, and removes those of processes that have ended.
    ///
    /// # Errors
    /// If the folder is not private, or the socket cannot be opened.
    pub(super) fn listen(&self, project: &Path) -> io::Result<(UnixListener, PathBuf)> {
        self.prepare()?;
        for path in self.all() {
            // Nobody listens at a socket that refuses.
            let refused = connect(&path).err();
            if refused.is_some_and(|error| error.kind() == io::ErrorKind::ConnectionRefused) {
                let _ = fs::remove_file(&path);
            }
        }
        let path = (0..1000).map(|number| self.path(project, number)).find(|path| !path.exists());
        let path = path.ok_or(io::ErrorKind::AlreadyExists)?;
        let listener = UnixListener::bind(&path)?;
        fs::set_permissions(&path, Permissions::from_mode(0o600))?;
        Ok((listener, path))
    }

    /// Connects to a window of one of these projects.
    pub(super) fn connect<'a>(&self, projects: impl Iterator<Item = &'a PathBuf>) -> Option<UnixStream> {
        self.prepare().ok()?;
        let wanted: Vec<_> = projects.map(|project| hash(project)).collect();
        let is_wanted = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
            wanted.iter().any(|hash| name.starts_with(hash))
        };
        let connected = self.all().into_iter().filter(is_wanted).filter_map(|path| connect(&path).ok());
        connected.into_iter().find(is_of_user)
    }

    fn all(&self) -> Vec<PathBuf> {
        let paths = read_dir_sorted(&self.folder).unwrap_or_default();
        paths.into_iter().filter(|path| path.extension().is_some_and(|end| end == "sock")).collect()
    }

    fn path(&self, project: &Path, number: usize) -> PathBuf {
        self.folder.join(format!("{}-{}-{number}.sock", hash(project), process::id()))
    }
}

/// Connects to a socket; fails instead of waiting for a process that does not accept connections.
pub(super) fn connect(path: &Path) -> io::Result<UnixStream> {
    use rustix::io::{FdFlags, fcntl_setfd};
    use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, connect, socket};
    let stream = UnixStream::from(socket(AddressFamily::UNIX, SocketType::STREAM, None)?);
    fcntl_setfd(&stream, FdFlags::CLOEXEC)?;
    stream.set_nonblocking(true)?;
    connect(&stream, &SocketAddrUnix::new(path)?)?;
    stream.set_nonblocking(false)?;
    Ok(stream)
}

/// Removes a socket.
pub(super) fn remove(path: &Path) {
    let _ = fs::remove_file(path);
}

/// Returns the part of a socket's name that all windows of a project share.
fn hash(project: &Path) -> String {
    let path = fs::canonicalize(project).unwrap_or_else(|_| project.to_owned());
    format!("{:016x}", xxhash_rust::xxh3::xxh3_64(path.as_os_str().as_encoded_bytes()))
}

/// Returns true if the owner of a folder is the user, and nobody else may enter it.
fn is_private(owner: u32, mode: u32, user: u32) -> bool {
    owner == user && mode.trailing_zeros() >= 6
}

/// Returns true if the process at the other end belongs to this user. Where the system does not report that, the modes of
/// folder and socket decide alone.
pub(super) fn is_of_user(stream: &UnixStream) -> bool {
    #[cfg(any(target_os = "linux", target_os = "android"))]
    return rustix::net::sockopt::socket_peercred(stream).is_ok_and(|peer| peer.uid == geteuid());
    #[cfg(not(any(target_os = "linux", target_os = "android")))]
    return stream.peer_addr().is_ok();
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sockets_are_private_and_found_by_their_project() {
        let folder = tempfile::tempdir().expect("a folder");
        let sockets = Sockets::in_folder(&folder.path().join("s"));
        let [mine, other] = ["/p/scenes", "/q/scenes"].map(PathBuf::from);
        let (_listener, path) = sockets.listen(&mine).expect("a socket");
        let mode = |path: &Path| fs::metadata(path).expect("a file").mode() & 0o777;
        assert_eq!((mode(&path), mode(&sockets.folder)), (0o600, 0o700));
        assert!(sockets.connect([&mine].into_iter()).is_some_and(|stream| is_of_user(&stream)));
        assert!(sockets.connect([&other].into_iter()).is_none());
    }

    #[test]
    fn a_window_that_accepts_no_connection_blocks_neither_windows_nor_servers() {
        use rustix::net::{AddressFamily, SocketAddrUnix, SocketType, bind, listen, socket};
        let folder = tempfile::tempdir().expect("a folder");
        let sockets = Sockets::in_folder(&folder.path().join("s"));
        sockets.prepare().expect("a folder");
        let (project, path) = (PathBuf::from("/p"), sockets.path(Path::new("/p"), 0));
        let suspended = socket(AddressFamily::UNIX, SocketType::STREAM, None).expect("a socket");
        bind(&suspended, &SocketAddrUnix::new(&path).expect("an address")).expect("a name");
        listen(&suspended, 0).expect("a queue");
        let queued: Vec<_> = std::iter::from_fn(|| connect(&path).ok()).collect();
        assert!(!queued.is_empty() && sockets.connect([&project].into_iter()).is_none());
        let (_listener, other) = sockets.listen(&project).expect("a socket");
        assert!(path.exists() && other != path);
        assert!(sockets.connect([&project].into_iter()).is_some(), "the other window is found");
    }

    #[test]
    fn sockets_of_ended_processes_are_removed() {
        let folder = tempfile::tempdir().expect("a folder");
        let sockets = Sockets::in_folder(&folder.path().join("s"));
        let (stale, path) = sockets.listen(Path::new("/p")).expect("a socket");
        drop(stale);
        assert!(path.exists());
        let (_listener, new) = sockets.listen(Path::new("/p")).expect("a socket");
        assert_eq!(new, path, "its name is free again");
        assert_eq!(sockets.all(), [new]);
    }

    #[test]
    fn folders_of_others_are_refused() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("s");
        DirBuilder::new().mode(0o755).create(&path).expect("a folder");
        assert!(Sockets::in_folder(&path).listen(Path::new("/p")).is_err());
        std::os::unix::fs::symlink(folder.path(), folder.path().join("link")).expect("a link");
        assert!(Sockets::in_folder(&folder.path().join("link")).prepare().is_err());
        assert!(!is_private(1, 0o700, 2) && !is_private(2, 0o710, 2) && is_private(2, 0o700, 2));
    }
}
