//! The state of the view: everything that the window shows in addition to the simulation.

use std::time::Duration;

use steerbox_picture::render::camera::Camera;
use steerbox_picture::render::picture::world_look;
use steerbox_picture::render::theme::SceneColors;
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
use super::notes::Notes;
use super::plots::Plots;
use super::pointing::Pointing;
use super::question::Question;
use super::refill::Refill;
use super::results::Results;
use super::selection::Selection;
use super::switch::Switch;

/// The state of the view. A change of the scene resets all but the first fields: see [`ViewState::change_scene`].
#[derive(Default)]
#[allow(clippy::struct_excessive_bools, reason = "each is a state of its own")]
pub(crate) struct ViewState {
    /// The configuration that the next window restores.
    pub(crate) prefs: Config,
    pub(crate) window: WindowState,
    /// Docks and sizes of the panes.
    pub(crate) layout: Layout,
    /// Recordings in progress.
    pub(crate) filming: Filming,
    /// The results of a sweep beside the scene.
    pub(crate) results: Option<Results>,
    /// Figures of the groups over time.
    pub(crate) plots: Plots,
    pub(crate) camera: Camera,
    pub(crate) notes: Notes,
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
    pub(crate) refill: Refill,
    /// True if the field for a unit's number is to receive the focus.
    pub(crate) unit_prompt: bool,
    /// True if the next frame shows the files in the panel.
    pub(crate) files_requested: bool,
    /// True once the hint of the scene is dismissed.
    pub(crate) hint_hidden: bool,
    /// The open dialog.
    pub(crate) dialog: Option<Dialog>,
    /// The new rule of the dialog for its name.
    pub(crate) new_rule: Option<NewRule>,
    /// The receiver of the keys of this frame.
    pub(crate) keyboard: Keyboard,
    /// The value that colors of units show; `None` for the scene's looks.
    pub(crate) color_by: Option<ColorBy>,
    /// An edit that waits for an answer.
    pub(crate) question: Option<Question>,
    /// The polygon or path that is being drawn.
    pub(crate) drawing: Option<Drawing>,
    /// The scenes that can be opened.
    pub(crate) browser: Browser,
    /// The second of two views.
    pub(crate) second: SecondView,
    /// Colors of the scene in the theme.
    pub(crate) colors: SceneColors,
}

/// The state that belongs to the window instead of a scene.
#[allow(clippy::struct_excessive_bools, reason = "each is a switch of the user's")]
pub(crate) struct WindowState {
    pub(crate) trails: bool,
    pub(crate) vectors: bool,
    /// True if the costs of rules are measured and shown.
    pub(crate) costs: bool,
    /// True if the grid is shown; by default if there are few units.
    pub(crate) grid: Option<bool>,
    /// True if the world fills the window.
    pub(crate) presenting: bool,
    /// True if the window is to fill the screen.
    pub(crate) full_screen: bool,
    /// Pixels per point: now, and of the display.
    pub(crate) scale: f32,
    pub(crate) display_scale: f32,
    /// Smoothed wall time of computing a frame, and from frame to frame.
    pub(crate) frame_time: Duration,
    pub(crate) frame_every: Duration,
}

impl Default for WindowState {
    fn default() -> Self {
        Self {
            trails: true,
            vectors: false,
            costs: false,
            grid: None,
            presenting: false,
            full_screen: false,
            scale: 1.0,
            display_scale: 1.0,
            frame_time: Duration::ZERO,
            frame_every: Duration::from_millis(16),
        }
    }
}

impl ViewState {
    /// The first state, with the configuration of the last window.
    pub(crate) fn new(prefs: Config) -> Self {
        let mut plots = Plots::default();
        plots.open = prefs.plots_open;
        Self { layout: Layout::new(prefs.panes), plots, prefs, ..Self::default() }
    }

    /// The open dialog; a question covers all others.
    pub(crate) fn open_dialog(&self) -> Option<Dialog> {
        self.question.as_ref().map(|_| Dialog::Question).or(self.dialog)
    }

    /// True if the grid of a plane is shown, or sphere or floor of a space.
    pub(crate) fn shows_grid(&self, session: &LiveSession) -> bool {
        let (scene, world) = (&session.run.generation.scene, session.run.simulation.world());
        let look = world_look(scene, world, self.window.grid);
        if world.arena.is_plane() { look.grid == Some(true) } else { look.ball || look.floor }
    }

    /// True if the drawings of behaviors for a unit are shown.
    pub(crate) fn shows_drawings_of(&self, unit: usize) -> bool {
        self.window.vectors || self.selection.set().has(unit)
    }

    /// The configuration for the next window.
    pub(crate) fn remembered(&self) -> Config {
        Config { panes: self.layout.panes, plots_open: self.plots.open, ..self.prefs.clone() }
    }

    /// Resets all state that belongs to the previous scene.
    pub(crate) fn change_scene(&mut self) {
        let Self { prefs, window, layout, filming, results, plots, .. } = std::mem::take(self);
        let plots = plots.of_next_scene();
        *self = Self { prefs, window, layout, filming, results, plots, ..Self::default() };
    }

    /// The field of a switch; `None` if it has no effect now.
    pub(crate) fn switch(&mut self, switch: Switch, session: &LiveSession) -> Option<&mut bool> {
        Some(match switch {
            Switch::Trails => &mut self.window.trails,
            Switch::Vectors => &mut self.window.vectors,
            Switch::Grid => {
                let is_shown = self.shows_grid(session);
                self.window.grid.get_or_insert(is_shown)
            }
            Switch::Costs => &mut self.window.costs,
            Switch::Presentation => &mut self.window.presenting,
            Switch::FullScreen => &mut self.window.full_screen,
            Switch::Preview => &mut self.prefs.preview,
            Switch::Notes => &mut self.notes.open,
            Switch::Log => &mut self.prefs.log_open,
            Switch::Hint => &mut self.hint_hidden,
            Switch::Plots => &mut self.plots.open,
            Switch::Results => &mut self.results.as_mut()?.open,
            Switch::Following => &mut self.following,
            Switch::Live => &mut self.editor.live,
            Switch::Difference => &mut self.editor.shows_difference,
        })
    }

    /// True if a script is shown: that of a behavior of the inspected unit.
    pub(crate) fn shows_script(&self) -> bool {
        self.script.is_some() && self.selection.inspected().is_some()
    }
}
