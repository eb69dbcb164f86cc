//! External changes of single units between two steps: move, add, remove.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::decided::DecidedStep;
use super::group_behaviors::{GroupBehaviors, group_of};
use super::memory::MemoryLayout;
use super::simulation::Simulation;
use super::slot::Slot;
use crate::dynamics::Motion;
use crate::world::{KeySet, Splice, Units, World, mapped};

/// A unit with its memory, to be added to a world.
#[derive(Clone, Debug, PartialEq)]
pub struct UnitState {
    /// The name of its group.
    pub group: Arc<str>,
    /// Its index in the group; past the end, it becomes the last.
    pub at: usize,
    /// Its unique key; see [`Units::key`].
    pub key: u64,
    /// Its position and motion.
    pub motion: Motion,
    /// Number of steps before it was spawned.
    pub born: u64,
    /// Its marks, as a mask.
    pub marks: u64,
    /// Its signals, by slot.
    pub signals: Vec<f32>,
    /// Its memory for each behavior, by the behavior's key.
    pub memory: Vec<(u64, Arc<MemoryLayout>, Vec<u32>)>,
    /// The names of marks and signals of its world; `None` for those of the world to which it is added.
    pub names: Option<Arc<[Vec<String>; 2]>>,
}

impl UnitState {
    /// Copies `unit` of `units`, which belongs to the group with this name, without memory.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn new(units: &Units, unit: usize, group: &str) -> Self {
        Self::of(units, unit, group.into())
    }

    fn of(units: &Units, unit: usize, group: Arc<str>) -> Self {
        Self {
            group,
            at: usize::MAX,
            key: units.key[unit],
            motion: Motion::from_unit(units, unit),
            born: units.born[unit],
            marks: units.marks[unit],
            signals: units.signals.of(unit).to_vec(),
            memory: Vec::new(),
            names: None,
        }
    }

    /// Adds the unit, without its memory, to units with this number of signals.
    pub(super) fn push_to(&self, units: &mut Units, signals: usize, group: u16) {
        let (motion, unit) = (self.motion, units.len());
        units.push(motion.position, motion.velocity, (motion.heading, motion.up), group, self.key);
        set_motion(units, unit, motion);
        (units.marks[unit], units.born[unit]) = (self.marks, self.born);
        units.signals.resize(signals, unit + 1);
        let values = units.signals.of_units_mut(unit..unit + 1);
        for (signal, value) in values.iter_mut().zip(&self.signals) {
            *signal = *value;
        }
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        let memory = self.memory.iter().map(|entry| size_of_val(entry) + size_of_val(&*entry.2));
        size_of::<Self>() + size_of_val(&*self.signals) + memory.sum::<usize>()
    }
}

fn set_motion(units: &mut Units, unit: usize, motion: Motion) {
    units.position[unit] = motion.position;
    units.velocity[unit] = motion.velocity;
    units.heading[unit] = motion.heading;
    units.up[unit] = motion.up;
    units.angular_velocity[unit] = motion.angular_velocity;
}

/// A unit of the new world.
enum Member<'a> {
    Kept(usize),
    New(&'a UnitState),
}

impl Simulation {
    /// The memory of a unit for each behavior with memory.
    pub fn memory(&self, unit: usize) -> impl Iterator<Item = (&Slot, &Arc<MemoryLayout>, &[u32])> {
        let (behaviors, index) = group_of(&self.frozen.world, &self.behaviors, unit).unzip();
        behaviors.into_iter().zip(index).flat_map(|(behaviors, index): (&GroupBehaviors, usize)| {
            let memory = behaviors.memory.all(index);
            memory.filter_map(move |(key, layout, words)| {
                let slot = behaviors.slots.iter().find(|slot| slot.key == key)?;
                Some((slot, layout, words))
            })
        })
    }

    /// Returns a unit with its memory.
    pub fn unit_state(&self, unit: usize) -> Option<UnitState> {
        self.unit_states([unit]).pop()
    }

    /// Returns units with their memory; invalid indices are skipped. Names of groups and layouts of memories are shared.
    pub fn unit_states(&self, units: impl IntoIterator<Item = usize>) -> Vec<UnitState> {
        let world = self.world();
        let of_world = Arc::new([world.marks.all().to_vec(), world.signals.all().to_vec()]);
        let names: Vec<Arc<str>> = world.groups.iter().map(|group| group.name.as_str().into()).collect();
        let state = |unit: usize| {
            let number = usize::from(*world.units.group.get(unit)?);
            let (group, name) = (world.groups.get(number)?, Arc::clone(names.get(number)?));
            let memory = self.memory(unit);
            let memory = memory.map(|(slot, layout, words)| (slot.key, Arc::clone(layout), words.to_vec()));
            let (at, memory, names) =
                (unit - group.units.start, memory.collect(), Some(Arc::clone(&of_world)));
            Some(UnitState { at, memory, names, ..UnitState::of(&world.units, unit, name) })
        };
        units.into_iter().filter_map(state).collect()
    }

