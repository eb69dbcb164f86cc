//! The envelope of a stored file: what it contains, its version, its checksum, and the compressed content.
//!
//! Layout, little-endian: 8 bytes of magic, kind (1 byte), version (2 bytes), length of the content and of the compressed
//! content (8 bytes each), XXH3 of the compressed content (8 bytes), compressed content (raw deflate of the postcard
//! encoding). An extension, which most files lack, follows the content that all files have.

use std::io::{Read as _, Write as _};

use flate2::Compression;
use flate2::read::DeflateDecoder;
use flate2::write::DeflateEncoder;
use serde::Serialize;
use serde::de::DeserializeOwned;
use thiserror::Error;
use xxhash_rust::xxh3::xxh3_64;

use crate::reload::LoadError;

/// The first bytes of a file. The line ends reveal a transfer as text.
const MAGIC: [u8; 8] = *b"\x93SBX\r\n\x1a\n";
/// Length of everything before the compressed content, bytes.
const HEADER: usize = 8 + 1 + 2 + 8 + 8 + 8;
/// Maximum length of the content, bytes.
const MAX_CONTENT: u64 = 512 << 20;
/// The version that is written; older ones are listed where they are read.
const VERSION: u16 = 4;

/// The content of a stored file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StoredKind {
    /// A moment of a run.
    State,
    /// A run that can be repeated.
    Replay,
}

impl StoredKind {
    fn code(self) -> u8 {
        match self {
            Self::State => 1,
            Self::Replay => 2,
        }
    }

    /// The kind as messages state it.
    fn name(self) -> &'static str {
        match self {
            Self::State => "a state",
            Self::Replay => "a replay",
        }
    }

    /// Returns content of any kind as the bytes of a file, with its checksum: for tests of readers.
    ///
    /// # Errors
    /// If it is too large.
    pub fn sealed(self, content: &[u8]) -> Result<Vec<u8>, StoredError> {
        sealed(self, content)
    }

    /// Returns the kind of a file by its first bytes.
    pub fn of(bytes: &[u8]) -> Option<Self> {
        let code = *bytes.strip_prefix(&MAGIC)?.first()?;
        [Self::State, Self::Replay].into_iter().find(|kind| kind.code() == code)
    }
}

/// The reason why a stored file cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
pub enum StoredError {
    /// It is another file.
    #[error("this is neither a state nor a replay of steerbox")]
    Foreign,
    /// It contains something else.
    #[error("this is {0}, not {1}")]
    Kind(&'static str, &'static str),
    /// It is incomplete.
    #[error("the file ends early: it was not written or transferred completely")]
    Truncated,
    /// It has another version.
    #[error(
        "the file has format {0}; this version of steerbox reads format {VERSION}: open it with the version that wrote it"
    )]
    Version(u16),
    /// It is damaged.
    #[error("the file is damaged: its checksum does not match")]
    Checksum,
    /// It is too large.
    #[error("its content of {0} bytes exceeds the limit of {MAX_CONTENT} bytes")]
    TooLarge(u64),
    /// Its content is invalid.
    #[error("{0}")]
    Content(String),
}

impl StoredError {
    /// Returns the error of a scene or script that does not compile.
    pub(super) fn of_rules(error: &LoadError) -> Self {
        let first = error.0.first();
        let first =
            first.map_or_else(|| error.to_string(), |fault| format!("{}: {}", fault.path, fault.message));
        Self::Content(format!("its rules have errors: {first}"))
    }
}

/// Returns a value as the bytes of a file. `extension` follows it unless it is the default, which older files contain.
///
/// # Errors
/// If it is too large.
pub(super) fn seal<E>(kind: StoredKind, value: &impl Serialize, extension: &E) -> Result<Vec<u8>, StoredError>
where
    E: Serialize + Default + PartialEq,
{
    let invalid = |error: postcard::Error| StoredError::Content(error.to_string());
    let mut content = postcard::to_stdvec(value).map_err(invalid)?;
    if *extension != E::default() {
        content = postcard::to_extend(extension, content).map_err(invalid)?;
    }
    kind.sealed(&content)
}

/// Returns content as the bytes of a file.
fn sealed(kind: StoredKind, content: &[u8]) -> Result<Vec<u8>, StoredError> {
    let length = content.len() as u64;
    if length > MAX_CONTENT {
        return Err(StoredError::TooLarge(length));
    }
    let mut encoder = DeflateEncoder::new(Vec::new(), Compression::new(6));
    let compressed = encoder.write_all(content).and_then(|()| encoder.finish());
    let compressed = compressed.map_err(|error| StoredError::Content(error.to_string()))?;
    let mut file = Vec::with_capacity(HEADER + compressed.len());
    file.extend_from_slice(&MAGIC);
    file.push(kind.code());
    file.extend_from_slice(&VERSION.to_le_bytes());
    file.extend_from_slice(&length.to_le_bytes());
    file.extend_from_slice(&(compressed.len() as u64).to_le_bytes());
    file.extend_from_slice(&xxh3_64(&compressed).to_le_bytes());
    file.extend_from_slice(&compressed);
    Ok(file)
}

