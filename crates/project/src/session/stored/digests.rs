//! Digests of the states of a run, by which a repeated run is compared with the recorded one.
//!
//! Each step has a digest of the whole state, so that the first different step is known exactly. Tables have a digest for
//! each unit and field; there is one for each step of a short run, and ever fewer in a long one, so that their size is
//! bounded.

use glam::Vec3;
use serde::{Deserialize, Serialize};
use steerbox_core::sim::Simulation;
use xxhash_rust::xxh3::Xxh3;

/// Maximum number of digests in all tables: 384 KiB.
const MAX_ENTRIES: usize = 192 << 10;
/// The fields of a unit that have digests of their own, as messages name them.
const UNIT_FIELDS: [&str; 4] = ["position", "velocity", "heading", "memory"];

/// Digests of each unit of a state, by field.
type Table = Vec<[u16; UNIT_FIELDS.len()]>;

/// Digests of consecutive states of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Digests {
    /// The number of steps before the first state.
    first: u64,
    /// Low halves of the state hashes.
    steps: Vec<u32>,
    /// Binary logarithm of the number of steps from one table to the next.
    shift: u32,
    /// Digests by unit and field, after steps whose index is a multiple of the distance.
    tables: Vec<Table>,
    /// Number of digests in all tables, while they are recorded.
    #[serde(skip)]
    entries: usize,
}

/// The first difference between a repeated run and the recorded one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ReplayDifference {
    /// The first step whose state differs.
    pub step: u64,
    /// The step to which unit and field apply, the unit's index and the field; `None` if no table is late enough.
    pub unit: Option<(u64, usize, &'static str)>,
}

impl Digests {
    /// Records the next state.
    pub fn record(&mut self, simulation: &Simulation) {
        let index = self.steps.len();
        if index == 0 {
            self.first = simulation.world().steps;
        }
        self.steps.push(simulation.hash() as u32);
        if self.has_table(index) {
            self.tables.push(table(simulation));
            self.entries += entries(self.tables.last());
            while self.entries > MAX_ENTRIES && self.tables.len() > 1 {
                self.shift += 1;
                let all = std::mem::take(&mut self.tables).into_iter();
                self.tables = all.step_by(2).collect();
                self.entries = entries(&self.tables);
            }
        }
    }

    /// Returns true if the state with an index has a table.
    fn has_table(&self, index: usize) -> bool {
        index == 0 || index.trailing_zeros() >= self.shift
    }

    /// Returns the index of the state after `steps` steps.
    fn index(&self, steps: u64) -> Option<usize> {
        usize::try_from(steps.checked_sub(self.first)?).ok()
    }

    /// Returns true if no state is recorded.
    pub fn is_empty(&self) -> bool {
        self.steps.is_empty()
    }
}

/// Returns the number of digests in tables.
fn entries<'a>(tables: impl IntoIterator<Item = &'a Table>) -> usize {
    tables.into_iter().map(|table| table.len() * UNIT_FIELDS.len()).sum()
}

/// Returns the digests of each unit's fields.
fn table(simulation: &Simulation) -> Table {
    let units = &simulation.world().units;
    let digests = |unit: usize| {
        let marks = units.marks[unit];
        let signals = units.signals.of(unit).iter().map(|value| value.to_bits());
        let memory = simulation.memory(unit).flat_map(|(.., words)| words.iter().copied());
        [
            digest(bits([units.position[unit]])),
            digest(bits([units.velocity[unit]])),
            digest(bits([units.heading[unit], units.up[unit], units.angular_velocity[unit]])),
            digest([marks as u32, (marks >> 32) as u32].into_iter().chain(signals).chain(memory)),
        ]
    };
    (0..units.len()).map(digests).collect()
}

/// Returns the bits of vectors.
fn bits<const N: usize>(vectors: [Vec3; N]) -> impl Iterator<Item = u32> {
    vectors.into_iter().flat_map(|vector| vector.to_array().map(f32::to_bits))
}

