//! A value for each unit of a list, as a table of starts has it.

/// Values by the keys of units. Other units have the median, so that each value is one of the list.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Listed {
    /// Sorted by key.
    values: Vec<(u64, f32)>,
    median: f32,
    mean: f32,
}

impl Listed {
    /// Creates a list of finite values by the keys of units; a later value of the same unit is ignored.
    pub fn new(mut values: Vec<(u64, f32)>) -> Self {
        values.sort_by_key(|(key, _)| *key);
        values.dedup_by_key(|(key, _)| *key);
        let mut sorted: Vec<f32> = values.iter().map(|(_, value)| *value).collect();
        sorted.sort_by(f32::total_cmp);
        let median = sorted.get(sorted.len().saturating_sub(1) / 2).copied().unwrap_or(0.0);
        let sum: f64 = sorted.iter().copied().map(f64::from).sum();
        let mean = (sum / sorted.len().max(1) as f64) as f32;
        Self { values, median, mean }
    }

    /// Returns the value of a unit.
    pub fn of(&self, unit: u64) -> f32 {
        let found = self.values.binary_search_by_key(&unit, |(key, _)| *key);
        found.map_or(self.median, |at| self.values[at].1)
    }

    /// Returns the mean of all values; 0 if there are none.
    pub fn mean(&self) -> f32 {
        self.mean
    }

    /// Returns the median: the lesser of the middle values if their number is even.
    pub fn median(&self) -> f32 {
        self.median
    }

    /// All values, in the order of the keys.
    pub fn values(&self) -> impl Iterator<Item = f32> {
        self.values.iter().map(|(_, value)| *value)
    }
}
