//! Events of the pointer, ordered relative to key events.

use crate::model::frame_input::PointerEvent;

/// Events of the pointer before the first key event of the frame, and after it.
#[derive(Debug, Default)]
pub(crate) struct PointerEvents {
    pub(crate) before_keys: Vec<PointerEvent>,
    pub(crate) after_keys: Vec<PointerEvent>,
    /// True if there was a key event.
    pub(super) has_key: bool,
}

impl PointerEvents {
    /// Appends later events.
    pub(crate) fn extend(&mut self, next: Self) {
        let first = if self.has_key { &mut self.after_keys } else { &mut self.before_keys };
        first.extend(next.before_keys);
        self.after_keys.extend(next.after_keys);
        self.has_key |= next.has_key;
    }
}
