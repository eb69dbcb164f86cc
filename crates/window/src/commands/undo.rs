//! Undo: edits and the execution of their steps.

use std::sync::Arc;
use std::time::Instant;

use glam::Vec3;
use steerbox_core::dynamics::Motion;
use steerbox_core::sim::UnitState;
use steerbox_core::world::{KeySet, Obstacle, ParamValue};
use steerbox_project::reload::{Dropped, Handle, KnobName};
use steerbox_project::session::{Input, PendingEdit};
use steerbox_scene::{KeyAction, SceneEdit};

use crate::model::counted::units_of;
use crate::model::edits::{Edit, EditStep};
use crate::model::live_session::LiveSession;
use crate::model::log::Tone;

/// The source of a value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Source {
    File,
    Tuned,
    /// A key of the scene, which is never written.
    Key,
}

/// A value of a behavior. A file's value is stored as a number, since a save changes the file.
#[derive(Clone, PartialEq)]
struct KnobState {
    handle: Handle,
    knob: KnobName,
    value: ParamValue,
    source: Source,
}

impl KnobState {
    fn with(&self, source: Source, value: ParamValue) -> Self {
        Self { value, source, ..self.clone() }
    }

    fn step(&self) -> EditStep {
        let (handle, knob, value) = (self.handle.clone(), self.knob.clone(), self.value.clone());
        EditStep::Stored(PendingEdit::Value(handle, knob, value, self.source != Source::Key))
    }
}

impl LiveSession {
    /// The edit of an obstacle or a path.
    pub(super) fn edit_of_scene(&self, edit: &SceneEdit) -> Option<Edit> {
        let (edit, newest) = (self.run.of_newest(edit), self.run.newest());
        newest.scene_edits.edited(&newest.file, &edit).ok()?;
        let (label, reversed) = (edit.words(), edit.reversed());
        let [undo, redo] = [reversed, edit].map(|edit| EditStep::Stored(PendingEdit::Scene(edit)));
        Some(Edit::new(label, undo, redo))
    }

    /// The edit that runs or drops unsaved text of a file.
    pub(super) fn edit_of_draft(&self, name: &str, text: Option<&Arc<str>>, is_drag: bool) -> Option<Edit> {
        let before = self.drafts.get(name).cloned();
        (before.as_ref() != text).then(|| {
            let [undo, redo] = [before, text.cloned()].map(|text| EditStep::Draft(name.to_owned(), text));
            Edit { is_drag, ..Edit::new(format!("draft of {name}"), undo, redo) }
        })
    }

    /// The edit that moves a scattered obstacle.
    pub(super) fn edit_of_scattered(back: usize, from: &Obstacle, to: &Obstacle) -> Option<Edit> {
        (from != to).then(|| {
            let [undo, redo] = [from, to].map(|obstacle| Input::Scattered(back, obstacle.clone()));
            input_edit("scattered obstacle moved", undo, redo)
        })
    }

    /// The edit that sets or clears the target.
    pub(super) fn edit_of_target(&self, target: Option<Vec3>) -> Option<Edit> {
        let before = self.run.simulation.world().target;
        let is_set = target.is_none() || self.run.generation.reads_target();
        (is_set && before != target).then(|| Edit {
            is_drag: target.is_some(),
            ..input_edit("target", Input::Target(before), Input::Target(target))
        })
    }

    /// The edit that moves units.
    pub(super) fn edit_of_motion(from: &[(u64, Motion)], to: &[(u64, Motion)]) -> Option<Edit> {
        (from != to).then(|| {
            let [undo, redo] = [from, to].map(|moved| Input::MoveUnits(moved.to_vec()));
            input_edit(&format!("{} moved", units_of(to.len())), undo, redo)
        })
    }

    /// The edit that adds units.
    pub(super) fn edit_of_added(&self, states: &[UnitState]) -> Option<Edit> {
        (states.len() <= self.room()).then(|| {
            let keys = states.iter().map(|state| state.key).collect();
            let label = format!("{} added", units_of(states.len()));
            input_edit(&label, Input::RemoveUnits(keys), Input::AddUnits(Vec::new()))
        })
    }

    /// The edit that removes units.
    pub(super) fn edit_of_removed(&self, units: &[usize]) -> Edit {
        let states = self.run.simulation.unit_states(units.iter().copied());
        let keys = states.iter().map(|state| state.key).collect();
        let label = format!("{} removed", units_of(states.len()));
        input_edit(&label, Input::AddUnits(states), Input::RemoveUnits(keys))
    }

