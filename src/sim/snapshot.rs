//! A copy of everything that the next steps depend on.

use super::crew::Crew;
use super::{MemoryLayout, Slot};
use crate::world::World;

/// A state to return to.
#[derive(Clone, Debug)]
pub struct Snapshot {
    pub(super) world: World,
    crews: Vec<Kept>,
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
    pub(super) fn of(world: &World, crews: &[Crew]) -> Self {
        let crews = crews.iter().map(|crew| Kept {
            layouts: crew
                .slots
                .iter()
                .map(|slot| (slot.key, layout(slot)))
                .collect(),
            stride: crew.stride(),
            memory: crew.memory.clone(),
            slots: crew.slots.clone(),
        });
        Self {
            world: world.clone(),
            crews: crews.collect(),
        }
    }

    /// The step it was taken after.
    pub fn steps(&self) -> u64 {
        self.world.steps
    }

    /// Writes the memories back into crews for the world of this snapshot.
    pub(super) fn give_back(&self, crews: &mut Vec<Crew>, world: &World) {
        let mut slots = crews
            .iter()
            .map(|crew| crew.slots.clone())
            .collect::<Vec<_>>()
            .into_iter();
        *crews = (world.groups.iter())
            .zip(&self.crews)
            .map(|(group, kept)| {
                kept.crew(slots.next().unwrap_or_default(), group.units.len(), world)
            })
            .collect();
    }
}

impl Kept {
    fn crew(&self, slots: Vec<Slot>, units: usize, world: &World) -> Crew {
        let mut crew = Crew::take_over(slots, &vec![None; units], world, &[]);
        for slot in &mut crew.slots {
            slot.tire_like(&self.slots);
        }
        let stride = crew.stride();
        for (row, old) in crew
            .memory
            .chunks_exact_mut(stride)
            .zip(self.memory.chunks_exact(self.stride))
        {
            let mut to = 0;
            for slot in &crew.slots {
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
        crew
    }
}

fn layout(slot: &Slot) -> MemoryLayout {
    slot.behavior
        .as_ref()
        .map(|behavior| behavior.memory().clone())
        .unwrap_or_default()
}
