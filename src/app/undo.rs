//! Edits made in the window, to be undone and done again.

use std::time::{Duration, Instant};

use glam::Vec3;

use super::action::Action;
use super::live_session::LiveSession;
use super::log::Tone;
use crate::dynamics::Motion;
use crate::reload::{Command, Handle, KnobName};
use crate::scene::{KeyAction, ParamValue, SceneEdit};
use crate::sim::UnitState;
use crate::world::Obstacle;

/// Changes of one value within this time of each other are one: a slider that is dragged.
const TOGETHER: Duration = Duration::from_millis(700);
/// Changes that are kept.
const KEPT: usize = 500;

/// A value as an edit leaves it.
#[derive(Clone, Debug, PartialEq)]
enum Edit {
    /// Of a behavior; as the file has it if `None`.
    Value(Handle, KnobName, Option<ParamValue>),
    /// Of several behaviors at once.
    Values(Vec<(Handle, KnobName, Option<ParamValue>)>),
    /// Behaviors, switched by a key of the scene.
    Switches(Vec<(Handle, bool)>),
    /// An obstacle or a path of the scene, by what led to it.
    Scene(SceneEdit),
    /// A scattered obstacle, counted back from the last one, and how it becomes what it is.
    Scattered(usize, [Obstacle; 2]),
    Target(Option<Vec3>),
    /// Where units are and how they move, by their keys.
    Moved(Vec<(u64, Motion)>),
    /// Units that are there.
    There(Vec<UnitState>),
    /// Units that are not there, by their keys.
    Gone(Vec<u64>),
    /// Of groups, by their index.
    Views(Vec<(usize, Option<usize>)>),
}

impl Edit {
    /// Whether `next` may be part of the same drag: both set the same value. What clears one stands alone.
    fn may_go_on(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Value(handle, knob, Some(_)), Self::Value(of, name, Some(_))) => {
                (handle, knob) == (of, name)
            }
            (Self::Target(Some(_)), Self::Target(Some(_))) => true,
            _ => false,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Value(handle, knob, _) => {
                format!("{} {} {}", handle.group, handle.script, knob.as_str())
            }
            Self::Values(_) => "all tuned values".to_owned(),
            Self::Switches(_) => "switches".to_owned(),
            Self::Scene(edit) => edit.words(),
            Self::Scattered(..) => "scattered obstacle moved".to_owned(),
            Self::Target(_) => "target".to_owned(),
            Self::Moved(units) => format!("{} moved", units_of(units.len())),
            Self::There(units) => format!("{} added", units_of(units.len())),
            Self::Gone(units) => format!("{} removed", units_of(units.len())),
            Self::Views(_) => "view".to_owned(),
        }
    }
}

/// "1 unit", "2 units".
pub(super) fn units_of(count: usize) -> String {
    if count == 1 { "1 unit".to_owned() } else { format!("{count} units") }
}

/// An edit, and how it was before.
#[derive(Clone, Debug)]
struct Change {
    before: Edit,
    after: Edit,
    when: Instant,
}

/// All edits of the window.
#[derive(Debug, Default)]
pub(super) struct Edits {
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl Edits {
    /// Notes an edit; one that goes on with the last becomes part of it.
    fn note(&mut self, before: Edit, after: Edit, when: Instant) {
        self.undone.clear();
        let last = self.done.last_mut().filter(|last| {
            last.after.may_go_on(&after) && when.saturating_duration_since(last.when) < TOGETHER
        });
        if let Some(last) = last {
            (last.after, last.when) = (after, when);
            return;
        }
        if self.done.len() == KEPT {
            self.done.remove(0);
        }
        self.done.push(Change { before, after, when });
    }

    fn undo(&mut self) -> Option<Edit> {
        let change = self.done.pop()?;
        let before = change.before.clone();
        self.undone.push(change);
        Some(before)
    }

    fn redo(&mut self) -> Option<Edit> {
        let change = self.undone.pop()?;
        let after = change.after.clone();
        self.done.push(change);
        Some(after)
    }
}

impl LiveSession {
    /// Notes what an action edits, before it is carried out.
    pub(super) fn note_edit(&mut self, action: &Action) {
        if let Some((before, after)) = self.edit_of(action).filter(|(before, after)| before != after) {
            self.edits.note(before, after, Instant::now());
        }
    }

