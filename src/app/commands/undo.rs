//! Edits made in the window, to be undone and done again.

use std::time::{Duration, Instant};

use glam::Vec3;

use super::action::Action;
use crate::app::edit::snapshots::units_of;
use crate::app::model::live_session::LiveSession;
use crate::app::model::log::Tone;
use crate::dynamics::Motion;
use crate::reload::{Handle, KnobName};
use crate::scene::{KeyAction, ParamValue, SceneEdit};
use crate::sim::UnitState;
use crate::world::{KeySet, Obstacle};

/// Changes of one value within this time of each other are one: a slider that is dragged.
const TOGETHER: Duration = Duration::from_millis(700);
/// Most changes that are stored, and their memory, bytes. The last change is always stored.
const KEPT: usize = 500;
const MEMORY: usize = 32 << 20;
/// Estimated memory of an edit beside its lists, bytes.
const EDIT: usize = 512;

/// The source of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Source {
    File,
    Tuned,
    /// A key of the scene, which is never written.
    Key,
}

/// A value of a behavior. The value itself is stored, never "the file's": a save changes the file.
#[derive(Clone, Debug, PartialEq)]
struct Held {
    handle: Handle,
    knob: KnobName,
    value: ParamValue,
    source: Source,
}

impl Held {
    fn with(&self, source: Source, value: ParamValue) -> Self {
        Self { value, source, ..self.clone() }
    }
}

/// A state as an edit leaves it. Everything is stored by value or by name, so that it means the same after files
/// have changed.
#[derive(Clone, Debug, PartialEq)]
enum Edit {
    /// Values of behaviors.
    Values(Vec<Held>),
    /// An obstacle or a path of the scene, by what led to it.
    Scene(SceneEdit),
    /// A scattered obstacle, counted back from the last one, and how it becomes what it is.
    Scattered(usize, [Obstacle; 2]),
    Target(Option<Vec3>),
    /// Where units are and how they move, by their keys.
    Moved(Vec<(u64, Motion)>),
    /// Units that are to be there.
    There(Vec<UnitState>),
    /// Units that are there, by their keys: the world has their states.
    Present(Vec<u64>),
    /// Units that are not there, by their keys.
    Gone(Vec<u64>),
    /// Views of groups, both by their names.
    Views(Vec<(String, Option<String>)>),
}

impl Edit {
    /// True if `next` may be part of the same drag: both set the same value. Clearing a value is an edit of its own.
    fn may_go_on(&self, next: &Self) -> bool {
        match (self, next) {
            (Self::Values(a), Self::Values(b)) => match (&a[..], &b[..]) {
                ([a], [b]) => {
                    (&a.handle, &a.knob) == (&b.handle, &b.knob) && [a.source, b.source] == [Source::Tuned; 2]
                }
                _ => false,
            },
            (Self::Target(Some(_)), Self::Target(Some(_))) => true,
            _ => false,
        }
    }

    /// Estimated memory, bytes.
    fn bytes(&self) -> usize {
        EDIT + match self {
            Self::There(states) => states.iter().map(UnitState::bytes).sum(),
            Self::Gone(keys) | Self::Present(keys) => size_of_val(&**keys),
            Self::Moved(moved) => size_of_val(&**moved),
            Self::Values(values) => size_of_val(&**values),
            _ => 0,
        }
    }

    fn words(&self) -> String {
        match self {
            Self::Values(values) => match &values[..] {
                [Held { handle, knob, .. }] => {
                    format!("{} {} {}", handle.group, handle.script, knob.as_str())
                }
                _ if values.iter().all(|held| held.knob == KnobName::Enabled) => "switches".to_owned(),
                _ => "all tuned values".to_owned(),
            },
            Self::Scene(edit) => edit.words(),
            Self::Scattered(..) => "scattered obstacle moved".to_owned(),
            Self::Target(_) => "target".to_owned(),
            Self::Moved(units) => format!("{} moved", units_of(units.len())),
            Self::There(units) => format!("{} added", units_of(units.len())),
            Self::Present(units) => format!("{} added", units_of(units.len())),
            Self::Gone(units) => format!("{} removed", units_of(units.len())),
            Self::Views(_) => "view".to_owned(),
        }
    }
}

/// An edit, and how it was before.
#[derive(Clone, Debug)]
struct Change {
    before: Edit,
    after: Edit,
    when: Instant,
    /// Estimated memory, bytes.
    bytes: usize,
}

