//! Systems without sockets of users: there is no connection.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::message::{Command, State};
use super::news::News;

/// The folder of sockets.
#[derive(Clone, Debug)]
pub struct Sockets;

/// A connection that does not exist.
pub struct Link;

/// A publisher that does not exist.
pub struct Publisher(std::convert::Infallible);

/// A command that nobody can send.
pub struct Requested {
    /// The command.
    pub command: Command,
}

impl Sockets {
    /// Returns the folder of the user.
    pub fn of_user() -> Self {
        Self
    }

    /// Returns sockets in another folder.
    pub fn in_folder(_: &Path) -> Self {
        Self
    }
}

impl Link {
    /// Connects to nothing.
    ///
    /// # Errors
    /// Never.
    pub fn start(_: Sockets, _: impl FnMut(News) + Send + 'static) -> io::Result<Self> {
        Ok(Self)
    }

    /// Does nothing.
    pub fn set_projects(&self, _: &BTreeSet<PathBuf>) {}

    /// Does nothing.
    pub fn set_shows_scripts(&self, _: bool) {}

    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn send(&self, _: u64, _: Command) -> Result<(), String> {
        Err("this system has no connection between editors and windows".to_owned())
    }
}

impl Publisher {
    /// Fails.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: &Sockets, _: &Path) -> io::Result<Self> {
        Err(io::ErrorKind::Unsupported.into())
    }

    /// Is never called.
    pub fn shows_scripts(&self) -> bool {
        match self.0 {}
    }

    /// Is never called.
    pub fn since_sent(&self) -> Duration {
        match self.0 {}
    }

    /// Is never called.
    pub fn sent_step(&self) -> Option<u64> {
        match self.0 {}
    }

    /// Is never called.
    pub fn is_due(&self) -> bool {
        match self.0 {}
    }

    /// Is never called.
    pub fn publish(&mut self, _: impl FnOnce() -> State) {
        match self.0 {}
    }

    /// Is never called.
    pub fn request(&self) -> Option<Requested> {
        match self.0 {}
    }

    /// Is never called.
    pub fn answer(&self, _: &Requested, _: Result<(), String>) {
        match self.0 {}
    }
}
