//! Real files whose operations fail on demand, under a clock that the test moves.

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
    pub(super) const ALL: [Self; 6] = [
        Self::Stat,
        Self::Open,
        Self::StatOpen,
        Self::Read,
        Self::List,
        Self::Resolve,
    ];
}

/// What is to fail, and how often it did.
#[derive(Debug, Default)]
pub(super) struct Plan {
    op: Option<Op>,
    /// Operations of the kind that still work.
    spared: usize,
    /// Operations of the kind that fail after these.
    doomed: usize,
    pub(super) failed: usize,
    /// What the clock that stamps files has moved on.
    pub(super) passed: Duration,
}

/// Files that fail by plan.
#[derive(Clone, Debug, Default)]
pub(super) struct Faulty(pub(super) Arc<Mutex<Plan>>);

pub(super) struct FaultyFile(std::fs::File, Faulty);

impl Faulty {
    /// Of all operations `op` from now on, the first `spared` work and the next `doomed` fail.
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
        Ok(FaultyFile(RealFiles.open(path)?, self.clone()))
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
        self.1.pass(Op::StatOpen)?;
        OpenFile::stat(&self.0)
    }

    fn read(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        self.1.pass(Op::Read)?;
        OpenFile::read(&mut self.0, limit)
    }
}

/// Files to which somebody writes while they are read.
pub(super) struct Busy;

pub(super) struct BusyFile(std::fs::File, PathBuf);

impl FileSystem for Busy {
    type File = BusyFile;

    fn stat(&self, path: &Path) -> io::Result<Stat> {
        RealFiles.stat(path)
    }

    fn open(&self, path: &Path) -> io::Result<BusyFile> {
        Ok(BusyFile(RealFiles.open(path)?, path.into()))
    }

    fn list(&self, folder: &Path) -> io::Result<Vec<OsString>> {
        RealFiles.list(folder)
    }

    fn resolve(&self, path: &Path) -> io::Result<PathBuf> {
        RealFiles.resolve(path)
    }

    fn clock(&self) -> i128 {
        RealFiles.clock()
    }
}

impl OpenFile for BusyFile {
    fn stat(&self) -> io::Result<Stat> {
        OpenFile::stat(&self.0)
    }

    fn read(&mut self, limit: u64) -> io::Result<Vec<u8>> {
        let bytes = OpenFile::read(&mut self.0, limit)?;
        std::fs::write(&self.1, "two")?;
        Ok(bytes)
    }
}
