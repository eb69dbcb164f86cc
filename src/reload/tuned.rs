//! Values tuned by hand: each wins over the file until the file's own value changes.

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

/// The tuned values, and the file's value that each replaced.
#[derive(Clone, Debug, Default)]
pub(super) struct Tuned(BTreeMap<(Handle, KnobName), (ParamValue, Option<ParamValue>)>);

impl Tuned {
    /// Tunes a value; the file's value is learned when it is next resolved.
    pub(super) fn set(&mut self, handle: Handle, knob: KnobName, value: ParamValue) {
        let file = self
            .0
            .remove(&(handle.clone(), knob.clone()))
            .and_then(|(_, file)| file);
        self.0.insert((handle, knob), (value, file));
    }

    /// Returns to the file's value.
    pub(super) fn clear(&mut self, handle: &Handle, knob: &KnobName) {
        self.0.remove(&(handle.clone(), knob.clone()));
    }

    /// The value that counts, given what the file says now, and whether it is tuned.
    pub(super) fn resolve(
        &self,
        handle: &Handle,
        knob: &KnobName,
        file: &ParamValue,
    ) -> (ParamValue, bool) {
        match self.0.get(&(handle.clone(), knob.clone())) {
            Some((value, None)) => (value.clone(), true),
            Some((value, Some(replaced))) if replaced == file => (value.clone(), true),
            _ => (file.clone(), false),
        }
    }

    /// Settles what file value each tuned value replaces, and drops those whose file value changed.
    pub(super) fn settle(&mut self, handle: &Handle, knob: &KnobName, file: &ParamValue) {
        let key = (handle.clone(), knob.clone());
        let stale = match self.0.get_mut(&key) {
            Some((_, replaced @ None)) => {
                *replaced = Some(file.clone());
                false
            }
            Some((_, Some(replaced))) => replaced != file,
            None => false,
        };
        if stale {
            self.0.remove(&key);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_tuned_value_wins_until_the_files_value_changes() {
        let handle = Handle {
            group: "a".into(),
            script: "b".into(),
            occurrence: 0,
        };
        let (one, two, three) = (
            ParamValue::Number(1.0),
            ParamValue::Number(2.0),
            ParamValue::Number(3.0),
        );
        let mut tuned = Tuned::default();
        tuned.set(handle.clone(), KnobName::Gain, two.clone());
        tuned.settle(&handle, &KnobName::Gain, &one);
        assert_eq!(tuned.resolve(&handle, &KnobName::Gain, &one), (two, true));
        tuned.settle(&handle, &KnobName::Gain, &three);
        assert_eq!(
            tuned.resolve(&handle, &KnobName::Gain, &three),
            (three.clone(), false)
        );
        assert_eq!(tuned.resolve(&handle, &KnobName::Gain, &one), (one, false));
    }
}
