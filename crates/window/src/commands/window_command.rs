//! A command of the window: its name, its keys, its condition and its action.

use egui::Key;

use super::action::Action;
use super::shortcut::Shortcut;
use crate::model::live_session::LiveSession;
use crate::model::view_state::ViewState;

/// The condition under which a command has an effect.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum When {
    Always,
    Selected,
    SelectedAny,
    /// A selection of units or an obstacle.
    InWorld,
    /// A selected rule or group.
    Item,
    Obstacle,
    Plane,
    Past,
    /// At least one plot is visible.
    Plots,
    TwoRuns,
    Compared,
    Space,
    Tuned,
    /// A file is open in the editor.
    Edited,
    /// The window was opened with a table of results.
    Results,
    /// The scene has notes.
    Notes,
}

impl When {
    /// The reason why a command has no effect now; `None` if it has one.
    pub(crate) fn refusal(self, session: &LiveSession, view: &ViewState) -> Option<&'static str> {
        let run = &session.run;
        let (applies, refusal) = match self {
            Self::Always => (true, ""),
            Self::Selected => (view.selection.inspected().is_some(), "no unit is selected"),
            Self::SelectedAny => (!view.selection.is_empty(), "nothing is selected"),
            Self::Item => (view.selection.item().is_some(), "no rule or group is selected"),
            Self::InWorld => {
                let is_any = view.selection.inspected().is_some() || view.selection.obstacle().is_some();
                (is_any, "nothing in the world is selected")
            }
            Self::Obstacle => (view.selection.obstacle().is_some(), "no obstacle is selected"),
            Self::Plane => (run.simulation.world().arena.is_plane(), "not in space"),
            Self::Past => (run.past_step().is_some(), "already in the present"),
            Self::Plots => (view.plots.open && view.plots.keys().next().is_some(), "no plot is visible"),
            Self::Results => {
                (view.results.is_some(), "no table of results: `steerbox RESULTS.csv` opens one")
            }
            Self::Notes => (run.generation.scene.notes.is_some(), "the scene has no notes"),
            Self::Compared => (run.variant().is_some(), "no comparison"),
            Self::TwoRuns => (run.run_pair().is_some(), "no second run"),
            Self::Space => (!run.simulation.world().arena.is_plane(), "not in a plane"),
            Self::Edited => (view.editor.open_name().is_some(), "no text is open"),
            Self::Tuned => (session.tuned() > 0, "no value is tuned"),
        };
        (!applies).then_some(refusal)
    }
}

/// A command of the window.
pub(crate) struct WindowCommand {
    /// Short description of its effect.
    pub(crate) name: &'static str,
    /// Details, or empty.
    pub(crate) about: &'static str,
    pub(super) shortcuts: &'static [Shortcut],
    pub(crate) when: When,
    action: fn(&LiveSession) -> Action,
}

impl WindowCommand {
    pub(super) const fn new(
        name: &'static str,
        shortcuts: &'static [Shortcut],
        action: fn(&LiveSession) -> Action,
    ) -> Self {
        Self { name, about: "", shortcuts, when: When::Always, action }
    }

    pub(super) const fn about(self, about: &'static str) -> Self {
        Self { about, ..self }
    }

    pub(super) const fn when(self, when: When) -> Self {
        Self { when, ..self }
    }

    /// Its action.
    pub(crate) fn action(&self, session: &LiveSession) -> Action {
        (self.action)(session)
    }

    /// The labels of its keys; empty if it has none.
    pub(crate) fn keys(&self) -> String {
        // Many keyboards have the plus on the key of the equals sign.
        let shown = self.shortcuts.iter().filter(|shortcut| shortcut.key != Key::Equals);
        shown.map(|shortcut| shortcut.label()).collect::<Vec<_>>().join(", ")
    }

    /// Name and description.
    pub(crate) fn words(&self) -> String {
        if self.about.is_empty() { self.name.to_owned() } else { format!("{} ({})", self.name, self.about) }
    }
}
