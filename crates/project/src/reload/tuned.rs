//! Values that override those of the file, tuned by the user or set by a key, until the file's own value changes.
//!
//! Edits store values, never a reference to the file's value, which the next save changes. A value counts as tuned
//! if it differs from the file's, so undo after a save tunes it again.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use steerbox_core::world::ParamValue;

/// Name of a value of a behavior.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum KnobName {
    /// Its weight.
    Gain,
    /// Its state: enabled or disabled.
    Enabled,
    /// A parameter of its script.
    Param(String),
}

impl KnobName {
    /// Returns the name as in files and on the command line.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Gain => "gain",
            Self::Enabled => "enabled",
            Self::Param(name) => name,
        }
    }
}

/// Identity of a behavior, independent of other changes of the scene.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Handle {
    /// The group's name.
    pub group: String,
    /// The script's name.
    pub script: String,
    /// Index among the uses of the script in the group.
    pub occurrence: usize,
}

/// A value that overrides that of the file.
pub type Setting = (Handle, KnobName, ParamValue);

/// Values that override those of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct TunedValues(BTreeMap<(Handle, KnobName), Entry>);

#[derive(Clone, Debug)]
struct Entry {
    value: ParamValue,
    /// The overridden value of the file, once it is known.
    replaced: Option<ParamValue>,
    /// True if a key of the scene set it: it is then neither shown as tuned nor written.
    by_key: bool,
}

impl TunedValues {
    /// Tunes a value; the value of the file is stored when it is resolved.
    pub(super) fn set(&mut self, handle: Handle, knob: KnobName, value: ParamValue) {
        self.put((handle, knob), value, false);
    }

    /// Enables or disables a behavior by a key.
    pub(super) fn switch(&mut self, handle: Handle, on: bool) {
        self.put((handle, KnobName::Enabled), ParamValue::Switch(on), true);
    }

    fn put(&mut self, key: (Handle, KnobName), value: ParamValue, by_key: bool) {
        let replaced = self.0.remove(&key).and_then(|entry| entry.replaced);
        self.0.insert(key, Entry { value, replaced, by_key });
    }

    /// Resets a value to that of the file.
    pub(super) fn clear(&mut self, handle: &Handle, knob: &KnobName) {
        self.0.remove(&(handle.clone(), knob.clone()));
    }

    /// Returns the value in effect for the present value of the file, and true if it is tuned and differs from it.
    pub(super) fn resolve(&self, handle: &Handle, knob: &KnobName, file: &ParamValue) -> (ParamValue, bool) {
        let entry = self.0.get(&(handle.clone(), knob.clone()));
        let holds = |entry: &&Entry| entry.replaced.as_ref().is_none_or(|replaced| replaced == file);
        entry.filter(holds).map_or_else(
            || (file.clone(), false),
            |entry| (entry.value.clone(), !entry.by_key && entry.value != *file),
        )
    }

    /// Stores the value of the file that a tuned value overrides. Drops a tuned value if the value of the file
    /// changed, or equals it.
    pub(super) fn settle(&mut self, handle: &Handle, knob: &KnobName, file: &ParamValue) {
        let key = (handle.clone(), knob.clone());
        let Some(entry) = self.0.get_mut(&key) else {
            return;
        };
        if entry.value == *file || entry.replaced.get_or_insert_with(|| file.clone()) != file {
            self.0.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn handle() -> Handle {
        let (group, script, occurrence) = ("a".into(), "b".into(), 0);
        Handle { group, script, occurrence }
    }

    #[test]
    fn a_tuned_value_overrides_the_file_until_its_value_changes() {
        let [one, two, three] = [1.0, 2.0, 3.0].map(ParamValue::Number);
        let mut tuned = TunedValues::default();
        tuned.set(handle(), KnobName::Gain, two.clone());
        let resolved = |tuned: &TunedValues, file| tuned.resolve(&handle(), &KnobName::Gain, file);
        tuned.settle(&handle(), &KnobName::Gain, &one);
        assert_eq!(resolved(&tuned, &one), (two, true));
        tuned.settle(&handle(), &KnobName::Gain, &three);
        assert_eq!(resolved(&tuned, &three), (three.clone(), false));
        assert_eq!(resolved(&tuned, &one), (one, false));
    }

    #[test]
    fn a_switch_by_a_key_overrides_the_file_but_is_not_tuned() {
        let [off, on] = [false, true].map(ParamValue::Switch);
        let mut tuned = TunedValues::default();
        let resolved = |tuned: &mut TunedValues| {
            tuned.settle(&handle(), &KnobName::Enabled, &off);
            tuned.resolve(&handle(), &KnobName::Enabled, &off)
        };
        tuned.switch(handle(), true);
        assert_eq!(resolved(&mut tuned), (on.clone(), false));
        tuned.set(handle(), KnobName::Enabled, on.clone());
        assert_eq!(resolved(&mut tuned), (on, true));
        tuned.switch(handle(), false);
        assert_eq!(resolved(&mut tuned), (off.clone(), false));
    }
}
