//! Units in the order of their selection, with an index: the cost of a membership test is constant.

use std::ops::Deref;

/// Distinct units, by their numbers, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct UnitSet {
    order: Vec<usize>,
    /// A bit for each unit.
    bits: Vec<u64>,
}

/// The empty set.
pub(crate) static NONE: UnitSet = UnitSet { order: Vec::new(), bits: Vec::new() };

impl Deref for UnitSet {
    type Target = [usize];

    fn deref(&self) -> &[usize] {
        &self.order
    }
}

impl FromIterator<usize> for UnitSet {
    fn from_iter<I: IntoIterator<Item = usize>>(units: I) -> Self {
        let mut set = Self::default();
        units.into_iter().for_each(|unit| set.push(unit));
        set
    }
}

impl UnitSet {
    /// True if the set contains the unit.
    pub fn has(&self, unit: usize) -> bool {
        self.bits.get(unit / 64).is_some_and(|bits| bits >> (unit % 64) & 1 == 1)
    }

    /// Appends a unit, unless the set contains it.
    fn push(&mut self, unit: usize) {
        if self.has(unit) {
            return;
        }
        self.bits.resize(self.bits.len().max(unit / 64 + 1), 0);
        self.bits[unit / 64] |= 1 << (unit % 64);
        self.order.push(unit);
    }

    /// Appends a unit, or removes it if the set contains it.
    pub fn toggle(&mut self, unit: usize) {
        if self.has(unit) {
            self.bits[unit / 64] ^= 1 << (unit % 64);
            self.order.retain(|other| *other != unit);
        } else {
            self.push(unit);
        }
    }

    /// At most `most` of the units, evenly sampled, including the last.
    pub(crate) fn some(&self, most: usize) -> impl Iterator<Item = usize> + '_ {
        let stride = self.order.len().div_ceil(most.max(1)).max(1);
        self.order.iter().rev().step_by(stride).copied()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_keep_their_order_and_are_found_by_number() {
        let mut set: UnitSet = [70, 3, 70, 9].into_iter().collect();
        assert_eq!(&*set, [70, 3, 9]);
        set.toggle(3);
        set.toggle(128);
        assert_eq!(&*set, [70, 9, 128]);
        assert_eq!([3, 9, 70, 128, 1000].map(|unit| set.has(unit)), [false, true, true, true, false]);
        assert_eq!(set.some(2).collect::<Vec<_>>(), [128, 70]);
        assert_eq!(set.some(9).count(), 3);
        let many: UnitSet = (0..100_000).collect();
        assert!(many.some(4000).count() <= 4000 && many.some(4000).next() == Some(99_999));
    }
}