    /// The edit of a key of the scene.
    pub(super) fn edit_of_key(&self, action: &KeyAction) -> Option<Edit> {
        match action {
            KeyAction::View(view) => self.edit_of_views(self.groups_of_keys(), *view),
            KeyAction::Switch(scripts) => {
                let on = ParamValue::Switch(!self.is_on(scripts));
                let before = self.switched_by(scripts);
                let before = before.filter_map(|handle| self.value_of_knob(handle, &KnobName::Enabled));
                let before: Vec<_> = before.map(|(value, _)| value).collect();
                let after: Vec<_> = before.iter().map(|value| value.with(Source::Key, on.clone())).collect();
                value_edit(&before, &after)
            }
            KeyAction::Speed(_) => None,
        }
    }

    /// The edit that sets values; `None` represents the file's value.
    pub(super) fn edit_of_values<'a>(
        &self,
        values: impl IntoIterator<Item = (&'a Handle, &'a KnobName, Option<&'a ParamValue>)>,
    ) -> Option<Edit> {
        let values = values.into_iter().filter_map(|(handle, knob, value)| {
            let (before, file) = self.value_of_knob(handle, knob)?;
            let after = match value {
                Some(value) => before.with(Source::Tuned, value.clone()),
                None => before.with(Source::File, file),
            };
            Some((before, after))
        });
        let (before, after): (Vec<_>, Vec<_>) = values.unzip();
        value_edit(&before, &after)
    }

    /// The current value of a behavior, and the file's.
    fn value_of_knob(&self, handle: &Handle, name: &KnobName) -> Option<(KnobState, ParamValue)> {
        let planned = self.run.newest().planned().find(|planned| planned.handle == *handle)?;
        let knob = planned.knobs.iter().find(|knob| knob.name == *name)?;
        let source = match knob.value == knob.file {
            true => Source::File,
            false if knob.tuned => Source::Tuned,
            false => Source::Key,
        };
        let (value, file) = (knob.value.clone(), knob.file.clone());
        Some((KnobState { handle: handle.clone(), knob: name.clone(), value, source }, file))
    }

    /// The edit that sets a view of groups.
    pub(super) fn edit_of_views(
        &self,
        groups: impl Iterator<Item = usize>,
        view: Option<usize>,
    ) -> Option<Edit> {
        let groups: Vec<_> = groups.collect();
        let world = self.run.simulation.world();
        let is_changed = |group: &usize| world.groups.get(*group).is_some_and(|group| group.view != view);
        let inputs = |view: &dyn Fn(usize) -> Option<usize>| -> Vec<EditStep> {
            let inputs = groups.iter().filter_map(|group| self.view_input(*group, view(*group)));
            inputs.map(EditStep::Input).collect()
        };
        groups.iter().any(is_changed).then(|| Edit {
            label: "view".to_owned(),
            undo: inputs(&|group| world.groups.get(group)?.view),
            redo: inputs(&|_| view),
            is_drag: false,
        })
    }

    /// Undoes the last edit that is not undone.
    pub(crate) fn undo(&mut self) {
        self.reverse_edit(true, "undid", "nothing to undo");
    }

    /// Redoes the edit that was undone last.
    pub(crate) fn redo(&mut self) {
        self.reverse_edit(false, "redid", "nothing to redo");
    }

    fn reverse_edit(&mut self, back: bool, done: &str, none: &str) {
        let step = self.run.simulation.world().steps;
        let Some((mut edit, when)) = self.edits.take(back) else {
            self.log.add_once(Tone::Plain, step, none);
            return;
        };
        let Edit { label, undo, redo, .. } = &mut edit;
        let (steps, reverse) = if back { (undo, redo) } else { (redo, undo) };
        let added = steps.iter().map(|step| match step {
            EditStep::Input(Input::AddUnits(states)) => states.len(),
            _ => 0,
        });
        if !self.has_room(added.sum()) {
            self.edits.put((edit, when), !back);
            return;
        }
        let words = match &steps[..] {
            [EditStep::Stored(PendingEdit::Value(handle, knob, value, _))] => {
                let again = if back { " again" } else { "" };
                format!("{}.{}.{} is {value}{again}", handle.group, handle.script, knob.as_str())
            }
            _ => label.clone(),
        };
        self.log.add(Tone::Plain, step, format!("{done}: {words}"));
        for (step, reverse) in steps.iter_mut().zip(reverse) {
            self.take_step(step, reverse);
        }
        self.edits.put((edit, when), back);
    }

