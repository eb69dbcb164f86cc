//! Values that override those of the file, tuned by the user or set by a key, until the file's own value changes.
//!
//! The table is edited, not filtered: a value that a generation drops does not return when its behavior, its parameter or
//! its range does. Only an unsaved text, which is a trial, leaves it as it was.
//!
//! Edits store values, never a reference to the file's value, which the next save changes. A value counts as tuned
//! if it differs from the file's, so undo after a save tunes it again.

use std::collections::BTreeMap;

use steerbox_core::sim::use_name;
use steerbox_core::world::ParamValue;

use super::planned::Planned;
use super::tuned::{Handle, KnobName, Setting};

/// Values that override those of the file.
#[derive(Clone, Debug, Default)]
pub(super) struct TunedValues {
    held: BTreeMap<Key, Entry>,
    /// Values that an unsaved text dropped: they return unless it is saved.
    parked: BTreeMap<Key, Entry>,
}

type Key = (Handle, KnobName);

#[derive(Clone, Debug)]
struct Entry {
    value: ParamValue,
    /// The overridden value of the file, once it is known.
    replaced: Option<ParamValue>,
    /// True if a key of the scene set it: it is then neither shown as tuned nor written.
    by_key: bool,
}

/// A value that a generation dropped for good.
#[derive(Clone, Debug, PartialEq)]
pub struct Dropped {
    /// The line for the user.
    pub line: String,
    /// The value, and the new one of the file, if that is the reason and the files are saved.
    pub replaced: Option<(Setting, ParamValue)>,
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

    fn put(&mut self, key: Key, value: ParamValue, by_key: bool) {
        self.parked.remove(&key);
        let replaced = self.held.remove(&key).and_then(|entry| entry.replaced);
        self.held.insert(key, Entry { value, replaced, by_key });
    }

    /// Resets a value to that of the file.
    pub(super) fn clear(&mut self, handle: &Handle, knob: &KnobName) {
        let key = (handle.clone(), knob.clone());
        self.held.remove(&key);
        self.parked.remove(&key);
    }

    /// Returns the value in effect for the present value of the file, and true if it is tuned and differs from it.
    pub(super) fn resolve(&self, handle: &Handle, knob: &KnobName, file: &ParamValue) -> (ParamValue, bool) {
        let key = (handle.clone(), knob.clone());
        let entry = self.held.get(&key).or_else(|| self.parked.get(&key));
        let holds = |entry: &&Entry| entry.replaced.as_ref().is_none_or(|replaced| replaced == file);
        entry.filter(holds).map_or_else(
            || (file.clone(), false),
            |entry| (entry.value.clone(), !entry.by_key && entry.value != *file),
        )
    }

    /// Drops each value that has no place in a generation any more: its behavior or parameter is gone, it does not fit the
    /// declaration, or the file has another value now. Stores the values of the file that the others override. With
    /// unsaved texts, dropped values return with what they lacked.
    pub(super) fn settle(&mut self, behaviors: &[Vec<Planned>], is_trial: bool) -> Vec<Dropped> {
        let mut dropped = Vec::new();
        let parked = std::mem::take(&mut self.parked);
        let known = std::mem::take(&mut self.held).into_iter().map(|(key, entry)| (key, entry, false));
        for (key, mut entry, was_parked) in known.chain(parked.into_iter().map(|(key, it)| (key, it, true))) {
            match fate(&key, &mut entry, behaviors) {
                Fate::Held => drop(self.held.insert(key, entry)),
                Fate::Equal => {}
                Fate::Dropped(line, file) => {
                    if !was_parked {
                        let (handle, knob) = key.clone();
                        let is_undone = !is_trial && !entry.by_key;
                        let replaced = file.map(|file| ((handle, knob, entry.value.clone()), file));
                        dropped.push(Dropped { line, replaced: replaced.filter(|_| is_undone) });
                    }
                    if is_trial {
                        self.parked.insert(key, entry);
                    }
                }
            }
        }
        dropped
    }
}

/// The effect of a generation on a value.
enum Fate {
    /// It overrides the file's.
    Held,
    /// It is that of the file.
    Equal,
    /// It is dropped, with the line for the user, and the file's new value if that is the reason.
    Dropped(String, Option<ParamValue>),
}

