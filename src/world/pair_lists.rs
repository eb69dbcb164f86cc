//! Pairs of units as a list for each unit.

/// For each unit the others that it is paired with, in the order of the pairs.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PairLists {
    /// Where the list of each unit starts, and one entry for the end.
    starts: Vec<u32>,
    others: Vec<u32>,
}

impl PairLists {
    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.others.clear();
    }

    /// Replaces all lists by those of `pairs`, each pair once. Buffers are kept.
    pub fn set(&mut self, units: usize, pairs: impl DoubleEndedIterator<Item = (u32, u32)> + Clone) {
        self.starts.clear();
        self.starts.resize(units + 1, 0);
        for (a, b) in pairs.clone() {
            self.starts[a as usize] += 1;
            self.starts[b as usize] += 1;
        }
        let mut total = 0;
        for start in &mut self.starts {
            total += *start;
            *start = total;
        }
        self.others.clear();
        self.others.resize(total as usize, 0);
        // Filling backwards moves the end of each list down to its start.
        for (a, b) in pairs.rev() {
            for (unit, other) in [(a, b), (b, a)] {
                let slot = &mut self.starts[unit as usize];
                *slot -= 1;
                self.others[*slot as usize] = other;
            }
        }
    }

    /// The others of a unit; none for a unit that was added since.
    pub fn of(&self, unit: usize) -> &[u32] {
        match self.starts.get(unit..unit.saturating_add(2)) {
            Some([start, end]) => &self.others[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// Sorts each unit's others by a key.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(usize) -> K) {
        for range in self.starts.windows(2) {
            let others = &mut self.others[range[0] as usize..range[1] as usize];
            others.sort_unstable_by_key(|other| key(*other as usize));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_stand_in_the_lists_of_both_in_their_order() {
        let mut lists = PairLists::default();
        for _ in 0..2 {
            lists.set(4, [(0, 3), (1, 0), (0, 2)].into_iter());
            assert_eq!([0, 1, 2, 3].map(|unit| lists.of(unit)), [&[3, 1, 2][..], &[0], &[0], &[0]]);
        }
        lists.sort_by_key(|other| other);
        assert_eq!((lists.of(0), lists.of(4), lists.of(usize::MAX)), (&[1, 2, 3][..], &[][..], &[][..]));
        lists.clear();
        assert!(lists.of(0).is_empty());
    }
}
