//! Unsaved texts of files: they run like saves, and no file is written unless that is requested.

use std::sync::Arc;

use steerbox_core::sim::Simulation;

use super::input::Input;
use super::observer::Observer;
use super::running_scene::Session;
use super::stash::Restored;
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

    /// Resumes suspended behaviors if a file was saved with the content that it had. Called every frame.
    pub fn resume_rewritten(&mut self) {
        if self.loader.as_ref().is_some_and(Loader::take_rewritten) {
            self.resume();
        }
    }

    /// Returns true if a behavior of a file is suspended.
    pub fn suspends(&self, path: &str) -> bool {
        let groups = 0..self.simulation.world().groups.len();
        let mut slots = groups.flat_map(|group| self.simulation.slots(group));
        let script = path.strip_suffix(".rhai");
        slots.any(|slot| slot.suspended().is_some() && script == Some(&*slot.script))
    }

    /// Restores state that a swap from `before` brought back. Returns the line for the user, if there is any.
    pub(super) fn restore_dropped(&mut self, before: &Simulation) -> Option<String> {
        let is_trial = self.generation.files.iter().any(|file| file.unsaved.is_some());
        let restored = self.stash.follow(before, &self.simulation.state.simulation, is_trial);
        let note = restored.note();
        let Restored { units, memory } = restored;
        if !units.is_empty() {
            let (replaced, units): (Vec<_>, Vec<_>) = units.into_iter().unzip();
            self.simulation.input(Input::RemoveUnits(replaced));
            self.simulation.input(Input::AddUnits(units));
        }
        if !memory.is_empty() {
            self.simulation.input(Input::Remember(memory));
        }
        note
    }

    /// Resumes suspended behaviors, as every save does.
    pub fn resume(&mut self) {
        if self.simulation.has_suspended() {
            self.input(Input::Resume);
        }
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
