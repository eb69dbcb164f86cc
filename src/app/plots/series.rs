//! Values over time, a series for each thing that is plotted.

use std::collections::{BTreeMap, VecDeque};

use super::quantity::Quantity;

/// Most series of a group or unit: the names of watched values may be put together by scripts.
const MOST: usize = 200;

/// Whose value it is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) enum Subject {
    /// A group, by its index.
    Group(usize),
    /// A unit, by its index.
    Unit(usize),
}

/// What a series is of. Series in this order stand as they are plotted.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(in crate::app) struct Key {
    pub(in crate::app) quantity: Quantity,
    /// The place of the rule in its group, or of the signal.
    pub(in crate::app) at: usize,
    /// The rule, the signal or what a watched value is called; empty where there is but one.
    pub(in crate::app) name: String,
    pub(in crate::app) subject: Subject,
}

impl Key {
    pub(super) fn of(quantity: Quantity, subject: Subject) -> Self {
        Self { quantity, at: 0, name: String::new(), subject }
    }

    pub(super) fn named(quantity: Quantity, subject: Subject, at: usize, name: &str) -> Self {
        Self { quantity, at, name: name.to_owned(), subject }
    }

    /// The quantity with its name.
    pub(in crate::app) fn title(&self) -> String {
        let (words, _) = self.quantity.words();
        if self.name.is_empty() { words.to_owned() } else { format!("{words} {}", self.name) }
    }
}

/// What a series comes to in a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Summary {
    pub(in crate::app) mean: f32,
    pub(in crate::app) least: f32,
    pub(in crate::app) most: f32,
}

/// Series that share their times.
#[derive(Clone, Debug, Default)]
pub(in crate::app) struct Series {
    /// Seconds.
    times: VecDeque<f32>,
    /// As many values as times; NaN where there was none.
    values: BTreeMap<Key, VecDeque<f32>>,
}

impl Series {
    pub(super) fn last(&self) -> Option<f32> {
        self.times.back().copied()
    }

    /// Goes on to another time, and drops what is from before `oldest`.
    pub(super) fn begin(&mut self, time: f32, oldest: f32) {
        let old = self.times.iter().take_while(|time| **time < oldest).count();
        self.times.drain(..old);
        self.times.push_back(time);
        for values in self.values.values_mut() {
            values.drain(..old);
            values.push_back(f32::NAN);
        }
        self.values.retain(|_, values| values.iter().any(|value| !value.is_nan()));
    }

    /// Notes a value at the last time.
    pub(super) fn add(&mut self, key: Key, value: f32) {
        if !self.values.contains_key(&key) {
            let of_subject = self.values.keys().filter(|known| known.subject == key.subject);
            if of_subject.count() >= MOST {
                return;
            }
        }
        let count = self.times.len();
        let values = self.values.entry(key).or_insert_with(|| vec![f32::NAN; count].into());
        if let Some(last) = values.back_mut() {
            *last = value;
        }
    }

    /// Takes the values of one subject as those of another.
    pub(super) fn rename(&mut self, from: Subject, to: Subject) {
        let keys = self.values.keys().filter(|key| key.subject == from);
        for key in keys.cloned().collect::<Vec<_>>() {
            if let Some(values) = self.values.remove(&key) {
                self.values.insert(Key { subject: to, ..key }, values);
            }
        }
    }

    /// Whether a time lies between the first and the last.
    pub(in crate::app) fn has(&self, time: f32) -> bool {
        let ends = self.times.front().zip(self.times.back());
        ends.is_some_and(|(first, last)| (*first..=*last).contains(&time))
    }

