//! Values over time, a series for each thing that is plotted.

use std::collections::{BTreeMap, BTreeSet, VecDeque};
use std::ops::RangeInclusive;

use steerbox_core::text::number_cell;
use steerbox_core::world::World;

use super::quantity::{Measure, Quantity};

/// Maximum number of series of a group or unit: scripts can generate the names of watched values.
const MAX_SERIES: usize = 200;

/// The owner of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) enum Subject {
    /// A group, by its index.
    Group(usize),
    /// The inspected unit.
    Unit,
}

/// The key of a series. Series are plotted in the order of their keys.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Key {
    pub(crate) quantity: Quantity,
    /// The index of the rule in its group, or of the signal.
    pub(crate) at: usize,
    /// The name of the rule, the signal or the watched value; empty for quantities without names.
    pub(crate) name: String,
    pub(crate) subject: Subject,
}

impl Key {
    pub(crate) fn new(quantity: Quantity, subject: Subject) -> Self {
        Self { quantity, at: 0, name: String::new(), subject }
    }

    pub(crate) fn named(quantity: Quantity, subject: Subject, at: usize, name: &str) -> Self {
        Self { quantity, at, name: name.to_owned(), subject }
    }

    /// Its measure without the subject.
    pub(crate) fn measure(&self) -> Measure {
        Measure { quantity: self.quantity, name: self.name.clone() }
    }

    /// The title of its measure.
    pub(crate) fn title(&self) -> String {
        self.measure().title()
    }
}

/// Mean and bounds of a series in a span of time.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Summary {
    pub(crate) mean: f32,
    pub(crate) least: f32,
    pub(crate) most: f32,
}

/// The figures of a state that are computed on request, beside the cheap ones: a bit for each.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Computed(u16);

impl Computed {
    /// All figures of the inspected unit except the value of a script line.
    pub(crate) const UNIT: Self = Self(1 << 14);
    /// The value of the plotted script line.
    pub(crate) const LINE: Self = Self(1 << 15);

    /// A quantity of all groups; nothing if it is always computed.
    pub(crate) fn from_quantity(quantity: Quantity) -> Self {
        match quantity {
            Quantity::Force => Self(1),
            Quantity::Watched => Self(1 << 1),
            Quantity::Computed => Self(1 << 13),
            Quantity::Line => Self::LINE,
            Quantity::Figure(at) if quantity.is_costly() => Self(1 << (2 + at)),
            Quantity::Figure(_) | Quantity::Signal => Self(0),
        }
    }

    /// The union of both.
    pub(crate) fn and(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    /// True if these include all the figures of `all`.
    pub(crate) fn has(self, all: Self) -> bool {
        self.0 & all.0 == all.0
    }

    fn without(self, other: Self) -> Self {
        Self(self.0 & !other.0)
    }
}

/// A sampled state.
#[derive(Clone, Copy, Debug)]
struct Column {
    /// Its number of steps, and its time in simulated seconds.
    step: u64,
    time: f32,
    computed: Computed,
}

/// Series that share their times.
#[derive(Clone, Debug)]
pub(crate) struct Series {
    /// Simulated seconds that are stored, and between two samples.
    seconds: f32,
    every: f32,
    /// In the order of their steps.
    columns: VecDeque<Column>,
    /// As many values as columns; NaN where there was none.
    values: BTreeMap<Key, VecDeque<f32>>,
    /// Ranges of steps without the samples that are due: disjoint, oldest first.
    gaps: Vec<RangeInclusive<u64>>,
}

impl Series {
    /// An empty series, with a gap from the start to the step `last`.
    pub(crate) fn new(seconds: f32, every: f32, last: u64) -> Self {
        let gaps = vec![0..=last];
        Self { seconds, every, columns: VecDeque::new(), values: BTreeMap::new(), gaps }
    }

    /// Number of steps in a simulated time, seconds; at least one.
    fn steps_of(seconds: f32, step: f32) -> u64 {
        ((seconds / step.max(1e-6)).round() as u64).max(1)
    }

    fn last(&self) -> Option<&Column> {
        self.columns.back()
    }

    /// Adds steps without samples.
    pub(super) fn add_gap(&mut self, steps: RangeInclusive<u64>) {
        if !steps.is_empty() {
            self.gaps.push(steps);
        }
    }

    /// Removes steps from the gaps.
    fn cover(&mut self, from: u64, to: u64) {
        let parts = self.gaps.iter().flat_map(|range| {
            let (start, end) = (*range.start(), *range.end());
            [start..=end.min(from.saturating_sub(1)), start.max(to + 1)..=end]
        });
        // There is nothing before step 0.
        self.gaps = parts.filter(|part| !part.is_empty() && *part.end() > 0).collect();
    }