    /// Restores the memory in `states` for units by their keys, where it still has its initial values. Unknown units are
    /// ignored.
    pub fn restore_memory(&mut self, states: &[UnitState]) {
        self.drop_next();
        let world = &self.frozen.world;
        let index: BTreeMap<u64, usize> = world.units.key.iter().copied().zip(0..).collect();
        for state in states {
            let Some(unit) = index.get(&state.key).copied() else { continue };
            let group = usize::from(world.units.group[unit]);
            let first = world.groups.get(group).map_or(unit, |group| group.units.start);
            if let Some(behaviors) = self.behaviors.get_mut(group) {
                behaviors.restore_memory(unit - first, &state.memory);
            }
        }
    }

    /// Moves units by their keys; unknown keys and motions that are not finite are ignored.
    pub fn move_units(&mut self, moved: &[(u64, Motion)]) {
        let finite = moved.iter().filter(|(_, motion)| motion.is_finite());
        let moved: BTreeMap<u64, Motion> = finite.copied().collect();
        let world = self.world_mut();
        for unit in 0..world.units.len() {
            if let Some(motion) = moved.get(&world.units.key[unit]) {
                set_motion(&mut world.units, unit, *motion);
            }
        }
        world.carry_obstacles(0.0);
    }

    /// Returns true for a state that [`Simulation::add_units`] adds: its group exists, its key is new, and its motion
    /// is finite.
    fn is_new(&self) -> impl Fn(&UnitState) -> bool {
        let world = self.world();
        let known: KeySet = world.units.key.iter().copied().collect();
        move |state| {
            let has_group = world.groups.iter().any(|group| *group.name == *state.group);
            has_group && state.motion.is_finite() && !known.has(state.key)
        }
    }

    /// Removes the states that [`Simulation::add_units`] would skip. The others have the present marks and signals of the names
    /// that they had.
    pub fn fit_new(&self, states: &mut Vec<UnitState>) {
        states.retain(self.is_new());
        let World { marks, signals, .. } = self.world();
        for state in states {
            let Some(names) = state.names.take() else { continue };
            let [old_marks, old_signals] = &*names;
            if old_marks != marks.all() {
                state.marks = mapped(state.marks, &marks.bits_of(old_marks));
            }
            if old_signals != signals.all() {
                let at = |name: &String| old_signals.iter().position(|known| known == name);
                let value = |name: &String| at(name).and_then(|at| state.signals.get(at).copied());
                state.signals = signals.all().iter().map(|name| value(name).unwrap_or(0.0)).collect();
            }
        }
    }

    /// Adds units to their groups. States whose group does not exist, whose key is in use or whose motion is not finite
    /// are skipped. A birth after the current
    /// step, possible after a return to an earlier moment, becomes the current step.
    pub fn add_units(&mut self, states: &[UnitState]) {
        let world = self.world();
        let is_new = self.is_new();
        let mut new: Vec<_> = states.iter().filter(move |state| is_new(state)).collect();
        new.sort_by_key(|state| state.at);
        let members = world.groups.iter().map(|group| {
            let mut members: Vec<_> = group.units.clone().map(Member::Kept).collect();
            for state in new.iter().filter(|state| *state.group == *group.name) {
                members.insert(state.at.min(members.len()), Member::New(state));
            }
            members
        });
        let members: Vec<_> = members.collect();
        self.set_members(&members);
    }

    /// Removes units by their keys, except the player.
    pub fn remove_units(&mut self, keys: &[u64]) {
        let (world, keys) = (self.world(), keys.iter().copied().collect::<KeySet>());
        let stays = |unit: &usize| world.player == Some(*unit) || !keys.has(world.units.key[*unit]);
        let members = world.groups.iter().map(|group| {
            let kept = group.units.clone().filter(stays);
            kept.map(Member::Kept).collect()
        });
        let members: Vec<_> = members.collect();
        self.set_members(&members);
    }