/// Returns the digest of words.
fn digest(words: impl Iterator<Item = u32>) -> u16 {
    let mut hasher = Xxh3::new();
    words.for_each(|word| hasher.update(&word.to_le_bytes()));
    hasher.digest() as u16
}

/// Compares a repeated run with recorded digests, step by step.
#[derive(Debug)]
pub struct DigestCheck<'a> {
    recorded: &'a Digests,
    /// The first difference, once it is found.
    pub difference: Option<ReplayDifference>,
}

impl<'a> DigestCheck<'a> {
    /// Creates a comparison.
    pub fn new(recorded: &'a Digests) -> Self {
        Self { recorded, difference: None }
    }

    /// Compares a state; called after each step. Returns true once the comparison is complete: a unit with a different
    /// state is found.
    pub fn check(&mut self, simulation: &Simulation) -> bool {
        let step = simulation.world().steps;
        let Some(index) = self.recorded.index(step) else { return false };
        let known = self.recorded.steps.get(index);
        if self.difference.is_none() && known.is_some_and(|known| *known != simulation.hash() as u32) {
            self.difference = Some(ReplayDifference { step, unit: None });
        }
        let Some(difference) = &mut self.difference else {
            return false;
        };
        let recorded = self.recorded.tables.get(index >> self.recorded.shift.min(63));
        let recorded = recorded.filter(|_| self.recorded.has_table(index));
        if let Some(recorded) = recorded {
            let found = table(simulation);
            let unit = (0..recorded.len().max(found.len())).find(|at| recorded.get(*at) != found.get(*at));
            difference.unit = unit.map(|unit| {
                let (recorded, found) = (recorded.get(unit), found.get(unit));
                let field =
                    recorded.zip(found).and_then(|(a, b)| (0..UNIT_FIELDS.len()).find(|at| a[*at] != b[*at]));
                (step, unit, field.map_or("existence", |at| UNIT_FIELDS[at]))
            });
        }
        difference.unit.is_some()
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::testing;

    use super::*;

    fn simulation() -> Simulation {
        let world = testing::world(&[40], 1.0, |unit, _| (Vec3::new(9.0 * unit as f32, 1.0, 0.0), Vec3::X));
        Simulation::new(world, Vec::new())
    }

    fn recorded(steps: usize) -> Digests {
        let (mut simulation, mut digests) = (simulation(), Digests::default());
        digests.record(&simulation);
        for _ in 0..steps {
            simulation.step();
            digests.record(&simulation);
        }
        digests
    }

    /// Compares a run in which a unit is moved after some steps.
    fn difference(digests: &Digests, after: u64) -> Option<ReplayDifference> {
        let (mut simulation, mut check) = (simulation(), DigestCheck::new(digests));
        for step in 1..digests.steps.len() as u64 {
            simulation.step();
            if step == after {
                let mut state = simulation.unit_state(7).unwrap();
                state.motion.velocity.y += 1e-6;
                simulation.move_units(&[(state.key, state.motion)]);
            }
            if check.check(&simulation) {
                break;
            }
        }
        check.difference
    }

    #[test]
    fn the_first_different_step_unit_and_field_are_found() {
        let digests = recorded(20);
        assert_eq!(difference(&digests, 0), None);
        let expected = ReplayDifference { step: 5, unit: Some((5, 7, "velocity")) };
        assert_eq!(difference(&digests, 5), Some(expected));
    }

    #[test]
    fn tables_of_a_long_run_are_thinned_and_the_step_is_exact() {
        let digests = recorded(6000);
        let entries = entries(&digests.tables);
        assert!(entries <= MAX_ENTRIES && digests.shift > 0, "{entries} {}", digests.shift);
        assert_eq!(digests.entries, entries);
        let found = difference(&digests, 4001).unwrap();
        assert_eq!(found.step, 4001);
        assert!(matches!(found.unit, Some((step, 7, _)) if step >= 4001), "{found:?}");
    }
}
