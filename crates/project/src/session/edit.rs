//! Edits of values, obstacles and paths: applied to the simulation immediately, and sent to the loader, which answers
//! with a generation.

use steerbox_core::world::ParamValue;
use steerbox_scene::SceneEdit;

use super::input::Input;
use super::observer::Observer;
use super::pending_edits::PendingEdit;
use super::running_scene::Session;
use crate::reload::{Command, Generation, Handle, KnobName};

impl<O: Observer> Session<O> {
    /// Sets a value of a behavior, by tuning or by a key of the scene. Gain and switch change immediately, parameters
    /// with the next generation. In a recorded step, it applies from there on.
    pub fn set_value(&mut self, handle: &Handle, name: &KnobName, value: &ParamValue, tuned: bool) {
        let command = match value {
            ParamValue::Switch(on) if !tuned => Command::Switch(handle.clone(), *on),
            _ => Command::Tune(handle.clone(), name.clone(), value.clone()),
        };
        self.change_value(handle, name, value, tuned, command);
    }

    /// Resets a value of a behavior to that of the file.
    pub fn clear_value(&mut self, handle: &Handle, name: &KnobName) {
        let planned = self.newest().planned().find(|planned| planned.handle == *handle);
        let knob = planned.and_then(|planned| planned.knobs.iter().find(|knob| knob.name == *name));
        if let Some(file) = knob.map(|knob| knob.file.clone()) {
            let command = Command::Untune(handle.clone(), name.clone());
            self.change_value(handle, name, &file, false, command);
        }
    }

    fn change_value(
        &mut self,
        handle: &Handle,
        name: &KnobName,
        value: &ParamValue,
        tuned: bool,
        command: Command,
    ) {
        let changed = self.generation.show_value(handle, name, value, tuned);
        if let Some(playback) = &mut self.playback {
            // The next generation is compared with these gains and switches.
            playback.generation.show_knob(handle, name, value, tuned);
        } else {
            for (group, slot, gain, enabled) in changed {
                self.simulation.input(Input::Tune(group, slot, gain, enabled));
            }
        }
        self.send_edit(command, PendingEdit::Value(handle.clone(), name.clone(), value.clone(), tuned));
    }

    /// Edits an obstacle or a path of the scene. In a recorded step, the edit applies from there on.
    ///
    /// # Errors
    /// With a message if the edit does not fit the scene.
    pub fn edit(&mut self, edit: &SceneEdit) -> Result<(), String> {
        if self.waits() {
            return Err("no scene runs yet".to_owned());
        }
        let edit = &self.of_newest(edit);
        let (events, changed, resumes, saved) = (Vec::new(), Vec::new(), true, None);
        let mut generation = Generation { events, changed, resumes, saved, ..self.newest().clone() };
        generation.edit(edit)?;
        self.send_edit(Command::Edit(edit.clone()), PendingEdit::Scene(edit.clone()));
        if self.playback.is_some() {
            self.replace_in_playback(generation);
            return Ok(());
        }
        self.replace(generation, false);
        if let Some(variant) = &mut self.simulation.state.variant {
            variant.edit(edit);
        }
        Ok(())
    }

    /// Returns the number of edits that no generation of the loader contains yet.
    pub fn waiting_edits(&self) -> usize {
        self.edits.waiting()
    }

    /// Converts an edit of an obstacle of a recorded step to one of the same obstacle in the present.
    pub fn of_newest(&self, edit: &SceneEdit) -> SceneEdit {
        let mut edit = edit.clone();
        let [then, now] = [&self.generation, self.newest()].map(|it| &it.scene.world.obstacles);
        if let SceneEdit::Obstacle { at, from: Some(from), .. } = &mut edit
            && then.len() == now.len()
            && then.get(*at) == Some(from)
            && let Some(now) = now.get(*at)
        {
            from.clone_from(now);
        }
        edit
    }

    /// Sends an edit to the loader, and stores it until a generation contains it.
    fn send_edit(&mut self, command: Command, edit: PendingEdit) {
        if self.send(command) {
            self.edits.add(edit);
        } else {
            self.edits.clear();
        }
    }
}
