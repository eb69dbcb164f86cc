//! Events of the pointer in the order of the keys.

use crate::app::shell::input::PointerEvent;

/// What the pointer did before the first of the keys that were pressed or released meanwhile, and what after it.
#[derive(Debug, Default)]
pub(in crate::app) struct Told {
    pub(in crate::app) before_keys: Vec<PointerEvent>,
    pub(in crate::app) after_keys: Vec<PointerEvent>,
    /// Whether there was a key.
    pub(super) has_key: bool,
}

impl Told {
    /// Adds what came next.
    pub(in crate::app) fn extend(&mut self, next: Self) {
        let first = if self.has_key { &mut self.after_keys } else { &mut self.before_keys };
        first.extend(next.before_keys);
        self.after_keys.extend(next.after_keys);
        self.has_key |= next.has_key;
    }
}
