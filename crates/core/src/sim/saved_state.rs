//! The state of a simulation as plain data, for files: everything by name or key, nothing by index or address.
//!
//! A state is untrusted. [`Simulation::load_state`] accepts only values that a simulation can have.

use std::collections::BTreeMap;
use std::sync::Arc;

use glam::Vec3;
use serde::de::Error as _;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use thiserror::Error;

use super::group_behaviors::GroupBehaviors;
use super::memory::{FieldKind, MemoryLayout};
use super::routes;
use super::simulation::Simulation;
use super::suspension::SuspensionState;
use super::unit_state::UnitState;
use crate::dynamics::Motion;
use crate::world::{Controls, KeySet, Names, Obstacle, PairLists, PastSteps, Units, World, Zone};

/// Maximum deviation of the attitude's axes from perpendicular unit vectors.
const SKEW: f32 = 1e-2;

/// A state that does not fit the simulation, with the reason.
#[derive(Clone, Debug, PartialEq, Eq, Error)]
#[error("the state does not fit the scene: {0}")]
pub struct StateError(pub String);

/// All state that the next steps depend on, except the rules.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SavedState {
    /// The number of steps before it.
    pub steps: u64,
    /// The seed of all random draws.
    pub seed: u64,
    target: Option<Vec3>,
    controls: Controls,
    /// Key of the unit that the keyboard steers.
    player: Option<u64>,
    /// Names of marks, by bit, and of signals, by slot.
    marks: Vec<String>,
    signals: Vec<String>,
    obstacles: Vec<Obstacle>,
    /// Names and values of environment grids.
    grids: Vec<(String, Vec<f32>)>,
    touching: PairLists,
    groups: Vec<SavedGroup>,
    /// Stored apart, since older files do not contain it.
    #[serde(skip)]
    pub changes: SavedChanges,
}

/// Traces of changes of the scene: of `step`, of `speed` and paths of obstacles, of zones and numbers of units; none in most
/// states.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct SavedChanges {
    /// The durations of earlier steps, and the number of steps up to the end of each.
    steps: Vec<(u64, f32)>,
    /// Indices of obstacles, and the distances that they traveled beyond speed × time.
    leads: Vec<(usize, f64)>,
    /// See [`World::former_zones`].
    zones: Option<Vec<Zone>>,
    /// See [`World::started`].
    started: BTreeMap<String, usize>,
    /// See [`World::population`]; files of earlier versions end before it.
    #[serde(deserialize_with = "or_default")]
    population: BTreeMap<String, [u64; 2]>,
}

/// Reads the last value of a file, or returns the default.
#[allow(clippy::unnecessary_wraps, reason = "the signature that serde expects")]
fn or_default<'de, D: Deserializer<'de>, T: Deserialize<'de> + Default>(source: D) -> Result<T, D::Error> {
    Ok(T::deserialize(source).unwrap_or_default())
}

/// A group, its units and the state of its behaviors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedGroup {
    name: String,
    view: Option<String>,
    units: Vec<SavedUnit>,
    behaviors: Vec<SavedBehavior>,
}

/// The state of one behavior in a group.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedBehavior {
    key: u64,
    gain: f32,
    enabled: bool,
    suspension: SuspensionState,
}

/// A unit with its memory.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SavedUnit {
    key: u64,
    #[serde(serialize_with = "with_axes")]
    motion: Motion,
    born: u64,
    marks: u64,
    signals: Vec<f32>,
    memory: Vec<SavedMemory>,
}

/// The memory of a unit for one behavior: its key, its fields in order, and their words.
type SavedMemory = (u64, Vec<(String, FieldKind)>, Vec<u32>);

impl From<&UnitState> for SavedUnit {
    fn from(state: &UnitState) -> Self {
        let memory = state.memory.iter().map(|(key, layout, words)| {
            let fields = layout.fields().iter().map(|field| (field.name.clone(), field.kind));
            (*key, fields.collect(), words[..layout.field_words()].to_vec())
        });
        let UnitState { key, motion, born, marks, .. } = *state;
        Self { key, motion, born, marks, signals: state.signals.clone(), memory: memory.collect() }
    }
}

impl Serialize for UnitState {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        (&*self.group, self.at, SavedUnit::from(self)).serialize(serializer)
    }
}

/// Writes a motion that can be read again.
fn with_axes<S: Serializer>(motion: &Motion, serializer: S) -> Result<S::Ok, S::Error> {
    require_axes(motion, "this state").map_err(serde::ser::Error::custom)?;
    motion.serialize(serializer)
}

