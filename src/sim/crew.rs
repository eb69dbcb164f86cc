//! The behaviors of one group, and what they remember and decide for each of its units.

use std::sync::Arc;

use super::{Behavior, Contribution, Drawing, Failure, MemoryLayout, Senses};
use crate::world::World;

/// Units that one worker decides for in one go.
pub(super) const CHUNK: usize = 32;

/// A behavior in its place in a group.
#[derive(Clone)]
pub struct Slot {
    /// The script's name, as users know it.
    pub script: String,
    /// What random draws and memory know it by; see [`slot_key`].
    pub key: u64,
    /// What runs; `None` while no version of the script has compiled.
    pub behavior: Option<Arc<dyn Behavior>>,
    /// Weight of its contribution.
    pub gain: f32,
    /// Whether it runs at all.
    pub enabled: bool,
    /// Whether it rests because a limit on work stopped it.
    pub resting: bool,
}

impl Slot {
    /// A behavior that runs.
    pub fn new(script: impl Into<String>, key: u64, behavior: Option<Arc<dyn Behavior>>) -> Self {
        Self {
            script: script.into(),
            key,
            behavior,
            gain: 1.0,
            enabled: true,
            resting: false,
        }
    }

    /// What is to be asked in this step, if anything.
    pub(super) fn active(&self) -> Option<&dyn Behavior> {
        self.behavior
            .as_deref()
            .filter(|_| self.enabled && !self.resting)
    }

    fn layout(&self) -> Option<&MemoryLayout> {
        self.behavior.as_ref().map(|behavior| behavior.memory())
    }

    fn words(&self) -> usize {
        self.layout().map_or(0, MemoryLayout::words)
    }
}

/// What random draws and memory know the `occurrence`-th use (from 0) of a script in a group by.
pub fn slot_key(script: &str, occurrence: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(script.as_bytes(), occurrence as u64)
}

/// One group's behaviors and the rows of its units.
pub(super) struct Crew {
    pub(super) slots: Vec<Slot>,
    /// A row a unit: a contribution a slot.
    pub(super) decisions: Vec<Contribution>,
    /// A row a unit: each slot's memory in turn.
    pub(super) memory: Vec<u32>,
    /// Marks set in this step.
    pub(super) marks: Vec<u64>,
    /// Worker state of each chunk of units.
    pub(super) chunks: Vec<Chunk>,
}

/// What a worker needs for a chunk of units, kept from step to step to spare allocations.
pub(super) struct Chunk {
    pub(super) senses: Senses,
    pub(super) failures: Vec<(usize, usize, Failure)>,
}

impl Crew {
    /// A crew for units that were the units `origin` of `world`, run by `crews`, before.
    pub(super) fn take_over(
        mut slots: Vec<Slot>,
        origin: &[Option<usize>],
        world: &World,
        crews: &[Self],
    ) -> Self {
        for slot in &mut slots {
            slot.resting = crews
                .iter()
                .flat_map(|crew| &crew.slots)
                .any(|old| still_rests(old, slot));
        }
        let units = origin.len();
        let mut crew = Self {
            decisions: vec![Contribution::None; units * slots.len().max(1)],
            memory: Vec::new(),
            marks: vec![0; units],
            chunks: (0..units.div_ceil(CHUNK))
                .map(|_| Chunk::default())
                .collect(),
            slots,
        };
        let stride = crew.stride();
        crew.memory.resize(units * stride, 0);
        for (row, origin) in crew.memory.chunks_exact_mut(stride).zip(origin) {
            let mut at = 0;
            for slot in &crew.slots {
                let words = slot.words();
                remember(slot, &mut row[at..at + words], *origin, world, crews);
                at += words;
            }
        }
        crew
    }

    /// Words in a row of memory: at least one, so that rows can be told apart.
    pub(super) fn stride(&self) -> usize {
        self.slots.iter().map(Slot::words).sum::<usize>().max(1)
    }

    /// Contributions in a row of decisions, at least one.
    pub(super) fn width(&self) -> usize {
        self.slots.len().max(1)
    }

    /// The last contributions to the `index`-th unit of the group.
    pub(super) fn decided(&self, index: usize) -> &[Contribution] {
        let from = index * self.width();
        self.decisions
            .get(from..from + self.slots.len())
            .unwrap_or(&[])
    }

    pub(super) fn drawings(&self) -> impl Iterator<Item = &Drawing> {
        self.chunks.iter().flat_map(|chunk| &chunk.senses.drawings)
    }
}

impl Default for Chunk {
    fn default() -> Self {
        Self {
            senses: Senses::new(Arc::default()),
            failures: Vec::new(),
        }
    }
}

/// Whether `new` is the very behavior that was put to rest as `old`.
fn still_rests(old: &Slot, new: &Slot) -> bool {
    let same = match (&old.behavior, &new.behavior) {
        (Some(old), Some(new)) => Arc::ptr_eq(old, new),
        _ => false,
    };
    same && old.resting && old.key == new.key
}

/// Fills a slot's part of a row: initial values, then what the unit remembered before.
fn remember(slot: &Slot, row: &mut [u32], origin: Option<usize>, world: &World, crews: &[Crew]) {
    let Some(layout) = slot.layout() else {
        return;
    };
    layout.reset(row);
    let Some(unit) = origin else {
        return;
    };
    let group = world.units.group[unit] as usize;
    let Some(crew) = crews.get(group) else {
        return;
    };
    let mut from = (unit - world.groups[group].units.start) * crew.stride();
    for old in &crew.slots {
        let words = old.words();
        if let (true, Some(before)) = (old.key == slot.key, old.layout()) {
            layout.migrate(row, before, &crew.memory[from..from + words]);
        }
        from += words;
    }
}
