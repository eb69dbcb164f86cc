//! Changes by hand that the loader may not know yet, to be made again in the generations that it sends.

use std::collections::VecDeque;

use crate::reload::{Generation, Handle, KnobName};
use crate::scene::{ParamValue, SceneEdit};

/// Changes by hand that the loader may not know yet.
#[derive(Default)]
pub(super) struct HandEdits {
    /// The number of changes that were sent to the loader.
    sent: u64,
    /// The last of them, oldest first, until a generation comes that has them.
    waiting: VecDeque<HandEdit>,
}

/// A change by hand.
pub(super) enum HandEdit {
    Scene(SceneEdit),
    /// A value of a behavior, and true if it is tuned rather than set by a key.
    Value(Handle, KnobName, ParamValue, bool),
}

impl HandEdits {
    /// Stores a change that was sent to the loader.
    pub(super) fn add(&mut self, edit: HandEdit) {
        self.sent += 1;
        self.waiting.push_back(edit);
    }

    /// Removes all: no other generation will come.
    pub(super) fn clear(&mut self) {
        self.waiting.clear();
    }

    /// Makes the changes in a generation of a loader that did not know them when it made it.
    pub(super) fn apply_to(&mut self, generation: &mut Generation) {
        let unknown = self.sent.saturating_sub(generation.edits);
        while self.waiting.len() as u64 > unknown {
            self.waiting.pop_front();
        }
        for edit in &self.waiting {
            match edit {
                // One that fits no longer is lost, as it is to the loader.
                HandEdit::Scene(edit) => _ = generation.edit(edit),
                HandEdit::Value(handle, name, value, tuned) => {
                    generation.show_value(handle, name, value, *tuned);
                }
            }
        }
    }

    /// The number of changes that no generation of the loader has yet.
    #[cfg(test)]
    pub(super) fn waiting(&self) -> usize {
        self.waiting.len()
    }
}