/// Checks that heading and up are perpendicular unit vectors.
fn require_axes(motion: &Motion, group: &str) -> Result<(), StateError> {
    let Motion { heading, up, .. } = motion;
    let skew = [heading.length_squared() - 1.0, up.length_squared() - 1.0, heading.dot(*up)];
    require(skew.iter().all(|it| it.abs() < SKEW), || {
        format!("the axes of a unit of {group} are not perpendicular unit vectors")
    })
}

impl<'de> Deserialize<'de> for UnitState {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let (group, at, unit) = <(String, usize, SavedUnit)>::deserialize(deserializer)?;
        unit.unit_state(&group, at).map_err(D::Error::custom)
    }
}

impl SavedUnit {
    /// Returns the unit as the `at`-th of a group.
    ///
    /// # Errors
    /// If it is not the state of a unit.
    fn unit_state(&self, group: &str, at: usize) -> Result<UnitState, StateError> {
        require(self.motion.is_finite(), || format!("the motion of a unit of {group} is not finite"))?;
        require_axes(&self.motion, group)?;
        let mut memory = Vec::new();
        for (key, fields, words) in &self.memory {
            let mut layout = MemoryLayout::default();
            for (name, kind) in fields {
                layout.push(name.clone(), *kind, [0; 3]);
            }
            require(layout.words() == words.len(), || {
                format!("the memory of a unit of {group} is incomplete")
            })?;
            memory.push((*key, Arc::new(layout), words.clone()));
        }
        let (group, signals) = (group.into(), self.signals.clone());
        let Self { key, motion, born, marks, .. } = *self;
        Ok(UnitState { group, at, key, motion, born, marks, signals, memory, names: None })
    }
}

impl SavedState {
    /// The number of units.
    pub fn units(&self) -> usize {
        self.groups.iter().map(|group| group.units.len()).sum()
    }
}

fn require(holds: bool, message: impl FnOnce() -> String) -> Result<(), StateError> {
    if holds { Ok(()) } else { Err(StateError(message())) }
}

impl Simulation {
    /// Returns all state that the next steps depend on, except the rules.
    pub fn saved_state(&self) -> SavedState {
        let world = self.world();
        let groups = world.groups.iter().enumerate().map(|(number, group)| {
            let behaviors = self.slots(number).iter().map(|slot| SavedBehavior {
                key: slot.key,
                gain: slot.gain,
                enabled: slot.enabled,
                suspension: slot.suspension,
            });
            SavedGroup {
                name: group.name.clone(),
                view: group.view.map(|view| world.views[view].name.clone()),
                units: self.unit_states(group.units.clone()).iter().map(SavedUnit::from).collect(),
                behaviors: behaviors.collect(),
            }
        });
        SavedState {
            steps: world.steps,
            seed: world.seed,
            target: world.target,
            controls: world.controls,
            player: world.player.map(|player| world.units.key[player]),
            marks: world.marks.all().to_vec(),
            signals: world.signals.all().to_vec(),
            // Their motion is that of the scene.
            obstacles: world.obstacles.iter().map(Obstacle::resting).collect(),
            grids: world.grids.iter().map(|grid| (grid.name.clone(), grid.values().to_vec())).collect(),
            touching: world.units.touching.clone(),
            groups: groups.collect(),
            changes: SavedChanges {
                steps: world.past.spans().collect(),
                leads: world.leads().collect(),
                zones: world.former_zones.clone(),
                started: world.started.clone(),
                population: world.population.clone(),
            },
        }
    }

    /// Replaces the state of a simulation whose scene has the same groups, including gains and switches. Behaviors that
    /// the state does not contain have initial memory.
    ///
    /// # Errors
    /// If the state does not fit; the simulation is unchanged.
    pub fn load_state(&mut self, saved: &SavedState) -> Result<(), StateError> {
        let mut world = self.named(saved)?;
        let mut units = Units::default();
        units.signals.resize(world.signals.all().len(), 0);
        let mut all = Vec::new();
        for (number, (group, known)) in world.groups.iter_mut().zip(&saved.groups).enumerate() {
            let (first, count) = (units.len(), world.signals.all().len());
            let keys: Vec<_> = known.units.iter().map(|unit| unit.key).collect();
            let mut behaviors = GroupBehaviors::new(self.loaded_slots(number, known), saved.seed, &keys);
            for (at, unit) in known.units.iter().enumerate() {
                let state = unit.unit_state(&known.name, at)?;
                require(state.born <= saved.steps, || {
                    format!("a unit of {} is spawned after the moment of the state", known.name)
                })?;
                state.push_to(&mut units, count, number as u16);
                behaviors.remember(at, &state.memory);
            }
            group.units = first..units.len();
            all.push(behaviors);
        }
        let keys: KeySet = units.key.iter().copied().collect();
        require(keys.are_unique(), || "two units have the same key".to_owned())?;
        require(saved.touching.are_of(units.len()), || "contacts of units that do not exist".to_owned())?;
        units.touching = saved.touching.clone();
        world.player = saved.player.and_then(|key| units.key.iter().position(|other| *other == key));
        require(world.player.is_some() == saved.player.is_some(), || "there is no player".to_owned())?;
        let mut world = World { units, ..world };
        world.carry_obstacles(0.0);
        routes::settle(&mut world);
        self.replace_all(world, all);
        Ok(())
    }

