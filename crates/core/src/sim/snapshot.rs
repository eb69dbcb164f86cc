//! A copy of all state that the next steps depend on.

use super::group_behaviors::GroupBehaviors;
use super::memory_table::MemoryTable;
use super::slot::Slot;
use crate::world::{Group, World};

/// Bytes per unit without signals and memory: five vectors, marks, group, key, step of spawning, and a contact.
const UNIT: usize = 5 * 12 + 8 + 2 + 8 + 8 + 8;
/// Approximate bytes of a group or an obstacle.
const SCENE_PART: usize = 512;

/// A state that can be restored.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) world: World,
    groups: Vec<GroupSnapshot>,
}

/// The memory of one group, and the suspension of its behaviors.
#[derive(Clone, Debug)]
struct GroupSnapshot {
    memory: MemoryTable,
    slots: Vec<Slot>,
}

impl Snapshot {
    pub(super) fn new(world: &World, behaviors: &[GroupBehaviors]) -> Self {
        let group = |behaviors: &GroupBehaviors| GroupSnapshot {
            memory: behaviors.memory.clone(),
            slots: behaviors.slots.clone(),
        };
        Self { world: world.clone(), groups: behaviors.iter().map(group).collect() }
    }

    /// The world.
    pub fn world(&self) -> &World {
        &self.world
    }

    /// The number of steps before it.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// Approximate memory in bytes.
    pub fn bytes(&self) -> usize {
        let units = self.world.units.len() * (UNIT + 4 * self.world.signals.all().len());
        let group = |group: &GroupSnapshot| {
            size_of_val(group.memory.words()) + group.slots.len() * size_of::<Slot>() + SCENE_PART
        };
        let groups: usize = self.groups.iter().map(group).sum();
        let grids: usize = self.world.grids.iter().map(|grid| size_of_val(grid.values())).sum();
        size_of::<Self>() + units + groups + grids + self.world.obstacles.len() * SCENE_PART
    }

    /// Creates behaviors of a group with initial memory.
    fn fresh(&self, slots: Vec<Slot>, group: &Group) -> GroupBehaviors {
        GroupBehaviors::new(slots, self.world.seed, &self.world.units.key[group.units.clone()])
    }

    /// Restores all behaviors exactly.
    pub(super) fn behaviors(&self) -> Vec<GroupBehaviors> {
        let groups = self.world.groups.iter().zip(&self.groups);
        let restored = groups.map(|(group, saved)| GroupBehaviors {
            memory: saved.memory.clone(),
            ..self.fresh(saved.slots.clone(), group)
        });
        restored.collect()
    }

    /// Restores the state of `behaviors` in the world of this snapshot.
    pub(super) fn restore(&self, behaviors: Vec<GroupBehaviors>) -> Vec<GroupBehaviors> {
        let slots = behaviors.into_iter().map(|behaviors| behaviors.slots);
        let slots = slots.chain(std::iter::repeat_with(Vec::new));
        let groups = self.world.groups.iter().zip(&self.groups).zip(slots);
        let restored = groups.map(|((group, saved), mut slots)| {
            for slot in &mut slots {
                slot.inherit(&saved.slots);
            }
            let mut behaviors = self.fresh(slots, group);
            behaviors.memory.migrate(&saved.memory);
            behaviors
        });
        restored.collect()
    }
}
