//! Carries out what is asked of the session.

use std::fs::File;
use std::io::{ErrorKind, Write as _};

use super::action::Action;
use super::editor::{self, FilePlace};
use super::live_session::LiveSession;
use super::log::Tone;
use super::plots::Plots;

/// Names that are tried for a file of plots.
const NAMES: usize = 999;

impl LiveSession {
    /// Carries out what concerns the simulation; the rest concerns the view.
    pub(super) fn act(&mut self, action: &Action) {
        self.news = true;
        self.note_edit(action);
        match action {
            Action::TogglePause => (self.paused, self.backwards) = (!self.paused, false),
            Action::Step => {
                (self.paused, self.backwards) = (true, false);
                self.singles += 1;
            }
            Action::LookAt(step) => self.look_at(*step),
            Action::StepBack => self.step_back(),
            Action::PlayBackwards => self.play_backwards(),
            Action::Jump(forward) => self.jump(*forward),
            Action::ReturnToPresent => self.return_to_present(),
            Action::GoOn => self.go_on(),
            Action::PauseWhen(text) => self.pause_when(text),
            Action::Discard => self.discard(),
            Action::Restart => self.restart(),
            Action::Speed(speed) => self.speed = speed.clamp(0.05, 20.0),
            Action::Tune(handle, knob, value) => self.tune(handle, knob, value),
            Action::Untune(handle, knob) => self.untune(handle, knob),
            Action::Undo => self.undo(),
            Action::Redo => self.redo(),
            Action::SaveValues(name) => self.save_values(name),
            Action::LoadValues(name) => self.load_values(name),
            Action::DeleteValues(name) => self.delete_values(name),
            Action::ListValues => self.list_values(),
            Action::Compare(with) => self.compare(with),
            Action::ToggleCompare => self.toggle_compare(),
            Action::KeepRun(second) => self.keep_run(*second),
            Action::TellCommand => self.tell_command(),
            Action::HoldObstacle(at, obstacle) => self.hold_obstacle(*at, obstacle),
            Action::EditScene(edit) => self.edit_scene(edit),
            Action::MoveScattered { back, from, to } => self.move_scattered(*back, from, to),
            Action::HoldUnits(moved) => self.hold_units(moved),
            Action::DropUnits { to, .. } => self.move_units(to.clone()),
            Action::AddUnits(states) => self.add_units(states.clone()),
            Action::RemoveUnits(units) => {
                let keys = &self.run.simulation.world().units.key;
                let keys = units.iter().filter_map(|unit| keys.get(*unit).copied()).collect();
                self.remove_units(keys);
            }
            Action::Save => self.save(),
            Action::SetView(group, view) => self.set_view(*group, *view),
            Action::Key(action) => self.key(action),
            Action::Target(target) => self.set_target(*target),
            Action::Edit(place) => self.edit(place),
            Action::Refuse(why) => {
                let step = self.run.simulation.world().steps;
                self.log.say_once(Tone::Warning, step, why);
            }
            _ => {}
        }
    }

    /// Writes what the plots show into a new file of the working directory.
    pub(super) fn save_plots(&mut self, plots: &Plots) {
        let (table, stem) = (plots.csv(), self.scene_name());
        let names = (1..).map(|number| format!("{stem}-plots-{number}.csv"));
        let mut free = names.take(NAMES).filter_map(|name| {
            let file = File::create_new(&name);
            let is_taken = file.as_ref().is_err_and(|error| error.kind() == ErrorKind::AlreadyExists);
            (!is_taken).then_some((name, file))
        });
        let step = self.run.simulation.world().steps;
        let (tone, text) = match free.next() {
            None => (Tone::Bad, format!("there are {NAMES} files of plots already: remove some")),
            Some((name, file)) => match file.and_then(|mut file| file.write_all(table.as_bytes())) {
                Ok(()) => (Tone::Good, format!("wrote the plots to {name}")),
                Err(error) => (Tone::Bad, format!("cannot write {name}: {error}")),
            },
        };
        self.log.say(tone, step, text);
    }

    /// Opens a file in the user's editor.
    fn edit(&mut self, place: &FilePlace) {
        let path = self.place.path_of(&place.file);
        let none = || format!("{} came with the program: there is no file to edit", place.file);
        let opened = path.ok_or_else(none).and_then(|path| editor::open(&path, place.line, place.column));
        if let Err(why) = opened {
            let step = self.run.simulation.world().steps;
            self.log.say_once(Tone::Warning, step, &why);
        }
    }
}
