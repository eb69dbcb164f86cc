//! The behaviors of one group, with memory and decisions for each of its units.

use std::sync::Arc;

use super::contribution::{Contribution, StoredContribution};
use super::costs::GroupCosts;
use super::decisions::{DecisionBuffers, RowShape};
use super::failure::{Failure, UnitFailure};
use super::memory::MemoryLayout;
use super::memory_table::MemoryTable;
use super::recording::Recording;
use super::slot::{Slot, is_ordered};
use super::work;
use crate::world::{Group, Splice, World};

/// The behaviors of one group, with memory and decisions for each of its units.
#[derive(Clone)]
pub(super) struct GroupBehaviors {
    pub(super) slots: Vec<Slot>,
    pub(super) memory: MemoryTable,
    pub(super) buffers: DecisionBuffers,
    /// Of the last step, in unit order.
    pub(super) recording: Recording,
    /// Measured costs.
    pub(super) costs: GroupCosts,
}

/// A world and its behaviors before a replacement.
#[derive(Clone, Copy)]
pub(super) struct Predecessors<'a> {
    pub(super) world: &'a World,
    pub(super) behaviors: &'a [GroupBehaviors],
}

impl<'a> Predecessors<'a> {
    /// Returns the memory of a unit for the behavior with a key.
    fn memory(self, unit: usize, key: u64) -> Option<(&'a MemoryLayout, &'a [u32])> {
        let group = self.world.units.group[unit] as usize;
        let index = unit - self.world.groups[group].units.start;
        self.behaviors.get(group)?.memory.get(index, key)
    }
}

impl GroupBehaviors {
    /// Creates behaviors with initial memory for units with these keys, in a world with this seed.
    pub(super) fn new(slots: Vec<Slot>, seed: u64, units: &[u64]) -> Self {
        Self {
            memory: MemoryTable::new(&slots, seed, units),
            buffers: DecisionBuffers::new(units.len(), slots.len()),
            recording: Recording::default(),
            costs: GroupCosts::default(),
            slots,
        }
    }

    /// Creates behaviors for the units of a group of `world` that were the units `origin` before, and migrates their
    /// memory. Also returns the failures of migrations, by unit index in the group.
    pub(super) fn replace(
        mut slots: Vec<Slot>,
        (world, group): (&World, &Group),
        origin: &[Option<usize>],
        before: Predecessors<'_>,
    ) -> (Self, Vec<UnitFailure>) {
        let of_unit = |unit: &usize| before.behaviors.get(before.world.units.group[*unit] as usize);
        let old = origin.iter().flatten().next().and_then(of_unit);
        for slot in &mut slots {
            slot.inherit(old.map_or(&[], |group| &group.slots));
        }
        let keys: Vec<u64> =
            slots.iter_mut().map(|slot| std::mem::replace(&mut slot.before, slot.key)).collect();
        let mut behaviors = Self::new(slots, world.seed, &world.units.key[group.units.clone()]);
        let mut left = vec![work::share(origin.len()); behaviors.slots.len()];
        let mut failures = Vec::new();
        for (unit, origin) in origin.iter().enumerate() {
            let Some(origin) = origin else { continue };
            for (slot, left) in left.iter_mut().enumerate() {
                let old = before.memory(*origin, keys[slot]);
                if let Err(failure) = behaviors.migrate(unit, slot, old, left) {
                    failures.push(UnitFailure { unit, slot, failure });
                }
            }
        }
        (behaviors, failures)
    }

    /// Migrates the memory of a unit for one behavior. Custom migrations run while the budget `left` is positive.
    fn migrate(
        &mut self,
        unit: usize,
        at: usize,
        old: Option<(&MemoryLayout, &[u32])>,
        left: &mut u64,
    ) -> Result<(), Failure> {
        let slot = &self.slots[at];
        let (Some(behavior), Some(old)) = (slot.behavior.as_deref(), old) else {
            return Ok(());
        };
        let row = self.memory.get_mut(unit, at);
        behavior.memory().migrate(row, old.0, old.1);
        if !slot.renewed {
            return Ok(());
        }
        if *left == 0 {
            return Err(unmapped());
        }
        let (mapped, work) = behavior.reloaded(old, row);
        *left = left.saturating_sub(work);
        mapped
    }

    /// Restores the memory of the `index`-th unit of the group, by the keys of behaviors.
    pub(super) fn remember(&mut self, index: usize, before: &[(u64, Arc<MemoryLayout>, Vec<u32>)]) {
        for (at, slot) in self.slots.iter().enumerate() {
            let known = before.iter().find(|(key, ..)| *key == slot.key);
            if let (Some(behavior), Some((_, layout, words))) = (slot.behavior.as_deref(), known) {
                let row = self.memory.get_mut(index, at);
                behavior.memory().migrate(row, layout, words);
            }
        }
    }

