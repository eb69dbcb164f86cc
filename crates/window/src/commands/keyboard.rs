//! Keys as actions, and as controls of the player.

use egui::{Key, Modifiers, Popup};
use glam::Vec2;
use steerbox_core::world::Controls;

use super::action::{Action, DrawStep, EditorAction, SessionAction, ViewAction};
use super::keys::for_key;
use crate::model::dialog::Dialog;
use crate::model::frame_input::{FrameInput, KeyChange};
use crate::model::keyboard::Keyboard;
use crate::model::live_session::LiveSession;
use crate::model::switch::Switch;
use crate::model::view_state::ViewState;

impl ViewState {
    /// The receiver of the keys in this frame.
    pub(crate) fn receiver(&self, context: &egui::Context) -> Keyboard {
        if let Some(dialog) = self.open_dialog() {
            Keyboard::Dialog(dialog)
        } else if self.editor.has_focus(context) && !Popup::is_any_open(context) {
            Keyboard::Editor
        } else if self.unit_prompt || context.text_edit_focused() || Popup::is_any_open(context) {
            Keyboard::Field
        } else if context.egui_wants_keyboard_input() {
            Keyboard::Panel
        } else {
            Keyboard::Window
        }
    }
}

/// The action of a pressed key. Keys of the scene precede those of the window.
pub(crate) fn action_of(change: KeyChange, session: &LiveSession, view: &ViewState) -> Option<Action> {
    let KeyChange { key, modifiers, .. } = change;
    let command = || {
        let command = for_key(key, modifiers)?;
        command.when.refusal(session, view).is_none().then(|| command.action(session))
    };
    let command_of_window = || command().filter(is_free_while_typing);
    match view.keyboard {
        Keyboard::Dialog(open) => {
            let closing = [ViewAction::Escape, ViewAction::ToggleDialog(open)].map(Action::from);
            let closes = |action: &Action| closing.contains(action);
            return command().filter(closes);
        }
        Keyboard::Field => return None,
        Keyboard::Editor => return command_while_typing(key, modifiers).or_else(command_of_window),
        Keyboard::Panel if matches!(key, Key::Enter | Key::Escape) => return None,
        Keyboard::Panel | Keyboard::Window => {}
    }
    if view.drawing.is_some()
        && let Some(step) = step_of(key, modifiers)
    {
        return Some(ViewAction::Draw(step).into());
    }
    let mut own = session.run.generation.scene.keys.iter();
    let own = own.find(|plan| key.name() == plan.key.to_string());
    own.filter(|_| !modifiers.command)
        .map_or_else(command, |plan| Some(SessionAction::SceneKey(plan.action.clone()).into()))
}

/// The action of a key that the editor defines.
fn command_while_typing(key: Key, modifiers: Modifiers) -> Option<Action> {
    match key {
        Key::F if modifiers.command => Some(EditorAction::OpenFind(false).into()),
        Key::H if modifiers.command => Some(EditorAction::OpenFind(true).into()),
        _ => None,
    }
}

/// True for the commands of the window that a key executes while a text is edited.
fn is_free_while_typing(action: &Action) -> bool {
    matches!(
        action,
        Action::View(
            ViewAction::Save
                | ViewAction::Escape
                | ViewAction::Edit(_)
                | ViewAction::Rescale(_)
                | ViewAction::Toggle(Switch::Live | Switch::FullScreen | Switch::Presentation)
                | ViewAction::ToggleDialog(Dialog::Commands | Dialog::Scenes)
        )
    )
}

/// The drawing step of a key.
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

/// The controls of the player from the held keys: up and down set the pitch in space, W and S the thrust.
pub(crate) fn controls(input: &FrameInput, keyboard: Keyboard, plane: bool) -> Controls {
    if keyboard.types() || matches!(keyboard, Keyboard::Dialog(_)) {
        return Controls::default();
    }
    let axis = |plus: Key, minus: Key| f32::from(input.is_held(plus)) - f32::from(input.is_held(minus));
    let arrows =
        if keyboard == Keyboard::Panel || input.modifiers.command || input.modifiers.alt { 0.0 } else { 1.0 };
    let engine = if input.modifiers.command { 0.0 } else { axis(Key::W, Key::S) };
    let (ahead, power) = (axis(Key::ArrowUp, Key::ArrowDown) * arrows, engine);
    Controls {
        turn: axis(Key::ArrowRight, Key::ArrowLeft) * arrows,
        rise: if plane { 0.0 } else { ahead },
        power: if plane && power == 0.0 { ahead } else { power },
    }
}