impl Change {
    fn new(before: Edit, after: Edit, when: Instant) -> Self {
        let bytes = before.bytes() + after.bytes();
        Self { before, after, when, bytes }
    }
}

/// All edits of the window.
#[derive(Debug, Default)]
pub(in crate::app) struct Edits {
    done: Vec<Change>,
    undone: Vec<Change>,
}

impl Edits {
    /// Notes an edit. One that continues the last becomes part of it, unless edits were undone since.
    fn note(&mut self, before: Edit, after: Edit, when: Instant) {
        let last = self.done.last_mut().filter(|_| self.undone.is_empty()).filter(|last| {
            last.after.may_go_on(&after) && when.saturating_duration_since(last.when) < TOGETHER
        });
        match last {
            Some(last) => (last.after, last.when) = (after, when),
            None => self.add(before, after, when),
        }
    }

    /// Notes an edit of its own.
    fn add(&mut self, before: Edit, after: Edit, when: Instant) {
        self.undone.clear();
        self.done.push(Change::new(before, after, when));
        self.trim();
    }

    /// Drops edits beyond the limits: first those that would be redone last, then the oldest but one.
    fn trim(&mut self) {
        let all = self.done.iter().chain(&self.undone);
        let mut bytes: usize = all.map(|change| change.bytes).sum();
        while bytes > MEMORY || self.done.len() > KEPT {
            let list = match (self.done.len(), self.undone.is_empty()) {
                (done, true) if done > 1 => &mut self.done,
                (done, _) if done > KEPT => &mut self.done,
                (_, false) => &mut self.undone,
                _ => return,
            };
            bytes -= list.remove(0).bytes;
        }
    }

    /// Removes the next change to undo (`back`) or to redo from its list; `put` with the same `back` adds it to the other
    /// list.
    fn take(&mut self, back: bool) -> Option<Change> {
        if back { self.done.pop() } else { self.undone.pop() }
    }

    fn put(&mut self, change: Change, back: bool) {
        let list = if back { &mut self.undone } else { &mut self.done };
        list.push(Change::new(change.before, change.after, change.when));
        self.trim();
    }

    #[cfg(test)]
    pub(in crate::app) fn can_undo(&self) -> bool {
        !self.done.is_empty()
    }

    /// The number of stored edits, and their estimated memory, bytes.
    #[cfg(test)]
    pub(in crate::app) fn kept(&self) -> (usize, usize) {
        let all = self.done.iter().chain(&self.undone);
        (all.clone().count(), all.map(|change| change.bytes).sum())
    }
}

impl LiveSession {
    /// Notes what an action edits, before it is carried out.
    pub(in crate::app) fn note_edit(&mut self, action: &Action) {
        if let Some((before, after)) = self.edit_of(action).filter(|(before, after)| before != after) {
            self.edits.note(before, after, Instant::now());
        }
    }

    /// What an action edits: as it is, and as it will be.
    fn edit_of(&self, action: &Action) -> Option<(Edit, Edit)> {
        let simulation = &self.run.simulation;
        Some(match action {
            Action::Tune(handle, knob, value) => self.edit_of_values([(handle, knob, Some(value))]),
            Action::Untune(handle, knob) => self.edit_of_values([(handle, knob, None)]),
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
            Action::AddUnits(states) if states.len() <= self.room() => {
                let keys: Vec<_> = states.iter().map(|state| state.key).collect();
                (Edit::Gone(keys.clone()), Edit::Present(keys))
            }
            Action::RemoveUnits(units) => {
                let states = simulation.unit_states(units.iter().copied());
                let keys = states.iter().map(|state| state.key).collect();
                (Edit::There(states), Edit::Gone(keys))
            }
            Action::SetView(group, view) => self.edit_of_views([*group].into_iter(), *view),
            Action::Key(KeyAction::View(view)) => self.edit_of_views(self.groups_of_keys(), *view),
            Action::Key(KeyAction::Switch(scripts)) => {
                let on = ParamValue::Switch(!self.is_on(scripts));
                let before =
                    self.switched_by(scripts).filter_map(|handle| self.held(handle, &KnobName::Enabled));
                let before: Vec<_> = before.map(|(held, _)| held).collect();
                let after = before.iter().map(|held| held.with(Source::Key, on.clone())).collect();
                (Edit::Values(before), Edit::Values(after))
            }
            _ => return None,
        })
    }

