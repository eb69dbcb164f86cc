//! The input of one frame.

use egui::{Key, Modifiers, PointerButton};
use glam::Vec2;

/// Everything that came in between two frames.
#[derive(Clone, Debug, Default)]
pub struct FrameInput {
    /// For `egui::Context::run_ui`: screen, scale, time and events in points.
    pub egui: egui::RawInput,
    /// Size of the window in pixels.
    pub size: (usize, usize),
    /// Seconds since the window opened.
    pub time: f64,
    /// Whether the window has the keyboard.
    pub focused: bool,
    /// The pointer, in pixels.
    pub pointer: Pointer,
    /// Keys that are down at the end of the frame, in the order they went down.
    pub held: Vec<Key>,
    /// Keys that went down or up, in order, with repeats.
    pub keys: Vec<KeyChange>,
    /// Modifiers at the end of the frame.
    pub modifiers: Modifiers,
}

impl FrameInput {
    /// Whether `key` is down.
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
    /// Which key.
    pub key: Key,
    /// Down, or up.
    pub pressed: bool,
    /// Pressed while it was down already: the keyboard repeats it.
    pub repeat: bool,
    /// Modifiers at that moment.
    pub modifiers: Modifiers,
}

/// The pointer during one frame, in pixels from the top left of the window, y down.
#[derive(Clone, Debug, Default)]
pub struct Pointer {
    /// Where it is; `None` outside the window unless a button is held.
    pub position: Option<Vec2>,
    /// Buttons that are down at the end of the frame.
    pub held: Buttons,
    /// Buttons that went down or up, in order.
    pub changes: Vec<ButtonChange>,
    /// How far the wheel was turned, in notches; y is positive away from the user.
    pub wheel: Vec2,
}

/// A button that went down or up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ButtonChange {
    /// Which button.
    pub button: PointerButton,
    /// Down, or up.
    pub pressed: bool,
    /// Where the pointer was, in pixels.
    pub position: Vec2,
    /// Modifiers at that moment.
    pub modifiers: Modifiers,
}

/// Something that the pointer did, beside moving.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum PointerEvent {
    /// A button went down or up.
    Button(ButtonChange),
    /// The wheel was turned by notches, y positive away from the user, under these modifiers.
    Wheel(Vec2, Modifiers),
}

/// Which buttons of the pointer are down.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools, reason = "a mouse has five buttons")]
pub struct Buttons {
    /// The left one.
    pub primary: bool,
    /// The right one.
    pub secondary: bool,
    /// The wheel.
    pub middle: bool,
    /// The one for going back.
    pub back: bool,
    /// The one for going forward.
    pub forward: bool,
}

impl Buttons {
    /// Takes note of a button that went down or up.
    pub fn set(&mut self, button: PointerButton, down: bool) {
        *match button {
            PointerButton::Primary => &mut self.primary,
            PointerButton::Secondary => &mut self.secondary,
            PointerButton::Middle => &mut self.middle,
            PointerButton::Extra1 => &mut self.back,
            PointerButton::Extra2 => &mut self.forward,
        } = down;
    }

    /// Each button with whether it is down.
    pub fn each(self) -> [(PointerButton, bool); 5] {
        [
            (PointerButton::Primary, self.primary),
            (PointerButton::Secondary, self.secondary),
            (PointerButton::Middle, self.middle),
            (PointerButton::Extra1, self.back),
            (PointerButton::Extra2, self.forward),
        ]
    }

    /// Whether any is down.
    pub fn any(self) -> bool {
        self.each().iter().any(|(_, down)| *down)
    }
}
