//! What a change of the rules leads to, shown before it happens: see [`Preview`].

use std::time::Duration;

use super::course::{MOST, Preview};
use super::observer::Observer;
use super::running_scene::Session;

impl<O: Observer> Session<O> {
    /// Previews these units with every change of the rules from now on, by their keys; at most 16.
    pub fn preview_units(&mut self, keys: impl IntoIterator<Item = u64>) {
        self.previews.units.clear();
        self.previews.units.extend(keys.into_iter().take(MOST));
    }

    /// Takes over a preview that is ready within `patience`; whether there is anything new.
    pub fn settle_preview(&mut self, patience: Duration) -> bool {
        self.previews.settle(patience)
    }

    /// What the last change of the rules leads to, once that is known.
    pub fn preview(&self) -> Option<&Preview> {
        self.previews.shown.as_ref()
    }

    /// Whether a preview is being made.
    pub fn is_previewing(&self) -> bool {
        self.previews.is_busy()
    }

    /// Shows no preview until the next change of the rules.
    pub fn end_preview(&mut self) {
        self.previews.end();
    }
}
