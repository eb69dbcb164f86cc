//! Units as arrays by field; entry i of every array belongs to unit i.
//!
//! A unit stores its heading and its up axis, not a quaternion. Scripts and views read axes for every pair of units
//! and rotate rarely; z is exactly 0 in a plane; and each attitude has one representation, so equal states have
//! equal hashes.

use std::ops::Range;

use glam::Vec3;

use super::pair_lists::PairLists;
use super::splice::Splice;

/// The state of all units. All arrays have the same length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Units {
    /// Center of mass.
    pub position: Vec<Vec3>,
    /// Velocity of the center of mass.
    pub velocity: Vec<Vec3>,
    /// Forward axis, a unit vector.
    pub heading: Vec<Vec3>,
    /// Upward axis, a unit vector perpendicular to the heading.
    pub up: Vec<Vec3>,
    /// Radians per second about the world's axes.
    pub angular_velocity: Vec<Vec3>,
    /// Marks that behaviors set in the last step, as a mask.
    pub marks: Vec<u64>,
    /// Signals that behaviors set, by the slots of [`super::World::signals`].
    pub signals: Signals,
    /// Units in contact with each other in the last step, if units have contacts.
    pub touching: PairLists,
    /// Index of the group.
    pub group: Vec<u16>,
    /// Key of random draws: a function of the group's name and the index in the group, or of the parent's key and the
    /// step of birth; see [`unit_key`] and [`child_key`].
    pub key: Vec<u64>,
    /// Number of steps of the world before the unit was spawned.
    pub born: Vec<u64>,
}

impl Units {
    /// The number of units.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Returns true if there are no units.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Adds a unit of step 0 with zero angular velocity, no marks and no signals.
    pub fn push(
        &mut self,
        position: Vec3,
        velocity: Vec3,
        (heading, up): (Vec3, Vec3),
        group: u16,
        key: u64,
    ) {
        self.position.push(position);
        self.velocity.push(velocity);
        self.heading.push(heading);
        self.up.push(up);
        self.angular_velocity.push(Vec3::ZERO);
        self.marks.push(0);
        self.signals.resize(self.signals.count, self.position.len());
        self.group.push(group);
        self.key.push(key);
        self.born.push(0);
    }

    /// Adds a copy of unit `unit` of `other` to group `group`.
    ///
    /// # Panics
    /// If `other` has no such unit.
    pub fn push_from(&mut self, other: &Self, unit: usize, group: u16) {
        let (position, velocity) = (other.position[unit], other.velocity[unit]);
        let axes = (other.heading[unit], other.up[unit]);
        self.push(position, velocity, axes, group, other.key[unit]);
        let last = self.len() - 1;
        self.angular_velocity[last] = other.angular_velocity[unit];
        self.marks[last] = other.marks[unit];
        self.born[last] = other.born[unit];
        let count = self.signals.count.max(other.signals.count);
        self.signals.resize(count, last + 1);
        let (from, to) = (other.signals.of(unit), self.signals.of_units_mut(last..last + 1));
        to[..from.len()].copy_from_slice(from);
    }

    /// Removes and inserts units; see [`super::World::splice`]. Contacts between remaining units are preserved.
    ///
    /// # Panics
    /// If `splice` is not a change of these units.
    pub fn splice(&mut self, splice: &Splice, targets: &[Option<usize>], new: &mut Self) {
        new.signals.resize(self.signals.count, new.len());
        let vectors = |old: &mut Vec<Vec3>, new: &[Vec3]| *old = splice.all(old, new, 1);
        vectors(&mut self.position, &new.position);
        vectors(&mut self.velocity, &new.velocity);
        vectors(&mut self.heading, &new.heading);
        vectors(&mut self.up, &new.up);
        vectors(&mut self.angular_velocity, &new.angular_velocity);
        let words = |old: &mut Vec<u64>, new: &[u64]| *old = splice.all(old, new, 1);
        words(&mut self.marks, &new.marks);
        words(&mut self.key, &new.key);
        words(&mut self.born, &new.born);
        self.group = splice.all(&self.group, &new.group, 1);
        let signals = &mut self.signals;
        signals.values = splice.all(&signals.values, &new.signals.values, signals.count);
        self.touching = self.touching.spliced(splice.origins(), targets);
    }

    /// Returns the index of the unit with a key, [`usize::MAX`] if there is none. It is probably still `before`.
    pub fn index_of(&self, key: u64, before: usize) -> usize {
        match self.key.get(before) {
            Some(known) if *known == key => before,
            _ => self.key.iter().position(|known| *known == key).unwrap_or(usize::MAX),
        }
    }

    /// The starboard axis of a unit: heading × up.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn starboard(&self, unit: usize) -> Vec3 {
        self.heading[unit].cross(self.up[unit])
    }
}