    /// What an action edits: as it is, and as it will be.
    fn edit_of(&self, action: &Action) -> Option<(Edit, Edit)> {
        let simulation = &self.run.simulation;
        Some(match action {
            Action::Tune(handle, knob, value) => {
                let edit = |value| Edit::Value(handle.clone(), knob.clone(), value);
                (edit(self.tuned_value(handle, knob)), edit(Some(value.clone())))
            }
            Action::Untune(handle, knob) => {
                let edit = |value| Edit::Value(handle.clone(), knob.clone(), value);
                (edit(self.tuned_value(handle, knob)), edit(None))
            }
            Action::EditScene(edit) => {
                let (edit, newest) = (self.run.of_newest(edit), self.run.newest());
                newest.by_hand.edited(&newest.file, &edit).ok()?;
                (Edit::Scene(edit.reversed()), Edit::Scene(edit))
            }
            Action::MoveScattered { back, from, to } => {
                let edit = |a: &Obstacle, b: &Obstacle| Edit::Scattered(*back, [a.clone(), b.clone()]);
                (edit(to, from), edit(from, to))
            }
            Action::Target(target) => {
                // One that nothing asks for is not set.
                let is_set = target.is_none() || self.run.generation.asks_target();
                let before = simulation.world().target;
                (Edit::Target(before), Edit::Target(if is_set { *target } else { before }))
            }
            Action::DropUnits { from, to } => (Edit::Moved(from.clone()), Edit::Moved(to.clone())),
            Action::AddUnits(states) => {
                let keys = states.iter().map(|state| state.key).collect();
                (Edit::Gone(keys), Edit::There(states.clone()))
            }
            Action::RemoveUnits(units) => {
                let states: Vec<_> = units.iter().filter_map(|unit| simulation.unit_state(*unit)).collect();
                let keys = states.iter().map(|state| state.key).collect();
                (Edit::There(states), Edit::Gone(keys))
            }
            Action::SetView(group, view) => {
                let before = simulation.world().groups.get(*group)?.view;
                (Edit::Views(vec![(*group, before)]), Edit::Views(vec![(*group, *view)]))
            }
            Action::Key(KeyAction::View(view)) => {
                let groups = simulation.world().groups.iter().zip(&self.run.generation.scene.groups);
                let others = groups.enumerate().filter(|(_, (_, plan))| !plan.is_player);
                let before: Vec<_> = others.map(|(at, (group, _))| (at, group.view)).collect();
                let after = before.iter().map(|(at, _)| (*at, *view)).collect();
                (Edit::Views(before), Edit::Views(after))
            }
            Action::Key(KeyAction::Switch(scripts)) => {
                let planned = self.run.generation.planned();
                let planned = planned.filter(|planned| scripts.contains(&planned.handle.script));
                let before: Vec<_> =
                    planned.map(|planned| (planned.handle.clone(), planned.enabled)).collect();
                let on = !before.iter().any(|(_, on)| *on);
                let after = before.iter().map(|(handle, _)| (handle.clone(), on)).collect();
                (Edit::Switches(before), Edit::Switches(after))
            }
            _ => return None,
        })
    }

    /// A value of a behavior, if it is tuned.
    fn tuned_value(&self, handle: &Handle, name: &KnobName) -> Option<ParamValue> {
        let planned = self.run.generation.planned().find(|planned| planned.handle == *handle)?;
        let knob = planned.knobs.iter().find(|knob| knob.name == *name)?;
        knob.tuned.then(|| knob.value.clone())
    }

    /// Undoes the last edit that is not undone.
    pub(super) fn undo(&mut self) {
        let edit = self.edits.undo();
        self.bring_back(edit, "undone", "nothing to undo");
    }

    /// Does what was undone last once more.
    pub(super) fn redo(&mut self) {
        let edit = self.edits.redo();
        self.bring_back(edit, "redone", "nothing to redo");
    }

