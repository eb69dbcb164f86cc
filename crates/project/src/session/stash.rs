//! State that a reload dropped and that returns with what it belongs to: units and memory that an unsaved text lacks come
//! back when it ends, and memory that a save lacks when one of the next saves declares it again.

use std::collections::{BTreeMap, VecDeque};
use std::sync::Arc;

use steerbox_core::diagnostics::counted;
use steerbox_core::sim::{MemoryLayout, Simulation, UnitState};

/// Simulated seconds after which memory that a save dropped does not return.
const SECONDS: f32 = 10.0;

/// State of units that a reload dropped.
#[derive(Default)]
pub(super) struct Stash {
    /// By the keys of units.
    units: BTreeMap<u64, Stashed>,
    /// True while an unsaved text runs: nothing expires.
    is_trial: bool,
    /// The last step in which memory dropped by a save returns.
    until: u64,
}

struct Stashed {
    /// The unit. Its memory has the fields that were dropped, oldest first.
    state: UnitState,
    /// True if the unit itself was dropped.
    is_gone: bool,
}

/// State that returns.
#[derive(Default)]
pub(super) struct Restored {
    /// Units that exist again, each with the key of the new unit that it replaces.
    pub(super) units: Vec<(u64, UnitState)>,
    /// Units of which parts of the memory exist again.
    pub(super) memory: Vec<UnitState>,
}

impl Stash {
    /// Compares the states before and after a swap. Stores what it dropped; returns what it brought back. `is_trial` is true
    /// if an unsaved text runs now.
    pub(super) fn follow(&mut self, before: &Simulation, after: &Simulation, is_trial: bool) -> Restored {
        let world = after.world();
        if !self.is_trial && !is_trial && world.steps > self.until {
            self.units.clear();
        }
        let old = Units::new(before);
        let new = Units::new(after);
        let restored = self.restored(&old, &new);
        if is_trial || self.is_trial {
            // A trial that has ended leaves nothing behind.
            self.units.retain(|_, _| is_trial);
        }
        if drops(before, after, &old, &new) {
            self.add(&old, &new, is_trial);
            self.until = world.steps + (SECONDS / world.step.max(1e-6)) as u64;
        }
        self.is_trial = is_trial;
        restored
    }

    /// Removes and returns the state of units and fields that exist after a swap and did not before.
    fn restored(&mut self, old: &Units<'_>, new: &Units<'_>) -> Restored {
        let mut restored = Restored::default();
        let places = self.places(old, new);
        for (key, stashed) in &mut self.units {
            let mut present = *key;
            if let Some(place) = places.get(key) {
                restored.units.push((*place, stashed.state.clone()));
                (stashed.is_gone, present) = (false, *place);
            } else if !stashed.is_gone && old.has(*key) && new.has(*key) {
                let returns = |(key_of, layout, words): &Memory| {
                    lacking((layout, words), old.layout(*key, *key_of))
                        .filter(|(layout, _)| has_any(layout, new.layout(*key, *key_of)))
                        .map(|(layout, words)| (*key_of, layout, words))
                };
                let memory: Vec<_> = stashed.state.memory.iter().filter_map(returns).collect();
                if !memory.is_empty() {
                    restored.memory.push(UnitState { memory, ..stashed.state.clone() });
                }
            } else {
                continue;
            }
            let rest = |(key_of, layout, words): &Memory| {
                let rest = lacking((layout, words), new.layout(present, *key_of));
                rest.map(|(layout, words)| (*key_of, layout, words))
            };
            stashed.state.memory = stashed.state.memory.iter().filter_map(rest).collect();
        }
        self.units.retain(|_, stashed| stashed.is_gone || !stashed.state.memory.is_empty());
        restored
    }

    /// Returns by the keys of dropped units the keys of new units whose places they occupy again: those of their group, in
    /// order.
    fn places(&self, old: &Units<'_>, new: &Units<'_>) -> BTreeMap<u64, u64> {
        let mut gone: Vec<_> = self.units.values().filter(|it| it.is_gone).map(|it| &it.state).collect();
        gone.sort_by_key(|state| state.at);
        let mut added: BTreeMap<&str, VecDeque<u64>> = BTreeMap::new();
        let world = new.simulation.world();
        for (key, group) in world.units.key.iter().zip(&world.units.group).filter(|(key, _)| !old.has(**key))
        {
            added.entry(&world.groups[usize::from(*group)].name).or_default().push_back(*key);
        }
        gone.into_iter()
            .filter_map(|state| Some((state.key, added.get_mut(&*state.group)?.pop_front()?)))
            .collect()
    }