    /// Returns the world with the parts of the state that are neither units nor behaviors.
    fn named(&self, saved: &SavedState) -> Result<World, StateError> {
        let mut world = self.world().clone();
        let known = world.groups.iter().map(|group| &group.name);
        require(known.eq(saved.groups.iter().map(|group| &group.name)), || {
            let names = |names: Vec<&str>| names.join(", ");
            let has = names(world.groups.iter().map(|group| group.name.as_str()).collect());
            let wants = names(saved.groups.iter().map(|group| group.name.as_str()).collect());
            format!("its groups are {wants}, those of the scene are {has}")
        })?;
        for (group, saved) in world.groups.iter_mut().zip(&saved.groups) {
            let view = saved.view.as_ref();
            let found = view.map(|view| world.views.iter().position(|other| other.name == *view));
            let missing = || format!("there is no view {}", view.map_or("", String::as_str));
            require(found != Some(None), missing)?;
            group.view = found.flatten();
        }
        for obstacle in &saved.obstacles {
            require(obstacle.is_finite(), || "an obstacle has no finite size".to_owned())?;
        }
        require(saved.grids.len() == world.grids.len(), || "it has another number of grids".to_owned())?;
        for grid in &mut world.grids {
            let known = saved.grids.iter().find(|(name, _)| *name == grid.name);
            let fits = known.is_some_and(|(_, values)| grid.set_values(values.clone()));
            require(fits, || format!("it has no grid {} of the same cells", grid.name))?;
        }
        let controls = saved.controls;
        let are_finite = [controls.turn, controls.rise, controls.power].iter().all(|it| it.is_finite());
        let is_finite = saved.target.is_none_or(Vec3::is_finite) && are_finite;
        require(is_finite, || "target or controls are not finite".to_owned())?;
        (world.target, world.controls) = (saved.target, controls);
        (world.steps, world.seed) = (saved.steps, saved.seed);
        let past = PastSteps::new(&saved.changes.steps, saved.steps);
        world.past = past.ok_or_else(|| StateError("durations of its steps are impossible".to_owned()))?;
        let are_finite = saved.changes.leads.iter().all(|(_, lead)| lead.is_finite());
        require(are_finite, || "the way of an obstacle is not finite".to_owned())?;
        world.set_leads(&saved.changes.leads);
        let mut zones = saved.changes.zones.iter().flatten();
        require(zones.all(|zone| zone.area.is_finite()), || "a zone has no finite size".to_owned())?;
        let SavedChanges { zones, started, population, .. } = saved.changes.clone();
        (world.former_zones, world.started, world.population) = (zones, started, population);
        let period = world.arena.period();
        world.former_zones.iter_mut().flatten().for_each(|zone| zone.area.period = period);
        world.replace_obstacles(saved.obstacles.clone());
        world.marks = renamed(&saved.marks, world.marks.all(), "marks")?;
        world.signals = renamed(&saved.signals, world.signals.all(), "signals")?;
        Ok(world)
    }

    /// Returns the behaviors of a group with the values and failures of the state.
    fn loaded_slots(&self, group: usize, saved: &SavedGroup) -> Vec<super::slot::Slot> {
        let mut slots = self.slots(group).to_vec();
        for slot in &mut slots {
            let known = saved.behaviors.iter().find(|known| known.key == slot.key);
            if let Some(known) = known.filter(|known| known.gain.is_finite()) {
                (slot.gain, slot.enabled, slot.suspension) = (known.gain, known.enabled, known.suspension);
            }
        }
        slots
    }
}

/// Returns the names of a state in their order, followed by further names of the scene while there is room.
fn renamed<const MAX: usize>(
    saved: &[String],
    further: &[String],
    what: &str,
) -> Result<Names<MAX>, StateError> {
    let mut names = Names::default();
    for name in saved {
        names.intern(name).map_err(|full| StateError(format!("{what}: {full}")))?;
    }
    require(names.all().len() == saved.len(), || format!("two {what} have the same name"))?;
    names.intern_all(further);
    Ok(names)
}

#[cfg(test)]
mod tests;
