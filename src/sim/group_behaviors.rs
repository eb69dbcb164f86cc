//! The behaviors of one group, and what they remember and decide for each of its units.

use std::sync::Arc;

use super::contribution::{Contribution, StoredContribution};
use super::costs::GroupCosts;
use super::decisions::{DecisionBuffers, RowShape};
use super::failure::{Failure, UnitFailure};
use super::memory::MemoryLayout;
use super::memory_table::MemoryTable;
use super::recording::Recording;
use super::slot::Slot;
use super::work;
use crate::world::World;

/// One group's behaviors, and what they remember and decide for each of its units.
#[derive(Clone)]
pub(super) struct GroupBehaviors {
    pub(super) slots: Vec<Slot>,
    pub(super) memory: MemoryTable,
    pub(super) buffers: DecisionBuffers,
    /// Of the last step, in the order of units.
    pub(super) recording: Recording,
    /// What its behaviors cost, as far as that is measured.
    pub(super) costs: GroupCosts,
}

/// A world and its behaviors that are about to be replaced.
#[derive(Clone, Copy)]
pub(super) struct Predecessors<'a> {
    pub(super) world: &'a World,
    pub(super) behaviors: &'a [GroupBehaviors],
}

impl<'a> Predecessors<'a> {
    /// What a unit remembers for the behavior of a key.
    fn memory(self, unit: usize, key: u64) -> Option<(&'a MemoryLayout, &'a [u32])> {
        let group = self.world.units.group[unit] as usize;
        let index = unit - self.world.groups[group].units.start;
        self.behaviors.get(group)?.memory.get(index, key)
    }
}

impl GroupBehaviors {
    /// Behaviors that remember their initial values, for `units` units.
    pub(super) fn new(slots: Vec<Slot>, units: usize) -> Self {
        Self {
            memory: MemoryTable::new(&slots, units),
            buffers: DecisionBuffers::new(units, slots.len()),
            recording: Recording::default(),
            costs: GroupCosts::default(),
            slots,
        }
    }

    /// Behaviors for units that were the units `origin` before. With them come the units, by their index
    /// in the group, whose memory could not be mapped.
    pub(super) fn replace(
        mut slots: Vec<Slot>,
        origin: &[Option<usize>],
        before: Predecessors<'_>,
    ) -> (Self, Vec<UnitFailure>) {
        let of_unit = |unit: &usize| before.behaviors.get(before.world.units.group[*unit] as usize);
        let group = origin.iter().flatten().next().and_then(of_unit);
        for slot in &mut slots {
            slot.inherit(group.map_or(&[], |group| &group.slots));
        }
        let mut behaviors = Self::new(slots, origin.len());
        let mut left = vec![work::share(origin.len()); behaviors.slots.len()];
        let mut failures = Vec::new();
        for (unit, origin) in origin.iter().enumerate() {
            let Some(origin) = origin else { continue };
            for (slot, left) in left.iter_mut().enumerate() {
                if let Err(failure) = behaviors.migrate(unit, slot, *origin, before, left) {
                    failures.push(UnitFailure { unit, slot, failure });
                }
            }
        }
        (behaviors, failures)
    }

    /// Takes over what a unit remembered before for one behavior, which may map it as long as there is
    /// work `left` for that.
    fn migrate(
        &mut self,
        unit: usize,
        at: usize,
        origin: usize,
        before: Predecessors<'_>,
        left: &mut u64,
    ) -> Result<(), Failure> {
        let slot = &self.slots[at];
        let old = before.memory(origin, slot.key);
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

    /// Lets the `index`-th unit of the group remember what a unit did before, by the keys of behaviors.
    pub(super) fn remember(&mut self, index: usize, before: &[(u64, Arc<MemoryLayout>, Vec<u32>)]) {
        for (at, slot) in self.slots.iter().enumerate() {
            let known = before.iter().find(|(key, ..)| *key == slot.key);
            if let (Some(behavior), Some((_, layout, words))) = (slot.behavior.as_deref(), known) {
                let row = self.memory.get_mut(index, at);
                behavior.memory().migrate(row, layout, words);
            }
        }
    }

    /// The shape of a row of decisions in a world with `signals` signals.
    pub(super) fn row_shape(&self, signals: usize) -> RowShape {
        RowShape { slots: self.slots.len(), memory: self.memory.stride(), signals }
    }

    /// Stores what the behaviors of each unit remember after a step.
    pub(super) fn store_memory(&mut self) {
        if !self.memory.is_empty() {
            let stride = self.memory.stride();
            (self.buffers).store_memory(stride, self.memory.words_mut());
        }
    }

    /// Drops contributions and recordings, as they are not complete.
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

/// The behaviors of a unit's group, and the unit's index in the group.
pub(super) fn group_of<'a>(
    world: &World,
    behaviors: &'a [GroupBehaviors],
    unit: usize,
) -> Option<(&'a GroupBehaviors, usize)> {
    let group = *world.units.group.get(unit)? as usize;
    Some((behaviors.get(group)?, unit - world.groups.get(group)?.units.start))
}

/// Gives each unit a row in the decisions of its group, in the order `order` of the grid.
pub(super) fn assign_rows(behaviors: &mut [GroupBehaviors], world: &World, order: &[u32]) {
    if let [behaviors] = behaviors {
        // All of them are its units.
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
}

/// Why a unit's memory is not mapped.
fn unmapped() -> Failure {
    let help = "the others keep what has its name and kind: let each call do less";
    Failure {
        help: Some(help.to_owned()),
        ..Failure::new("`fn reloaded` takes too long: it does not run for all units")
    }
}
