//! Execution of the actions of the view.

use steerbox_picture::render::coloring;
use steerbox_project::reload::{KnownScene, known_scenes, known_scenes_in};

use super::action::{Action, NotesAction, ResultsAction, SessionAction, ViewAction};
use crate::model::browser::Browser;
use crate::model::dialog::Dialog;
use crate::model::editor::Request;
use crate::model::editor::lines::entry_line;
use crate::model::keyboard::Keyboard;
use crate::model::layout::Layout;
use crate::model::live_session::LiveSession;
use crate::model::panes::{Dock, Pane, Panes};
use crate::model::switch::Switch;
use crate::model::view_state::ViewState;
use crate::model::welcome;

/// Height of a log that is opened, points.
const LOG: f32 = 120.0;

impl ViewState {
    /// Executes an action, here or in the session.
    pub(crate) fn act(&mut self, session: &mut LiveSession, action: impl Into<Action>) {
        match action.into() {
            Action::View(action) => self.change_view(action, session),
            Action::Session(action) => {
                // The action may renumber units and obstacles.
                self.selection.follow(&session.run.simulation.world().units.key);
                let drafts = session.scene_draft();
                session.act(&action);
                if matches!(action, SessionAction::Undo | SessionAction::Redo) {
                    self.follow_scene_draft(drafts.as_ref(), session);
                }
                self.selection.follow(&session.run.simulation.world().units.key);
                self.selection.follow_obstacle(&session.run.simulation.world().obstacles);
            }
        }
    }

    fn change_view(&mut self, action: ViewAction, session: &mut LiveSession) {
        match action {
            ViewAction::Toggle(switch) => self.toggle(switch, session),
            ViewAction::Answer(yes) => self.answer(yes, session),
            ViewAction::Escape => self.escape(session),
            ViewAction::Film(step) => self.film(step, session),
            ViewAction::Fit => self.camera.fit(&session.run.simulation.world().arena),
            ViewAction::ToggleChase => self.camera.toggle_chase(),
            ViewAction::ToggleDialog(dialog) => {
                let next = Some(dialog).filter(|next| self.dialog != Some(*next));
                self.show_dialog(next, session);
            }
            ViewAction::CloseWelcome => self.prefs.welcome = false,
            ViewAction::OpenScene(scene, discards) => self.open(&scene, discards, session),
            ViewAction::Draw(step) => self.draw_step(&step, session),
            ViewAction::SelectObstacle(at) => self.select_obstacle(at, session),
            ViewAction::SelectItem(item) => self.selection.pick_item(Some(item)),
            ViewAction::RearrangeSelected(edit) => self.rearrange_selected(edit, session),
            ViewAction::Nudge(way) => self.nudge(way, session),
            ViewAction::Resize(points) => self.resize_obstacle(points, session),
            ViewAction::AddObstacle(shape) => self.add_obstacle(shape, session),
            ViewAction::ShowFiles => {
                (self.files_requested, self.window.presenting) = (true, false);
                self.layout.raise(Pane::Controls);
            }
            ViewAction::Select(units) => self.selection.replace(units),
            ViewAction::ToggleSelected(unit) => self.selection.toggle(unit),
            ViewAction::TogglePinned(unit) => {
                if let Some(unit) = unit.or(self.selection.inspected()) {
                    self.selection.toggle_pin(unit);
                }
            }
            ViewAction::OpenScript(rule) => self.open_script(rule, session),
            ViewAction::CloseScript => self.close_script(),
            ViewAction::Edit(action) => self.edit_text(action, session),
            ViewAction::Save => self.save(self.keyboard == Keyboard::Editor, session),
            ViewAction::SaveScene => self.save_scene(session),
            ViewAction::PlotLine(plotted) => self.history.toggle(plotted),
            ViewAction::DockPane(pane, dock) => self.dock_pane(pane, dock, session),
            ViewAction::RaisePane(pane) => self.layout.raise(pane),
            ViewAction::ResetLayout => self.layout = Layout::new(Panes::default()),
            ViewAction::TogglePlot(quantity) => self.plots.toggle(quantity),
            ViewAction::PlotOf(shown) => self.plots.shown = shown,
            ViewAction::MarkSpan(span) => self.plots.span = span,
            ViewAction::Results(action) => self.change_results(action),
            ViewAction::Notes(action) => self.change_notes(action, session),
            ViewAction::PlotAs(name, kind) => self.plots.set_kind(name, kind),
            ViewAction::SavePlot(name, file) => self.save_plot(name.as_ref(), file, session),
            // The field is in the panel.
            ViewAction::PromptUnit => {
                (self.unit_prompt, self.window.presenting) = (true, false);
                self.layout.raise(Pane::Controls);
            }
            ViewAction::Find(unit) => self.find(unit, session),
            ViewAction::RemoveSelected => self.remove_selected(session),
            ViewAction::DuplicateSelected => self.duplicate_selected(session),
            ViewAction::AddAtPointer(group) => self.add_at_pointer(group, session),
            ViewAction::ColorBy(shown) => self.color_by = shown,
            ViewAction::NextColors => {
                let choices =
                    coloring::choices(&session.run.generation.scene, session.run.simulation.world());
                self.color_by = coloring::after(self.color_by.as_ref(), &choices);
            }
            ViewAction::ToggleTheme => {
                self.prefs.theme = self.prefs.theme.other();
                if self.dialog == Some(Dialog::Scenes) {
                    self.browser.draw_again(self.prefs.theme, self.window.scale);
                }
            }
            ViewAction::Rescale(factor) => {
                // In steps at which text is sharp.
                let scale = ((self.window.scale * factor * 8.0).round() / 8.0).clamp(0.5, 4.0);
                self.prefs.scale = (factor > 0.0).then_some(scale);
                self.window.scale = self.prefs.scale.unwrap_or(self.window.display_scale);
            }
        }
    }

