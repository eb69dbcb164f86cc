//! A behavior in its place in a group.

use std::sync::Arc;

use super::behavior::Behavior;
use super::suspension::{SuspendReason, SuspensionState};

/// A behavior in its place in a group.
#[derive(Clone)]
pub struct Slot {
    /// The script's name, as users know it.
    pub script: String,
    /// Its key for random draws and memory; see [`slot_key`].
    pub key: u64,
    /// What runs; `None` while no version of the script has compiled.
    pub behavior: Option<Arc<dyn Behavior>>,
    /// Weight of its contribution.
    pub gain: f32,
    /// Whether it runs at all.
    pub enabled: bool,
    /// Whether it replaces another version, so that it may map the memory of units.
    pub renewed: bool,
    /// Its failures in its group.
    pub suspension: SuspensionState,
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (f.debug_struct("Slot").field("script", &self.script)).finish_non_exhaustive()
    }
}

impl Slot {
    /// A behavior that runs.
    pub fn new(script: impl Into<String>, key: u64, behavior: Option<Arc<dyn Behavior>>) -> Self {
        Self {
            script: script.into(),
            key,
            behavior,
            gain: 1.0,
            enabled: true,
            renewed: false,
            suspension: SuspensionState::default(),
        }
    }

    /// Why it does not run although it is switched on, if so.
    pub fn suspended(&self) -> Option<SuspendReason> {
        self.suspension.reason
    }

    /// What runs in this step, if anything.
    pub(super) fn active(&self) -> Option<&dyn Behavior> {
        self.behavior.as_deref().filter(|_| self.enabled && self.suspended().is_none())
    }

    /// Switches it on or off; one that is switched on starts afresh.
    pub(super) fn switch(&mut self, enabled: bool) {
        if enabled && !self.enabled {
            self.suspension = SuspensionState::default();
        }
        self.enabled = enabled;
    }

    /// Takes over the suspension state of the very same behavior among `before`; a replaced one starts
    /// afresh.
    pub(super) fn inherit(&mut self, before: &[Self]) {
        let known = before.iter().find(|old| old.is_same(self));
        self.suspension = known.map_or_else(SuspensionState::default, |old| old.suspension);
    }

    /// Whether it is the same behavior in the same place. One that was switched on since counts as new.
    fn is_same(&self, new: &Self) -> bool {
        let same = match (&self.behavior, &new.behavior) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        same && self.key == new.key && self.enabled >= new.enabled
    }
}

/// The key of the `occurrence`-th use (from 0) of a script in a group, for random draws and memory.
pub fn slot_key(script: &str, occurrence: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(script.as_bytes(), occurrence as u64)
}

/// How users name the `occurrence`-th use (from 0) of a script in a group: `script`, then `script#2`.
pub fn use_name(script: &str, occurrence: usize) -> String {
    if occurrence == 0 { script.to_owned() } else { format!("{script}#{}", occurrence + 1) }
}

/// [`use_name`] of each slot of a group, in their order.
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
