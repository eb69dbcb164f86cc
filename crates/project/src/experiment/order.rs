//! The order of the runs of an experiment: by point, then by seed.

/// The numbers of values and seeds, from which point and seed of each run follow.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Order {
    /// The number of values of each variable, above zero.
    pub(super) lengths: Vec<usize>,
    /// True if point `i` has value `i` of each variable; otherwise the points are all combinations, of which the last
    /// variable changes fastest.
    pub(super) is_paired: bool,
    /// The first seed.
    pub(super) seed: u64,
    /// The number of seeds of a point.
    pub(super) seeds: u64,
    /// True if no two runs have the same seed.
    pub(super) independent: bool,
}

impl Order {
    /// Returns the number of points, at most [`u64::MAX`].
    pub(super) fn points(&self) -> u64 {
        let mut lengths = self.lengths.iter().map(|length| *length as u64);
        if self.is_paired { lengths.next().unwrap_or(1) } else { lengths.fold(1, u64::saturating_mul) }
    }

    /// Returns the number of runs, at most [`u64::MAX`].
    pub(super) fn runs(&self) -> u64 {
        self.points().saturating_mul(self.seeds)
    }

    /// Returns true if there are seeds, and all are representable.
    pub(super) fn has_seeds(&self) -> bool {
        let count = if self.independent { self.runs() } else { self.seeds };
        count > 0 && self.seed.checked_add(count).is_some()
    }

    /// Returns the index of the value of each variable in a run.
    pub(super) fn indices(&self, run: u64) -> Vec<usize> {
        let mut rest = run / self.seeds;
        if self.is_paired {
            return vec![rest as usize; self.lengths.len()];
        }
        let mut indices: Vec<_> = (self.lengths.iter().rev())
            .map(|length| {
                let index = rest % *length as u64;
                rest /= *length as u64;
                index as usize
            })
            .collect();
        indices.reverse();
        indices
    }

    /// Returns the seed of a run.
    pub(super) fn seed_of(&self, run: u64) -> u64 {
        self.seed + if self.independent { run } else { run % self.seeds }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn runs_are_ordered_by_point_and_seed() {
        let order = Order { lengths: vec![2, 3], is_paired: false, seed: 7, seeds: 2, independent: false };
        assert_eq!((order.points(), order.runs()), (6, 12));
        let runs: Vec<_> = (0..5).map(|run| (order.indices(run), order.seed_of(run))).collect();
        let expected = [(0, 0, 7), (0, 0, 8), (0, 1, 7), (0, 1, 8), (0, 2, 7)];
        assert_eq!(runs, expected.map(|(a, b, seed)| (vec![a, b], seed)));
        assert_eq!(order.indices(11), [1, 2]);
        let paired = Order { lengths: vec![3, 3], is_paired: true, independent: true, ..order.clone() };
        assert_eq!((paired.points(), paired.runs()), (3, 6));
        assert_eq!((paired.indices(4), paired.seed_of(4)), (vec![2, 2], 11));
        let none = Order { lengths: Vec::new(), ..order };
        assert_eq!((none.runs(), none.indices(1)), (2, Vec::new()));
        assert!(!Order { seed: u64::MAX - 1, ..none }.has_seeds());
    }
}
