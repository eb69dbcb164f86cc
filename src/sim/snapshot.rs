//! A copy of everything that the next steps depend on.

use super::group_behaviors::GroupBehaviors;
use super::memory_table::MemoryTable;
use super::slot::Slot;
use crate::world::World;

/// A state to return to.
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
    pub(super) fn of(world: &World, behaviors: &[GroupBehaviors]) -> Self {
        let group = |behaviors: &GroupBehaviors| GroupSnapshot {
            memory: behaviors.memory.clone(),
            slots: behaviors.slots.clone(),
        };
        Self { world: world.clone(), groups: behaviors.iter().map(group).collect() }
    }

    /// The step it was taken after.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// `behaviors`, as they were in the world of this snapshot.
    pub(super) fn restore(&self, behaviors: Vec<GroupBehaviors>) -> Vec<GroupBehaviors> {
        let slots = behaviors.into_iter().map(|behaviors| behaviors.slots);
        let slots = slots.chain(std::iter::repeat_with(Vec::new));
        let groups = self.world.groups.iter().zip(&self.groups).zip(slots);
        let restored = groups.map(|((group, saved), mut slots)| {
            for slot in &mut slots {
                slot.inherit(&saved.slots);
            }
            let mut behaviors = GroupBehaviors::new(slots, group.units.len());
            behaviors.memory.migrate(&saved.memory);
            behaviors
        });
        restored.collect()
    }
}
