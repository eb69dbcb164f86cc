//! A copy of everything that the next steps depend on.

use super::group_behaviors::GroupBehaviors;
use super::{MemoryLayout, Slot};
use crate::world::World;

/// A state to return to.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) world: World,
    behaviors: Vec<Kept>,
}

/// The memory of one group: the layouts it is written in, and the rows.
#[derive(Clone, Debug)]
struct Kept {
    layouts: Vec<(u64, MemoryLayout)>,
    stride: usize,
    memory: Vec<u32>,
    /// How the behaviors fared until then.
    slots: Vec<Slot>,
}

impl Snapshot {
    pub(super) fn of(world: &World, behaviors: &[GroupBehaviors]) -> Self {
        let behaviors = behaviors.iter().map(|group_behaviors| Kept {
            layouts: group_behaviors
                .slots
                .iter()
                .map(|slot| (slot.key, layout(slot)))
                .collect(),
            stride: group_behaviors.stride(),
            memory: group_behaviors.memory.clone(),
            slots: group_behaviors.slots.clone(),
        });
        Self {
            world: world.clone(),
            behaviors: behaviors.collect(),
        }
    }

    /// The step it was taken after.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// Writes the memories back into behaviors for the world of this snapshot.
    pub(super) fn give_back(&self, behaviors: &mut Vec<GroupBehaviors>, world: &World) {
        let mut slots = behaviors
            .iter()
            .map(|group_behaviors| group_behaviors.slots.clone())
            .collect::<Vec<_>>()
            .into_iter();
        *behaviors = (world.groups.iter())
            .zip(&self.behaviors)
            .map(|(group, kept)| {
                kept.group_behaviors(slots.next().unwrap_or_default(), group.units.len(), world)
            })
            .collect();
    }
}

impl Kept {
    fn group_behaviors(&self, slots: Vec<Slot>, units: usize, world: &World) -> GroupBehaviors {
        // Nobody was anybody before, so nothing is remembered and nothing can fail.
        let (mut group_behaviors, _) =
            GroupBehaviors::take_over(slots, &vec![None; units], world, &[]);
        for slot in &mut group_behaviors.slots {
            slot.inherit(&self.slots);
        }
        let stride = group_behaviors.stride();
        for (row, old) in group_behaviors
            .memory
            .chunks_exact_mut(stride)
            .zip(self.memory.chunks_exact(self.stride))
        {
            let mut to = 0;
            for slot in &group_behaviors.slots {
                let new = layout(slot);
                let mut from = 0;
                for (key, before) in &self.layouts {
                    if *key == slot.key {
                        new.migrate(&mut row[to..], before, &old[from..]);
                    }
                    from += before.words();
                }
                to += new.words();
            }
        }
        group_behaviors
    }
}

fn layout(slot: &Slot) -> MemoryLayout {
    slot.behavior
        .as_ref()
        .map(|behavior| behavior.memory().clone())
        .unwrap_or_default()
}
