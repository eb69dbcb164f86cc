//! Values in place of the file's, tuned by hand or switched by a key: each wins until the file's own
//! value changes.
//!
//! Edits store values, never a reference to the file's value, which the next save changes. A value counts as tuned
//! if it differs from the file's, so undo after a save tunes it again.

use std::collections::BTreeMap;

use crate::scene::ParamValue;

/// Which value of a behavior.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnobName {
    /// Its weight.
    Gain,
    /// Whether it runs.
    Enabled,
    /// A parameter of its script.
    Param(String),
}

impl KnobName {
    /// As files and command lines write it.
    pub fn as_str(&self) -> &str {
        match self {
            Self::Gain => "gain",
            Self::Enabled => "enabled",
            Self::Param(name) => name,
        }
    }
}

/// Which behavior of which group: it is found again whatever else the scene changes.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Handle {
    /// The group's name.
    pub group: String,
    /// The script's name.
    pub script: String,
    /// Which use of the script in the group, from 0.
    pub occurrence: usize,
}

/// A value in place of the file's.
pub type Setting = (Handle, KnobName, ParamValue);

/// The values in place of the file's.
#[derive(Clone, Debug, Default)]
pub(super) struct TunedValues(BTreeMap<(Handle, KnobName), Entry>);

#[derive(Clone, Debug)]
struct Entry {
    value: ParamValue,
    /// The file's value that it replaced, once that is known.
    replaced: Option<ParamValue>,
    /// Whether a key of the scene set it: it is then not shown as tuned, and never written.
    by_key: bool,
}

impl TunedValues {
    /// Tunes a value; the file's value is noted when it is next resolved.
    pub(super) fn set(&mut self, handle: Handle, knob: KnobName, value: ParamValue) {
        self.put((handle, knob), value, false);
    }

    /// Switches a behavior by a key.
    pub(super) fn switch(&mut self, handle: Handle, on: bool) {
        self.put((handle, KnobName::Enabled), ParamValue::Switch(on), true);
    }

    fn put(&mut self, key: (Handle, KnobName), value: ParamValue, by_key: bool) {
        let replaced = self.0.remove(&key).and_then(|entry| entry.replaced);
        self.0.insert(key, Entry { value, replaced, by_key });
    }

    /// Returns to the file's value.
    pub(super) fn clear(&mut self, handle: &Handle, knob: &KnobName) {
        self.0.remove(&(handle.clone(), knob.clone()));
    }

    /// The value in effect for the present value of the file; and true if it is tuned, that is, differs from the file's.
    pub(super) fn resolve(&self, handle: &Handle, knob: &KnobName, file: &ParamValue) -> (ParamValue, bool) {
        let entry = self.0.get(&(handle.clone(), knob.clone()));
        let holds = |entry: &&Entry| entry.replaced.as_ref().is_none_or(|replaced| replaced == file);
        entry.filter(holds).map_or_else(
            || (file.clone(), false),
            |entry| (entry.value.clone(), !entry.by_key && entry.value != *file),
        )
    }

    /// Settles what file value each tuned value replaces. Drops those whose file value changed, and those that the
    /// file has.
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
    fn a_tuned_value_wins_until_the_files_value_changes() {
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
    fn what_a_key_switched_holds_but_is_not_tuned() {
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
