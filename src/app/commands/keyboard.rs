//! The receiver of the keys: an open dialog, a text field, a control of the panel or the window.

use egui::{Key, Modifiers, Popup};
use glam::Vec2;

use super::action::{Action, DrawStep};
use super::keys::WindowCommand;
use crate::app::model::dialog::Dialog;
use crate::app::model::live_session::LiveSession;
use crate::app::model::view_state::ViewState;
use crate::app::shell::input::{FrameInput, KeyChange};
use crate::world::Controls;

/// The receiver of the keys of a frame. Space always pauses while neither a dialog nor a text field is open, and Enter
/// presses the focused control: a button reached with Tab does not react to Space.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::app) enum Keyboard {
    /// The open dialog: every key. Escape and the dialog's own shortcut close it.
    Dialog(Dialog),
    /// A text field or a menu: every key.
    Field,
    /// A control of the panel: Tab, Enter, Escape and the arrows.
    Panel,
    /// The window: every key but Tab.
    Window,
}

impl Keyboard {
    /// The receiver at this moment.
    pub(in crate::app) fn of(context: &egui::Context, view: &ViewState) -> Self {
        if let Some(dialog) = view.open_dialog() {
            Self::Dialog(dialog)
        } else if view.asks_unit || context.text_edit_focused() || Popup::is_any_open(context) {
            Self::Field
        } else if context.egui_wants_keyboard_input() {
            Self::Panel
        } else {
            Self::Window
        }
    }

    /// True if letters are typed as text.
    pub(in crate::app) fn types(self) -> bool {
        match self {
            Self::Dialog(dialog) => !matches!(dialog, Dialog::Help | Dialog::Question),
            Self::Field => true,
            Self::Panel | Self::Window => false,
        }
    }

    /// The events that the panel receives.
    pub(in crate::app) fn panel_events(self, mut input: egui::RawInput) -> egui::RawInput {
        let is_windows = |event: &egui::Event| {
            matches!(event, egui::Event::Key { key: Key::Space, .. } | egui::Event::Text(_))
        };
        input.events.retain(|event| self.types() || !is_windows(event));
        input
    }
}

/// The action of a pressed key. Keys of the scene precede those of the window.
pub(in crate::app) fn action_of(
    change: KeyChange,
    session: &LiveSession,
    view: &ViewState,
) -> Option<Action> {
    let KeyChange { key, modifiers, .. } = change;
    let command = || {
        let command = WindowCommand::of(key, modifiers)?;
        command.when.lacks(session, view).is_none().then(|| command.action(session))
    };
    match view.keyboard {
        Keyboard::Dialog(open) => {
            let closes =
                |action: &Action| matches!(action, Action::Escape) || *action == Action::ToggleDialog(open);
            return command().filter(closes);
        }
        Keyboard::Field => return None,
        Keyboard::Panel if matches!(key, Key::Enter | Key::Escape) => return None,
        Keyboard::Panel | Keyboard::Window => {}
    }
    if view.drawing.is_some()
        && let Some(step) = step_of(key, modifiers)
    {
        return Some(Action::Draw(step));
    }
    let mut own = session.run.generation.scene.keys.iter();
    let own = own.find(|plan| key.name() == plan.key.to_string());
    own.filter(|_| !modifiers.command).map_or_else(command, |plan| Some(Action::Key(plan.action.clone())))
}

/// The step of drawing that a key makes.
fn step_of(key: Key, modifiers: Modifiers) -> Option<DrawStep> {
    let points = if modifiers.shift { 2.0 } else { 20.0 };
    let way = |x: f32, y: f32| Some(DrawStep::Move(Vec2::new(x, y) * points));
    match key {
        Key::Enter => Some(DrawStep::End),
        Key::Escape => Some(DrawStep::Cancel),
        Key::Insert => Some(DrawStep::CornerHere),
        Key::Backspace | Key::Delete => Some(DrawStep::Back),
        Key::Z if modifiers.command => Some(DrawStep::Back),
        Key::ArrowLeft => way(-1.0, 0.0),
        Key::ArrowRight => way(1.0, 0.0),
        Key::ArrowUp => way(0.0, 1.0),
        Key::ArrowDown => way(0.0, -1.0),
        _ => None,
    }
}

/// The controls of the player from the held keys: in space, up and down pitch, and W and S set the thrust.
pub(in crate::app) fn controls(input: &FrameInput, keyboard: Keyboard, plane: bool) -> Controls {
    if keyboard.types() || matches!(keyboard, Keyboard::Dialog(_)) {
        return Controls::default();
    }
    let axis = |plus: Key, minus: Key| f32::from(input.is_held(plus)) - f32::from(input.is_held(minus));
    let arrows = if keyboard == Keyboard::Panel || input.modifiers.command { 0.0 } else { 1.0 };
    let engine = if input.modifiers.command { 0.0 } else { axis(Key::W, Key::S) };
    let (ahead, power) = (axis(Key::ArrowUp, Key::ArrowDown) * arrows, engine);
    Controls {
        turn: axis(Key::ArrowRight, Key::ArrowLeft) * arrows,
        rise: if plane { 0.0 } else { ahead },
        power: if plane && power == 0.0 { ahead } else { power },
    }
}