    /// Restores fields of the memory of the `index`-th unit that have their initial values, by the keys of behaviors; later
    /// entries first.
    pub(super) fn restore_memory(&mut self, index: usize, saved: &[(u64, Arc<MemoryLayout>, Vec<u32>)]) {
        for (at, slot) in self.slots.iter().enumerate() {
            let Some(behavior) = slot.behavior.as_deref() else { continue };
            for (_, layout, words) in saved.iter().rev().filter(|(key, ..)| *key == slot.key) {
                behavior.memory().restore(self.memory.get_mut(index, at), layout, words);
            }
        }
    }

    /// Removes and inserts units: those of group `group`, whose first unit was `first`. `targets` are the new indices of
    /// all previous units, and new units have the keys `new`. The contributions to remaining units are preserved.
    pub(super) fn splice(
        &mut self,
        splice: &Splice,
        (group, first): (usize, usize),
        targets: &[Option<usize>],
        (seed, new): (u64, &[u64]),
    ) {
        self.memory.splice(splice, (group, first), seed, new);
        self.buffers.splice(splice, (group, first), new.len());
        self.recording.renumber(targets);
    }

    /// The dimensions of decision rows in a world.
    pub(super) fn row_shape(&self, world: &World) -> RowShape {
        RowShape {
            slots: self.slots.len(),
            memory: self.memory.stride(),
            signals: world.units.signals.count(),
            deposits: world.grids.len(),
        }
    }

    /// Stores the memory of each unit after a step.
    pub(super) fn store_memory(&mut self) {
        if !self.memory.is_empty() {
            let stride = self.memory.stride();
            (self.buffers).store_memory(stride, self.memory.words_mut());
        }
    }

    /// Clears incomplete contributions and recordings.
    pub(super) fn clear_decisions(&mut self) {
        self.buffers.contributions.fill(StoredContribution::NONE);
        self.recording.clear();
    }

    /// The last contributions to the `index`-th unit of the group.
    #[inline]
    pub(super) fn contributions(&self, index: usize) -> impl Iterator<Item = Contribution> {
        self.buffers.of_unit(index, self.slots.len()).iter().map(|it| it.get())
    }
}

/// Returns the behaviors of a unit's group, and the unit's index in the group.
pub(super) fn group_of<'a>(
    world: &World,
    behaviors: &'a [GroupBehaviors],
    unit: usize,
) -> Option<(&'a GroupBehaviors, usize)> {
    let group = *world.units.group.get(unit)? as usize;
    Some((behaviors.get(group)?, unit - world.groups.get(group)?.units.start))
}

/// Assigns each unit a row in the decisions of its group, in the slot order `order`.
pub(super) fn assign_rows(behaviors: &mut [GroupBehaviors], world: &World, order: &[u32]) {
    for behaviors in &mut *behaviors {
        behaviors.buffers.fit(behaviors.slots.len());
    }
    if let [behaviors] = behaviors
        && !is_ordered(&behaviors.slots)
    {
        // A single group: rows equal slots.
        let buffers = &mut behaviors.buffers;
        for ((unit, slot), row) in order.iter().zip(0..).zip(&mut *buffers.units) {
            *row = [*unit, slot];
            buffers.row_of[*unit as usize] = slot;
        }
        return;
    }
    let mut next = vec![0_usize; behaviors.len()];
    for (unit, slot) in order.iter().zip(0..) {
        let group = world.units.group[*unit as usize] as usize;
        let (buffers, row) = (&mut behaviors[group].buffers, &mut next[group]);
        buffers.units[*row] = [*unit, slot];
        buffers.row_of[*unit as usize - world.groups[group].units.start] = *row as u32;
        *row += 1;
    }
    for behaviors in behaviors.iter_mut().filter(|behaviors| is_ordered(&behaviors.slots)) {
        let buffers = &mut behaviors.buffers;
        buffers.units.sort_unstable();
        buffers.row_of.iter_mut().zip(0..).for_each(|(row, unit)| *row = unit);
    }
}

/// The failure of a unit whose memory was not migrated.
fn unmapped() -> Failure {
    let help = "the other units keep fields of the same name and type; do less work in each call";
    Failure {
        help: Some(help.to_owned()),
        ..Failure::new("`fn reloaded` exceeds the work limit: it did not run for all units")
    }
}