    /// Stores the units and fields that exist before a swap and do not after it. Units that a save removes stay removed.
    fn add(&mut self, old: &Units<'_>, new: &Units<'_>, is_trial: bool) {
        for state in old.states() {
            let key = state.key;
            let is_gone = !new.has(key);
            if is_gone && !is_trial {
                continue;
            }
            let lost = |(key_of, layout, words): &Memory| {
                let layout_now = if is_gone { None } else { new.layout(key, *key_of) };
                let lost = lacking((layout, words), layout_now);
                lost.map(|(layout, words)| (*key_of, layout, words))
            };
            let lost: Vec<_> = state.memory.iter().filter_map(lost).collect();
            if lost.is_empty() && !is_gone {
                continue;
            }
            let earlier = self.units.remove(&key).map_or(Vec::new(), |earlier| earlier.state.memory);
            let memory = earlier.into_iter().chain(lost).collect();
            self.units.insert(key, Stashed { state: UnitState { memory, ..state }, is_gone });
        }
    }
}

impl Restored {
    /// Returns the line for the user, if anything returned.
    pub(super) fn note(&self) -> Option<String> {
        let units = |count: usize| counted(count, ["unit", "units"]);
        match (self.units.len(), self.memory.len()) {
            (0, 0) => None,
            (0, count) => Some(format!("memory of {} returned", units(count))),
            (count, _) => Some(format!("{} returned as before", units(count))),
        }
    }
}

/// The memory of a behavior: its key, the fields and their words.
type Memory = (u64, Arc<MemoryLayout>, Vec<u32>);

/// The units of a simulation by key.
struct Units<'a> {
    simulation: &'a Simulation,
    index: BTreeMap<u64, usize>,
}

impl<'a> Units<'a> {
    fn new(simulation: &'a Simulation) -> Self {
        let keys = simulation.world().units.key.iter().copied();
        Self { simulation, index: keys.zip(0..).collect() }
    }

    fn has(&self, key: u64) -> bool {
        self.index.contains_key(&key)
    }

    /// Returns the memory of a unit for a behavior by its key.
    fn layout(&self, unit: u64, behavior: u64) -> Option<&'a Arc<MemoryLayout>> {
        let mut memory = self.simulation.memory(*self.index.get(&unit)?);
        memory.find(|(slot, ..)| slot.key == behavior).map(|(_, layout, _)| layout)
    }

    fn states(&self) -> Vec<UnitState> {
        let player = self.simulation.world().player;
        self.simulation.unit_states(self.index.values().copied().filter(|unit| Some(*unit) != player))
    }
}

/// Returns true if a swap drops units or fields of memory.
fn drops(before: &Simulation, after: &Simulation, old: &Units<'_>, new: &Units<'_>) -> bool {
    let layouts = |simulation: &Simulation, group: usize| -> Vec<(u64, MemoryLayout)> {
        let slots = simulation.slots(group).iter();
        slots.filter_map(|slot| Some((slot.key, slot.behavior.as_ref()?.memory().clone()))).collect()
    };
    let lacks = |(index, group): (usize, &steerbox_core::world::Group)| {
        let now = after.world().groups.iter().position(|now| now.name == group.name);
        let now = now.map_or(Vec::new(), |now| layouts(after, now));
        layouts(before, index).iter().any(|(key, layout)| {
            let now = now.iter().find(|(other, _)| other == key).map(|(_, layout)| layout);
            layout.without(now, &vec![0; layout.words()]).is_some()
        })
    };
    before.world().groups.iter().enumerate().any(lacks) || old.index.keys().any(|key| !new.has(*key))
}

/// Returns the fields that a layout lacks, with their words.
fn lacking(
    (layout, words): (&MemoryLayout, &[u32]),
    other: Option<&Arc<MemoryLayout>>,
) -> Option<(Arc<MemoryLayout>, Vec<u32>)> {
    let (layout, words) = layout.without(other.map(|other| &**other), words)?;
    Some((Arc::new(layout), words))
}

/// Returns true if a layout has one of these fields.
fn has_any(layout: &MemoryLayout, other: Option<&Arc<MemoryLayout>>) -> bool {
    let fields = other.into_iter().flat_map(|other| other.fields());
    fields.into_iter().any(|field| {
        layout.fields().iter().any(|known| (&known.name, known.kind) == (&field.name, field.kind))
    })
}
