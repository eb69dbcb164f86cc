//! What the window shows beside the simulation, and how mouse and keys change it.

use std::time::Duration;

use super::browser::Browser;
use super::dialog::Dialog;
use super::history::History;
use super::live_session::LiveSession;
use super::plots::Plots;
use super::selection::Selection;
use super::welcome;
use crate::app::commands::action::Action;
use crate::app::commands::keyboard::{self, Keyboard};
use crate::app::edit::drawing::Drawing;
use crate::app::edit::pointing::Pointing;
use crate::app::edit::question::Question;
use crate::app::render::camera::Camera;
use crate::app::render::coloring;
use crate::app::render::picture::GRID_UNITS;
use crate::app::render::theme::{SceneColors, ThemeName};
use crate::app::shell::config::Config;
use crate::app::shell::input::FrameInput;
use crate::app::time::compare::SecondView;
use crate::app::time::refill::Refill;
use crate::reload::KnownScene;
use crate::scene::ColorBy;
use crate::world::Controls;

/// Width of the panel, height of the log and the place of the world, points.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Laid {
    pub(in crate::app) panel: f32,
    pub(in crate::app) log: f32,
    pub(in crate::app) world: egui::Rect,
}

/// What the window shows beside the simulation.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(in crate::app) struct ViewState {
    pub(in crate::app) camera: Camera,
    pub(in crate::app) selection: Selection,
    pub(in crate::app) pointing: Pointing,
    /// Whether the view moves with the inspected unit.
    pub(in crate::app) following: bool,
    /// The behavior whose script is open, by its place in the group of the inspected unit.
    pub(in crate::app) script: Option<usize>,
    /// The last seconds of the inspected unit.
    pub(in crate::app) history: History,
    /// Figures of the groups over time.
    pub(in crate::app) plots: Plots,
    pub(in crate::app) refill: Refill,
    /// Whether what rules cost is measured and shown.
    pub(in crate::app) costs: bool,
    /// Whether the field for a unit's number is to take the keyboard.
    pub(in crate::app) asks_unit: bool,
    /// True if the next frame shows the files in the panel.
    pub(in crate::app) shows_files: bool,
    /// The open dialog.
    pub(in crate::app) dialog: Option<Dialog>,
    /// The receiver of the keys of this frame.
    pub(in crate::app) keyboard: Keyboard,
    pub(in crate::app) trails: bool,
    pub(in crate::app) vectors: bool,
    /// What the colors of units show in the place of the scene's looks.
    pub(in crate::app) color_by: Option<ColorBy>,
    /// Whether a save shows where selected units will be.
    pub(in crate::app) preview: bool,
    /// An edit that waits for an answer.
    pub(in crate::app) question: Option<Question>,
    /// True until the card of the first start is closed; it shows where the scene has a script for it.
    pub(in crate::app) welcome: bool,
    /// The polygon or path that is being drawn.
    pub(in crate::app) drawing: Option<Drawing>,
    /// The scenes that can be opened.
    pub(in crate::app) browser: Browser,
    /// Whether the world fills the window.
    pub(in crate::app) presenting: bool,
    /// True if the window is to fill the screen.
    pub(in crate::app) full_screen: bool,
    /// Whether the grid is shown; if the user did not say, where there are few units.
    pub(in crate::app) grid: Option<bool>,
    /// Whether the log is hidden.
    pub(in crate::app) hides_log: bool,
    pub(in crate::app) theme: ThemeName,
    /// Pixels of a point: now, as the display asks, and as the user chose it.
    pub(in crate::app) scale: f32,
    pub(in crate::app) usual_scale: f32,
    pub(in crate::app) chosen_scale: Option<f32>,
    /// The second of two views.
    pub(in crate::app) second: SecondView,
    /// Sizes of panel and log.
    pub(in crate::app) laid: Laid,
    /// Colors of the scene in that theme.
    pub(in crate::app) colors: SceneColors,
    /// Smoothed wall time of a frame's own work, and from frame to frame.
    pub(in crate::app) frame_time: Duration,
    pub(in crate::app) frame_every: Duration,
}

impl ViewState {
    /// What is shown at first, with what is remembered of the last window.
    pub(in crate::app) fn new(remembered: &Config) -> Self {
        let mut plots = Plots::default();
        plots.open = remembered.plots_open;
        Self {
            camera: Camera::new(),
            selection: Selection::default(),
            pointing: Pointing::default(),
            following: false,
            asks_unit: false,
            shows_files: false,
            dialog: None,
            keyboard: Keyboard::Window,
            script: None,
            history: History::default(),
            plots,
            refill: Refill::default(),
            costs: false,
            trails: true,
            vectors: false,
            color_by: None,
            preview: remembered.preview,
            question: None,
            welcome: remembered.welcome,
            drawing: None,
            browser: Browser::default(),
            presenting: false,
            full_screen: false,
            grid: None,
            hides_log: !remembered.log_open,
            theme: remembered.theme,
            scale: 1.0,
            usual_scale: 1.0,
            chosen_scale: remembered.scale,
            second: SecondView::default(),
            laid: Laid { panel: remembered.panel, log: remembered.log, world: egui::Rect::EVERYTHING },
            colors: SceneColors::none(),
            frame_time: Duration::ZERO,
            frame_every: Duration::from_millis(16),
        }
    }

