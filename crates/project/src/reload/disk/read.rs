//! Reads of whole, consistent files, independent of time.
//!
//! A path can become a pipe between a check and the open call. So files are opened without blocking, and their type
//! is checked on the open file.

use std::borrow::Cow;
use std::fs::Metadata;
use std::io;
use std::path::Path;
use std::sync::Arc;

use xxhash_rust::xxh3::xxh3_128;

use super::content::{Content, ReadFault};
use super::files::{FileKind, FileSystem, Fingerprint, OpenFile, RealFiles, Stat};
use super::picture;
use crate::reload::read_dir_sorted::is_absence;

/// Content of a file, with a key for comparison.
#[derive(Clone, Debug)]
pub(super) struct FileVersion {
    pub(super) key: VersionKey,
    pub(super) content: Content,
}

/// Folders where the system presents itself as files. These are plain files by their kind, but some block, some are
/// emptied by reading, and none has the size in its metadata.
const SYSTEM: [&str; 2] = ["/proc", "/sys"];

/// Identifies a content without its text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum VersionKey {
    /// Hash of the text.
    Text(u128),
    Missing,
    Fault(ReadFault),
}

impl VersionKey {
    /// Returns the key of a text without a byte order mark.
    pub(super) fn new(text: &str) -> Self {
        Self::Text(xxh3_128(text.as_bytes()))
    }
}

/// Result of an attempt to read.
#[derive(Clone, Debug)]
pub(super) enum Reading {
    /// The file changed during the read.
    Torn,
    /// The file does not exist.
    Gone,
    /// The system refused.
    Refused(ReadFault),
    /// A consistent content of the file.
    Whole(FileVersion, Fingerprint),
}

impl FileVersion {
    pub(super) fn missing() -> Self {
        let (key, content) = (VersionKey::Missing, Content::Missing);
        Self { key, content }
    }

    pub(super) fn fault(fault: ReadFault) -> Self {
        let key = VersionKey::Fault(fault.clone());
        let content = Content::Unreadable(fault);
        Self { key, content }
    }

    fn from_bytes(path: &Path, bytes: &[u8]) -> Self {
        text_of(path, bytes).map_or_else(Self::fault, |text| Self::from_text(&text))
    }

    pub(super) fn from_text(text: &str) -> Self {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let (key, content) = (VersionKey::new(text), Content::Text(Arc::from(text)));
        Self { key, content }
    }
}

/// Reads at most `limit` bytes of `path`. With a `home`, links may not lead out of it.
pub(super) fn read(files: &impl FileSystem, path: &Path, limit: u64, home: Option<&Path>) -> Reading {
    match try_read(files, path, limit, home) {
        Ok(reading) => reading,
        Err(error) if is_absence(&error) => Reading::Gone,
        Err(error) => Reading::Refused(error.into()),
    }
}

/// Returns the bytes and the metadata of a plain file. They may be torn if it is written meanwhile.
///
/// # Errors
/// If it is not a plain file of at most `limit` bytes.
pub fn read_plain(path: &Path, limit: u64) -> Result<(Vec<u8>, Metadata), ReadFault> {
    let found = fetch(&RealFiles, path, limit)?;
    let bytes = found.bytes.ok_or(ReadFault::TooLarge(limit))?;
    Ok((bytes, found.file.metadata()?))
}

/// Returns the text of a plain file of at most `limit` bytes, without a byte order mark; for a PNG, the picture as plain PGM.
///
/// # Errors
/// If it cannot be read, is not UTF-8, or is a damaged picture.
pub fn read_text(path: &Path, limit: u64) -> Result<Arc<str>, ReadFault> {
    let (bytes, _) = read_plain(path, limit)?;
    let text = text_of(path, &bytes)?;
    Ok(text.strip_prefix('\u{feff}').unwrap_or(&text).into())
}

fn text_of<'a>(path: &Path, bytes: &'a [u8]) -> Result<Cow<'a, str>, ReadFault> {
    if picture::is_picture(path, bytes) {
        return picture::plain_pgm(bytes).map(Cow::Owned).map_err(ReadFault::Picture);
    }
    ReadFault::text_of(bytes).map(Cow::Borrowed)
}

/// A plain file, open, with its bytes unless there are too many.
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
    // One byte past the limit shows that there are more; a file known to be larger is not read.
    let bytes = match before.print.size {
        size if size > limit => None,
        _ => Some(file.read(limit.saturating_add(1))?),
    };
    let bytes = bytes.filter(|bytes| bytes.len() as u64 <= limit);
    Ok(Fetched { file, before, bytes })
}

fn try_read(files: &impl FileSystem, path: &Path, limit: u64, home: Option<&Path>) -> io::Result<Reading> {
    if let Some(home) = home
        && !files.resolve(path)?.starts_with(files.resolve(home)?)
    {
        return Ok(Reading::Refused(ReadFault::LeadsOut));
    }
    let Fetched { file, before, bytes } = fetch(files, path, limit)?;
    let after = file.stat()?;
    if before != after || after != files.stat(path)? {
        return Ok(Reading::Torn);
    }
    let version = match bytes {
        Some(bytes) if bytes.len() as u64 != after.print.size => return Ok(Reading::Torn),
        Some(bytes) => FileVersion::from_bytes(path, &bytes),
        None => FileVersion::fault(ReadFault::TooLarge(limit)),
    };
    Ok(Reading::Whole(version, after.print))
}

/// Checks that a file is plain: only these can be opened without blocking.
///
/// # Errors
/// If it is not.
pub(super) fn require_plain(found: Stat) -> io::Result<Stat> {
    let folder = || io::Error::new(io::ErrorKind::IsADirectory, "a folder, not a file");
    match found.kind {
        FileKind::File => Ok(found),
        FileKind::Folder => Err(folder()),
        FileKind::Other => Err(not_plain()),
    }
}

fn not_plain() -> io::Error {
    io::Error::new(io::ErrorKind::InvalidInput, "not a plain file")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn invalid_bytes_have_a_fault() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let text = |text: &str| Content::Text(text.into());
        for (bytes, limit, expected) in [
            ("\u{feff}let x".as_bytes(), 100, text("let x")),
            (b"ab\xffcd", 100, Content::Unreadable(ReadFault::NotUtf8("ab".into()))),
            (b"abcd", 4, text("abcd")),
            (b"abcde", 4, Content::Unreadable(ReadFault::TooLarge(4))),
        ] {
            std::fs::write(&path, bytes).unwrap();
            let Reading::Whole(version, _) = read(&RealFiles, &path, limit, None) else {
                panic!("{bytes:?}");
            };
            assert_eq!(version.content, expected);
        }
        let file = std::fs::File::create(&path).unwrap();
        file.set_len(1 << 30).unwrap();
        assert!(matches!(read_plain(&path, 10), Err(ReadFault::TooLarge(10))));
    }

    #[cfg(unix)]
    #[test]
    fn only_plain_files_are_opened_and_nothing_blocks() {
        let folder = tempfile::tempdir().unwrap();
        let pipe = folder.path().join("pipe");
        let made = std::process::Command::new("mkfifo").arg(&pipe).status();
        assert!(made.unwrap().success());
        let others = ["/dev/zero", "/proc/kmsg", "/proc/version"].map(Path::new);
        let refused = [pipe.as_path(), folder.path()].into_iter().chain(others);
        for path in refused.filter(|path| path.exists()) {
            let reading = read(&RealFiles, path, 10, None);
            assert!(matches!(reading, Reading::Refused(_)), "{reading:?}");
            assert!(matches!(read_plain(path, 10), Err(ReadFault::Io(_))));
        }
    }
}