/// Signals of units: one value per unit and signal.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    count: usize,
    /// Ordered by unit.
    values: Vec<f32>,
}

impl Signals {
    /// Number of signals per unit.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A signal of a unit; 0 if the slot does not exist.
    pub fn get(&self, unit: usize, slot: usize) -> f32 {
        self.of(unit).get(slot).copied().unwrap_or(0.0)
    }

    /// All signals of a unit.
    #[inline]
    pub fn of(&self, unit: usize) -> &[f32] {
        let start = unit.saturating_mul(self.count);
        let range = start..start.saturating_add(self.count);
        self.values.get(range).unwrap_or(&[])
    }

    /// The signals of a range of units.
    ///
    /// # Panics
    /// If there are no such units.
    pub fn of_units_mut(&mut self, units: Range<usize>) -> &mut [f32] {
        &mut self.values[units.start * self.count..units.end * self.count]
    }

    /// The signals of all units, ordered by unit.
    pub fn all(&self) -> &[f32] {
        &self.values
    }

    /// Returns the signals of `units` units in other slots, by the previous slot of each; those without one are 0.
    #[must_use]
    pub fn rearranged(&self, origin: &[Option<usize>], units: usize) -> Self {
        let value = |unit| move |slot: &Option<usize>| slot.map_or(0.0, |slot| self.get(unit, slot));
        let values = (0..units).flat_map(|unit| origin.iter().map(value(unit)));
        Self { count: origin.len(), values: values.collect() }
    }

    /// Resizes to `count` signals of `units` units. Existing values are preserved; new ones are 0.
    pub fn resize(&mut self, count: usize, units: usize) {
        if count != self.count {
            let mut values = vec![0.0; count * units];
            let kept = count.min(self.count);
            if kept > 0 {
                let old = self.values.chunks_exact(self.count);
                for (new, old) in values.chunks_exact_mut(count).zip(old) {
                    new[..kept].copy_from_slice(&old[..kept]);
                }
            }
            (self.count, self.values) = (count, values);
        }
        self.values.resize(count * units, 0.0);
    }
}

/// Returns the key for random draws of unit `index` of the group `group`.
pub fn unit_key(group: &str, index: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(group.as_bytes(), index as u64)
}

/// Returns the key of a unit that is born after `step` steps as the `ordinal`-th child of its parent in that step.
pub fn child_key(parent: u64, step: u64, ordinal: u32) -> u64 {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&parent.to_le_bytes());
    bytes[8..].copy_from_slice(&step.to_le_bytes());
    xxhash_rust::xxh3::xxh3_64_with_seed(&bytes, ordinal.into())
}

/// Returns for each unit with a key in `keys` its index in `others`, if it has one; `None` if both are equal, so that
/// indices are.
pub fn matching(keys: &[u64], others: &[u64]) -> Option<Vec<Option<usize>>> {
    if keys == others {
        return None;
    }
    let mut places: Vec<(u64, usize)> = others.iter().copied().zip(0..).collect();
    places.sort_unstable();
    let place = |key: &u64| places.binary_search_by_key(key, |(key, _)| *key).ok().map(|at| places[at].1);
    Some(keys.iter().map(place).collect())
}

/// A set of unit keys: a sorted vector in one allocation.
#[derive(Clone, Debug, Default)]
pub struct KeySet(Vec<u64>);

impl FromIterator<u64> for KeySet {
    fn from_iter<I: IntoIterator<Item = u64>>(keys: I) -> Self {
        let mut keys: Vec<u64> = keys.into_iter().collect();
        keys.sort_unstable();
        Self(keys)
    }
}

impl KeySet {
    /// Returns true if all keys of the source were different.
    pub fn are_unique(&self) -> bool {
        self.0.is_sorted_by(|a, b| a < b)
    }

    /// Returns true if the set contains the key.
    pub fn has(&self, key: u64) -> bool {
        self.0.binary_search(&key).is_ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn units(signals: usize) -> Units {
        let mut units = Units::default();
        units.signals.resize(signals, 0);
        units.push(Vec3::ZERO, Vec3::ZERO, (Vec3::X, Vec3::Z), 0, 1);
        units
    }

    #[test]
    fn signals_are_preserved_when_resized_and_copied_with_their_unit() {
        let mut old = units(2);
        old.signals.of_units_mut(0..1).copy_from_slice(&[1.0, 2.0]);
        old.signals.resize(3, 2);
        assert_eq!(old.signals.all(), [1.0, 2.0, 0.0, 0.0, 0.0, 0.0]);
        let mut new = units(0);
        new.push_from(&old, 0, 0);
        assert_eq!(new.signals.all(), [0.0, 0.0, 0.0, 1.0, 2.0, 0.0]);
        assert_eq!((new.signals.get(1, 1), new.signals.get(1, 3), new.signals.get(9, 0)), (2.0, 0.0, 0.0));
    }
}