    fn bring_back(&mut self, edit: Option<Edit>, done: &str, none: &str) {
        let step = self.run.simulation.world().steps;
        let Some(edit) = edit else {
            self.log.say_once(Tone::Plain, step, none);
            return;
        };
        self.log.say(Tone::Plain, step, format!("{done}: {}", edit.words()));
        match edit {
            Edit::Value(handle, knob, value) => self.set_value(&handle, &knob, value.as_ref()),
            Edit::Values(values) => self.set_values(&values),
            Edit::Switches(switches) => {
                for (handle, on) in switches {
                    self.switch(&handle, on);
                }
            }
            Edit::Scene(edit) => self.edit_scene(&edit),
            Edit::Scattered(back, [from, to]) => self.move_scattered(back, &from, &to),
            Edit::Target(target) => self.set_target(target),
            Edit::Moved(moved) => self.move_units(moved),
            Edit::There(states) => {
                self.add_units(states);
            }
            Edit::Gone(keys) => self.remove_units(keys),
            Edit::Views(views) => {
                for (group, view) in views {
                    self.set_view(group, view);
                }
            }
        }
    }

    /// Tunes values, or returns them to the file's, as one edit.
    pub(super) fn edit_values(&mut self, values: Vec<(Handle, KnobName, Option<ParamValue>)>) {
        let before = values
            .iter()
            .map(|(handle, knob, _)| (handle.clone(), knob.clone(), self.tuned_value(handle, knob)));
        let before: Vec<_> = before.collect();
        if before != values {
            self.set_values(&values);
            self.edits.note(Edit::Values(before), Edit::Values(values), Instant::now());
        }
    }

    fn set_values(&mut self, values: &[(Handle, KnobName, Option<ParamValue>)]) {
        for (handle, knob, value) in values {
            self.set_value(handle, knob, value.as_ref());
        }
    }

    fn set_value(&mut self, handle: &Handle, knob: &KnobName, value: Option<&ParamValue>) {
        match value {
            Some(value) => self.tune(handle, knob, value),
            None => self.untune(handle, knob),
        }
    }

    /// Returns a value to the file's, and shows that at once.
    pub(super) fn untune(&mut self, handle: &Handle, name: &KnobName) {
        let planned = self.run.generation.planned().find(|planned| planned.handle == *handle);
        let knob = planned.and_then(|planned| planned.knobs.iter().find(|knob| knob.name == *name));
        if let Some(file) = knob.map(|knob| knob.file.clone()) {
            self.show(handle, name, &file, false);
        }
        self.run.send(Command::Untune(handle.clone(), name.clone()));
    }

    /// Switches a behavior as a key of the scene does.
    pub(super) fn switch(&mut self, handle: &Handle, on: bool) {
        self.show(handle, &KnobName::Enabled, &ParamValue::Switch(on), false);
        self.run.send(Command::Switch(handle.clone(), on));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_belongs_together_is_one_edit_and_a_new_one_ends_what_was_undone() {
        let (mut edits, now) = (Edits::default(), Instant::now());
        let target = |x: f32| Edit::Target(Some(Vec3::X * x));
        edits.note(Edit::Target(None), target(1.0), now);
        edits.note(target(1.0), target(2.0), now + TOGETHER / 2);
        edits.note(target(2.0), target(3.0), now + TOGETHER * 3);
        let view = |view| Edit::Views(vec![(0, view)]);
        edits.note(view(None), view(Some(1)), now + TOGETHER * 3);
        assert_eq!(edits.undo(), Some(view(None)));
        assert_eq!(edits.undo(), Some(target(2.0)));
        assert_eq!(edits.redo(), Some(target(3.0)));
        assert_eq!(edits.undo(), Some(target(2.0)));
        assert_eq!((edits.undo(), edits.undo()), (Some(Edit::Target(None)), None));
        edits.note(Edit::Target(None), target(9.0), now + TOGETHER * 9);
        assert_eq!(edits.redo(), None);
        edits.note(target(9.0), Edit::Target(None), now + TOGETHER * 9);
        assert_eq!(edits.undo(), Some(target(9.0)), "what clears it is an edit of its own");
        assert_eq!(edits.undo(), Some(Edit::Target(None)));
    }
}