    /// Returns true if a sample of the present state is due, or if the last one is of that state and some of
    /// `computed` is missing.
    pub(crate) fn is_due(&self, world: &World, computed: Computed) -> bool {
        self.last().is_none_or(|last| match world.steps.checked_sub(last.step) {
            Some(0) => !last.computed.has(computed),
            Some(steps) => steps >= Self::steps_of(self.every, world.step),
            None => false,
        })
    }

    /// Stores a sample of the state after a step, and drops old ones.
    pub(crate) fn store(
        &mut self,
        (step, time): (u64, f32),
        computed: Computed,
        sample: impl IntoIterator<Item = (Key, f32)>,
    ) {
        let at = self.columns.partition_point(|column| column.step < step);
        if self.columns.get(at).is_none_or(|column| column.step != step) {
            self.columns.insert(at, Column { step, time, computed: Computed::default() });
            self.values.values_mut().for_each(|values| values.insert(at, f32::NAN));
        }
        if let Some(column) = self.columns.get_mut(at) {
            column.computed = column.computed.and(computed);
        }
        for (key, value) in sample {
            self.add(at, key, value);
        }
        self.cover(step, step);
        self.trim();
    }

    fn add(&mut self, at: usize, key: Key, value: f32) {
        if !self.values.contains_key(&key) {
            let of_subject = self.values.keys().filter(|other| other.subject == key.subject);
            if of_subject.count() >= MAX_SERIES {
                return;
            }
        }
        let count = self.columns.len();
        let values = self.values.entry(key).or_insert_with(|| vec![f32::NAN; count].into());
        if let Some(stored) = values.get_mut(at) {
            *stored = value;
        }
    }

    /// Drops columns that are too old.
    fn trim(&mut self) {
        let oldest = self.last().map_or(0.0, |last| last.time - self.seconds);
        let old = self.columns.partition_point(|column| column.time < oldest);
        if old == 0 {
            return;
        }
        self.columns.drain(..old);
        for values in self.values.values_mut() {
            values.drain(..old);
        }
        self.values.retain(|_, values| values.iter().any(|value| !value.is_nan()));
        let first = self.columns.front().map_or(0, |column| column.step);
        self.gaps.retain(|range| *range.end() >= first);
    }

    /// Drops the series that `is_other` selects, and `computed` from all columns.
    pub(crate) fn forget(&mut self, computed: Computed, is_other: impl Fn(&Key) -> bool) {
        self.values.retain(|key, _| !is_other(key));
        for column in &mut self.columns {
            column.computed = column.computed.without(computed);
        }
    }

    /// The recorded steps that have no sample or whose sample misses some of `computed`; a step lasts `step`
    /// simulated seconds.
    pub(crate) fn missing(
        &self,
        recorded: &RangeInclusive<u64>,
        computed: Computed,
        step: f32,
    ) -> BTreeSet<u64> {
        let oldest = recorded.end().saturating_sub(Self::steps_of(self.seconds, step));
        let (first, last) = (oldest.max(recorded.start() + 1), *recorded.end());
        let every = Self::steps_of(self.every, step);
        let gaps = self.gaps.iter().flat_map(|range| {
            let from = (*range.start()).max(first).next_multiple_of(every);
            (from..=last.min(*range.end())).step_by(usize::try_from(every).unwrap_or(usize::MAX))
        });
        let incomplete = self.columns.iter().filter(|column| !column.computed.has(computed));
        let incomplete = incomplete.map(|column| column.step).filter(|step| (first..=last).contains(step));
        gaps.chain(incomplete).collect()
    }

    /// Marks `computed` as present in all samples of these steps, and closes the gaps there. A gap in which no sample
    /// is due is closed too: a replay may start inside of a gap, behind its first steps.
    pub(crate) fn complete(&mut self, steps: &RangeInclusive<u64>, computed: Computed, step: f32) {
        for column in self.columns.iter_mut().filter(|column| steps.contains(&column.step)) {
            column.computed = column.computed.and(computed);
        }
        let every = Self::steps_of(self.every, step);
        self.cover(*steps.start(), steps.end() + every - 1);
        self.gaps.retain(|range| range.start().next_multiple_of(every) <= *range.end());
    }

    /// The time of the first and of the last sample.
    pub(crate) fn ends(&self) -> Option<[f32; 2]> {
        Some([self.columns.front()?.time, self.last()?.time])
    }

    /// True if a time lies between the first and the last.
    pub(crate) fn has(&self, time: f32) -> bool {
        self.ends().is_some_and(|[first, last]| (first..=last).contains(&time))
    }

