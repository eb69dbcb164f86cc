//! Keys with modifiers: their comparison and labels.

use egui::{Key, Modifiers};

/// A key and the modifiers that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortcut {
    pub(super) key: Key,
    ctrl: bool,
    shift: bool,
}

/// The key alone.
pub(super) const fn plain(key: Key) -> Shortcut {
    Shortcut { key, ctrl: false, shift: false }
}

/// The key with Shift.
pub(super) const fn shift(key: Key) -> Shortcut {
    Shortcut { key, ctrl: false, shift: true }
}

/// The key with Ctrl.
pub(super) const fn ctrl(key: Key) -> Shortcut {
    Shortcut { key, ctrl: true, shift: false }
}

/// The key with both.
pub(super) const fn ctrl_shift(key: Key) -> Shortcut {
    Shortcut { key, ctrl: true, shift: true }
}

impl Shortcut {
    /// True if the shortcut is pressed. Shift is ignored unless `exactly`: some characters require it.
    pub(super) fn matches(self, key: Key, modifiers: Modifiers, exactly: bool) -> bool {
        let shift = if exactly { self.shift == modifiers.shift } else { !self.shift };
        self.key == key && self.ctrl == modifiers.command && shift
    }

    /// The label of the shortcut.
    pub(super) fn label(self) -> String {
        let key = match self.key {
            Key::Escape => "Esc",
            Key::PageUp => "Page Up",
            Key::PageDown => "Page Down",
            key @ (Key::Period | Key::Comma | Key::Plus | Key::Minus) => key.symbol_or_name(),
            key => key.name(),
        };
        // A character directly after a plus is hard to read.
        let plus = if key.chars().count() > 1 || key.chars().all(char::is_alphanumeric) { "+" } else { " " };
        let with = [(self.ctrl, "Ctrl"), (self.shift, "Shift")].into_iter().filter(|(on, _)| *on);
        let words = with.map(|(_, name)| format!("{name}{plus}"));
        words.chain([key.to_owned()]).collect()
    }
}
