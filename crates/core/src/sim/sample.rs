//! Sample of a running world for trial runs of new behaviors: the state, and the memory of some units.

use std::sync::Arc;

use super::frozen::Frozen;
use super::group_behaviors::GroupBehaviors;
use super::memory::MemoryLayout;
use crate::world::World;

/// Number of units per group whose memory is copied.
const UNITS: usize = 8;

/// A snapshot of a running world between two steps, with the memory of some units of each group.
#[derive(Clone, Debug)]
pub struct Sample {
    frozen: Arc<Frozen>,
    rows: Vec<Row>,
}

/// The memory of a unit for one behavior.
#[derive(Clone, Debug)]
struct Row {
    unit: usize,
    /// The key of the slot; see [`super::slot_key`].
    key: u64,
    layout: Arc<MemoryLayout>,
    words: Vec<u32>,
}

impl Sample {
    pub(super) fn new(frozen: &Arc<Frozen>, behaviors: &[GroupBehaviors]) -> Self {
        let mut rows = Vec::new();
        for (group, behaviors) in frozen.world.groups.iter().zip(behaviors) {
            for unit in sampled(&group.units) {
                let memory = behaviors.memory.all(unit - group.units.start);
                rows.extend(memory.map(|(key, layout, words)| {
                    let (layout, words) = (Arc::clone(layout), words.to_vec());
                    Row { unit, key, layout, words }
                }));
            }
        }
        let frozen = Arc::clone(frozen);
        Self { frozen, rows }
    }

    /// The state of the world.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// The memory of a unit for the behavior with a key, if it was copied.
    pub fn memory(&self, unit: usize, key: u64) -> Option<(&MemoryLayout, &[u32])> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.unit == unit && row.key == key)?;
        Some((&row.layout, &row.words))
    }
}

/// Returns up to eight units, evenly spaced over a group.
pub fn sampled(units: &std::ops::Range<usize>) -> impl Iterator<Item = usize> + use<> {
    let stride = units.len().div_ceil(UNITS).max(1);
    units.clone().step_by(stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_has_few_units_spread_over_a_group() {
        for (units, expected) in
            [(3..3, vec![]), (3..6, vec![3, 4, 5]), (10..90, (1..9).map(|n| n * 10).collect())]
        {
            assert_eq!(sampled(&units).collect::<Vec<_>>(), expected);
        }
        for count in 0..100 {
            assert!(sampled(&(0..count)).count() <= UNITS);
        }
    }
}
