//! Unsaved texts of files: they run like saves, and no file is written unless that is requested.

use std::sync::Arc;

use super::observer::Observer;
use super::running_scene::Session;
use crate::reload::{Checked, Command, Loader, Place, Write, Written};

impl<O: Observer> Session<O> {
    /// Runs an unsaved text of a file, by its name, or the saved content again. In a recorded step, the text applies
    /// from there on.
    pub fn run_text(&self, name: &str, text: Option<Arc<str>>) {
        self.send(Command::Buffer(name.to_owned(), text));
    }

    /// Checks a text of a file, by its name, without running it; previewed units show where it would lead.
    pub fn check_text(&self, name: &str, text: Arc<str>) {
        self.send(Command::Check(name.to_owned(), text));
    }

    /// Writes texts to their files, all or none. Returns false if no result will follow.
    pub fn write_texts(&self, writes: Vec<Write>) -> bool {
        self.loader.is_some() && self.send(Command::Write(writes))
    }

    /// Continues at the place of a scene that was written to a file; the run goes on.
    pub fn continue_at(&mut self, place: Place) {
        self.origin.0 = place;
    }

    /// Returns the results of [`Session::check_text`].
    pub fn checked(&self) -> Vec<Checked> {
        self.loader.iter().flat_map(Loader::checked).collect()
    }

    /// Returns the results of [`Session::write_texts`].
    pub fn written(&self) -> Vec<Written> {
        self.loader.iter().flat_map(Loader::written).collect()
    }
}
