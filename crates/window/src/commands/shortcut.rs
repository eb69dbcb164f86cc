//! Keys with modifiers: their comparison and labels.

use egui::{Key, Modifiers};

/// A key and the modifiers that belong to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Shortcut {
    pub(super) key: Key,
    ctrl: bool,
    shift: bool,
    alt: bool,
}

/// The key alone.
pub(super) const fn plain(key: Key) -> Shortcut {
    Shortcut { key, ctrl: false, shift: false, alt: false }
}

/// The key with Shift.
pub(super) const fn shift(key: Key) -> Shortcut {
    Shortcut { shift: true, ..plain(key) }
}

/// The key with Ctrl.
pub(super) const fn ctrl(key: Key) -> Shortcut {
    Shortcut { ctrl: true, ..plain(key) }
}

/// The key with Alt.
pub(super) const fn alt(key: Key) -> Shortcut {
    Shortcut { alt: true, ..plain(key) }
}

/// The key with Ctrl and Shift.
pub(super) const fn ctrl_shift(key: Key) -> Shortcut {
    Shortcut { ctrl: true, ..shift(key) }
}

impl Shortcut {
    /// True if the shortcut is pressed. Shift and Alt are ignored unless `exactly`: some characters require them.
    pub(super) fn matches(self, key: Key, modifiers: Modifiers, exactly: bool) -> bool {
        let others = (self.shift, self.alt);
        let expected = if exactly { (modifiers.shift, modifiers.alt) } else { (false, false) };
        self.key == key && self.ctrl == modifiers.command && others == expected
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
        let with =
            [(self.ctrl, "Ctrl"), (self.alt, "Alt"), (self.shift, "Shift")].into_iter().filter(|(on, _)| *on);
        let words = with.map(|(_, name)| format!("{name}{plus}"));
        words.chain([key.to_owned()]).collect()
    }
}