    /// The dialog that is open; a question is above all others.
    pub(in crate::app) fn open_dialog(&self) -> Option<Dialog> {
        self.question.as_ref().map(|_| Dialog::Question).or(self.dialog)
    }

    /// Whether the grid is shown.
    pub(in crate::app) fn shows_grid(&self, session: &LiveSession) -> bool {
        self.grid.unwrap_or(session.run.simulation.world().units.len() <= GRID_UNITS)
    }

    /// Whether what behaviors draw for a unit is shown.
    pub(in crate::app) fn shows_drawings_of(&self, unit: usize) -> bool {
        self.vectors || self.selection.set().has(unit)
    }

    /// What the next window is to have of this one.
    pub(in crate::app) fn remembered(&self) -> Config {
        Config {
            theme: self.theme,
            window: None,
            scale: self.chosen_scale,
            panel: self.laid.panel,
            log: self.laid.log,
            log_open: !self.hides_log,
            plots_open: self.plots.open,
            preview: self.preview,
            welcome: self.welcome,
        }
    }

    /// What keys and mouse ask for, where the panel does not want them.
    pub(in crate::app) fn interact(
        &mut self,
        context: &egui::Context,
        input: &FrameInput,
        session: &mut LiveSession,
    ) {
        self.keyboard = Keyboard::of(context, self);
        let pressed = input.pressed().filter_map(|change| keyboard::action_of(*change, session, self));
        let mut actions: Vec<_> = pressed.collect();
        let plane = session.run.simulation.world().arena.is_plane();
        // While something is drawn, the arrows move its cursor.
        let controls = keyboard::controls(input, self.keyboard, plane);
        session.control(if self.drawing.is_some() { Controls::default() } else { controls });
        self.point(context, input, session, &mut actions);
        for action in actions {
            self.act(session, &action);
        }
    }

    /// Carries out an action, here or in the session.
    pub(in crate::app) fn act(&mut self, session: &mut LiveSession, action: &Action) {
        match action {
            Action::Answer(yes) => self.answer(*yes, session),
            Action::Escape if self.question.is_some() => self.question = None,
            Action::Fit => self.camera.fit(&session.run.simulation.world().arena),
            Action::ToggleChase => self.camera.toggle_chase(),
            Action::ToggleDialog(dialog) => {
                let next = Some(*dialog).filter(|next| self.dialog != Some(*next));
                self.show_dialog(next, session);
            }
            Action::Escape if self.dialog.is_some() => self.show_dialog(None, session),
            Action::CloseWelcome => self.welcome = false,
            Action::Escape if self.welcome && welcome::lines(session).is_some() => self.welcome = false,
            Action::OpenScene(scene, discards) => self.open(scene, *discards, session),
            Action::Escape if self.drawing.is_some() => self.drawing = None,
            Action::Draw(step) => self.draw_step(step, session),
            Action::PickObstacle(at) => self.pick_obstacle(*at, session),
            Action::Nudge(way) => self.nudge(*way, session),
            Action::Resize(points) => self.resize_obstacle(*points, session),
            Action::AddObstacle(shape) => self.add_obstacle(*shape, session),
            Action::Escape if session.can_dismiss() => session.act(&Action::DismissErrors),
            Action::ShowFiles => (self.shows_files, self.presenting) = (true, false),
            Action::Escape if self.shows_script() => self.script = None,
            Action::Escape if !self.selection.is_empty() => self.selection.replace([]),
            Action::Escape if self.presenting => self.presenting = false,
            Action::Escape => self.full_screen = false,
            Action::ToggleFullScreen => self.full_screen ^= true,
            Action::Select(units) => self.selection.replace(units.iter().copied()),
            Action::ToggleSelected(unit) => self.selection.toggle(*unit),
            Action::TogglePinned(unit) => {
                if let Some(unit) = unit.or(self.selection.inspected()) {
                    self.selection.toggle_pin(unit);
                }
            }
            Action::ToggleFollow => self.following = !self.following,
            Action::OpenScript(rule) => self.script = Some(*rule),
            Action::CloseScript => self.script = None,
            Action::PlotLine(plotted) => self.history.toggle(*plotted),
            Action::TogglePresentation => self.presenting ^= true,
            Action::ToggleLog => self.hides_log ^= true,
            Action::ToggleCosts => self.costs ^= true,
            Action::TogglePlots => self.plots.open = !self.plots.open,
            Action::TogglePlot(quantity) => self.plots.toggle(*quantity),
            Action::PlotOf(shown) => self.plots.shown = *shown,
            Action::MarkSpan(span) => self.plots.span = *span,
            Action::SavePlots => session.save_plots(&self.plots),
            // The field is in the panel.
            Action::AskUnit => (self.asks_unit, self.presenting) = (true, false),
            Action::Find(unit) => self.find(*unit, session),
            Action::RemoveSelected => self.remove_selected(session),
            Action::CopySelected => self.copy_selected(session),
            Action::AddAtPointer(group) => self.add_at_pointer(*group, session),
            Action::ToggleGrid => self.grid = Some(!self.shows_grid(session)),
            Action::ToggleTrails => self.trails = !self.trails,
            Action::ToggleVectors => self.vectors = !self.vectors,
            Action::ColorBy(shown) => self.color_by.clone_from(shown),
            Action::NextColors => {
                let choices =
                    coloring::choices(&session.run.generation.scene, session.run.simulation.world());
                self.color_by = coloring::after(self.color_by.as_ref(), &choices);
            }
            Action::TogglePreview => self.toggle_preview(session),
            Action::ToggleTheme => {
                self.theme = self.theme.other();
                if self.dialog == Some(Dialog::Scenes) {
                    self.browser.draw_again(self.theme, self.scale);
                }
            }
            Action::Rescale(factor) => {
                // In steps that text is sharp at.
                let scale = ((self.scale * factor * 8.0).round() / 8.0).clamp(0.5, 4.0);
                self.chosen_scale = (*factor > 0.0).then_some(scale);
                self.scale = self.chosen_scale.unwrap_or(self.usual_scale);
            }
            _ => {
                // Units may have other numbers after it.
                self.selection.follow(&session.run.simulation.world().units.key);
                session.act(action);
                self.selection.follow(&session.run.simulation.world().units.key);
                self.selection.follow_obstacle(&session.run.simulation.world().obstacles);
            }
        }
    }

