//! Files that commands write. They never replace a script, a scene or a link, and never coincide.

use std::fs::{self, File, Metadata};
use std::io;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail, ensure};
use steerbox_project::reload::{Pending, is_script};

use super::lines::OutputError;
use super::stream::{self, Stream};
use super::usage::{UsageError, require};

/// Opens the files of a command's options, in order, and changes none. An option that is missing or `-` has none.
/// `inputs` are the files that the command reads.
///
/// # Errors
/// If one of them cannot be written or must not be written.
pub(super) fn claim_all<const N: usize>(
    wanted: [(&str, Option<&Path>); N],
    inputs: &[PathBuf],
) -> anyhow::Result<[Option<Claim>; N]> {
    let mut taken = streams();
    for path in inputs {
        if let Ok(found) = fs::metadata(path) {
            let shown = format!("{}, an input", path.display());
            taken.push((identity(path, &found), shown));
        }
    }
    let mut claims = [const { None }; N];
    for (claimed, (option, path)) in claims.iter_mut().zip(wanted) {
        let path = path.filter(|path| *path != Path::new("-"));
        *claimed = path.map(|path| claim(option, path, &mut taken)).transpose()?;
    }
    Ok(claims)
}

/// Opens and truncates the files of a command's options, in order, as [`claim_all`] does.
///
/// # Errors
/// If one of them cannot be written or must not be written; then none of them is changed.
pub(super) fn open<const N: usize>(
    wanted: [(&str, Option<&Path>); N],
    inputs: &[PathBuf],
) -> anyhow::Result<[Option<Stream>; N]> {
    let mut files = [const { None }; N];
    for (file, claim) in files.iter_mut().zip(claim_all(wanted, inputs)?) {
        *file = claim.map(Claim::empty).transpose()?;
    }
    Ok(files)
}

/// The identity of a file, independent of its name, and its name in messages.
type Taken = (Identity, String);

/// A file that is open and not changed yet. One that was created is removed unless the claim is completed.
pub(super) struct Claim {
    path: PathBuf,
    file: File,
    made: Made,
}

/// A file that was created for a claim and is removed unless the claim is completed.
struct Made(Option<PathBuf>);

impl Drop for Made {
    fn drop(&mut self) {
        if let Some(path) = &self.0 {
            let _ = fs::remove_file(path);
        }
    }
}

impl Claim {
    fn create(path: &Path) -> io::Result<Self> {
        let file = File::create_new(path)?;
        Ok(Self { path: path.to_owned(), file, made: Made(Some(path.to_owned())) })
    }

    /// Opens an existing plain file or stream. A link that replaces it concurrently is not followed.
    fn existing(path: &Path, through_link: bool) -> io::Result<Self> {
        let file = stream::open(path, through_link)?;
        let found = file.metadata()?;
        if found.is_file() && found.permissions().readonly() {
            return Err(io::Error::new(io::ErrorKind::PermissionDenied, "the file is read-only"));
        }
        Ok(Self { path: path.to_owned(), file, made: Made(None) })
    }

    /// Returns true for a plain file.
    pub(super) fn is_plain(&self) -> bool {
        self.file.metadata().is_ok_and(|found| found.is_file())
    }

    /// Starts a file that replaces this one when it is complete.
    ///
    /// # Errors
    /// If it is not a plain file, or the system refuses.
    pub(super) fn pending(self) -> anyhow::Result<Pending> {
        let Self { path, file, made } = self;
        // The name stays free until the file is complete.
        drop((file, made));
        Pending::replace(&path).with_context(|| format!("cannot write {}", path.display()))
    }

    /// Completes the claim of a plain file, shortens it to `length` bytes, and returns it for lines to be appended. No
    /// other process can continue it meanwhile.
    ///
    /// # Errors
    /// If it is not a plain file, another process continues it, or the system refuses.
    pub(super) fn continued(
        mut self,
        length: impl FnOnce() -> anyhow::Result<u64>,
    ) -> anyhow::Result<Stream> {
        use io::Seek as _;
        let shown = self.path.display();
        ensure!(self.file.metadata()?.is_file(), "{shown} is not a plain file");
        if matches!(self.file.try_lock(), Err(fs::TryLockError::WouldBlock)) {
            bail!("{shown} is written by another process");
        }
        let length = length()?;
        let cut = self.file.set_len(length).and_then(|()| self.file.seek(io::SeekFrom::Start(length)));
        cut.with_context(|| format!("cannot write {shown}"))?;
        self.made.0 = None;
        Ok(Stream::new(self.file)?)
    }

    /// Completes the claim and truncates a plain file.
    ///
    /// # Errors
    /// If the system refuses.
    pub(super) fn empty(mut self) -> anyhow::Result<Stream> {
        let emptied = match self.file.metadata() {
            Ok(found) if found.is_file() => self.file.set_len(0),
            other => other.map(drop),
        };
        emptied.with_context(|| format!("cannot write {}", self.path.display()))?;
        self.made.0 = None;
        Ok(Stream::new(self.file)?)
    }
}

