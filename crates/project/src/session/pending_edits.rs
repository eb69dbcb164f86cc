//! Edits that the loader may not have applied yet, to be applied to the generations that it sends.

use std::collections::VecDeque;

use steerbox_core::world::ParamValue;
use steerbox_scene::SceneEdit;

use crate::reload::{Generation, Handle, KnobName};

/// Edits that the loader may not have applied yet.
#[derive(Default)]
pub(super) struct PendingEdits {
    /// Number of edits that were sent to the loader.
    sent: u64,
    /// Sent edits that no generation contains yet, oldest first.
    waiting: VecDeque<PendingEdit>,
}

/// An edit of the scene or of a value.
#[derive(Clone)]
pub enum PendingEdit {
    /// An obstacle or a path.
    Scene(SceneEdit),
    /// A value of a behavior, and true if it is tuned rather than set by a key.
    Value(Handle, KnobName, ParamValue, bool),
}

impl PendingEdits {
    /// Stores an edit that was sent to the loader.
    pub(super) fn add(&mut self, edit: PendingEdit) {
        self.sent += 1;
        self.waiting.push_back(edit);
    }

    /// Removes all edits, since no generation will follow.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Applies the edits that a generation does not contain.
    pub(super) fn apply_to(&mut self, generation: &mut Generation) {
        let unknown = self.sent.saturating_sub(generation.edits);
        while self.waiting.len() as u64 > unknown {
            self.waiting.pop_front();
        }
        for edit in &self.waiting {
            match edit {
                // An edit that does not fit any more is dropped, as in the loader.
                PendingEdit::Scene(edit) => _ = generation.edit(edit),
                PendingEdit::Value(handle, name, value, tuned) => {
                    generation.show_value(handle, name, value, *tuned);
                }
            }
        }
    }

    /// Returns the number of edits that no generation contains yet.
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