fn fate((handle, knob): &Key, entry: &mut Entry, behaviors: &[Vec<Planned>]) -> Fate {
    let Handle { group, script, occurrence } = handle;
    let (place, name) = (format!("{group}.{}", use_name(script, *occurrence)), knob.as_str());
    let (value, origin) = (&entry.value, if entry.by_key { "switched" } else { "tuned" });
    let gone = |reason: String| {
        Fate::Dropped(format!("{place} {name}: the {origin} {value} is dropped: {reason}"), None)
    };
    let mut planned = behaviors.iter().flatten();
    let Some(planned) = planned.find(|planned| planned.handle == *handle) else {
        let has_group = behaviors.iter().flatten().any(|planned| planned.handle.group == *group);
        return gone(if has_group {
            format!("{group} has no such behavior any more")
        } else {
            format!("no behavior of a group {group} is left")
        });
    };
    let Some(found) = planned.knobs.iter().find(|found| found.name == *knob) else {
        // A script that never compiled has no parameters yet.
        return match planned.script {
            Some(_) => gone(format!("{script} has no such parameter any more")),
            None => Fate::Held,
        };
    };
    let file = &found.file;
    if value == file {
        return Fate::Equal;
    }
    if entry.replaced.get_or_insert_with(|| file.clone()) != file {
        let line = format!("{place} {name}: the new value {file} replaces the {origin} {value}");
        return Fate::Dropped(line, Some(file.clone()));
    }
    let param = planned.script.as_ref().and_then(|script| script.param(name));
    match param.filter(|_| matches!(knob, KnobName::Param(_))).map(|param| param.accept(value)) {
        Some(Err(message)) => gone(message),
        Some(Ok(accepted)) if accepted == *file => Fate::Equal,
        _ => Fate::Held,
    }
}

#[cfg(test)]
mod tests {
    use steerbox_script::ParamRange;

    use super::*;
    use crate::reload::planned::Knob;

    fn handle() -> Handle {
        let (group, script, occurrence) = ("a".into(), "b".into(), 0);
        Handle { group, script, occurrence }
    }

    /// Returns a behavior whose gain and switch in the file are these.
    fn planned(gain: f32, enabled: bool) -> Vec<Vec<Planned>> {
        let knob = |name, file: ParamValue| Knob {
            name,
            value: file.clone(),
            file,
            range: ParamRange::Switch,
            tuned: false,
            idle: None,
        };
        let gain = knob(KnobName::Gain, ParamValue::Number(gain));
        let knobs = vec![gain, knob(KnobName::Enabled, ParamValue::Switch(enabled))];
        let (behavior, script) = (None, None);
        vec![vec![Planned { handle: handle(), key: 0, behavior, gain: 1.0, enabled, knobs, script }]]
    }

    fn lines(dropped: &[Dropped]) -> Vec<&str> {
        dropped.iter().map(|dropped| dropped.line.as_str()).collect()
    }

    #[test]
    fn a_tuned_value_overrides_the_file_until_its_value_changes() {
        let [one, two, three] = [1.0, 2.0, 3.0].map(ParamValue::Number);
        let mut tuned = TunedValues::default();
        tuned.set(handle(), KnobName::Gain, two.clone());
        let resolved = |tuned: &TunedValues, file| tuned.resolve(&handle(), &KnobName::Gain, file);
        assert_eq!(tuned.settle(&planned(1.0, true), false), []);
        assert_eq!(resolved(&tuned, &one), (two, true));
        let dropped = tuned.settle(&planned(3.0, true), false);
        assert_eq!(lines(&dropped), ["a.b gain: the new value 3 replaces the tuned 2"]);
        assert_eq!(resolved(&tuned, &three), (three.clone(), false));
        assert_eq!(resolved(&tuned, &one), (one, false));
    }

    #[test]
    fn a_value_without_its_behavior_is_dropped_for_good_but_not_by_a_trial() {
        let [one, two] = [1.0, 2.0].map(ParamValue::Number);
        for is_trial in [false, true] {
            let mut tuned = TunedValues::default();
            tuned.set(handle(), KnobName::Gain, two.clone());
            assert_eq!(tuned.settle(&planned(1.0, true), is_trial), []);
            let dropped = tuned.settle(&[], is_trial);
            let line = "a.b gain: the tuned 2 is dropped: no behavior of a group a is left";
            assert_eq!(lines(&dropped), [line]);
            assert_eq!(tuned.settle(&[], is_trial), [], "it is reported once");
            let expected = if is_trial { two.clone() } else { one.clone() };
            assert_eq!(tuned.resolve(&handle(), &KnobName::Gain, &one).0, expected);
            tuned.settle(&planned(1.0, true), false);
            assert_eq!(tuned.resolve(&handle(), &KnobName::Gain, &one).0, expected);
        }
        // A saved text ends the trial.
        let mut tuned = TunedValues::default();
        tuned.set(handle(), KnobName::Gain, two);
        tuned.settle(&planned(1.0, true), true);
        tuned.settle(&[], true);
        tuned.settle(&[], false);
        assert_eq!(tuned.resolve(&handle(), &KnobName::Gain, &one).0, one);
    }

    #[test]
    fn a_switch_by_a_key_overrides_the_file_but_is_not_tuned() {
        let [off, on] = [false, true].map(ParamValue::Switch);
        let mut tuned = TunedValues::default();
        let resolved = |tuned: &mut TunedValues| {
            assert_eq!(tuned.settle(&planned(1.0, false), false), []);
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