    /// The keys of all series.
    pub(crate) fn keys(&self) -> impl Iterator<Item = &Key> {
        self.values.keys()
    }

    /// The lines of a series: times in seconds and values, in pieces without a gap.
    pub(crate) fn lines(&self, key: &Key) -> Vec<Vec<[f64; 2]>> {
        let mut lines: Vec<Vec<[f64; 2]>> = vec![Vec::new()];
        let mut before = None;
        for (column, value) in self.points(key) {
            let is_gap = |range: &RangeInclusive<u64>| {
                before.is_some_and(|before| before < *range.start() && *range.start() < column.step)
            };
            if !value.is_finite() || self.gaps.iter().any(is_gap) {
                lines.push(Vec::new());
            }
            if let Some(line) = lines.last_mut().filter(|_| value.is_finite()) {
                line.push([column.time.into(), value.into()]);
            }
            before = Some(column.step);
        }
        lines.retain(|line| !line.is_empty());
        lines
    }

    /// The finite values of a series, with their times.
    pub(crate) fn values<'a>(&'a self, key: &Key) -> impl Iterator<Item = (f32, f32)> + Clone + use<'a> {
        self.points(key).map(|(column, value)| (column.time, value)).filter(|(_, value)| value.is_finite())
    }

    /// The times at which two series have finite values, with both.
    pub(crate) fn pairs<'a>(&'a self, a: &Key, b: &Key) -> impl Iterator<Item = (f32, [f32; 2])> + use<'a> {
        let pairs = self.points(a).zip(self.points(b));
        let pairs = pairs.map(|((column, a), (_, b))| (column.time, [a, b]));
        pairs.filter(|(_, pair)| pair.iter().all(|value| value.is_finite()))
    }

    /// The key of a measure of a subject, if it has values.
    pub(crate) fn key(&self, measure: &Measure, subject: Subject) -> Option<&Key> {
        self.keys().find(|key| key.subject == subject && key.measure() == *measure)
    }

    fn points<'a>(&'a self, key: &Key) -> impl Iterator<Item = (&'a Column, f32)> + Clone + use<'a> {
        let values = self.values.get(key).into_iter().flatten();
        self.columns.iter().zip(values.copied())
    }

    /// The least and the greatest value of a series.
    pub(crate) fn bounds(&self, key: &Key) -> Option<[f32; 2]> {
        let bounds = |[least, most]: [f32; 2], value: f32| [least.min(value), most.max(value)];
        self.values(key)
            .map(|(_, value)| value)
            .fold(None, |all, value| Some(bounds(all.unwrap_or([value; 2]), value)))
    }

    /// The value at the sample next to a time; without a time, the last one.
    pub(crate) fn value(&self, key: &Key, time: Option<f32>) -> Option<f32> {
        let time = time.or(self.last().map(|last| last.time))?;
        let distance = |(at, _): &(&Column, f32)| (at.time - time).abs();
        let nearest = self.points(key).min_by(|a, b| distance(a).total_cmp(&distance(b)))?;
        Some(nearest.1).filter(|value| value.is_finite())
    }

    /// Mean and bounds of a series in a span, its ends included.
    pub(crate) fn summary(&self, key: &Key, [from, to]: [f32; 2]) -> Option<Summary> {
        let inside = self.values(key).filter(|(time, _)| (from..=to).contains(time));
        let values: Vec<_> = inside.map(|(_, value)| value).collect();
        let fold = |with: fn(f32, f32) -> f32| values.iter().copied().reduce(with);
        let sum: f64 = values.iter().copied().map(f64::from).sum();
        let mean = (sum / values.len() as f64) as f32;
        Some(Summary { mean, least: fold(f32::min)?, most: fold(f32::max)? })
    }

    /// Every time and, for each key of `row`, its value; empty where there is none.
    pub(super) fn rows(&self, row: &[Option<&Key>]) -> impl Iterator<Item = (f32, Vec<String>)> {
        let of_key = |key: &Key| Some((key.quantity, self.values.get(key)?));
        let columns: Vec<_> = row.iter().map(|key| key.and_then(of_key)).collect();
        self.columns.iter().enumerate().map(move |(at, column)| {
            let cell = |(quantity, values): (Quantity, &VecDeque<f32>)| {
                let value = values.get(at).filter(|value| value.is_finite())?;
                Some(number_cell(value, quantity.is_count()).to_string())
            };
            (column.time, columns.iter().map(|column| column.and_then(cell).unwrap_or_default()).collect())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(at: usize) -> Key {
        Key::named(Quantity::Force, Subject::Unit, at, "")
    }

    fn series() -> Series {
        let mut series = Series::new(4.0, 1.0, 0);
        for at in 0..6 {
            let sample = (at != 3).then(|| (key(1), at as f32 * 2.0));
            series.store((at, at as f32), Computed::UNIT, sample);
        }
        series
    }

    #[test]
    fn the_bits_of_computed_figures_are_distinct() {
        let of_quantities = Quantity::all().chain([Quantity::Line]).map(Computed::from_quantity);
        let mut bits: Vec<_> = of_quantities.map(|computed| computed.0).filter(|bits| *bits != 0).collect();
        bits.push(Computed::UNIT.0);
        assert!(bits.iter().all(|bits| bits.is_power_of_two()));
        assert_eq!(bits.iter().copied().collect::<BTreeSet<_>>().len(), bits.len());
    }

    #[test]
    fn gaps_split_lines_and_are_excluded_from_means() {
        let mut series = series();
        assert_eq!(series.lines(&key(1)), [vec![[1.0, 2.0], [2.0, 4.0]], vec![[4.0, 8.0], [5.0, 10.0]]]);
        let summary = series.summary(&key(1), [1.5, 4.0]);
        assert_eq!(summary, Some(Summary { mean: 6.0, least: 4.0, most: 8.0 }));
        assert_eq!(series.summary(&key(1), [2.5, 3.5]), None);
        assert_eq!((series.value(&key(1), Some(4.4)), series.value(&key(1), None)), (Some(8.0), Some(10.0)));
        assert_eq!(series.value(&key(1), Some(3.1)), None);
        assert_eq!((series.bounds(&key(1)), series.ends()), (Some([2.0, 10.0]), Some([1.0, 5.0])));
        // A series without values in the stored time is dropped.
        for at in 6..12 {
            series.store((at, at as f32), Computed::default(), []);
        }
        assert_eq!(series.keys().count(), 0);
    }

    #[test]
    fn steps_without_complete_samples_are_missing_until_they_are_completed() {
        let mut series = Series::new(60.0, 1.0, 9);
        let all = |steps: &[u64]| steps.iter().copied().collect::<BTreeSet<_>>();
        // Samples every two steps: from the first step that can be replayed on.
        let missing = |series: &Series, computed| series.missing(&(2..=20), computed, 0.5);
        assert_eq!(missing(&series, Computed::UNIT), all(&[4, 6, 8]));
        for step in [10, 12, 14] {
            series.store((step, step as f32 * 0.5), Computed::default(), [(key(0), 1.0)]);
        }
        series.add_gap(15..=19);
        series.store((20, 10.0), Computed::UNIT, [(key(0), 1.0)]);
        assert_eq!(missing(&series, Computed::default()), all(&[4, 6, 8, 16, 18]));
        assert_eq!(missing(&series, Computed::UNIT), all(&[4, 6, 8, 10, 12, 14, 16, 18]));
        assert_eq!(series.lines(&key(0)).len(), 2, "lines are split at missing samples");
        for step in [14, 16, 18] {
            series.store((step, step as f32 * 0.5), Computed::UNIT, [(key(0), 2.0)]);
        }
        // The replay starts inside of the gap, and no sample is due at step 15.
        series.complete(&(16..=18), Computed::UNIT, 0.5);
        assert_eq!(missing(&series, Computed::UNIT), all(&[4, 6, 8, 10, 12]));
        assert_eq!(series.gaps, [0..=9]);
        let line: Vec<_> = series.lines(&key(0)).concat().iter().map(|[time, _]| *time).collect();
        assert_eq!((line, series.lines(&key(0)).len()), (vec![5.0, 6.0, 7.0, 8.0, 9.0, 10.0], 1));
        series.complete(&(3..=12), Computed::UNIT, 0.5);
        assert_eq!(missing(&series, Computed::UNIT), all(&[]));
        series.forget(Computed::UNIT, |key| key.subject == Subject::Unit);
        assert_eq!(missing(&series, Computed::UNIT), all(&[10, 12, 14, 16, 18, 20]));
        assert_eq!(series.keys().count(), 0);
    }

    #[test]
    fn an_unbounded_number_of_names_is_stored_up_to_a_limit() {
        let mut series = Series::new(1.0, 1.0, 0);
        let subjects = [Subject::Unit, Subject::Group(0)];
        for subject in subjects {
            let watched = |at: usize| Key::named(Quantity::Watched, subject, 0, &at.to_string());
            series.store((0, 0.0), Computed::UNIT, (0..2 * MAX_SERIES).map(|at| (watched(at), 1.0)));
        }
        assert_eq!(series.keys().count(), 2 * MAX_SERIES, "each subject has its own");
    }
}
