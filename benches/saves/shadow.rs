//! Saves through a memory mapping of the file. Mapping is unsafe in Rust, so it is done in Python.

use std::io::{BufRead, BufReader, Error, Result, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const PROGRAM: &str = r"
import sys, mmap
for line in sys.stdin:
    path, source = line.rstrip('\n').split('\t')
    text = open(source, 'rb').read()
    with open(path, 'r+b') as file:
        file.truncate(len(text))
        with mmap.mmap(file.fileno(), len(text)) as view:
            view[:] = text
    print('done', flush=True)
";

/// A process that maps files.
pub(crate) struct Mapper {
    child: Child,
    orders: ChildStdin,
    answers: BufReader<ChildStdout>,
    source: tempfile::NamedTempFile,
}

impl Mapper {
    /// # Errors
    /// If Python is not available.
    pub(crate) fn start() -> Result<Self> {
        let mut child = Command::new("python3")
            .args(["-c", PROGRAM])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()?;
        let missing = || Error::other("the mapper has no pipes");
        Ok(Self {
            orders: child.stdin.take().ok_or_else(missing)?,
            answers: BufReader::new(child.stdout.take().ok_or_else(missing)?),
            child,
            source: tempfile::NamedTempFile::new()?,
        })
    }

    pub(crate) fn save(&mut self, path: &Path, text: &str) -> Result<()> {
        std::fs::write(self.source.path(), text)?;
        writeln!(self.orders, "{}\t{}", path.display(), self.source.path().display())?;
        let mut answer = String::new();
        self.answers.read_line(&mut answer)?;
        if answer.trim() == "done" {
            return Ok(());
        }
        Err(Error::other("the mapper failed"))
    }
}

impl Drop for Mapper {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
