//! What each key asks for, and the table of them that the help shows.

use egui::Key;

use super::action::Action;
use super::input::FrameInput;
use crate::world::Controls;

/// The keys, for the help.
pub(super) const KEYS: &[(&str, &str)] = &[
    ("Space", "pause or go on"),
    (".", "one step"),
    ("R", "restart"),
    ("+  −  0", "faster, slower, as the scene says"),
    ("F", "fit the world into the window"),
    ("Wheel", "zoom"),
    ("Drag", "move the view; in space, turn it"),
    ("O", "in space: follow the player, or look at the whole"),
    ("Click", "set the target, look into the unit there"),
    ("Backspace", "clear the target"),
    ("T", "trails"),
    ("V", "velocities and contributions of all"),
    ("Arrows", "steer the player"),
    ("Esc", "look into no unit"),
    ("H", "these keys"),
];

/// What a press of `key` asks for, at the present speed.
pub(super) fn action_of(key: Key, speed: f32) -> Option<Action> {
    Some(match key {
        Key::Space => Action::TogglePause,
        Key::Period => Action::Step,
        Key::R => Action::Restart,
        Key::F => Action::Fit,
        Key::O => Action::ToggleChase,
        Key::T => Action::ToggleTrails,
        Key::V => Action::ToggleVectors,
        Key::H | Key::F1 => Action::ToggleHelp,
        Key::Plus | Key::Equals => Action::Speed(speed * 1.25),
        Key::Minus => Action::Speed(speed / 1.25),
        Key::Num0 => Action::Speed(1.0),
        Key::Escape => Action::Select(None),
        Key::Backspace => Action::Target(None),
        _ => return None,
    })
}

/// What the held keys ask of the player.
pub(super) fn controls(input: &FrameInput) -> Controls {
    let axis =
        |plus: Key, minus: Key| f32::from(input.is_held(plus)) - f32::from(input.is_held(minus));
    Controls {
        turn: axis(Key::ArrowRight, Key::ArrowLeft),
        rise: axis(Key::PageUp, Key::PageDown),
        power: axis(Key::ArrowUp, Key::ArrowDown),
    }
}
