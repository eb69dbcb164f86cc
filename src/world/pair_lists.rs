//! Pairs of units as a list for each unit.

/// For each unit an item for every pair that it is in, in the order of the pairs: the other unit, unless it says
/// something else.
#[derive(Clone, Debug, PartialEq)]
pub struct PairLists<T = u32> {
    /// Where the list of each unit starts, and one entry for the end.
    starts: Vec<u32>,
    items: Vec<T>,
}

impl<T> Default for PairLists<T> {
    fn default() -> Self {
        Self { starts: Vec::new(), items: Vec::new() }
    }
}

impl<T: Copy + Default> PairLists<T> {
    /// Replaces all lists by those of `count` pairs, each pair once. `item` makes what a list has of a pair by the
    /// number of the pair, and the other unit. Buffers are kept.
    pub fn set(
        &mut self,
        units: usize,
        count: usize,
        pair: impl Fn(usize) -> (u32, u32),
        item: impl Fn(u32, u32) -> T,
    ) {
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
        self.items.resize(total as usize, T::default());
        // Filling backwards moves the end of each list down to its start.
        for number in (0..count).rev() {
            let (a, b) = pair(number);
            for (unit, other) in [(a, b), (b, a)] {
                let slot = &mut self.starts[unit as usize];
                *slot -= 1;
                self.items[*slot as usize] = item(number as u32, other);
            }
        }
    }

    /// Removes all pairs.
    pub fn clear(&mut self) {
        self.starts.clear();
        self.items.clear();
    }

    /// The items of a unit; none for a unit that was added since.
    pub fn of(&self, unit: usize) -> &[T] {
        match self.starts.get(unit..unit.saturating_add(2)) {
            Some([start, end]) => &self.items[*start as usize..*end as usize],
            _ => &[],
        }
    }

    /// Sorts each unit's items by a key.
    pub fn sort_by_key<K: Ord>(&mut self, key: impl Fn(&T) -> K) {
        for range in self.starts.windows(2) {
            let items = &mut self.items[range[0] as usize..range[1] as usize];
            if items.len() > 1 {
                items.sort_unstable_by_key(&key);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_stand_in_the_lists_of_both_in_their_order() {
        let mut lists: PairLists = PairLists::default();
        for _ in 0..2 {
            lists.set(4, 3, |pair| [(0, 3), (1, 0), (0, 2)][pair], |_, other| other);
            assert_eq!([0, 1, 2, 3].map(|unit| lists.of(unit)), [&[3, 1, 2][..], &[0], &[0], &[0]]);
        }
        lists.sort_by_key(|other| *other);
        assert_eq!((lists.of(0), lists.of(4), lists.of(usize::MAX)), (&[1, 2, 3][..], &[][..], &[][..]));
        lists.clear();
        assert!(lists.of(0).is_empty());
    }
}
