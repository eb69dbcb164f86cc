//! Events of the pointer, ordered relative to key events, and keys that the window library does not report.

use minifb::Key;

use crate::model::frame_input::PointerEvent;

/// Events of the pointer before the first key event of the frame, and after it.
#[derive(Debug, Default)]
pub(crate) struct PointerEvents {
    pub(crate) before_keys: Vec<PointerEvent>,
    pub(crate) after_keys: Vec<PointerEvent>,
    /// True if there was a key event.
    pub(super) has_key: bool,
    /// Keys by position, pressed or released.
    pub(crate) keys: Vec<(Key, bool)>,
    /// True if these replace all keys that have a position.
    pub(crate) is_by_position: bool,
}

impl PointerEvents {
    /// Appends later events.
    pub(crate) fn extend(&mut self, next: Self) {
        let first = if self.has_key { &mut self.after_keys } else { &mut self.before_keys };
        first.extend(next.before_keys);
        self.after_keys.extend(next.after_keys);
        self.has_key |= next.has_key;
        self.keys.extend(next.keys);
        self.is_by_position |= next.is_by_position;
    }
}
