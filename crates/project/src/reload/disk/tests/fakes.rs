//! Real files whose operations fail on demand, under a clock and a source of events that the test controls.

use std::ffi::OsString;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use super::super::*;

/// An operation on files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Op {
    Stat,
    Open,
    StatOpen,
    Read,
    List,
    Resolve,
}

impl Op {
    pub(super) const ALL: [Self; 6] =
        [Self::Stat, Self::Open, Self::StatOpen, Self::Read, Self::List, Self::Resolve];
}

/// Planned and actual failures.
#[derive(Debug, Default)]
pub(super) struct Plan {
    op: Option<Op>,
    /// Number of operations of the kind that still work.
    spared: usize,
    /// Number of operations of the kind that fail after these.
    doomed: usize,
    pub(super) failed: usize,
    /// Progress of the clock for time stamps of files.
    pub(super) passed: Duration,
    /// Content written to every file while it is read.
    pub(super) overwritten: Option<&'static str>,
}

/// Files that fail by plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Faulty(pub(super) Arc<Mutex<Plan>>);

pub(super) struct FaultyFile {
    file: std::fs::File,
    path: PathBuf,
    files: Faulty,
}

impl Faulty {
    /// Plans failures: of all operations `op` from now on, the first `spared` work and the next `doomed` fail.
    pub(super) fn doom(&self, op: Op, spared: usize, doomed: usize) {
        let mut plan = self.0.lock().unwrap();
        (plan.op, plan.spared, plan.doomed, plan.failed) = (Some(op), spared, doomed, 0);
    }

    pub(super) fn failed(&self) -> usize {
        self.0.lock().unwrap().failed
    }

    fn pass(&self, op: Op) -> io::Result<()> {
        let mut plan = self.0.lock().unwrap();
        if plan.op != Some(op) || plan.doomed == 0 {
            return Ok(());
        }
        if plan.spared > 0 {
            plan.spared -= 1;
            return Ok(());
        }
        plan.doomed -= 1;
        plan.failed += 1;
        Err(io::Error::other("input/output error"))
    }
}

impl FileSystem for Faulty {
    type File = FaultyFile;

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        self.pass(Op::Stat)?;
        RealFiles.stat(path)
    }

    fn open(&self, path: &Path) -> io::Result<FaultyFile> {
        self.pass(Op::Open)?;
        let (file, path, files) = (RealFiles.open(path)?, path.to_owned(), self.clone());
        Ok(FaultyFile { file, path, files })
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        self.pass(Op::List)?;
        RealFiles.list(folder)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        self.pass(Op::Resolve)?;
        RealFiles.resolve(path)
    }

    fn clock(&self) -> i128 {
        let passed = self.0.lock().unwrap().passed.as_nanos();
        RealFiles.clock() + i128::try_from(passed).unwrap()
    }
}

impl OpenFile for FaultyFile {
    fn stat(&self) -> io::Result<Stat> {
        self.files.pass(Op::StatOpen)?;
        OpenFile::stat(&self.file)
    }

    fn read(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        self.files.pass(Op::Read)?;
        let bytes = OpenFile::read(&mut self.file, limit)?;
        if let Some(text) = self.files.0.lock().unwrap().overwritten {
            std::fs::write(&self.path, text)?;
        }
        Ok(bytes)
    }
}

/// A source of events that can be unavailable, with its mailbox.
#[derive(Clone, Default)]
pub(super) struct Fake(Arc<Mutex<Switches>>);

#[derive(Default)]
pub(super) struct Switches {
    /// Number of calls to open that are still refused.
    pub(super) refuse_open: usize,
    /// Number of calls to watch that are still refused.
    pub(super) refuse_watch: usize,
    /// Number of calls to unwatch that are still ignored.
    pub(super) ignore_unwatch: usize,
    pub(super) mailbox: Option<Mailbox>,
    pub(super) opened: usize,
    pub(super) watched: usize,
}

impl Fake {
    pub(super) fn set(&self, change: impl FnOnce(&mut Switches)) {
        change(&mut self.0.lock().unwrap());
    }

    pub(super) fn get<T>(&self, read: impl FnOnce(&Switches) -> T) -> T {
        read(&self.0.lock().unwrap())
    }

    pub(super) fn mailbox(&self) -> Mailbox {
        self.get(|switches| switches.mailbox.clone()).unwrap()
    }
}

/// Returns true if a call is refused, and counts it.
fn refused(left: &mut usize) -> bool {
    let refused = *left > 0;
    *left = left.saturating_sub(1);
    refused
}

impl Notifier for Fake {
    type Watch = Self;

    fn open(&mut self, mailbox: Mailbox) -> Result<Self, WatchError> {
        let mut switches = self.0.lock().unwrap();
        if refused(&mut switches.refuse_open) {
            return Err(WatchError::Refused("too many instances".into()));
        }
        switches.opened += 1;
        switches.mailbox = Some(mailbox);
        Ok(self.clone())
    }
}

impl Watch for Fake {
    fn watch(&mut self, _directory: &Path) -> Result<(), WatchError> {
        let mut switches = self.0.lock().unwrap();
        switches.watched += 1;
        if refused(&mut switches.refuse_watch) {
            return Err(WatchError::Refused("too many folders".into()));
        }
        Ok(())
    }

    fn unwatch(&mut self, _directory: &Path) {
        refused(&mut self.0.lock().unwrap().ignore_unwatch);
    }
}
