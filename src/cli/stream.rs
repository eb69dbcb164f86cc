//! An open output: a plain file, or a stream with a reader.
//!
//! A stream is written when it accepts bytes, in portions that a pipe accepts atomically, so that neither a signal nor a
//! stopped reader splits a line.

use std::fs::{File, OpenOptions};
use std::io::{self, BufReader, Write as _};
use std::path::Path;

use super::interrupt::blocking;
use super::startup::standard_output;

/// Number of bytes that a pipe accepts atomically.
#[cfg(unix)]
const ATOMIC: usize = libc::PIPE_BUF;
#[cfg(not(unix))]
const ATOMIC: usize = 512;

/// An open output.
#[derive(Debug)]
pub(super) struct Stream {
    file: File,
    is_plain: bool,
}

impl Stream {
    /// Creates an output to an open file.
    ///
    /// # Errors
    /// If the kind of the file cannot be determined.
    pub(super) fn new(file: File) -> io::Result<Self> {
        let is_plain = file.metadata()?.is_file();
        Ok(Self { file, is_plain })
    }

    /// Standard output.
    ///
    /// # Errors
    /// If it is closed.
    pub(super) fn standard_output() -> io::Result<Self> {
        let out = standard_output()?;
        #[cfg(unix)]
        let file = File::from(std::os::fd::AsFd::as_fd(&out).try_clone_to_owned()?);
        #[cfg(windows)]
        let file = File::from(std::os::windows::io::AsHandle::as_handle(&out).try_clone_to_owned()?);
        Self::new(file)
    }

    /// Writes whole lines, or as many as the output accepts.
    ///
    /// # Errors
    /// If not all of them are accepted. A plain file then ends with a whole line.
    pub(super) fn write_lines(&mut self, lines: &[u8]) -> io::Result<()> {
        self.write(lines, |written| written.iter().rev().take_while(|byte| **byte != b'\n').count())
    }

    /// Writes a compressed frame.
    ///
    /// # Errors
    /// If the output does not accept it. A plain file then ends with the frame before.
    pub(super) fn write_frame(&mut self, frame: &[u8]) -> io::Result<()> {
        self.write(frame, <[u8]>::len)
    }

    /// Writes bytes. After an error, the `partial` bytes at the end of those written are removed.
    fn write(&mut self, bytes: &[u8], partial: impl Fn(&[u8]) -> usize) -> io::Result<()> {
        let mut written = 0;
        while written < bytes.len() {
            match self.write_some(&bytes[written..]) {
                Ok(0) => return Err(io::ErrorKind::WriteZero.into()),
                Ok(count) => written += count,
                Err(error) if is_temporary(&error) => {}
                Err(error) => {
                    self.drop_part(partial(&bytes[..written]) as u64);
                    return Err(error);
                }
            }
        }
        Ok(())
    }

    fn write_some(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_plain {
            return self.file.write(bytes);
        }
        #[cfg(unix)]
        waiting::for_reader(&self.file)?;
        blocking(|| self.file.write(portion(bytes)))
    }

    /// Removes the last bytes of a plain file.
    fn drop_part(&mut self, part: u64) {
        let cut = || -> io::Result<()> {
            use io::Seek as _;
            let end = self.file.stream_position()?;
            // Another program may have appended to it.
            if self.is_plain && end == self.file.metadata()?.len() {
                self.file.set_len(end.saturating_sub(part))?;
            }
            Ok(())
        };
        // The error of the write takes precedence.
        let _ = (part > 0).then(cut);
    }
}

/// Opens a file for writing without truncation; waits for the reader of a pipe.
///
/// # Errors
/// If the system refuses, or a signal arrives before a reader.
pub(super) fn open(path: &Path, through_link: bool) -> io::Result<File> {
    let mut options = OpenOptions::new();
    options.write(true);
    #[cfg(unix)]
    return waiting::open(path, &mut options, through_link);
    #[cfg(not(unix))]
    {
        let _ = through_link;
        options.open(path)
    }
}

/// Opens a table for reading. A note names a pipe, which may have no writer yet.
///
/// # Errors
/// If the system refuses.
pub(super) fn open_table(path: &Path) -> io::Result<BufReader<File>> {
    #[cfg(unix)]
    if waiting::is_pipe(path) {
        waiting::note("writer", path);
    }
    File::open(path).map(BufReader::new)
}

/// Returns as many whole lines as a pipe accepts atomically, or a part of a longer line.
fn portion(bytes: &[u8]) -> &[u8] {
    let portion = &bytes[..bytes.len().min(ATOMIC)];
    let end = portion.iter().rposition(|byte| *byte == b'\n');
    end.map_or(portion, |end| &portion[..=end])
}

fn is_temporary(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::Interrupted | io::ErrorKind::WouldBlock)
}

/// Waits that end at a signal.
#[cfg(unix)]
mod waiting {
    use std::fs::{self, File, OpenOptions};
    use std::io::{self, Write as _};
    use std::os::unix::fs::{FileTypeExt as _, OpenOptionsExt as _};
    use std::path::Path;

    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    use steerbox_core::diagnostics::printable;

    use crate::cli::interrupt::{TICK, may_wait};

    /// Notes that the program waits for the other end of a pipe.
    pub(super) fn note(end: &str, path: &Path) {
        let shown = path.display().to_string();
        let _ = writeln!(io::stderr(), "waiting for a {end} of {}", printable(&shown));
    }

    /// Waits until a stream accepts bytes.
    pub(super) fn for_reader(file: &File) -> io::Result<()> {
        let tick = Timespec { tv_sec: 0, tv_nsec: TICK.subsec_nanos().into() };
        loop {
            match poll(&mut [PollFd::new(file, PollFlags::OUT)], Some(&tick)) {
                Ok(0) | Err(rustix::io::Errno::INTR) => may_wait()?,
                Ok(_) => return Ok(()),
                Err(error) => return Err(error.into()),
            }
        }
    }

    /// Opens a file. Opening a pipe without a reader fails instead of blocking, and is retried.
    pub(super) fn open(path: &Path, options: &mut OpenOptions, through_link: bool) -> io::Result<File> {
        let no_link = if through_link { 0 } else { libc::O_NOFOLLOW };
        options.custom_flags(libc::O_NONBLOCK | libc::O_NOCTTY | no_link);
        let mut is_noted = false;
        loop {
            match options.open(path) {
                Err(error) if error.raw_os_error() == Some(libc::ENXIO) && is_pipe(path) => may_wait()?,
                opened => return opened,
            }
            if !std::mem::replace(&mut is_noted, true) {
                note("reader", path);
            }
            std::thread::sleep(TICK);
        }
    }

    /// Returns true for a pipe with a name.
    pub(super) fn is_pipe(path: &Path) -> bool {
        let named = fs::canonicalize(path).and_then(fs::metadata);
        named.is_ok_and(|found| found.file_type().is_fifo())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn portions_are_whole_lines_that_a_pipe_accepts_atomically() {
        let line = |length: usize| [vec![b'a'; length], vec![b'\n']].concat();
        let lines = [line(10), line(ATOMIC - 100), line(200)].concat();
        assert_eq!(portion(&lines).len(), 11 + ATOMIC - 99);
        assert_eq!(portion(b"a\nb\n"), b"a\nb\n");
        assert_eq!(portion(&line(2 * ATOMIC)).len(), ATOMIC);
        assert_eq!(portion(b"a\nb"), b"a\n");
    }
}