/// Returns the value in the bytes of a file, and its extension, which is the default if the file has none.
///
/// # Errors
/// If it is not of this kind, damaged, too large, or of another version.
pub(super) fn open<T, E>(kind: StoredKind, file: &[u8]) -> Result<(T, E), StoredError>
where
    T: DeserializeOwned,
    E: DeserializeOwned + Default,
{
    if !file.starts_with(&MAGIC[..file.len().min(MAGIC.len())]) || file.is_empty() {
        return Err(StoredError::Foreign);
    }
    let (header, compressed) = file.split_at_checked(HEADER).ok_or(StoredError::Truncated)?;
    let (version, rest) = field::<2>(&header[MAGIC.len() + 1..])?;
    let (length, rest) = field::<8>(rest)?;
    let (stored, rest) = field::<8>(rest)?;
    let (checksum, _) = field::<8>(rest)?;
    let version = u16::from_le_bytes(version);
    if version != VERSION {
        return Err(StoredError::Version(version));
    }
    let found = StoredKind::of(file).ok_or(StoredError::Foreign)?;
    if found != kind {
        return Err(StoredError::Kind(found.name(), kind.name()));
    }
    let length = u64::from_le_bytes(length);
    if length > MAX_CONTENT {
        return Err(StoredError::TooLarge(length));
    }
    if (compressed.len() as u64) < u64::from_le_bytes(stored) {
        return Err(StoredError::Truncated);
    }
    if xxh3_64(compressed) != u64::from_le_bytes(checksum) {
        return Err(StoredError::Checksum);
    }
    let mut content = Vec::new();
    // One byte more shows that the content is longer than stated.
    let read = DeflateDecoder::new(compressed).take(length + 1).read_to_end(&mut content);
    read.map_err(|_| StoredError::Truncated)?;
    if content.len() as u64 != length {
        return Err(StoredError::Truncated);
    }
    let invalid = |error| StoredError::Content(format!("its content is invalid: {error}"));
    let (value, rest) = postcard::take_from_bytes(&content).map_err(invalid)?;
    let extension = if rest.is_empty() { Ok(E::default()) } else { postcard::from_bytes(rest) };
    Ok((value, extension.map_err(invalid)?))
}

fn field<const N: usize>(bytes: &[u8]) -> Result<([u8; N], &[u8]), StoredError> {
    bytes.split_first_chunk().map(|(field, rest)| (*field, rest)).ok_or(StoredError::Truncated)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sealed_value_is_read_back() {
        let value = (vec![1_u32, 2, 3], "text".to_owned());
        for extension in [0_u32, 7] {
            let file = seal(StoredKind::State, &value, &extension).unwrap();
            assert_eq!(open(StoredKind::State, &file), Ok((value.clone(), extension)));
            assert_eq!(StoredKind::of(&file), Some(StoredKind::State));
        }
        // Files without an extension have the same bytes as before extensions existed.
        let content = postcard::to_stdvec(&value).unwrap();
        assert_eq!(seal(StoredKind::State, &value, &0_u32), StoredKind::State.sealed(&content));
    }

    #[test]
    fn each_kind_of_damage_has_its_message() {
        let file = seal(StoredKind::State, &vec![7_u32; 1000], &()).unwrap();
        let read = |file: &[u8]| open::<Vec<u32>, ()>(StoredKind::State, file).unwrap_err();
        assert_eq!(read(b""), StoredError::Foreign);
        assert_eq!(read(b"\x89PNG\r\n\x1a\nrest"), StoredError::Foreign);
        for length in [1, 8, 20, HEADER - 1] {
            assert_eq!(read(&file[..length]), StoredError::Truncated, "{length}");
        }
        assert_eq!(read(&file[..file.len() - 1]), StoredError::Truncated);
        assert_eq!(read(&[&file[..], b"x"].concat()), StoredError::Checksum);
        let changed = |at: usize, to: u8| {
            let mut changed = file.clone();
            changed[at] = to;
            read(&changed)
        };
        assert_eq!(changed(8, 2), StoredError::Kind("a replay", "a state"));
        assert_eq!(changed(8, 9), StoredError::Foreign);
        assert_eq!(changed(9, 77), StoredError::Version(77));
        assert_eq!(changed(HEADER + 1, file[HEADER + 1] ^ 1), StoredError::Checksum);
        assert!(matches!(changed(15, 255), StoredError::TooLarge(_)));
        assert_eq!(changed(11, 0), StoredError::Truncated);
        let other = seal(StoredKind::State, &vec![u64::MAX; 3], &()).unwrap();
        assert!(matches!(read(&other), StoredError::Content(_)));
    }

    #[test]
    fn a_content_that_expands_beyond_its_stated_length_is_not_expanded() {
        let mut file = seal(StoredKind::State, &vec![0_u8; 1 << 20], &()).unwrap();
        file[11..19].copy_from_slice(&10_u64.to_le_bytes());
        assert_eq!(open::<Vec<u8>, ()>(StoredKind::State, &file), Err(StoredError::Truncated));
    }
}