    /// Values as they are, and as they will be: `None` stands for the file's.
    fn edit_of_values<'a>(
        &self,
        values: impl IntoIterator<Item = (&'a Handle, &'a KnobName, Option<&'a ParamValue>)>,
    ) -> (Edit, Edit) {
        let values = values.into_iter().filter_map(|(handle, knob, value)| {
            let (before, file) = self.held(handle, knob)?;
            let after = match value {
                Some(value) => before.with(Source::Tuned, value.clone()),
                None => before.with(Source::File, file),
            };
            Some((before, after))
        });
        let (before, after) = values.unzip();
        (Edit::Values(before), Edit::Values(after))
    }

    /// A value of a behavior as it is in the present, and the file's.
    fn held(&self, handle: &Handle, name: &KnobName) -> Option<(Held, ParamValue)> {
        let planned = self.run.newest().planned().find(|planned| planned.handle == *handle)?;
        let knob = planned.knobs.iter().find(|knob| knob.name == *name)?;
        let source = match knob.value == knob.file {
            true => Source::File,
            false if knob.tuned => Source::Tuned,
            false => Source::Key,
        };
        let (value, file) = (knob.value.clone(), knob.file.clone());
        Some((Held { handle: handle.clone(), knob: name.clone(), value, source }, file))
    }

    /// Views of groups as they are, and as they will be.
    fn edit_of_views(&self, groups: impl Iterator<Item = usize>, view: Option<usize>) -> (Edit, Edit) {
        let world = self.run.simulation.world();
        let name = |view: Option<usize>| Some(world.views.get(view?)?.name.clone());
        let groups: Vec<_> = groups.filter_map(|group| world.groups.get(group)).collect();
        let before = groups.iter().map(|group| (group.name.clone(), name(group.view))).collect();
        let after = groups.iter().map(|group| (group.name.clone(), name(view))).collect();
        (Edit::Views(before), Edit::Views(after))
    }

    /// Undoes the last edit that is not undone.
    pub(in crate::app) fn undo(&mut self) {
        self.bring_back(true, "undone", "nothing to undo");
    }

    /// Does what was undone last once more.
    pub(in crate::app) fn redo(&mut self) {
        self.bring_back(false, "redone", "nothing to redo");
    }

    fn bring_back(&mut self, back: bool, done: &str, none: &str) {
        let step = self.run.simulation.world().steps;
        let Some(mut change) = self.edits.take(back) else {
            self.log.say_once(Tone::Plain, step, none);
            return;
        };
        let Change { before, after, .. } = &mut change;
        let (edit, other) = if back { (before, after) } else { (after, before) };
        if matches!(edit, Edit::There(states) if !self.has_room(states.len())) {
            self.edits.put(change, !back);
            return;
        }
        self.log.say(Tone::Plain, step, format!("{done}: {}", edit.words()));
        match edit {
            Edit::Values(values) => {
                for Held { handle, knob, value, source } in &*values {
                    self.run.set_value(handle, knob, value, *source != Source::Key);
                }
            }
            Edit::Scene(edit) => self.edit_scene(edit),
            Edit::Scattered(back, [from, to]) => self.move_scattered_back(*back, from, to),
            Edit::Target(target) => self.set_target(*target),
            Edit::Moved(moved) => self.move_units(moved.clone()),
            Edit::There(states) => {
                let keys = states.iter().map(|state| state.key).collect();
                self.add_units(std::mem::take(states));
                *edit = Edit::Present(keys);
            }
            Edit::Gone(keys) => {
                let states = self.states_of(keys);
                if !states.is_empty() {
                    *other = Edit::There(states);
                    self.remove_units(keys.clone());
                }
            }
            Edit::Present(_) => {}
            Edit::Views(views) => {
                for (group, view) in &*views {
                    self.set_view_by_name(group, view.as_deref());
                }
            }
        }
        self.edits.put(change, back);
    }

    /// The states of units, by their keys, as far as they are there.
    fn states_of(&self, keys: &[u64]) -> Vec<UnitState> {
        let (simulation, keys) = (&self.run.simulation, keys.iter().copied().collect::<KeySet>());
        let units = simulation.world().units.key.iter().enumerate().filter(|(_, key)| keys.has(**key));
        simulation.unit_states(units.map(|(unit, _)| unit))
    }

