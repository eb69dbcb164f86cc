//! A source of events in the hands of a test.

use std::path::Path;
use std::sync::{Arc, Mutex};

use super::super::*;

/// Events that can be had or not, and whose mailbox the test holds.
#[derive(Clone, Default)]
pub(super) struct Fake(Arc<Mutex<Switches>>);

#[derive(Default)]
pub(super) struct Switches {
    /// How often opening is still refused.
    pub(super) refuse_open: usize,
    /// How often watching a folder is still refused.
    pub(super) refuse_watch: usize,
    /// How often the end of a watch is still ignored, as when the call fails.
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

/// Whether a call is refused, of which `left` still are.
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
