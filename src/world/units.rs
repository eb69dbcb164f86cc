//! Units as arrays by field; entry i of every array belongs to unit i.
//!
//! A unit stores its heading and its up axis, not a quaternion. Scripts and views read axes for every pair of units
//! and rotate rarely; z is exactly 0 in a plane; and each attitude has one representation, so equal states have
//! equal hashes.

use std::ops::Range;

use glam::Vec3;

use super::pair_lists::PairLists;

/// The state of every unit. All arrays by unit have one length.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Units {
    /// Center of mass.
    pub position: Vec<Vec3>,
    /// Velocity of the center of mass.
    pub velocity: Vec<Vec3>,
    /// Forward axis, a unit vector.
    pub heading: Vec<Vec3>,
    /// Upward axis, a unit vector square to the heading.
    pub up: Vec<Vec3>,
    /// Radians a second about the world's axes.
    pub angular_velocity: Vec<Vec3>,
    /// Marks that behaviors set in the last step, as bits.
    pub marks: Vec<u64>,
    /// Numbers that behaviors set, by the slots of [`super::World::signals`].
    pub signals: Signals,
    /// The units that touched each other in the last step, where units have contacts.
    pub touching: PairLists,
    /// Which group.
    pub group: Vec<u16>,
    /// The key of random draws: the same for a group's name and an index in it, whatever else the scene
    /// holds.
    pub key: Vec<u64>,
}

impl Units {
    /// How many units there are.
    pub fn len(&self) -> usize {
        self.position.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.position.is_empty()
    }

    /// Adds a unit with zero angular velocity, no marks and no signals.
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
    }

    /// Adds unit `unit` of `other` as it is, but in group `group`.
    ///
    /// # Panics
    /// When `other` has no such unit.
    pub fn push_from(&mut self, other: &Self, unit: usize, group: u16) {
        let (position, velocity) = (other.position[unit], other.velocity[unit]);
        let axes = (other.heading[unit], other.up[unit]);
        self.push(position, velocity, axes, group, other.key[unit]);
        let last = self.len() - 1;
        self.angular_velocity[last] = other.angular_velocity[unit];
        self.marks[last] = other.marks[unit];
        let count = self.signals.count.max(other.signals.count);
        self.signals.resize(count, last + 1);
        let (from, to) = (other.signals.of(unit), self.signals.of_units_mut(last..last + 1));
        to[..from.len()].copy_from_slice(from);
    }

    /// Keys that none of them has, of a group and its units from an index on.
    pub fn free_keys(&self, group: &str, first: usize) -> impl Iterator<Item = u64> {
        let known: KeySet = self.key.iter().copied().collect();
        (first..).map(move |index| unit_key(group, index)).filter(move |key| !known.has(*key))
    }

    /// The starboard axis of a unit: heading × up.
    ///
    /// # Panics
    /// When there is no such unit.
    pub fn starboard(&self, unit: usize) -> Vec3 {
        self.heading[unit].cross(self.up[unit])
    }
}

/// Numbers that behaviors set for units: as many for each as the world has signals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Signals {
    count: usize,
    /// Unit by unit.
    values: Vec<f32>,
}

impl Signals {
    /// How many there are for each unit.
    pub fn count(&self) -> usize {
        self.count
    }

    /// A signal of a unit; 0 if there is none.
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

    /// Those of some units.
    ///
    /// # Panics
    /// When there are no such units.
    pub fn of_units_mut(&mut self, units: Range<usize>) -> &mut [f32] {
        &mut self.values[units.start * self.count..units.end * self.count]
    }

    /// Those of all units, unit by unit.
    pub fn all(&self) -> &[f32] {
        &self.values
    }

    /// Makes room for `count` signals of `units` units. Values stay; new ones are 0.
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

/// The key for random draws of unit `index` of the group called `group`.
pub fn unit_key(group: &str, index: usize) -> u64 {
    xxhash_rust::xxh3::xxh3_64_with_seed(group.as_bytes(), index as u64)
}

/// A set of unit keys: a sorted vector, in one block of memory.
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
    /// Returns true if it contains the key.
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
    fn signals_keep_their_values_when_there_are_more_and_move_with_their_unit() {
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