    /// Tunes values, or returns them to the file's, as one edit.
    pub(in crate::app) fn edit_values(&mut self, values: &[(Handle, KnobName, Option<ParamValue>)]) {
        let (before, after) =
            self.edit_of_values(values.iter().map(|(of, knob, value)| (of, knob, value.as_ref())));
        if before == after {
            return;
        }
        for (handle, knob, value) in values {
            match value {
                Some(value) => self.run.set_value(handle, knob, value, true),
                None => self.run.clear_value(handle, knob),
            }
        }
        self.edits.add(before, after, Instant::now());
    }

    /// Sets a view by the names of group and view, as far as both are there.
    fn set_view_by_name(&mut self, group: &str, view: Option<&str>) {
        let world = self.run.simulation.world();
        let group = world.groups.iter().position(|other| other.name == group);
        let at = view.and_then(|view| world.views.iter().position(|other| other.name == view));
        if let Some(group) = group.filter(|_| at.is_some() == view.is_some()) {
            self.set_view(group, at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::reload::Place;
    use crate::session::Options;

    #[test]
    fn what_belongs_together_is_one_edit_and_a_new_one_ends_what_was_undone() {
        let (mut edits, now) = (Edits::default(), Instant::now());
        let target = |x: f32| Edit::Target(Some(Vec3::X * x));
        edits.note(Edit::Target(None), target(1.0), now);
        edits.note(target(1.0), target(2.0), now + TOGETHER / 2);
        edits.note(target(2.0), target(3.0), now + TOGETHER * 3);
        let view = |view: Option<&str>| Edit::Views(vec![("a".to_owned(), view.map(str::to_owned))]);
        edits.note(view(None), view(Some("far")), now + TOGETHER * 3);
        let undo = |edits: &mut Edits| moved(edits, true);
        let redo = |edits: &mut Edits| moved(edits, false);
        assert_eq!(undo(&mut edits), Some(view(None)));
        assert_eq!(undo(&mut edits), Some(target(2.0)));
        assert_eq!(redo(&mut edits), Some(target(3.0)));
        assert_eq!(undo(&mut edits), Some(target(2.0)));
        assert_eq!((undo(&mut edits), undo(&mut edits)), (Some(Edit::Target(None)), None));
        edits.note(Edit::Target(None), target(9.0), now + TOGETHER * 9);
        assert_eq!(redo(&mut edits), None);
        edits.note(target(9.0), Edit::Target(None), now + TOGETHER * 9);
        assert_eq!(undo(&mut edits), Some(target(9.0)), "what clears it is an edit of its own");
        assert_eq!(undo(&mut edits), Some(Edit::Target(None)));
    }

    /// Moves a change from one list to the other. Returns the state that it leads to.
    fn moved(edits: &mut Edits, back: bool) -> Option<Edit> {
        let change = edits.take(back)?;
        let to = if back { &change.before } else { &change.after }.clone();
        edits.put(change, back);
        Some(to)
    }

    #[test]
    fn edits_past_the_limits_are_dropped_oldest_first_but_never_the_last() {
        let (mut edits, now) = (Edits::default(), Instant::now());
        let large = |units: usize| Edit::Gone(vec![7; units]);
        for number in 0..KEPT + 20 {
            edits.note(large(number), large(number + 1), now);
        }
        assert_eq!(edits.kept().0, KEPT);
        let huge = MEMORY / 8;
        edits.note(large(huge), large(huge + 1), now);
        assert_eq!(edits.kept().0, 1, "it alone is larger than all may be");
        assert_eq!(moved(&mut edits, true), Some(large(huge)));
        assert_eq!(edits.kept(), (0, 0), "too large to be done again");
    }

    #[test]
    fn units_that_find_no_room_leave_no_edit_and_stay_to_be_undone() {
        let options = Options { threads: Some(1), ..Options::of(Place::built_in("flock.ron")) };
        let mut session = LiveSession::start(options).unwrap();
        let state = session.run.simulation.unit_state(0).unwrap();
        let room = session.room();
        let action = Action::AddUnits(vec![state; room + 1]);
        session.act(&action);
        assert!(!session.edits.can_undo(), "nothing was added");
        let Action::AddUnits(states) = action else { return };
        session.edits.add(Edit::There(states), Edit::Gone(Vec::new()), Instant::now());
        session.undo();
        assert!(session.edits.can_undo());
        assert_eq!(session.room(), room);
        let lines: Vec<_> = session.log.lines().map(|line| line.text.as_str()).collect();
        assert!(lines.last().is_some_and(|line| line.starts_with("no units added: ")), "{lines:?}");
        assert!(!lines.iter().any(|line| line.starts_with("undone")), "{lines:?}");
    }
}
