//! Carries out what is asked of the session.

use std::path::Path;

use super::action::Action;
use crate::app::edit::snapshots::units_of;
use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::app::model::plots::Plots;
use crate::app::shell::editor::{self, FilePlace};
use crate::reload::{ReplaceError, create_file};

/// Names that are tried for a file of plots.
const NAMES: usize = 999;

impl LiveSession {
    /// Carries out what concerns the simulation; the rest concerns the view.
    pub(in crate::app) fn act(&mut self, action: &Action) {
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
            Action::Tune(handle, knob, value) => self.run.set_value(handle, knob, value, true),
            Action::Untune(handle, knob) => self.run.clear_value(handle, knob),
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
            Action::DropUnits { to, .. } => {
                self.move_units(to.clone());
                self.log_units("moved", to.len());
            }
            Action::AddUnits(states) => {
                let added = if self.add_units(states.clone()) { states.len() } else { 0 };
                self.log_units("added", added);
            }
            Action::RemoveUnits(units) => {
                let keys = &self.run.simulation.world().units.key;
                let keys: Vec<_> = units.iter().filter_map(|unit| keys.get(*unit).copied()).collect();
                let count = keys.len();
                self.remove_units(keys);
                self.log_units("removed", count);
            }
            Action::Save => self.save(),
            Action::SetView(group, view) => self.set_view(*group, *view),
            Action::Key(action) => self.key(action),
            Action::Target(target) => self.set_target(*target),
            Action::Edit(place) => self.edit(place),
            Action::OpenFolder(folder) => {
                if let Err(why) = editor::open_folder(folder) {
                    self.act(&Action::Refuse(why));
                }
            }
            Action::DismissErrors => self.dismiss_errors(),
            Action::Refuse(why) => {
                let step = self.run.simulation.world().steps;
                self.log.say_once(Tone::Warning, step, why);
            }
            _ => {}
        }
    }

    /// Writes what the plots show into a new file of the working directory.
    pub(in crate::app) fn save_plots(&mut self, plots: &Plots) {
        let step = self.run.simulation.world().steps;
        match save_table(Path::new(""), &self.scene_name(), &plots.csv()) {
            Ok(name) => {
                let path = std::path::absolute(&name).unwrap_or_else(|_| name.into());
                self.log.wrote(step, &path);
            }
            Err(error) => self.log.say(Tone::Bad, step, error),
        }
    }

    /// Logs the number of edited units, unless it is 0.
    fn log_units(&mut self, done: &str, count: usize) {
        let step = self.run.simulation.world().steps;
        if count > 0 {
            self.log.say(Tone::Plain, step, format!("{done} {}", units_of(count)));
        }
    }

    /// Opens a file in the user's editor.
    fn edit(&mut self, place: &FilePlace) {
        let path = self.place.path_of(&place.file);
        let none = || format!("{} is built in: there is no file to edit", place.file);
        let opened = path.ok_or_else(none).and_then(|path| editor::open(&path, place.line, place.column));
        if let Err(why) = opened {
            let step = self.run.simulation.world().steps;
            self.log.say_once(Tone::Warning, step, &why);
        }
    }
}

/// Writes a table into a new file of a folder. Returns the file's name.
///
/// # Errors
/// If it cannot be written, or every name exists already.
fn save_table(folder: &Path, stem: &str, table: &str) -> Result<String, String> {
    for number in 1..=NAMES {
        let name = format!("{stem}-plots-{number}.csv");
        match create_file(&folder.join(&name), table) {
            Err(ReplaceError::Exists) => {}
            Err(error) => return Err(format!("cannot write {name}: {error}")),
            Ok(()) => return Ok(name),
        }
    }
    Err(format!("cannot write the plots: {NAMES} files of plots exist already; delete some"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn plots_go_into_a_new_file_each_time() {
        let folder = tempfile::tempdir().unwrap();
        let save = || save_table(folder.path(), "flock", "a,b\n");
        assert_eq!([save(), save()], ["1", "2"].map(|number| Ok(format!("flock-plots-{number}.csv"))));
        let missing = save_table(&folder.path().join("no"), "flock", "a,b\n").unwrap_err();
        assert!(missing.starts_with("cannot write flock-plots-1.csv: "), "{missing}");
    }

    #[cfg(unix)]
    #[test]
    fn plots_replace_nothing() {
        use crate::reload::targets::{Policy, check_writer};
        check_writer("s-plots-1.csv", "old", Policy::Creates, &|path| {
            let folder = path.parent().unwrap();
            let name = save_table(folder, "s", "new")?;
            if name == "s-plots-1.csv" {
                return Ok(());
            }
            std::fs::remove_file(folder.join(&name)).map_err(|error| error.to_string())?;
            Err(format!("wrote {name}"))
        });
    }
}
