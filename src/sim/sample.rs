//! A running world as new behaviors are tried on: the state, and what some units remember.

use std::sync::Arc;

use super::group_behaviors::GroupBehaviors;
use super::{Frozen, MemoryLayout};
use crate::world::World;

/// Units of each group whose memory is taken along.
const UNITS: usize = 8;

/// A running world between two steps, and the memory of some units of each group. It is a snapshot:
/// the simulation goes on without it.
#[derive(Clone, Debug)]
pub struct Sample {
    frozen: Arc<Frozen>,
    rows: Vec<Row>,
}

/// What a unit remembers for one behavior.
#[derive(Clone, Debug)]
struct Row {
    unit: usize,
    /// The slot's; see [`super::slot_key`].
    key: u64,
    layout: MemoryLayout,
    words: Vec<u32>,
}

impl Sample {
    pub(super) fn of(frozen: &Arc<Frozen>, behaviors: &[GroupBehaviors]) -> Self {
        let mut rows = Vec::new();
        for (group, group_behaviors) in frozen.world.groups.iter().zip(behaviors) {
            let stride = group_behaviors.stride();
            for unit in sampled(&group.units) {
                let mut at = (unit - group.units.start) * stride;
                for slot in &group_behaviors.slots {
                    let words = slot.words();
                    if let (1.., Some(layout)) = (words, slot.layout()) {
                        rows.push(Row {
                            unit,
                            key: slot.key,
                            layout: layout.clone(),
                            words: group_behaviors.memory[at..at + words].to_vec(),
                        });
                    }
                    at += words;
                }
            }
        }
        Self {
            frozen: Arc::clone(frozen),
            rows,
        }
    }

    /// The world as it stands.
    pub fn world(&self) -> &World {
        &self.frozen.world
    }

    /// What a unit remembers for the behavior of a key, if its memory was taken along.
    pub fn memory(&self, unit: usize, key: u64) -> Option<(&MemoryLayout, &[u32])> {
        let mut rows = self.rows.iter();
        let row = rows.find(|row| row.unit == unit && row.key == key)?;
        Some((&row.layout, &row.words))
    }
}

/// Some units, evenly spread over a group: no more than eight.
pub fn sampled(units: &std::ops::Range<usize>) -> impl Iterator<Item = usize> + use<> {
    let stride = units.len().div_ceil(UNITS).max(1);
    units.clone().step_by(stride)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sample_is_of_few_units_from_all_over_a_group() {
        assert_eq!(sampled(&(3..3)).count(), 0);
        assert_eq!(sampled(&(3..6)).collect::<Vec<_>>(), [3, 4, 5]);
        assert_eq!(
            sampled(&(10..90)).collect::<Vec<_>>(),
            [10, 20, 30, 40, 50, 60, 70, 80]
        );
        for count in 0..100 {
            assert!(sampled(&(0..count)).count() <= UNITS);
        }
    }
}
