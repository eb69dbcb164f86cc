//! Pairs of units, stored as a list for each unit.

use serde::{Deserialize, Serialize};

/// For each unit the other unit of each pair that contains it, in the order of the pairs.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PairLists {
    /// Start of the list of each unit, and the end of the last list.
    starts: Vec<u32>,
    /// Indices of units.
    items: Vec<u32>,
}

impl PairLists {
    /// Returns true if the lists are of at most `units` units, and every item is one of them.
    pub fn are_of(&self, units: usize) -> bool {
        let Some((first, last)) = self.starts.first().zip(self.starts.last()) else {
            return self.items.is_empty();
        };
        self.starts.len() <= units + 1
            && *first == 0
            && *last as usize == self.items.len()
            && self.starts.is_sorted()
            && self.items.iter().all(|other| (*other as usize) < units)
    }

    /// Returns the lists after a change of the units: `origins` are the previous indices of all units, `targets` the new
    /// indices of the previous ones. Pairs with a removed unit are dropped.
    pub(super) fn spliced(
        &self,
        origins: impl Iterator<Item = Option<usize>>,
        targets: &[Option<usize>],
    ) -> Self {
        if self.items.is_empty() {
            return Self::default();
        }
        let mut spliced = Self { starts: vec![0], items: Vec::with_capacity(self.items.len()) };
        for origin in origins {
            let before = origin.map_or(&[][..], |origin| self.of(origin));
            let items = before.iter().filter_map(|other| Some((*targets.get(*other as usize)?)? as u32));
            spliced.items.extend(items);
            spliced.starts.push(spliced.items.len() as u32);
        }
        spliced
    }

    /// Replaces all lists by those of `count` pairs, which must be distinct. Reuses the buffers.
    pub fn set(&mut self, units: usize, count: usize, pair: impl Fn(usize) -> (u32, u32)) {
        self.starts.clear();
        self.starts.resize(units + 1, 0);
        for (a, b) in (0..count).map(&pair) {
            self.starts[a as usize] += 1;
            self.starts[b as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.items.resize(total as usize, 0);
        // Filling backwards moves each entry of `starts` from the end of its list to the start.
        for number in (0..count).rev() {
            let (a, b) = pair(number);
            for (unit, other) in [(a, b), (b, a)] {
                let slot = &mut self.starts[unit as usize];
                *slot -= 1;
                self.items[*slot as usize] = other;
            }
        }
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.items.clear();
    }

    /// Returns the others of a unit; empty for a unit added since the last call of [`PairLists::set`].
    pub fn of(&self, unit: usize) -> &[u32] {
        match self.starts.get(unit..unit.saturating_add(2)) {
            Some([start, end]) => &self.items[*start as usize..*end as usize],
            _ => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_pair_is_listed_for_both_units_in_order() {
        let mut lists = PairLists::default();
        for _ in 0..2 {
            lists.set(4, 3, |pair| [(0, 3), (1, 0), (0, 2)][pair]);
            assert_eq!([0, 1, 2, 3].map(|unit| lists.of(unit)), [&[3, 1, 2][..], &[0], &[0], &[0]]);
        }
        assert_eq!((lists.of(4), lists.of(usize::MAX)), (&[][..], &[][..]));
        lists.clear();
        assert!(lists.of(0).is_empty());
    }

    #[test]
    fn pairs_of_remaining_units_are_preserved_by_a_splice() {
        let mut lists = PairLists::default();
        lists.set(4, 3, |pair| [(0, 3), (1, 0), (2, 3)][pair]);
        // Unit 1 is removed, and a new unit is inserted before unit 3.
        let (origins, targets) = ([Some(0), Some(2), None, Some(3)], [Some(0), None, Some(1), Some(3)]);
        let spliced = lists.spliced(origins.into_iter(), &targets);
        assert_eq!([0, 1, 2, 3].map(|unit| spliced.of(unit)), [&[3][..], &[3], &[], &[0, 1]]);
        assert!(spliced.are_of(4));
    }
}