    /// Opens a dialog in place of the open one, or none.
    fn show_dialog(&mut self, dialog: Option<Dialog>, session: &mut LiveSession) {
        self.dialog = dialog;
        self.browser = Browser::default();
        match dialog {
            Some(Dialog::Scenes) => self.browser.show(session.folder(), self.theme, self.scale),
            Some(Dialog::Snapshots) => session.act(&Action::ListValues),
            _ => {}
        }
    }

    /// Opens another scene with the next frame, unless values are tuned that would be lost by it.
    fn open(&mut self, scene: &KnownScene, discards: bool, session: &mut LiveSession) {
        if discards || session.tuned() == 0 {
            session.open(scene);
        } else {
            self.browser.asked = self.browser.entries.iter().position(|entry| entry.scene == *scene);
        }
    }

    /// Forgets what belongs to the scene that ran, since another one runs now.
    pub(in crate::app) fn change_scene(&mut self) {
        let chosen = std::mem::take(&mut self.plots.chosen);
        *self = Self {
            trails: self.trails,
            vectors: self.vectors,
            costs: self.costs,
            presenting: self.presenting,
            full_screen: self.full_screen,
            grid: self.grid,
            scale: self.scale,
            usual_scale: self.usual_scale,
            frame_time: self.frame_time,
            frame_every: self.frame_every,
            ..Self::new(&self.remembered())
        };
        self.plots.chosen = chosen;
    }

    /// Whether a script is shown: that of a behavior of the inspected unit.
    pub(in crate::app) fn shows_script(&self) -> bool {
        self.script.is_some() && self.selection.inspected().is_some()
    }

    /// Selects a unit by its number and shows where it is.
    fn find(&mut self, unit: usize, session: &mut LiveSession) {
        let units = &session.run.simulation.world().units;
        let Some(position) = units.position.get(unit) else {
            let most = units.len().saturating_sub(1);
            session.act(&Action::Refuse(format!("there is no unit {unit}: the numbers are 0 to {most}")));
            return;
        };
        self.camera.show(*position, &session.run.simulation.world().arena);
        self.selection.replace([unit]);
    }

    /// Updates selection and figures after the last step, and moves the view along with the followed unit.
    pub(in crate::app) fn follow(&mut self, session: &mut LiveSession, seconds: f32) {
        let world = session.run.simulation.world();
        self.selection.follow(&world.units.key);
        self.selection.follow_obstacle(&world.obstacles);
        self.follow_figures(session);
        // The first reload closes the card.
        self.welcome &= !session.reloaded;
        let inspected = self.selection.inspected();
        self.following &= inspected.is_some();
        let followed = inspected.filter(|_| self.following);
        self.camera.follow(session.run.simulation.world(), &session.shown, followed, seconds);
    }
}