/// Opens a file for an option, unless it is in use.
fn claim(option: &str, path: &Path, taken: &mut Vec<Taken>) -> anyhow::Result<Claim> {
    let shown = format!("{option} {}", path.display());
    let extension = path.extension().unwrap_or_default().to_ascii_lowercase();
    require(!is_script(path), || format!("{shown} would be a script: choose another name"))?;
    require(extension != "ron", || format!("{shown} would be a scene: choose another name"))?;
    let failed = |error| OutputError::new(path.display().to_string(), error);
    let claim = match fs::symlink_metadata(path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Claim::create(path),
        Err(error) => Err(error),
        Ok(found) => {
            let is_link = found.is_symlink();
            let target = fs::metadata(path);
            // Shells pass pipes as links.
            let leads_to_file = target.as_ref().map_or(true, Metadata::is_file);
            ensure!(!(is_link && leads_to_file), "{shown} is a link: name the file itself");
            ensure!(!target.is_ok_and(|target| is_disk(&target)), "{shown} is a disk: name a file");
            Claim::existing(path, is_link)
        }
    };
    let claim = claim.map_err(failed)?;
    let found = claim.file.metadata().map_err(failed)?;
    if found.is_file() {
        ensure!(
            fs::symlink_metadata(path).is_ok_and(|now| !now.is_symlink()),
            "{shown} is a link: name the file itself"
        );
        let identity = identity(path, &found);
        if let Some((_, other)) = taken.iter().find(|(known, _)| *known == identity) {
            bail!(UsageError(format!("{shown} is the same file as {other}: choose another name")));
        }
        taken.push((identity, shown));
    }
    Ok(claim)
}

/// Returns true for a block device: writing to it would destroy its file system.
fn is_disk(found: &Metadata) -> bool {
    #[cfg(unix)]
    return std::os::unix::fs::FileTypeExt::is_block_device(&found.file_type());
    #[cfg(not(unix))]
    return false;
}

#[cfg(unix)]
type Identity = (u64, u64);

#[cfg(unix)]
fn identity(_: &Path, found: &Metadata) -> Identity {
    use std::os::unix::fs::MetadataExt as _;
    (found.dev(), found.ino())
}

#[cfg(not(unix))]
type Identity = PathBuf;

#[cfg(not(unix))]
fn identity(path: &Path, _: &Metadata) -> Identity {
    fs::canonicalize(path).unwrap_or_else(|_| path.to_owned())
}

/// The files to which the shell redirected the standard streams.
#[cfg(unix)]
fn streams() -> Vec<Taken> {
    use std::os::fd::AsFd as _;
    let (out, err) = (io::stdout(), io::stderr());
    let streams = [(out.as_fd(), "standard output"), (err.as_fd(), "standard error")];
    let mut taken = Vec::new();
    for (stream, name) in streams {
        let file = stream.try_clone_to_owned().map(File::from);
        if let Ok(found) = file.and_then(|file| file.metadata()) {
            taken.push((identity(Path::new(""), &found), name.to_owned()));
        }
    }
    taken
}

#[cfg(not(unix))]
fn streams() -> Vec<Taken> {
    Vec::new()
}

#[cfg(test)]
mod tests {
    use super::*;

    struct Case(tempfile::TempDir);

    impl Case {
        fn new() -> Self {
            let case = Self(tempfile::tempdir().unwrap());
            for name in ["a", "in.csv"] {
                fs::write(case.path(name), "old").unwrap();
            }
            case
        }

        fn path(&self, name: &str) -> PathBuf {
            self.0.path().join(name)
        }

        fn text(&self, name: &str) -> String {
            fs::read_to_string(self.path(name)).unwrap()
        }

        /// Returns the error for two outputs, with `in.csv` as an input; nothing was changed.
        fn refused(&self, first: &str, second: &str) -> String {
            let [first, second] = [first, second].map(|name| self.path(name));
            let wanted = [("--trace", Some(&*first)), ("--image", Some(&*second))];
            let before = self.names();
            let refused = open(wanted, &[self.path("in.csv")]).unwrap_err();
            assert_eq!(self.names(), before);
            assert_eq!(["a", "in.csv"].map(|name| self.text(name)), ["old", "old"]);
            refused.to_string().replace(&self.0.path().display().to_string(), "")
        }

        fn names(&self) -> Vec<std::ffi::OsString> {
            let paths = steerbox_project::reload::read_dir_sorted(self.0.path()).unwrap();
            let names = paths.iter().filter_map(|path| path.file_name());
            names.map(std::ffi::OsStr::to_owned).collect()
        }
    }

