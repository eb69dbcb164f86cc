//! Outputs of whole lines, to a file or to standard output.

use std::io;
use std::path::Path;

use super::interrupt::Unread;
use super::stream::Stream;

/// What messages call standard output.
pub(super) const STANDARD_OUTPUT: &str = "standard output";
/// What the system says of a terminal that was closed: EIO.
const HUNG_UP: i32 = 5;
/// Bytes that are kept back at most before they are written, but for one line.
const KEPT: usize = 1 << 13;

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

    /// Whether only the reader has gone.
    pub(super) fn is_closed(&self) -> bool {
        self.error.kind() == io::ErrorKind::BrokenPipe
    }

    /// The exit status of the signal after which the output was abandoned, if it was.
    pub(super) fn unread(&self) -> Option<u8> {
        let unread = self.error.get_ref().and_then(|error| error.downcast_ref::<Unread>());
        unread.map(|unread| unread.status)
    }

    /// Whether the reader has gone, or the terminal was closed.
    pub(super) fn is_gone(&self) -> bool {
        self.is_closed() || self.error.raw_os_error() == Some(HUNG_UP)
    }
}

/// The system's words within a sentence, without its number of the error.
fn reason(error: &io::Error) -> String {
    let text = error.to_string();
    let words = text.split(" (os error").next().unwrap_or_default();
    let mut letters = words.chars();
    let first = letters.next().into_iter().flat_map(char::to_lowercase);
    first.chain(letters).collect()
}

/// An output. It is handed over at ends of lines only, so that whatever ends the program leaves whole lines.
pub(super) struct Lines {
    name: String,
    kept: Vec<u8>,
    to: Stream,
}

impl Lines {
    /// An output to `stream`, which was opened for `path`, or to standard output where that is `-`.
    ///
    /// # Errors
    /// When standard output is closed.
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
        Ok(Some(Self { name, kept: Vec::new(), to }))
    }

    /// Takes over the whole lines that `write` writes; they may be kept back until [`Self::flush`].
    pub(super) fn write(
        &mut self,
        write: impl FnOnce(&mut Vec<u8>) -> io::Result<()>,
    ) -> Result<(), OutputError> {
        let written = write(&mut self.kept);
        written.map_err(|error| OutputError::new(&self.name, error))?;
        if self.kept.len() < KEPT { Ok(()) } else { self.flush() }
    }

    /// Hands over everything.
    pub(super) fn flush(&mut self) -> Result<(), OutputError> {
        let kept = std::mem::take(&mut self.kept);
        let written = self.to.write_lines(&kept);
        self.kept = kept;
        self.kept.clear();
        written.map_err(|error| OutputError::new(&self.name, error))
    }
}

/// Whether a path stands for standard output.
pub(super) fn is_standard_output(path: &Path) -> bool {
    path == Path::new("-")
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn an_output_is_handed_over_at_ends_of_lines_only() {
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
}
