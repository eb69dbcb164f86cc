//! The state of the view: everything that the window shows in addition to the simulation.

use std::time::Duration;

use steerbox_picture::render::camera::Camera;
use steerbox_picture::render::picture::has_grid;
use steerbox_picture::render::theme::{SceneColors, ThemeName};
use steerbox_scene::ColorBy;

use super::browser::Browser;
use super::compared::SecondView;
use super::config::Config;
use super::dialog::{Dialog, NewRule};
use super::drawing::Drawing;
use super::editor::Editor;
use super::filming::Filming;
use super::history::History;
use super::keyboard::Keyboard;
use super::layout::Layout;
use super::live_session::LiveSession;
use super::plots::Plots;
use super::pointing::Pointing;
use super::question::Question;
use super::refill::Refill;
use super::results::Results;
use super::selection::Selection;

/// The state of the view.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(crate) struct ViewState {
    pub(crate) camera: Camera,
    pub(crate) selection: Selection,
    pub(crate) pointing: Pointing,
    /// True if the view moves with the inspected unit.
    pub(crate) following: bool,
    /// The behavior whose script is open, by its index in the group of the inspected unit.
    pub(crate) script: Option<usize>,
    /// The texts in the editor.
    pub(crate) editor: Editor,
    /// True if the text of the scene that opens next is to be shown.
    pub(crate) edits_next_scene: bool,
    /// True if all tuned values are to be saved once the text of the scene is written.
    pub(crate) values_follow: bool,
    /// The last seconds of the inspected unit.
    pub(crate) history: History,
    /// Figures of the groups over time.
    pub(crate) plots: Plots,
    pub(crate) refill: Refill,
    /// The results of a sweep beside the scene.
    pub(crate) results: Option<Results>,
    /// True if the costs of rules are measured and shown.
    pub(crate) costs: bool,
    /// True if the field for a unit's number is to receive the focus.
    pub(crate) unit_prompt: bool,
    /// True if the next frame shows the files in the panel.
    pub(crate) files_requested: bool,
    /// The open dialog.
    pub(crate) dialog: Option<Dialog>,
    /// The new rule of the dialog for its name.
    pub(crate) new_rule: Option<NewRule>,
    /// The receiver of the keys of this frame.
    pub(crate) keyboard: Keyboard,
    pub(crate) trails: bool,
    pub(crate) vectors: bool,
    /// The value that colors of units show; `None` for the scene's looks.
    pub(crate) color_by: Option<ColorBy>,
    /// Recordings in progress.
    pub(crate) filming: Filming,
    /// True if a save starts a preview of selected units.
    pub(crate) preview: bool,
    /// An edit that waits for an answer.
    pub(crate) question: Option<Question>,
    /// True until the card of the first start is closed; it is visible if the scene contains its script.
    pub(crate) welcome: bool,
    /// The polygon or path that is being drawn.
    pub(crate) drawing: Option<Drawing>,
    /// The scenes that can be opened.
    pub(crate) browser: Browser,
    /// True if the world fills the window.
    pub(crate) presenting: bool,
    /// True if the window is to fill the screen.
    pub(crate) full_screen: bool,
    /// True if the grid is shown; by default if there are few units.
    pub(crate) grid: Option<bool>,
    /// True if the log is visible.
    pub(crate) log_visible: bool,
    pub(crate) theme: ThemeName,
    /// Pixels per point: now, of the display, and chosen by the user.
    pub(crate) scale: f32,
    pub(crate) display_scale: f32,
    pub(crate) chosen_scale: Option<f32>,
    /// The second of two views.
    pub(crate) second: SecondView,
    /// Docks and sizes of the panes.
    pub(crate) layout: Layout,
    /// Colors of the scene in that theme.
    pub(crate) colors: SceneColors,
    /// Smoothed wall time of computing a frame, and from frame to frame.
    pub(crate) frame_time: Duration,
    pub(crate) frame_every: Duration,
}

impl ViewState {
    /// The first state, with the configuration of the last window.
    pub(crate) fn new(remembered: &Config) -> Self {
        let mut plots = Plots::default();
        plots.open = remembered.plots_open;
        Self {
            camera: Camera::default(),
            selection: Selection::default(),
            pointing: Pointing::default(),
            following: false,
            unit_prompt: false,
            files_requested: false,
            dialog: None,
            new_rule: None,
            keyboard: Keyboard::Window,
            script: None,
            editor: Editor::default(),
            edits_next_scene: false,
            values_follow: false,
            history: History::default(),
            plots,
            refill: Refill::default(),
            results: None,
            costs: false,
            trails: true,
            vectors: false,
            color_by: None,
            filming: Filming::default(),
            preview: remembered.preview,
            question: None,
            welcome: remembered.welcome,
            drawing: None,
            browser: Browser::default(),
            presenting: false,
            full_screen: false,
            grid: None,
            log_visible: remembered.log_open,
            theme: remembered.theme,
            scale: 1.0,
            display_scale: 1.0,
            chosen_scale: remembered.scale,
            second: SecondView::default(),
            layout: Layout::new(remembered.panes),
            colors: SceneColors::none(),
            frame_time: Duration::ZERO,
            frame_every: Duration::from_millis(16),
        }
    }

    /// The open dialog; a question covers all others.
    pub(crate) fn open_dialog(&self) -> Option<Dialog> {
        self.question.as_ref().map(|_| Dialog::Question).or(self.dialog)
    }

    /// True if the grid is shown.
    pub(crate) fn shows_grid(&self, session: &LiveSession) -> bool {
        self.grid.unwrap_or_else(|| has_grid(session.run.simulation.world()))
    }

    /// True if the drawings of behaviors for a unit are shown.
    pub(crate) fn shows_drawings_of(&self, unit: usize) -> bool {
        self.vectors || self.selection.set().has(unit)
    }

    /// The configuration for the next window.
    pub(crate) fn remembered(&self) -> Config {
        Config {
            theme: self.theme,
            window: None,
            scale: self.chosen_scale,
            panes: self.layout.panes,
            log_open: self.log_visible,
            plots_open: self.plots.open,
            preview: self.preview,
            welcome: self.welcome,
        }
    }

    /// Resets all state that belongs to the previous scene.
    pub(crate) fn change_scene(&mut self) {
        let chosen = std::mem::take(&mut self.plots.chosen);
        let filming = std::mem::take(&mut self.filming);
        let results = self.results.take();
        *self = Self {
            filming,
            results,
            trails: self.trails,
            vectors: self.vectors,
            costs: self.costs,
            presenting: self.presenting,
            full_screen: self.full_screen,
            grid: self.grid,
            scale: self.scale,
            display_scale: self.display_scale,
            frame_time: self.frame_time,
            frame_every: self.frame_every,
            ..Self::new(&self.remembered())
        };
        self.plots.chosen = chosen;
    }

    /// True if a script is shown: that of a behavior of the inspected unit.
    pub(crate) fn shows_script(&self) -> bool {
        self.script.is_some() && self.selection.inspected().is_some()
    }
}
