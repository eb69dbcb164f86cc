//! What each key asks for, and the table of them that the help shows.

use egui::Key;

use super::action::Action;
use super::input::{FrameInput, KeyChange};
use crate::scene::{KeyAction, Scene};
use crate::world::Controls;

/// The keys, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("Space", "pause / resume"),
    (".  ,", "one step on, one step back"),
    ("Page up, down", "to what happened before, or next: reloads, errors, edits, clicks"),
    ("Shift+Space", "play backwards"),
    ("End", "return from the past to the present"),
    ("R", "restart"),
    ("+  −  0", "faster, slower, reset speed"),
    ("F", "fit the world into the window"),
    ("Wheel", "zoom"),
    ("Drag", "move the view, or the obstacle there; in space: turn"),
    ("O", "in space: follow the player, or show the whole; steering follows, too"),
    ("Click", "select the unit there; again, the next one there"),
    ("Shift", "with a click, add the unit there; with a drag, all in the box"),
    ("Right click", "set the target; so does Shift+click beside units"),
    ("L", "follow the selected unit"),
    ("P", "pin the selected unit"),
    ("Ctrl+F", "find a unit by its number"),
    ("Backspace", "clear the target"),
    ("Ctrl+O", "open another scene"),
    ("Ctrl+S", "write tuned values into the scene"),
    ("Ctrl+Z  Y", "undo an edit made in the window, do it again"),
    ("G", "plots of the groups, or of the selected unit"),
    ("T", "trails"),
    ("B", "the grid in the background"),
    ("V", "velocity and force of all units"),
    ("C", "color units by disagreement of rules, speed, turn rate …, as the scene says"),
    ("Arrows", "steer the player"),
    ("W S", "the player faster, slower"),
    ("J", "show or hide the log"),
    ("N", "light on dark, or dark on paper"),
    ("Ctrl +  −  0", "everything larger, smaller, as the display asks"),
    ("F11", "let the world fill the window"),
    ("Esc", "close the script, or deselect"),
    ("H", "these keys"),
];

/// What a press of a key asks for, at the present speed: the scene's own keys come first.
pub(super) fn action_of(change: KeyChange, speed: f32, scene: &Scene) -> Option<Action> {
    let key = change.key;
    if change.modifiers.command {
        return match key {
            Key::S => Some(Action::Save),
            Key::F => Some(Action::AskUnit),
            Key::O => Some(Action::ToggleBrowser),
            Key::Z if change.modifiers.shift => Some(Action::Redo),
            Key::Z => Some(Action::Undo),
            Key::Y => Some(Action::Redo),
            Key::Plus | Key::Equals => Some(Action::Rescale(1.25)),
            Key::Minus => Some(Action::Rescale(1.0 / 1.25)),
            Key::Num0 => Some(Action::Rescale(0.0)),
            _ => None,
        };
    }
    let own = scene.keys.iter().find(|plan| key.name() == plan.key.to_string());
    if let Some(plan) = own {
        return Some(Action::Key(plan.action.clone()));
    }
    Some(match key {
        Key::Space if change.modifiers.shift => Action::PlayBackwards,
        Key::Space => Action::TogglePause,
        Key::Period => Action::Step,
        Key::Comma => Action::StepBack,
        Key::PageUp => Action::Jump(false),
        Key::PageDown => Action::Jump(true),
        Key::End => Action::ReturnToPresent,
        Key::R => Action::Restart,
        Key::F => Action::Fit,
        Key::O => Action::ToggleChase,
        Key::L => Action::ToggleFollow,
        Key::P => Action::TogglePinned(None),
        Key::G => Action::TogglePlots,
        Key::J => Action::ToggleLog,
        Key::N => Action::ToggleTheme,
        Key::F11 => Action::TogglePresentation,
        Key::T => Action::ToggleTrails,
        Key::B => Action::ToggleGrid,
        Key::V => Action::ToggleVectors,
        Key::C => Action::NextColors,
        Key::H | Key::F1 => Action::ToggleHelp,
        Key::Plus | Key::Equals => Action::Speed(speed * 1.25),
        Key::Minus => Action::Speed(speed / 1.25),
        Key::Num0 => Action::Speed(1.0),
        Key::Escape => Action::Escape,
        Key::Backspace => Action::Target(None),
        _ => return None,
    })
}

/// What a key of a scene does, for help and panel.
pub(super) fn meaning(action: &KeyAction, scene: &Scene) -> String {
    match action {
        KeyAction::View(Some(view)) => format!("{} view", scene.world.views[*view].name),
        KeyAction::View(None) => "no view".to_owned(),
        KeyAction::Switch(scripts) => scripts.join(", ").replace('_', " "),
        KeyAction::Speed(factor) if *factor > 1.0 => "faster".to_owned(),
        KeyAction::Speed(_) => "slower".to_owned(),
    }
}

/// What the held keys ask of the player: in space, up and down pitch, and W and S are the engine.
pub(super) fn controls(input: &FrameInput, plane: bool) -> Controls {
    let axis = |plus: Key, minus: Key| f32::from(input.is_held(plus)) - f32::from(input.is_held(minus));
    let engine = if input.modifiers.command { 0.0 } else { axis(Key::W, Key::S) };
    let (ahead, power) = (axis(Key::ArrowUp, Key::ArrowDown), engine);
    Controls {
        turn: axis(Key::ArrowRight, Key::ArrowLeft),
        rise: if plane { 0.0 } else { ahead },
        power: if plane && power == 0.0 { ahead } else { power },
    }
}