    /// What there is.
    pub(in crate::app) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.values.keys()
    }

    /// The lines of a series: times in seconds and values, in pieces without a gap.
    pub(in crate::app) fn lines(&self, key: &Key) -> Vec<Vec<[f64; 2]>> {
        let mut lines: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
        for (time, value) in self.points(key) {
            match lines.last_mut() {
                Some(line) if value.is_finite() => line.push([time.into(), value.into()]),
                Some(line) if !line.is_empty() => lines.push(Vec::new()),
                _ => {}
            }
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    fn points(&self, key: &Key) -> impl Iterator<Item = (f32, f32)> {
        let values = self.values.get(key).into_iter().flatten();
        self.times.iter().copied().zip(values.copied())
    }

    /// The value at the sample next to a time; without a time, the last one.
    pub(in crate::app) fn value(&self, key: &Key, time: Option<f32>) -> Option<f32> {
        let time = time.or(self.last())?;
        let distance = |(at, _): &(f32, f32)| (at - time).abs();
        let nearest = self.points(key).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(nearest.1).filter(|value| value.is_finite())
    }

    /// What a series comes to in a span, its ends included.
    pub(in crate::app) fn summary(&self, key: &Key, [from, to]: [f32; 2]) -> Option<Summary> {
        let inside = self.points(key).filter(|(time, _)| (from..=to).contains(time));
        let values: Vec<_> = inside.map(|(_, value)| value).filter(|value| value.is_finite()).collect();
        let fold = |with: fn(f32, f32) -> f32| values.iter().copied().reduce(with);
        let sum: f64 = values.iter().copied().map(f64::from).sum();
        let mean = (sum / values.len() as f64) as f32;
        Some(Summary { mean, least: fold(f32::min)?, most: fold(f32::max)? })
    }

    /// Every time and, for each key of `row`, its value; empty where there is none.
    pub(super) fn rows(&self, row: &[Option<&Key>]) -> impl Iterator<Item = (f32, Vec<String>)> {
        let columns: Vec<_> = row.iter().map(|key| key.and_then(|key| self.values.get(key))).collect();
        self.times.iter().enumerate().map(move |(at, time)| {
            let cell = |values: Option<&VecDeque<f32>>| {
                let value = values.and_then(|values| values.get(at)).filter(|value| value.is_finite());
                value.map_or_else(String::new, f32::to_string)
            };
            (*time, columns.iter().copied().map(cell).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(unit: usize) -> Key {
        Key::of(Quantity::Speed, Subject::Unit(unit))
    }

    fn series() -> Series {
        let mut series = Series::default();
        for at in 0..6 {
            let time = at as f32;
            series.begin(time, time - 4.0);
            if at != 3 {
                series.add(key(1), time * 2.0);
            }
        }
        series
    }

    #[test]
    fn values_go_with_a_unit_that_has_another_number() {
        let mut series = series();
        let lines = series.lines(&key(1));
        series.rename(Subject::Unit(1), Subject::Unit(7));
        assert_eq!((series.lines(&key(7)), series.keys().count()), (lines, 1));
    }

    #[test]
    fn a_gap_parts_lines_and_counts_in_no_mean() {
        let mut series = series();
        assert_eq!(series.lines(&key(1)), [vec![[1.0, 2.0], [2.0, 4.0]], vec![[4.0, 8.0], [5.0, 10.0]]]);
        let summary = series.summary(&key(1), [1.5, 4.0]);
        assert_eq!(summary, Some(Summary { mean: 6.0, least: 4.0, most: 8.0 }));
        assert_eq!(series.summary(&key(1), [2.5, 3.5]), None);
        assert_eq!((series.value(&key(1), Some(4.4)), series.value(&key(1), None)), (Some(8.0), Some(10.0)));
        assert_eq!(series.value(&key(1), Some(3.1)), None);
        // What has not been there for the whole time is gone.
        for at in 6..12 {
            series.begin(at as f32, at as f32 - 4.0);
        }
        assert_eq!(series.keys().count(), 0);
    }

    #[test]
    fn names_without_end_are_not_kept_without_end() {
        let mut series = Series::default();
        series.begin(0.0, 0.0);
        let watched =
            |at: usize, unit| Key::named(Quantity::Watched, Subject::Unit(unit), 0, &at.to_string());
        for unit in 0..2 {
            (0..2 * MOST).for_each(|at| series.add(watched(at, unit), 1.0));
        }
        assert_eq!(series.keys().count(), 2 * MOST, "each unit has its own");
    }
}
