//! Outputs of whole lines to a file or standard output.
//!
//! A file whose name ends in `.zst` consists of Zstandard frames, each of whole lines, so that an interrupted output can be
//! decompressed up to its last frame.

use std::io;
use std::path::Path;

use ruzstd::encoding::{CompressionLevel, compress_to_vec};

use super::interrupt::Unread;
use super::stream::Stream;

/// The name of standard output in messages.
pub(super) const STANDARD_OUTPUT: &str = "standard output";
/// The system's error for a closed terminal: EIO.
const HUNG_UP: i32 = 5;
/// Maximum number of buffered bytes, except for a longer line.
const MAX_BUFFERED: usize = 1 << 13;
/// The same for the lines of a compressed frame.
const MAX_FRAME: usize = 1 << 20;
/// The extension of compressed files.
const COMPRESSED: &str = "zst";

/// An output that cannot be written.
#[derive(Debug, thiserror::Error)]
#[error("cannot write to {name}: {}", reason(.error))]
pub(super) struct OutputError {
    name: String,
    error: io::Error,
}

impl OutputError {
    pub(super) fn new(name: impl Into<String>, error: io::Error) -> Self {
        let name = name.into();
        Self { name, error }
    }

    /// Returns true if the reader has closed the pipe.
    pub(super) fn is_closed(&self) -> bool {
        self.error.kind() == io::ErrorKind::BrokenPipe
    }

    /// Returns the exit status of the signal after which the output was abandoned, if any.
    pub(super) fn unread(&self) -> Option<u8> {
        let unread = self.error.get_ref().and_then(|error| error.downcast_ref::<Unread>());
        unread.map(|unread| unread.status)
    }

    /// Returns true if the reader has closed the pipe, or the terminal was closed.
    pub(super) fn is_gone(&self) -> bool {
        self.is_closed() || self.error.raw_os_error() == Some(HUNG_UP)
    }
}

/// Returns the system's message in lower case, without the error number.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

/// A buffered output. It is flushed at line ends only, so that whole lines remain if the program ends.
pub(super) struct Lines {
    name: String,
    buffer: Vec<u8>,
    to: Stream,
    is_compressed: bool,
}

impl Lines {
    /// Creates an output to `stream`, which was opened for `path`, or to standard output for `-`.
    ///
    /// # Errors
    /// If standard output is closed.
    pub(super) fn new(path: Option<&Path>, stream: Option<Stream>) -> Result<Option<Self>, OutputError> {
        let Some(path) = path else { return Ok(None) };
        let (name, to) = match stream {
            Some(stream) => (path.display().to_string(), stream),
            None if is_standard_output(path) => {
                let out = Stream::standard_output();
                let closed = |error| OutputError::new(STANDARD_OUTPUT, error);
                (STANDARD_OUTPUT.to_owned(), out.map_err(closed)?)
            }
            None => return Ok(None),
        };
        let is_compressed = has_extension(path, COMPRESSED);
        Ok(Some(Self { name, buffer: Vec::new(), to, is_compressed }))
    }

    /// Buffers the whole lines that `write` writes, and flushes a full buffer.
    pub(super) fn write(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let written = write(&mut self.buffer);
        written.map_err(|error| OutputError::new(&self.name, error))?;
        let max = if self.is_compressed { MAX_FRAME } else { MAX_BUFFERED };
        if self.buffer.len() < max { Ok(()) } else { self.flush() }
    }

    /// Writes all buffered lines.
    pub(super) fn flush(&mut self) -> Result<(), OutputError> {
        let written = if self.is_compressed && !self.buffer.is_empty() {
            self.to.write_frame(&compress_to_vec(&*self.buffer, CompressionLevel::Fastest))
        } else {
            self.to.write_lines(&self.buffer)
        };
        self.buffer.clear();
        written.map_err(|error| OutputError::new(&self.name, error))
    }
}

/// Returns true if a path denotes standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

/// Returns true if the name of a file has an extension, in lower or upper case.
pub(super) fn has_extension(path: &Path, extension: &str) -> bool {
    path.extension().is_some_and(|found| found.eq_ignore_ascii_case(extension))
}

/// Returns true if the lines of a file are a table of comma-separated values, possibly compressed.
pub(super) fn is_table(path: &Path) -> bool {
    let inner = if has_extension(path, COMPRESSED) { path.with_extension("") } else { path.to_owned() };
    has_extension(&inner, "csv")
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    #[test]
    fn an_output_is_flushed_at_line_ends_only() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a");
        let stream = Stream::new(std::fs::File::create(&path).unwrap()).unwrap();
        let mut lines = Lines::new(Some(&path), Some(stream)).unwrap().unwrap();
        let mut seen = 0;
        for row in 0..20_000 {
            lines.write(|text| writeln!(text, "a row with its number {row}")).unwrap();
            let text = std::fs::read_to_string(&path).unwrap_or_default();
            assert!(text.is_empty() || text.ends_with('\n'));
            seen += usize::from(text.len() > seen);
            if seen > 3 {
                break;
            }
        }
        assert!(seen > 3);
        lines.flush().unwrap();
    }

    #[test]
    fn an_error_names_the_output_and_its_reason() {
        let error = OutputError::new("a.csv", io::Error::from_raw_os_error(28));
        assert_eq!(error.to_string(), "cannot write to a.csv: no space left on device");
        assert!(!error.is_closed());
        assert!(OutputError::new("a", io::ErrorKind::BrokenPipe.into()).is_closed());
    }

    #[test]
    fn a_compressed_output_consists_of_frames_of_whole_lines() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.csv.zst");
        let stream = Stream::new(std::fs::File::create(&path).unwrap()).unwrap();
        let mut lines = Lines::new(Some(&path), Some(stream)).unwrap().unwrap();
        let mut expected = String::new();
        for row in 0..60_000 {
            let line = format!("a row with its number {row}\n");
            lines.write(|text| text.write_all(line.as_bytes())).unwrap();
            expected.push_str(&line);
        }
        lines.flush().unwrap();
        lines.flush().unwrap();
        let compressed = std::fs::read(&path).unwrap();
        assert!(compressed.len() < expected.len() / 4, "{} bytes", compressed.len());
        let (mut rest, mut text, mut frames) = (&*compressed, String::new(), 0);
        while !rest.is_empty() {
            let mut decoder = ruzstd::decoding::StreamingDecoder::new(&mut rest).unwrap();
            decoder.read_to_string(&mut text).unwrap();
            assert!(text.ends_with('\n'));
            frames += 1;
        }
        assert!(text == expected && frames == 2, "{frames} frames");
    }

    #[test]
    fn the_name_of_a_table_ends_in_csv_before_its_compression() {
        let tables = ["a.csv", "a.CSV", "a.csv.zst", "b/a.b.csv.ZST"];
        assert!(tables.iter().all(|name| is_table(Path::new(name))));
        assert!(
            ["a", "-", "a.jsonl", "a.zst", "csv", "a.csv.gz"].iter().all(|name| !is_table(Path::new(name)))
        );
    }
}
