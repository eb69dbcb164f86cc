//! The memory of a group's units: a row per unit, with the words of each behavior in order.

use std::ops::Range;
use std::sync::Arc;

use super::memory::MemoryLayout;
use super::slot::Slot;
use crate::world::Splice;

/// The memory of a group's units for each of its behaviors.
#[derive(Clone, Debug)]
pub(super) struct MemoryTable {
    columns: Vec<Column>,
    /// Length of a row in words: at least one, so that rows are distinct.
    stride: usize,
    words: Vec<u32>,
}

/// The words of one behavior in each row.
#[derive(Clone, Debug)]
struct Column {
    /// The key of the slot; see [`super::slot_key`].
    key: u64,
    /// `None` if no version of the script has compiled.
    layout: Option<Arc<MemoryLayout>>,
    range: Range<usize>,
}

impl MemoryTable {
    /// Creates initial memory for units with these keys, in a world with this seed.
    pub(super) fn new(slots: &[Slot], seed: u64, units: &[u64]) -> Self {
        let mut end = 0;
        let column = |slot: &Slot| {
            let layout = slot.behavior.as_ref().map(|behavior| Arc::new(behavior.memory().clone()));
            let start = end;
            end += layout.as_ref().map_or(0, |layout| layout.words());
            let (key, range) = (slot.key, start..end);
            Column { key, layout, range }
        };
        let columns: Vec<_> = slots.iter().map(column).collect();
        let mut table = Self { columns, stride: end.max(1), words: Vec::new() };
        table.words = table.initial(seed, units);
        table
    }

    /// Returns initial rows of units with these keys, with their drawn parameters.
    fn initial(&self, seed: u64, units: &[u64]) -> Vec<u32> {
        let mut initial = vec![0; self.stride];
        for column in &self.columns {
            if let Some(layout) = &column.layout {
                layout.reset(&mut initial[column.range.clone()]);
            }
        }
        let mut rows = initial.repeat(units.len());
        for Column { key, layout, range } in &self.columns {
            let Some(layout) = layout.as_ref().filter(|layout| !layout.drawn().is_empty()) else {
                continue;
            };
            for (row, unit) in rows.chunks_exact_mut(self.stride).zip(units) {
                layout.draw(&mut row[range.clone()], seed, *unit, *key);
            }
        }
        rows
    }

    /// Removes and inserts rows: those of group `group`, whose first unit was `first`. New units have the keys `new`.
    pub(super) fn splice(&mut self, splice: &Splice, (group, first): (usize, usize), seed: u64, new: &[u64]) {
        let initial = self.initial(seed, new);
        self.words = splice.of_group(group, (&self.words, first), &initial, self.stride);
    }

    /// Length of a row in words.
    pub(super) fn stride(&self) -> usize {
        self.stride
    }

    /// Returns true if no behavior has memory.
    pub(super) fn is_empty(&self) -> bool {
        self.columns.iter().all(|column| column.range.is_empty())
    }

    /// All rows.
    pub(super) fn words(&self) -> &[u32] {
        &self.words
    }

    pub(super) fn words_mut(&mut self) -> &mut [u32] {
        &mut self.words
    }

    /// The row of the `index`-th unit of the group.
    pub(super) fn row(&self, index: usize) -> &[u32] {
        let start = index * self.stride;
        self.words.get(start..start + self.stride).unwrap_or(&[])
    }

    /// The range of a behavior in a row.
    pub(super) fn range(&self, slot: usize) -> Range<usize> {
        self.columns[slot].range.clone()
    }

    /// The words of a behavior for the `index`-th unit.
    pub(super) fn get_mut(&mut self, index: usize, slot: usize) -> &mut [u32] {
        let (start, range) = (index * self.stride, &self.columns[slot].range);
        &mut self.words[start + range.start..start + range.end]
    }

    /// The memory of the `index`-th unit for the behavior with a key.
    pub(super) fn get(&self, index: usize, key: u64) -> Option<(&MemoryLayout, &[u32])> {
        let column = self.columns.iter().find(|column| column.key == key)?;
        Some((column.layout.as_ref()?, self.row(index).get(column.range.clone())?))
    }

    /// The memory of the `index`-th unit: key, layout and words of each behavior with memory.
    pub(super) fn all(&self, index: usize) -> impl Iterator<Item = (u64, &Arc<MemoryLayout>, &[u32])> {
        let columns = self.columns.iter().filter(|column| !column.range.is_empty());
        columns.filter_map(move |column| {
            let words = &self.row(index)[column.range.clone()];
            Some((column.key, column.layout.as_ref()?, words))
        })
    }

    /// Migrates the values of an older table of the same units, by behavior, name and kind.
    pub(super) fn migrate(&mut self, old: &Self) {
        let rows = self.words.chunks_exact_mut(self.stride);
        for (index, row) in rows.enumerate() {
            for column in &self.columns {
                if let (Some(layout), Some((before, words))) = (&column.layout, old.get(index, column.key)) {
                    layout.migrate(&mut row[column.range.clone()], before, words);
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::*;
    use crate::sim::{Behavior, Contribution, Failure, FieldKind, UnitContext, number_words};

    struct Remembers(MemoryLayout);

    impl Behavior for Remembers {
        fn memory(&self) -> &MemoryLayout {
            &self.0
        }

        fn decide(&self, _: &mut UnitContext, _: &mut [u32]) -> Result<Contribution, Failure> {
            Ok(Contribution::None)
        }
    }

    fn slot(key: u64, fields: &[(&str, f32)]) -> Slot {
        let mut layout = MemoryLayout::default();
        for (name, initial) in fields {
            layout.push(*name, FieldKind::Number, number_words(*initial));
        }
        let behavior: Arc<dyn Behavior> = Arc::new(Remembers(layout));
        Slot::new("test", key, Some(behavior))
    }

    #[test]
    fn values_follow_behavior_and_name_into_another_order() {
        let two = [slot(1, &[("a", 1.0)]), Slot::new("broken", 3, None), slot(2, &[("b", 2.0), ("c", 3.0)])];
        let mut old = MemoryTable::new(&two, 0, &[1, 2]);
        assert_eq!((old.stride(), old.range(2)), (3, 1..3));
        assert_eq!(old.row(1), [1.0, 2.0, 3.0].map(f32::to_bits));
        assert_eq!((old.get(0, 3), old.get(2, 1), old.all(1).count()), (None, None, 2));
        old.get_mut(1, 2).copy_from_slice(&[20.0, 30.0].map(f32::to_bits));
        // The third field makes a rename ambiguous.
        let fields = [("c", 0.0), ("d", 4.0), ("e", 5.0)];
        let turned = [slot(2, &fields), slot(1, &[("a", 0.0)])];
        let mut new = MemoryTable::new(&turned, 0, &[1, 2]);
        new.migrate(&old);
        assert_eq!(new.words(), [3.0, 4.0, 5.0, 1.0, 30.0, 4.0, 5.0, 1.0].map(f32::to_bits));
        assert!(MemoryTable::new(&[], 0, &[0; 5]).is_empty() && !new.is_empty());
    }
}
