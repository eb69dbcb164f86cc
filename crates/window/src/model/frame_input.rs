//! The input of one frame.

use egui::{Key, Modifiers, PointerButton};
use glam::Vec2;

/// The input between two frames.
#[derive(Clone, Debug, Default)]
pub struct FrameInput {
    /// For `egui::Context::run_ui`: screen, scale, time and events in points.
    pub egui: egui::RawInput,
    /// Size of the window in pixels.
    pub size: (usize, usize),
    /// Seconds since the window opened.
    pub time: f64,
    /// True if the window has the keyboard focus.
    pub focused: bool,
    /// The pointer, in pixels.
    pub pointer: Pointer,
    /// Keys that are down at the end of the frame, in the order in which they were pressed.
    pub held: Vec<Key>,
    /// Keys that went down or up, in order, with repeats.
    pub keys: Vec<KeyChange>,
    /// Modifiers at the end of the frame.
    pub modifiers: Modifiers,
}

impl FrameInput {
    /// True if `key` is down.
    pub fn is_held(&self, key: Key) -> bool {
        self.held.contains(&key)
    }

    /// The keys that were pressed, in order, without repeats.
    pub fn pressed(&self) -> impl Iterator<Item = &KeyChange> {
        self.keys.iter().filter(|change| change.pressed && !change.repeat)
    }
}

/// A key that went down or up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct KeyChange {
    /// The key.
    pub key: Key,
    /// Down, or up.
    pub pressed: bool,
    /// True if it was down already: an automatic repeat.
    pub repeat: bool,
    /// Modifiers at that moment.
    pub modifiers: Modifiers,
}

/// The pointer during one frame, in pixels from the top left of the window, y down.
#[derive(Clone, Debug, Default)]
pub struct Pointer {
    /// Its position; `None` outside the window unless a button is held.
    pub position: Option<Vec2>,
    /// Buttons that are down at the end of the frame.
    pub held: Buttons,
    /// Buttons that went down or up, in order.
    pub changes: Vec<ButtonChange>,
    /// Turns of the wheel in notches; y is positive away from the user.
    pub wheel: Vec2,
}

/// A button that went down or up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ButtonChange {
    /// The button.
    pub button: PointerButton,
    /// Down, or up.
    pub pressed: bool,
    /// The pointer's position, pixels.
    pub position: Vec2,
    /// Modifiers at that moment.
    pub modifiers: Modifiers,
}

/// An event of the pointer, except motion.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerEvent {
    /// A button went down or up.
    Button(ButtonChange),
    /// The wheel was turned by notches, y positive away from the user, under these modifiers.
    Wheel(Vec2, Modifiers),
}

/// The pressed buttons of the pointer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a mouse has five buttons")]
pub struct Buttons {
    /// The left button.
    pub primary: bool,
    /// The right button.
    pub secondary: bool,
    /// The wheel.
    pub middle: bool,
    /// The button for going back.
    pub back: bool,
    /// The button for going forward.
    pub forward: bool,
}

impl Buttons {
    /// Updates the state by a press or release.
    pub fn set(&mut self, button: PointerButton, down: bool) {
        *match button {
            PointerButton::Primary => &mut self.primary,
            PointerButton::Secondary => &mut self.secondary,
            PointerButton::Middle => &mut self.middle,
            PointerButton::Extra1 => &mut self.back,
            PointerButton::Extra2 => &mut self.forward,
        } = down;
    }

    /// Each button, and true if it is down.
    pub fn each(self) -> [(PointerButton, bool); 5] {
        [
            (PointerButton::Primary, self.primary),
            (PointerButton::Secondary, self.secondary),
            (PointerButton::Middle, self.middle),
            (PointerButton::Extra1, self.back),
            (PointerButton::Extra2, self.forward),
        ]
    }

    /// True if any is down.
    pub fn any(self) -> bool {
        self.each().iter().any(|(_, down)| *down)
    }
}
