//! The behaviors of one group, and what they remember and decide for each of its units.

use std::sync::Arc;

use super::behavior::Fault;
use super::rows::Rows;
use super::suspension::SuspensionState;
use super::work;
use super::{Behavior, Contribution, Drawing, Failure, MemoryLayout, Rest};
use crate::world::World;

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
    /// Whether it takes the place of another version, so that it may map what units remember.
    pub renewed: bool,
    /// How it has fared in its group.
    pub suspension: SuspensionState,
}

impl std::fmt::Debug for Slot {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        (f.debug_struct("Slot").field("script", &self.script)).finish_non_exhaustive()
    }
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
            renewed: false,
            suspension: SuspensionState::default(),
        }
    }

    /// Why it is not asked although it is switched on, if so.
    pub fn rest(&self) -> Option<Rest> {
        self.suspension.rest
    }

    /// What is to be asked in this step, if anything.
    pub(super) fn active(&self) -> Option<&dyn Behavior> {
        self.behavior
            .as_deref()
            .filter(|_| self.enabled && self.rest().is_none())
    }

    /// Switches it on or off; one that is switched on starts afresh.
    pub(super) fn switch(&mut self, enabled: bool) {
        if enabled && !self.enabled {
            self.suspension = SuspensionState::default();
        }
        self.enabled = enabled;
    }

    /// Takes over how the very same behavior fared among `before`; a replaced one starts afresh.
    pub(super) fn inherit(&mut self, before: &[Self]) {
        let known = before.iter().find(|old| old.is_same(self));
        self.suspension = known.map_or_else(SuspensionState::default, |old| old.suspension);
    }

    /// Whether it is the same behavior in the same place. One that was switched on since counts as new.
    fn is_same(&self, new: &Self) -> bool {
        let same = match (&self.behavior, &new.behavior) {
            (Some(old), Some(new)) => Arc::ptr_eq(old, new),
            _ => false,
        };
        same && self.key == new.key && self.enabled >= new.enabled
    }

    pub(super) fn layout(&self) -> Option<&MemoryLayout> {
        self.behavior.as_ref().map(|behavior| behavior.memory())
    }

    pub(super) fn words(&self) -> usize {
        self.layout().map_or(0, MemoryLayout::words)
    }
}

/// What random draws and memory know the `occurrence`-th use (from 0) of a script in a group by.
pub fn slot_key(script: &str, occurrence: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(script.as_bytes(), occurrence as u64)
}

/// One group's behaviors, and what they remember and decide for each of its units.
#[derive(Clone)]
pub(super) struct GroupBehaviors {
    pub(super) slots: Vec<Slot>,
    /// A row a unit, in the order of the units: each slot's memory in turn.
    pub(super) memory: Vec<u32>,
    pub(super) rows: Rows,
    /// What behaviors drew in the last step, unit by unit.
    pub(super) drawings: Vec<Drawing>,
}

impl GroupBehaviors {
    /// A group_behaviors for units that were the units `origin` of `world`, run by `behaviors`, before; and which units,
    /// by their index in the group, could not be told what they remembered.
    pub(super) fn take_over(
        mut slots: Vec<Slot>,
        origin: &[Option<usize>],
        world: &World,
        behaviors: &[Self],
    ) -> (Self, Vec<Fault>) {
        let group = origin.iter().flatten().next();
        let before = group.and_then(|unit| behaviors.get(world.units.group[*unit] as usize));
        for slot in &mut slots {
            slot.inherit(before.map_or(&[], |group_behaviors| &group_behaviors.slots));
        }
        let units = origin.len();
        let mut group_behaviors = Self {
            rows: Rows::new(units, slots.len()),
            memory: Vec::new(),
            drawings: Vec::new(),
            slots,
        };
        let stride = group_behaviors.stride();
        group_behaviors.memory.resize(units * stride, 0);
        let mut failures = Vec::new();
        let mut left = vec![work::share(units); group_behaviors.slots.len()];
        let rows = group_behaviors.memory.chunks_exact_mut(stride).zip(origin);
        for (unit, (row, origin)) in rows.enumerate() {
            let mut at = 0;
            for (place, slot) in group_behaviors.slots.iter().enumerate() {
                let (words, left) = (slot.words(), &mut left[place]);
                let known = remember(
                    slot,
                    &mut row[at..at + words],
                    *origin,
                    (world, behaviors),
                    left,
                );
                failures.extend(known.err().map(|failure| (unit, place, failure)));
                at += words;
            }
        }
        (group_behaviors, failures)
    }

