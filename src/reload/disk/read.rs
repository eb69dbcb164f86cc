//! Reads one file such that what comes out stood on disk as a whole; knows nothing of time.

use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::files::{FileSystem, Fingerprint, Kind, OpenFile, RealFiles, Stat};
use super::state::{FileState, ReadFault};

/// A state of a file, with a key that is equal when the state is.
#[derive(Clone, Debug)]
pub(super) struct Outcome {
    pub(super) key: Key,
    pub(super) state: FileState,
}

/// Where the system shows itself as files. They say that they are plain, and some wait all the same, some
/// are emptied by reading, and none has the size that it tells.
const SYSTEM: [&str; 2] = ["/proc", "/sys"];

/// Tells states apart without keeping their text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Key {
    /// The hash of the text.
    Text(u128),
    Missing,
    Fault(ReadFault),
}

impl Key {
    /// Of a text, without a byte order mark.
    pub(super) fn of(text: &str) -> Self {
        Self::Text(xxh3_128(text.as_bytes()))
    }
}

/// What a try to read gave.
#[derive(Clone, Debug)]
pub(super) enum Reading {
    /// The file changed meanwhile.
    Torn,
    /// There is none.
    Gone,
    /// The system refused.
    Refused(ReadFault),
    /// The file at one moment.
    Whole(Outcome, Fingerprint),
}

impl Outcome {
    pub(super) fn missing() -> Self {
        Self {
            key: Key::Missing,
            state: FileState::Missing,
        }
    }

    pub(super) fn fault(fault: ReadFault) -> Self {
        Self {
            key: Key::Fault(fault.clone()),
            state: FileState::Unreadable(fault),
        }
    }

    fn of_bytes(bytes: &[u8]) -> Self {
        match std::str::from_utf8(bytes) {
            Ok(text) => {
                let text = text.strip_prefix('\u{feff}').unwrap_or(text);
                Self {
                    key: Key::of(text),
                    state: FileState::Content(Arc::from(text)),
                }
            }
            Err(error) => {
                let (text, _) = bytes.split_at(error.valid_up_to());
                Self::fault(ReadFault::NotUtf8(String::from_utf8_lossy(text).into()))
            }
        }
    }
}

/// Reads `path`, at most `limit` bytes of it. Where a `home` is given, links may not lead out of it.
pub(super) fn read(
    files: &impl FileSystem,
    path: &Path,
    limit: u64,
    home: Option<&Path>,
) -> Reading {
    match try_read(files, path, limit, home) {
        Ok(reading) => reading,
        Err(error) if is_absence(&error) => Reading::Gone,
        Err(error) => Reading::Refused(error.into()),
    }
}

/// The bytes of a plain file and what the system knows of it. It may be written meanwhile: then it is
/// torn.
///
/// # Errors
/// When it is no plain file of at most `limit` bytes.
pub(crate) fn read_plain(path: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), ReadFault> {
    let found = fetch(&RealFiles, path, limit)?;
    let bytes = found.bytes.ok_or(ReadFault::TooLarge(limit))?;
    Ok((bytes, found.file.metadata()?))
}

/// A plain file, open, and its bytes unless there are too many.
struct Fetched<F> {
    file: F,
    before: Stat,
    bytes: Option<Vec<u8>>,
}

fn fetch<F: FileSystem>(files: &F, path: &Path, limit: u64) -> io::Result<Fetched<F::File>> {
    let target = files.resolve(path)?;
    if SYSTEM.iter().any(|system| target.starts_with(system)) {
        return Err(not_plain());
    }
    let mut file = files.open(path)?;
    let before = file.stat()?;
    require_plain(before)?;
    // One byte past the limit tells that there is more; a file known to be larger is not read.
    let bytes = match before.print.size {
        size if size > limit => None,
        _ => Some(file.read(limit.saturating_add(1))?),
    };
    let bytes = bytes.filter(|bytes| bytes.len() as u64 <= limit);
    Ok(Fetched {
        file,
        before,
        bytes,
    })
}

fn try_read(
    files: &impl FileSystem,
    path: &Path,
    limit: u64,
    home: Option<&Path>,
) -> io::Result<Reading> {
    if let Some(home) = home
        && !files.resolve(path)?.starts_with(files.resolve(home)?)
    {
        return Ok(Reading::Refused(ReadFault::LeadsOut));
    }
    let Fetched {
        file,
        before,
        bytes,
    } = fetch(files, path, limit)?;
    let after = file.stat()?;
    if before != after || after != files.stat(path)? {
        return Ok(Reading::Torn);
    }
    let outcome = match bytes {
        Some(bytes) if bytes.len() as u64 != after.print.size => return Ok(Reading::Torn),
        Some(bytes) => Outcome::of_bytes(&bytes),
        None => Outcome::fault(ReadFault::TooLarge(limit)),
    };
    Ok(Reading::Whole(outcome, after.print))
}

/// # Errors
/// Unless it is a plain file, which alone can be opened without waiting.
pub(super) fn require_plain(found: Stat) -> io::Result<()> {
    match found.kind {
        Kind::File => Ok(()),
        Kind::Folder => Err(io::Error::new(
            io::ErrorKind::IsADirectory,
            "a folder, not a file",
        )),
        Kind::Other => Err(not_plain()),
    }
}

fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

/// Whether the error says that nothing is there, rather than that it cannot be had.
pub(super) fn is_absence(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound | io::ErrorKind::NotADirectory
    )
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::disk::files::RealFiles;

    fn read_bytes(bytes: &[u8], limit: u64) -> FileState {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        std::fs::write(&path, bytes).unwrap();
        match read(&RealFiles, &path, limit, None) {
            Reading::Whole(outcome, _) => outcome.state,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn a_byte_order_mark_is_not_text() {
        let state = read_bytes("\u{feff}let x".as_bytes(), 100);
        assert_eq!(state, FileState::Content("let x".into()));
    }

    #[test]
    fn bytes_that_are_no_text_name_their_place() {
        let state = read_bytes(b"ab\xffcd", 100);
        let fault = ReadFault::NotUtf8("ab".into());
        assert_eq!(state, FileState::Unreadable(fault));
    }

    #[test]
    fn the_limit_is_the_last_size_taken() {
        assert_eq!(read_bytes(b"abcd", 4), FileState::Content("abcd".into()));
        let fault = ReadFault::TooLarge(4);
        assert_eq!(read_bytes(b"abcde", 4), FileState::Unreadable(fault));
    }

    #[cfg(unix)]
    #[test]
    fn what_is_no_plain_file_is_refused_and_nobody_waits_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let refused = [
            pipe.as_path(),
            Path::new("/dev/zero"),
            Path::new("/proc/kmsg"),
            Path::new("/proc/version"),
            folder.path(),
        ];
        for path in refused.into_iter().filter(|path| path.exists()) {
            let reading = read(&RealFiles, path, 10, None);
            assert!(matches!(reading, Reading::Refused(_)), "{reading:?}");
            assert!(matches!(read_plain(path, 10), Err(ReadFault::Io(_))));
        }
    }

    #[test]
    fn a_file_of_a_gigabyte_of_nothing_is_not_read() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(1 << 30).unwrap();
        let read = read_plain(&path, 10);
        assert!(matches!(read, Err(ReadFault::TooLarge(10))));
    }

    #[test]
    fn a_folder_is_refused() {
        let folder = tempfile::tempdir().unwrap();
        let reading = read(&RealFiles, folder.path(), 10, None);
        assert!(matches!(reading, Reading::Refused(_)), "{reading:?}");
    }
}