    /// Closes the topmost open one of: question, dialog, card, drawing, errors, script; otherwise clears the
    /// selection; otherwise leaves presentation and full screen.
    fn escape(&mut self, session: &mut LiveSession) {
        if self.question.is_some() {
            self.answer(false, session);
        } else if self.dialog.is_some() {
            self.show_dialog(None, session);
        } else if self.prefs.welcome && welcome::lines(session).is_some() {
            self.prefs.welcome = false;
        } else if self.drawing.is_some() {
            self.drawing = None;
        } else if self.keyboard == Keyboard::Editor && self.escape_text(true, session) {
            session.needs_redraw = true;
        } else if session.can_dismiss() {
            session.act(&SessionAction::DismissErrors);
        } else if self.escape_text(false, session) {
            session.needs_redraw = true;
        } else if self.editor.open_name().is_some() {
            self.close_script();
        } else if !self.selection.is_empty() {
            self.selection.replace([]);
        } else if self.window.presenting {
            self.window.presenting = false;
        } else {
            self.window.full_screen = false;
        }
    }

    /// Moves a pane to a dock, opens it and brings it in front.
    fn dock_pane(&mut self, pane: Pane, dock: Dock, session: &LiveSession) {
        self.layout.panes.move_to(pane, dock);
        self.layout.raise(pane);
        self.window.presenting = false;
        if let Some(on) = pane.switch().and_then(|switch| self.switch(switch, session)) {
            *on = true;
        }
    }

    /// Changes a switch.
    fn toggle(&mut self, switch: Switch, session: &mut LiveSession) {
        let Some(on) = self.switch(switch, session) else { return };
        let was_on = std::mem::replace(on, !*on);
        if switch == Switch::Log
            && !self.layout.panes.is_sized(Pane::Log)
            && !(was_on && session.log.has_open_errors())
        {
            // Only the status line showed it.
            self.prefs.log_open = true;
            self.layout.panes.resize(Pane::Log, LOG);
        }
        if let Some(pane) = Pane::ALL.into_iter().find(|pane| pane.switch() == Some(switch)) {
            self.layout.raise(pane);
        }
        if switch == Switch::Preview {
            session.announce_preview(self.prefs.preview);
        }
    }

