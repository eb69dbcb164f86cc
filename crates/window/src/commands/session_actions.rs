//! Execution of the actions of the session, and the edit that each makes for undo.

use std::time::Instant;

use super::action::SessionAction;
use super::external_editor;
use crate::model::counted::units_of;
use crate::model::edits::Edit;
use crate::model::live_session::LiveSession;
use crate::model::log::FilePlace;
use crate::model::log::Tone;

impl LiveSession {
    /// Executes an action. Its edit is stored for undo before, since it contains the state that the action changes.
    pub(crate) fn act(&mut self, action: &SessionAction) {
        self.needs_redraw = true;
        match action {
            SessionAction::TogglePause => (self.paused, self.backwards) = (!self.paused, false),
            SessionAction::Step => {
                (self.paused, self.backwards) = (true, false);
                self.requested_steps += 1;
            }
            SessionAction::GoToStep(step) => self.show_step(*step),
            SessionAction::StepBack => self.step_back(),
            SessionAction::PlayBackwards => self.play_backwards(),
            SessionAction::Jump(forward) => self.jump(*forward),
            SessionAction::ReturnToPresent => self.return_to_present(),
            SessionAction::ContinueHere => self.continue_here(),
            SessionAction::PauseWhen(text) => self.pause_when(text),
            SessionAction::DiscardChange => self.discard(),
            SessionAction::Restart => self.restart(),
            SessionAction::Speed(speed) => self.speed = speed.clamp(0.05, 20.0),
            SessionAction::Tune(handle, knob, value) => {
                self.note(self.edit_of_values([(handle, knob, Some(value))]));
                self.run.set_value(handle, knob, value, true);
            }
            SessionAction::ResetValue(handle, knob) => {
                self.note(self.edit_of_values([(handle, knob, None)]));
                self.run.clear_value(handle, knob);
            }
            SessionAction::Undo => self.undo(),
            SessionAction::Redo => self.redo(),
            SessionAction::SaveSnapshot(name) => self.save_snapshot(name),
            SessionAction::LoadSnapshot(name) => self.load_snapshot(name),
            SessionAction::DeleteSnapshot(name) => self.delete_snapshot(name),
            SessionAction::ListSnapshots => self.list_snapshots(),
            SessionAction::Compare(with) => self.compare(with),
            SessionAction::ToggleCompare => self.toggle_compare(),
            SessionAction::ContinueRun(second) => self.continue_run(*second),
            SessionAction::CopyCommand => self.log_command(),
            SessionAction::DragObstacle(at, obstacle) => self.hold_obstacle(*at, obstacle),
            SessionAction::EditScene(edit) => {
                self.note(self.edit_of_scene(edit));
                self.edit_scene(edit);
            }
            SessionAction::MoveScattered { back, from, to } => {
                self.note(Self::edit_of_scattered(*back, from, to));
                self.move_scattered(*back, from, to);
            }
            SessionAction::DragUnits(moved) => self.hold_units(moved),
            SessionAction::MoveUnits { from, to } => {
                self.note(Self::edit_of_motion(from, to));
                self.move_units(to.clone());
                self.log_units("moved", to.len());
            }
            SessionAction::AddUnits(states) => {
                self.note(self.edit_of_added(states));
                let added = if self.add_units(states.clone()) { states.len() } else { 0 };
                self.log_units("added", added);
            }
            SessionAction::RemoveUnits(units) => {
                self.note(Some(self.edit_of_removed(units)));
                let keys = &self.run.simulation.world().units.key;
                let keys: Vec<_> = units.iter().filter_map(|unit| keys.get(*unit).copied()).collect();
                let count = keys.len();
                self.remove_units(keys);
                self.log_units("removed", count);
            }
            SessionAction::RunText(name, text) => {
                if text.is_some() || !self.edits.end_draft(name) {
                    self.note(self.edit_of_draft(name, text.as_ref(), false));
                }
                self.run_text(name, text.clone());
            }
            SessionAction::RunTyped(name, text) => {
                self.note(self.edit_of_draft(name, text.as_ref(), true));
                self.run_text(name, text.clone());
            }
            SessionAction::WriteTexts(writes) => self.write_texts(writes),
            SessionAction::Save => self.save(),
            SessionAction::SetView(group, view) => {
                self.note(self.edit_of_views([*group].into_iter(), *view));
                self.set_view(*group, *view);
            }
            SessionAction::SceneKey(action) => {
                self.note(self.edit_of_key(action));
                self.key(action);
            }
            SessionAction::Target(target) => {
                self.note(self.edit_of_target(*target));
                self.set_target(*target);
            }
            SessionAction::OpenInEditor(place) => self.edit(place),
            SessionAction::OpenFolder(folder) => {
                if let Err(why) = external_editor::open_folder(folder) {
                    self.refuse(&why);
                }
            }
            SessionAction::DismissErrors => self.dismiss_errors(),
            SessionAction::Refuse(why) => self.refuse(why),
        }
    }

    /// Stores an edit for undo; `None` changes nothing that can be undone.
    fn note(&mut self, edit: Option<Edit>) {
        if let Some(edit) = edit {
            self.edits.note(edit, Instant::now());
        }
    }

    /// Logs the number of edited units, unless it is 0.
    fn log_units(&mut self, done: &str, count: usize) {
        let step = self.run.simulation.world().steps;
        if count > 0 {
            self.log.add(Tone::Plain, step, format!("{done} {}", units_of(count)));
        }
    }

    /// Opens a file in the user's editor.
    fn edit(&mut self, place: &FilePlace) {
        let path = self.place.path_of(&place.file);
        let none = || format!("{} is built in: there is no file to edit", place.file);
        let opened =
            path.ok_or_else(none).and_then(|path| external_editor::open(&path, place.line, place.column));
        self.cannot_edit = opened.err();
        if let Some(why) = &self.cannot_edit {
            let step = self.run.simulation.world().steps;
            self.log.add_once(Tone::Warning, step, why);
        }
    }
}
