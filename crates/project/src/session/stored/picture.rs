//! Moments inside PNG files: a text chunk with the keyword `steerbox` holds the bytes of a state as base64.

use std::io::Cursor;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::envelope::StoredError;
use super::moment::Moment;

/// The first bytes of a PNG file.
const SIGNATURE: [u8; 8] = *b"\x89PNG\r\n\x1a\n";
/// Memory limit of reading the chunks before the pixels, bytes.
const MAX_CHUNKS: usize = 512 << 20;

impl Moment {
    /// Keyword of the text chunk.
    pub const KEYWORD: &'static str = "steerbox";

    /// Returns the content of the text chunk.
    ///
    /// # Errors
    /// If the moment is too large.
    pub fn to_text(&self) -> Result<String, StoredError> {
        Ok(Self::text_of(&self.to_bytes()?))
    }

    /// Returns the content of the text chunk for the bytes of a moment's file.
    pub fn text_of(bytes: &[u8]) -> String {
        STANDARD.encode(bytes)
    }

    /// Returns true for the bytes of a PNG file.
    pub fn is_picture(bytes: &[u8]) -> bool {
        bytes.starts_with(&SIGNATURE)
    }

    /// Reads the moment in the bytes of a PNG file. Its pixels are not decoded.
    ///
    /// # Errors
    /// If the picture is damaged, contains no moment, or one that is invalid.
    pub fn from_picture(bytes: &[u8]) -> Result<Self, StoredError> {
        let mut decoder =
            png::Decoder::new_with_limits(Cursor::new(bytes), png::Limits { bytes: MAX_CHUNKS });
        decoder.set_ignore_iccp_chunk(true);
        let read = decoder.read_info();
        let reader =
            read.map_err(|error| StoredError::Content(format!("the picture is damaged: {error}")))?;
        let mut chunks = reader.info().uncompressed_latin1_text.iter();
        let chunk = chunks.find(|chunk| chunk.keyword == Self::KEYWORD);
        let missing = "the picture contains no scene: only pictures that steerbox recorded can be opened, and a program that \
            rewrites them drops it";
        let chunk = chunk.ok_or_else(|| StoredError::Content(missing.to_owned()))?;
        let bytes = STANDARD.decode(&chunk.text);
        let bytes =
            bytes.map_err(|_| StoredError::Content("the scene in the picture is damaged".to_owned()))?;
        Self::from_bytes(&bytes)
    }
}