    fn change_results(&mut self, action: ResultsAction) {
        let Some(results) = &mut self.results else { return };
        match action {
            ResultsAction::Choose(choice) => results.choose(choice),
            ResultsAction::Open(row) => results.open_row(row),
        }
    }

    fn change_notes(&mut self, action: NotesAction, session: &mut LiveSession) {
        match action {
            NotesAction::Tick(item) => {
                if !self.notes.changed.remove(&item) {
                    self.notes.changed.insert(item);
                }
            }
            NotesAction::Open(target) => self.follow_link(&target, session),
        }
    }

    /// Opens the script or the scene that a link of the notes names, by its path or its name.
    fn follow_link(&mut self, target: &str, session: &mut LiveSession) {
        let name = target.rsplit_once("scripts/").map_or(target, |(_, name)| name);
        let stem = target.rsplit('/').next().unwrap_or(target).trim_end_matches(".ron");
        let is_script = name.rsplit_once('.').is_some_and(|(_, ending)| ending == "rhai");
        if is_script && session.saved_text(name).is_some() || session.is_scene(name) {
            return self.open_text(name, session);
        }
        let known = session.folder().map_or_else(known_scenes, known_scenes_in);
        match known.into_iter().find(|scene| scene.name == stem) {
            Some(scene) if session.tuned() > 0 => {
                self.show_dialog(Some(Dialog::Scenes), session);
                self.open(&scene, false, session);
            }
            Some(scene) => self.open(&scene, false, session),
            None => session.refuse(&format!("there is no scene and no script {target} in this project")),
        }
    }

    /// Opens the script of a behavior of the inspected unit.
    fn open_script(&mut self, rule: usize, session: &LiveSession) {
        let world = session.run.simulation.world();
        let group = self.selection.inspected().and_then(|unit| world.units.group.get(unit));
        let planned = group.and_then(|group| session.run.generation.behaviors.get(usize::from(*group)));
        let Some(planned) = planned.and_then(|planned| planned.get(rule)) else {
            return;
        };
        self.script = Some(rule);
        self.open_text(&format!("{}.rhai", planned.handle.script), session);
        self.editor.request = self.editor.shown().map(|buffer| Request::Show(entry_line(buffer.text())));
    }

    fn close_script(&mut self) {
        self.script = None;
        self.editor.close();
    }

    /// Opens a dialog in place of the open one, or closes it.
    fn show_dialog(&mut self, dialog: Option<Dialog>, session: &mut LiveSession) {
        self.dialog = dialog;
        self.browser = Browser::default();
        match dialog {
            Some(Dialog::Scenes) => self.browser.show(session.folder(), self.prefs.theme, self.window.scale),
            Some(Dialog::Snapshots) => session.act(&SessionAction::ListSnapshots),
            _ => {}
        }
    }

    /// Opens another scene in the next frame, unless unsaved values would be discarded.
    fn open(&mut self, scene: &KnownScene, discards: bool, session: &mut LiveSession) {
        if discards || session.tuned() == 0 {
            session.open(scene);
        } else {
            self.browser.unconfirmed = self.browser.entries.iter().position(|entry| entry.scene == *scene);
        }
    }

    /// Selects a unit by its number and scrolls to it.
    fn find(&mut self, unit: usize, session: &mut LiveSession) {
        let units = &session.run.simulation.world().units;
        let Some(position) = units.position.get(unit) else {
            let most = units.len().saturating_sub(1);
            session.refuse(&format!("there is no unit {unit}: the numbers are 0 to {most}"));
            return;
        };
        self.camera.show(*position, &session.run.simulation.world().arena);
        self.selection.replace([unit]);
    }
}
