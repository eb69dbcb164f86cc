//! Work of the loader's thread that is still to be done.

use std::sync::Arc;

use super::command::Command;
use super::project::Project;
use super::unsaved::Write;
use super::world_sample::SampleRequest;

/// Work that is still to be done.
#[derive(Debug, Default)]
pub(super) struct Pending {
    /// A new generation is due.
    pub(super) generation: bool,
    /// A save is due.
    pub(super) save: bool,
    /// Text of a file to check.
    pub(super) check: Option<(String, Arc<str>)>,
    /// Texts to write to their files, by request.
    pub(super) writes: Vec<Vec<Write>>,
    /// The thread ends after the save.
    pub(super) quit: bool,
    /// Edits and saves after the pending save, which are not part of it.
    pub(super) later: Vec<Command>,
    /// Reason why only polling works, if so.
    pub(super) polling: Option<String>,
}

impl Pending {
    /// Removes and returns the commands that wait for a save, once it is written.
    pub(super) fn take_later(&mut self) -> Vec<Command> {
        if self.save { Vec::new() } else { std::mem::take(&mut self.later) }
    }

    /// Carries out a command, or marks it as pending.
    pub(super) fn note(&mut self, project: &mut Project, command: Command) {
        match command {
            command if self.save && command.changes_project() && !matches!(command, Command::Quit) => {
                self.later.push(command);
            }
            Command::Look => {}
            Command::Check(name, text) => self.check = Some((name, text)),
            Command::Write(writes) => {
                self.generation = true;
                self.writes.push(writes);
            }
            Command::Buffer(name, text) => {
                self.generation = true;
                project.set_buffer(&name, text);
            }
            Command::Save => self.save = true,
            Command::Quit => self.quit = true,
            Command::Sample(running) => project.set_running(*running),
            command => {
                self.generation = true;
                project.count_edit();
                match command {
                    Command::Tune(handle, knob, value) => project.tune(handle, knob, value),
                    Command::Switch(handle, on) => project.switch(handle, on),
                    Command::Untune(handle, knob) => project.untune(&handle, &knob),
                    Command::Edit(edit) => project.edit(&edit),
                    _ => {}
                }
            }
        }
    }

    /// Returns true while a trial run waits for a sample of the running world. There is no time limit: without the
    /// sample, a trial run could reject a script that works.
    pub(super) fn waits_for_sample(&self, project: &Project, request: &SampleRequest) -> bool {
        if !self.generation && !self.save {
            return false;
        }
        let waits = !self.quit && request.is_polled() && project.wants_sample();
        if waits {
            request.make();
        } else {
            request.withdraw();
        }
        waits
    }
}