    /// Replaces the units of each group, in this order.
    fn set_members(&mut self, members: &[Vec<Member<'_>>]) {
        let world = self.world();
        let (mut splice, mut new, mut memories) = (Splice::default(), Units::default(), Vec::new());
        for (number, members) in members.iter().enumerate() {
            splice.add_group();
            for (at, member) in members.iter().enumerate() {
                match member {
                    Member::Kept(unit) => splice.add_remaining(*unit..*unit + 1),
                    Member::New(state) => {
                        splice.add_new(1);
                        let unit = new.len();
                        state.push_to(&mut new, world.units.signals.count(), number as u16);
                        new.born[unit] = state.born.min(world.steps);
                        memories.push((number, at, state.memory.clone()));
                    }
                }
            }
        }
        self.splice(&splice, &mut new);
        self.decided = DecidedStep::Unknown;
        for (group, index, memory) in memories {
            if let Some(behaviors) = self.behaviors.get_mut(group) {
                behaviors.remember(index, &memory);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn a_unit_returns_with_the_marks_and_signals_of_its_names_after_they_were_renumbered() {
        let mut simulation = simulation();
        let names = |names: [&str; 2]| names.map(str::to_owned);
        simulation.set_names(&names(["a", "b"]), &names(["s", "t"]));
        let world = simulation.world_mut();
        world.units.marks[0] = 0b10;
        world.units.signals.of_units_mut(0..1).copy_from_slice(&[1.0, 2.0]);
        let mut states = simulation.unit_states([0]);
        simulation.remove_units(&[states[0].key]);
        simulation.set_names(&names(["b", "c"]), &names(["t", "u"]));
        simulation.fit_new(&mut states);
        simulation.add_units(&states);
        let units = &simulation.world().units;
        assert_eq!((units.marks[0], units.signals.of(0)), (0b01, &[2.0, 0.0][..]));
    }

    use glam::Vec3;

    use super::*;
    use crate::world::testing::plane;
    use crate::world::{Edges, Group, World, unit_key};

    fn simulation() -> Simulation {
        let mut world = World { arena: plane(100.0, 100.0, Edges::Open), ..World::default() };
        for (name, count) in [("a", 3), ("b", 2)] {
            let group = world.groups.len() as u16;
            let first = world.units.len();
            for index in 0..count {
                let at = Vec3::new(index as f32, f32::from(group), 0.0);
                world.units.push(at, Vec3::X, (Vec3::X, Vec3::Z), group, unit_key(name, index));
            }
            let units = first..world.units.len();
            world.groups.push(Group { name: name.to_owned(), units, ..Group::default() });
        }
        world.player = Some(4);
        Simulation::new(world, Vec::new())
    }

    #[test]
    fn removing_and_adding_units_restores_the_world() {
        let mut simulation = simulation();
        let before = simulation.world().clone();
        let states: Vec<_> = [1, 2].into_iter().filter_map(|unit| simulation.unit_state(unit)).collect();
        let keys: Vec<_> = states.iter().map(|state| state.key).collect();
        simulation.remove_units(&keys);
        let world = simulation.world();
        assert_eq!((world.units.len(), world.groups[0].units.clone(), world.player), (3, 0..1, Some(2)));
        assert_eq!(world.groups[1].units, 1..3);
        simulation.step();
        simulation.remove_units(&[before.units.key[4]]);
        assert_eq!(simulation.world().units.len(), 3, "the player stays");
        let mut simulation = self::simulation();
        simulation.remove_units(&keys);
        simulation.add_units(&states);
        simulation.add_units(&states);
        assert_eq!(simulation.world(), &before);
    }

    #[test]
    fn the_age_of_a_unit_begins_with_its_step() {
        let mut simulation = simulation();
        (0..3).for_each(|_| simulation.step());
        let (before, mut state) = (simulation.hash(), simulation.unit_state(1).unwrap());
        simulation.remove_units(&[state.key]);
        simulation.add_units(std::slice::from_ref(&state));
        assert_eq!(simulation.hash(), before);
        simulation.remove_units(&[state.key]);
        state.born = 99;
        simulation.add_units(&[state]);
        assert_ne!(simulation.hash(), before);
        let ages = |simulation: &Simulation| [0, 1].map(|unit| simulation.world().age(unit));
        assert_eq!(ages(&simulation), [simulation.world().time(), 0.0]);
        (0..2).for_each(|_| simulation.step());
        assert_eq!(ages(&simulation), [simulation.world().time(), 2.0 * simulation.world().step]);
    }

    #[test]
    fn units_are_moved_by_their_keys() {
        let mut simulation = simulation();
        let state = simulation.unit_state(3).unwrap();
        simulation.remove_units(&[unit_key("a", 0)]);
        let to = Motion { position: Vec3::splat(9.0), velocity: Vec3::Y, ..state.motion };
        let lost = Motion { position: Vec3::NAN, ..to };
        simulation.move_units(&[(state.key, to), (1, to), (unit_key("a", 1), lost)]);
        let units = &simulation.world().units;
        assert_eq!((units.position[2], units.velocity[2]), (to.position, to.velocity));
        assert!(units.position.iter().all(|position| position.is_finite()));
    }
}