    /// Executes a step of an edit. `reverse` is the step that reverses it.
    fn take_step(&mut self, step: &mut EditStep, reverse: &mut EditStep) {
        match step {
            EditStep::Stored(PendingEdit::Value(handle, knob, value, tuned)) => {
                self.run.set_value(handle, knob, value, *tuned);
            }
            EditStep::Stored(PendingEdit::Scene(edit)) => self.edit_scene(edit),
            EditStep::Draft(name, text) => self.run_text(name, text.clone()),
            EditStep::Run(run) => {
                if let Some(mut run) = run.take() {
                    self.return_to_present();
                    self.run.exchange_runs(&mut run);
                    self.follow_run();
                    *reverse = EditStep::Run(Some(run));
                }
            }
            EditStep::Input(Input::Scattered(back, to)) => {
                if let EditStep::Input(Input::Scattered(_, from)) = reverse {
                    self.move_scattered_back(*back, from, to);
                }
            }
            EditStep::Input(Input::Target(target)) => self.set_target(*target),
            EditStep::Input(Input::AddUnits(states)) => {
                let states = std::mem::take(states);
                if !states.is_empty() {
                    self.add_units(states);
                }
            }
            EditStep::Input(Input::RemoveUnits(keys)) => {
                let states = self.states_of(keys);
                if !states.is_empty() {
                    *reverse = EditStep::Input(Input::AddUnits(states));
                    self.remove_units(keys.clone());
                }
            }
            EditStep::Input(input) => self.run.input(input.clone()),
        }
    }

    /// The states of existing units, by their keys.
    fn states_of(&self, keys: &[u64]) -> Vec<UnitState> {
        let (simulation, keys) = (&self.run.simulation, keys.iter().copied().collect::<KeySet>());
        let units = simulation.world().units.key.iter().enumerate().filter(|(_, key)| keys.has(**key));
        simulation.unit_states(units.map(|(unit, _)| unit))
    }

    /// Adds an edit for each tuned value that a save replaced, so that undo returns to that value first.
    pub(crate) fn add_dropped(&mut self, dropped: &[Dropped]) {
        for ((handle, knob, value), file) in dropped.iter().filter_map(|dropped| dropped.replaced.clone()) {
            let before = KnobState { handle, knob, value, source: Source::Tuned };
            let after = before.with(Source::File, file);
            if let Some(edit) = value_edit(&[before], &[after]) {
                self.edits.add(edit, Instant::now());
            }
        }
    }

    /// Tunes values, or resets them to the file's, as one edit.
    pub(crate) fn edit_values(&mut self, values: &[(Handle, KnobName, Option<ParamValue>)]) {
        let edit = self.edit_of_values(values.iter().map(|(of, knob, value)| (of, knob, value.as_ref())));
        let Some(edit) = edit else {
            return;
        };
        for (handle, knob, value) in values {
            match value {
                Some(value) => self.run.set_value(handle, knob, value, true),
                None => self.run.clear_value(handle, knob),
            }
        }
        self.edits.add(edit, Instant::now());
    }
}

/// An edit of one input.
fn input_edit(label: &str, undo: Input, redo: Input) -> Edit {
    Edit::new(label, EditStep::Input(undo), EditStep::Input(redo))
}

/// The edit that changes values; `None` if it changes none.
fn value_edit(before: &[KnobState], after: &[KnobState]) -> Option<Edit> {
    let label = match after {
        [KnobState { handle, knob, .. }] => format!("{} {} {}", handle.group, handle.script, knob.as_str()),
        _ if after.iter().all(|value| value.knob == KnobName::Enabled) => "switches".to_owned(),
        _ => "all tuned values".to_owned(),
    };
    (before != after).then(|| Edit {
        label,
        undo: before.iter().map(KnobState::step).collect(),
        redo: after.iter().map(KnobState::step).collect(),
        is_drag: matches!(after, [KnobState { source: Source::Tuned, .. }]),
    })
}

#[cfg(test)]
mod tests {
    use steerbox_project::reload::Place;
    use steerbox_project::session::Options;

    use super::*;
    use crate::commands::action::SessionAction;

    #[test]
    fn units_beyond_the_limit_add_no_edit_and_undo_stays_possible() {
        let options = Options { threads: Some(1), ..Options::new(Place::built_in("flock.ron")) };
        let mut session = LiveSession::start(options).unwrap();
        let state = session.run.simulation.unit_state(0).unwrap();
        let room = session.room();
        let states = vec![state; room + 1];
        session.act(&SessionAction::AddUnits(states.clone()));
        assert!(!session.edits.can_undo(), "nothing was added");
        let [undo, redo] = [Input::AddUnits(states), Input::RemoveUnits(Vec::new())].map(EditStep::Input);
        session.edits.add(Edit::new("units removed", undo, redo), Instant::now());
        session.undo();
        assert!(session.edits.can_undo());
        assert_eq!(session.room(), room);
        let lines: Vec<_> = session.log.lines().map(|line| line.text.as_str()).collect();
        assert!(lines.last().is_some_and(|line| line.starts_with("no units added: ")), "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("undid")), "{lines:?}");
    }
}
