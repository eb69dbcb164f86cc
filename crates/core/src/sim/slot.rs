//! A behavior and its settings in a group.

use std::sync::Arc;

use super::behavior::Behavior;
use super::suspension::{SuspendReason, SuspensionState};

/// A behavior and its settings in a group.
#[derive(Clone)]
pub struct Slot {
    /// The script's name in files and messages.
    pub script: String,
    /// Its key for random draws and memory; see [`slot_key`].
    pub key: u64,
    /// The key that it had before a replacement of the behaviors: whose memory it continues.
    pub before: u64,
    /// The behavior; `None` if no version of the script has compiled.
    pub behavior: Option<Arc<dyn Behavior>>,
    /// Weight of its contribution.
    pub gain: f32,
    /// False to disable it.
    pub enabled: bool,
    /// True if it replaces another version, so that it may migrate the memory of units.
    pub renewed: bool,
    /// Its failure state.
    pub suspension: SuspensionState,
}

/// Returns true if a group with these behaviors decides in unit order.
pub(super) fn is_ordered(slots: &[Slot]) -> bool {
    slots.iter().filter_map(Slot::active).any(Behavior::is_ordered)
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (f.debug_struct("Slot").field("script", &self.script)).finish_non_exhaustive()
    }
}

impl Slot {
    /// Creates an enabled slot with gain 1.
    pub fn new(script: impl Into<String>, key: u64, behavior: Option<Arc<dyn Behavior>>) -> Self {
        Self {
            script: script.into(),
            key,
            before: key,
            behavior,
            gain: 1.0,
            enabled: true,
            renewed: false,
            suspension: SuspensionState::default(),
        }
    }

    /// Returns the reason if it is suspended.
    pub fn suspended(&self) -> Option<SuspendReason> {
        self.suspension.reason
    }

    /// Returns the behavior if it is enabled and not suspended.
    pub(super) fn active(&self) -> Option<&dyn Behavior> {
        self.behavior.as_deref().filter(|_| self.enabled && self.suspended().is_none())
    }

    /// Enables or disables it; enabling resets the suspension.
    pub(super) fn switch(&mut self, enabled: bool) {
        if enabled && !self.enabled {
            self.suspension = SuspensionState::default();
        }
        self.enabled = enabled;
    }

    /// Copies the suspension state of the identical behavior in `before`; the state of a replaced one is reset.
    pub(super) fn inherit(&mut self, before: &[Self]) {
        let of_another = |old: &&Self| old.key == self.before && old.script != self.script;
        if before.iter().find(of_another).is_some_and(|old| !old.has_memory_of(self)) {
            self.before = self.key;
        }
        let known = before.iter().find(|old| old.is_same(self));
        self.suspension = known.map_or_else(SuspensionState::default, |old| old.suspension);
    }

    /// Returns true for the identical behavior with the previous key, unless it was enabled since.
    fn is_same(&self, new: &Self) -> bool {
        let same = match (&self.behavior, &new.behavior) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        same && self.key == new.before && self.enabled >= new.enabled
    }

    /// Returns true if both have fields of the same names and kinds, so that one may be the other under another name.
    fn has_memory_of(&self, other: &Self) -> bool {
        let fields = |slot: &Self| -> Option<Vec<_>> {
            let fields = slot.behavior.as_ref()?.memory().fields().iter();
            Some(fields.map(|field| (field.name.clone(), field.kind)).collect())
        };
        fields(self) == fields(other)
    }
}

/// Returns the key of the `occurrence`-th use (from 0) of a script in a group, for random draws and memory.
pub fn slot_key(script: &str, occurrence: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(script.as_bytes(), occurrence as u64)
}

/// Returns the name of the `occurrence`-th use (from 0) of a script in a group: `script`, then `script#2`.
pub fn use_name(script: &str, occurrence: usize) -> String {
    if occurrence == 0 { script.to_owned() } else { format!("{script}#{}", occurrence + 1) }
}

/// Returns [`use_name`] of each slot of a group, in order.
pub fn use_names<'a>(slots: impl IntoIterator<Item = &'a Slot>) -> Vec<String> {
    let mut before: Vec<&str> = Vec::new();
    let name = |slot: &'a Slot| {
        let occurrence = before.iter().filter(|script| **script == slot.script).count();
        before.push(&slot.script);
        use_name(&slot.script, occurrence)
    };
    slots.into_iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn further_uses_of_a_script_are_numbered() {
        let slots = ["a", "b", "a", "a"].map(|script| Slot::new(script, 0, None));
        assert_eq!(use_names(&slots), ["a", "b", "a#2", "a#3"]);
        assert!(use_names(&[]).is_empty());
    }
}