    #[test]
    fn outputs_are_opened_and_truncated() {
        let case = Case::new();
        let (a, b) = (case.path("a"), case.path("b"));
        let wanted = [
            ("--trace", Some(&*a)),
            ("--image", None),
            ("--events", Some(Path::new("-"))),
            ("--metrics", Some(&*b)),
        ];
        let [trace, image, events, metrics] = open(wanted, &[case.path("in.csv")]).unwrap();
        assert!(image.is_none() && events.is_none());
        trace.unwrap().write_lines(b"new").unwrap();
        metrics.unwrap().write_lines(b"newer").unwrap();
        assert_eq!(["a", "b"].map(|name| case.text(name)), ["new", "newer"]);
    }

    #[test]
    fn scripts_scenes_inputs_and_duplicates_are_rejected() {
        let case = Case::new();
        let reported = [
            (("a", "x.rhai"), "--image /x.rhai would be a script"),
            (("a", "x.RON"), "--image /x.RON would be a scene"),
            (("b", "in.csv"), "--image /in.csv is the same file as /in.csv, an"),
            (("b", "b"), "--image /b is the same file as --trace /b"),
            (("a", "./a"), "--image /./a is the same file as --trace /a"),
            (("a", "none/b"), "cannot write to /none/b"),
        ];
        for ((first, second), reported) in reported {
            let refused = case.refused(first, second);
            assert!(refused.starts_with(reported), "{refused}");
        }
    }

    #[cfg(unix)]
    #[test]
    fn links_are_rejected_and_pipes_are_not() {
        use std::os::unix::fs::symlink;
        let case = Case::new();
        symlink(case.path("a"), case.path("link")).unwrap();
        symlink(case.path("nothing"), case.path("loose")).unwrap();
        symlink("/dev/null", case.path("null")).unwrap();
        fs::hard_link(case.path("in.csv"), case.path("hard")).unwrap();
        for link in ["link", "loose"] {
            let refused = case.refused("b", link);
            assert!(refused.ends_with(": name the file itself"), "{refused}");
        }
        let refused = case.refused("a", "hard");
        assert!(refused.contains("the same file as /in.csv"), "{refused}");
        let null = case.path("null");
        let twice = [("--trace", Some(&*null)), ("--events", Some(&*null))];
        assert!(open(twice, &[]).unwrap().iter().all(Option::is_some));
    }

    #[cfg(unix)]
    #[test]
    fn a_file_in_progress_replaces_plain_files_only() {
        use crate::targets::{Policy, check_writer};
        check_writer("a", "old", Policy::RefusesLinks, &|path| {
            let is_pipe = |found: Metadata| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type());
            let is_stream = fs::metadata(path).is_ok_and(is_pipe);
            let _reader = is_stream.then(|| fs::File::options().read(true).write(true).open(path).unwrap());
            let claimed = claim_all([("--record", Some(path))], &[]);
            let [claim] = claimed.map_err(|error| format!("{error:#}"))?;
            let mut pending = claim.unwrap().pending().map_err(|error| format!("{error:#}"))?;
            io::Write::write_all(&mut pending, b"new").map_err(|error| error.to_string())?;
            pending.complete().map_err(|error| error.to_string())
        });
    }

    #[test]
    fn a_file_in_progress_has_its_name_only_when_it_is_complete() {
        let case = Case::new();
        for (name, before) in [("a", Some("old")), ("b", None)] {
            let path = case.path(name);
            let text = || fs::read_to_string(&path).ok();
            let others = case.names().len();
            for is_completed in [false, true] {
                let [claim] = claim_all([("--record", Some(&*path))], &[]).unwrap();
                let mut pending = claim.unwrap().pending().unwrap();
                io::Write::write_all(&mut pending, b"new").unwrap();
                assert_eq!(text().as_deref(), before);
                assert_eq!(case.names().len(), others + 1, "{:?}", case.names());
                if is_completed {
                    pending.complete().unwrap();
                } else {
                    drop(pending);
                }
                assert_eq!(text().as_deref(), if is_completed { Some("new") } else { before });
            }
            fs::remove_file(&path).unwrap();
        }
        assert_eq!(case.names(), ["in.csv"]);
    }

    #[cfg(unix)]
    #[test]
    fn an_output_replaces_plain_files_only() {
        use crate::targets::{Policy, check_writer};
        check_writer("a", "old", Policy::RefusesLinks, &|path| {
            // Opening a pipe waits for a reader.
            let is_pipe = |found: Metadata| std::os::unix::fs::FileTypeExt::is_fifo(&found.file_type());
            let is_stream = fs::metadata(path).is_ok_and(is_pipe);
            let _reader = is_stream.then(|| fs::File::options().read(true).write(true).open(path).unwrap());
            let opened = open([("--trace", Some(path))], &[]);
            let [stream] = opened.map_err(|error| format!("{error:#}"))?;
            stream.unwrap().write_lines(b"new").map_err(|error| error.to_string())?;
            // A pipe and a character device are written as streams and not replaced.
            let is_plain = fs::metadata(path).is_ok_and(|found| found.is_file());
            if is_plain { Ok(()) } else { Err("written to a stream".to_owned()) }
        });
    }
}
