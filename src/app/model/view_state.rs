//! The state of the view: everything that the window shows beside the simulation.

use std::time::Duration;

use super::browser::Browser;
use super::compared::SecondView;
use super::config::Config;
use super::dialog::Dialog;
use super::drawing::Drawing;
use super::history::History;
use super::keyboard::Keyboard;
use super::layout::Layout;
use super::live_session::LiveSession;
use super::plots::Plots;
use super::pointing::Pointing;
use super::question::Question;
use super::refill::Refill;
use super::selection::Selection;
use crate::app::render::camera::Camera;
use crate::app::render::picture::GRID_UNITS;
use crate::app::render::theme::{SceneColors, ThemeName};
use crate::scene::ColorBy;

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
    pub(in crate::app) laid: Layout,
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
            laid: Layout { panel: remembered.panel, log: remembered.log, world: egui::Rect::EVERYTHING },
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
}