    /// Words in a row of memory: at least one, so that rows can be told apart.
    pub(super) fn stride(&self) -> usize {
        self.slots.iter().map(Slot::words).sum::<usize>().max(1)
    }

    /// Writes what units remember since they decided.
    pub(super) fn remember(&mut self) {
        if self.slots.iter().any(|slot| slot.words() > 0) {
            let stride = self.stride();
            self.rows.remember(stride, &mut self.memory);
        }
    }

    /// Forgets what was decided, as not all of it was.
    pub(super) fn forget_decisions(&mut self) {
        self.rows.decisions.fill(Contribution::None);
        self.drawings.clear();
    }

    /// The last contributions to the `index`-th unit of the group.
    #[inline]
    pub(super) fn decided(&self, index: usize) -> &[Contribution] {
        self.rows.decided(index, self.slots.len())
    }
}

/// Gives each unit a row in its group_behaviors, in the order `order` of the grid.
pub(super) fn line_up(behaviors: &mut [GroupBehaviors], world: &World, order: &[u32]) {
    let mut next = vec![0_usize; behaviors.len()];
    for (unit, slot) in order.iter().zip(0..) {
        let group = world.units.group[*unit as usize] as usize;
        let (rows, row) = (&mut behaviors[group].rows, &mut next[group]);
        rows.units[*row] = [*unit, slot];
        rows.row_of[*unit as usize - world.groups[group].units.start] = *row as u32;
        *row += 1;
    }
}

/// Fills a slot's part of a row: initial values, then what the unit remembered before, which the behavior
/// may map as long as there is work `left` for that.
fn remember(
    slot: &Slot,
    row: &mut [u32],
    origin: Option<usize>,
    (world, behaviors): (&World, &[GroupBehaviors]),
    left: &mut u64,
) -> Result<(), Failure> {
    let Some(behavior) = slot.behavior.as_deref() else {
        return Ok(());
    };
    let old = origin.and_then(|unit| remembered(slot.key, unit, world, behaviors));
    behavior.memory().reset(row);
    let Some((layout, words)) = old else {
        return Ok(());
    };
    behavior.memory().migrate(row, layout, words);
    if !slot.renewed {
        return Ok(());
    }
    if *left == 0 {
        return Err(unmapped());
    }
    let (mapped, work) = behavior.reloaded((layout, words), row);
    *left = left.saturating_sub(work);
    mapped
}

/// Why a unit's memory is not mapped.
fn unmapped() -> Failure {
    Failure {
        line: 0,
        column: 0,
        message: "`fn reloaded` takes too long: it does not run for all units".to_owned(),
        help: Some("the others keep what has its name and kind: let each call do less".to_owned()),
        file: None,
        exhausted: false,
    }
}

/// What a unit of `world`, run by `behaviors`, remembers for the behavior of a key.
fn remembered<'a>(
    key: u64,
    unit: usize,
    world: &World,
    behaviors: &'a [GroupBehaviors],
) -> Option<(&'a MemoryLayout, &'a [u32])> {
    let group = world.units.group[unit] as usize;
    let group_behaviors = behaviors.get(group)?;
    let mut from = (unit - world.groups[group].units.start) * group_behaviors.stride();
    for old in &group_behaviors.slots {
        let words = old.words();
        if old.key == key {
            return Some((old.layout()?, &group_behaviors.memory[from..from + words]));
        }
        from += words;
    }
    None
}
