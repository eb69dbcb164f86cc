//! Insertion and removal of units: arrays by unit are rebuilt from runs of remaining and of new units.

use std::iter::repeat_n;
use std::ops::Range;

/// Consecutive units after a change.
#[derive(Clone, Debug, PartialEq, Eq)]
enum Run {
    /// Units that remain, by their indices before the change.
    Remaining(Range<usize>),
    /// New units, by their indices among all new ones.
    New(Range<usize>),
}

/// The units of each group after a change, in order.
#[derive(Clone, Debug, Default)]
pub struct Splice {
    groups: Vec<Vec<Run>>,
    added: usize,
}

impl Splice {
    /// Appends a group without units.
    pub fn add_group(&mut self) {
        self.groups.push(Vec::new());
    }

    /// Appends units that remain to the last group, by their indices before the change, which must increase.
    pub fn add_remaining(&mut self, units: Range<usize>) {
        let Some(runs) = self.groups.last_mut().filter(|_| !units.is_empty()) else {
            return;
        };
        match runs.last_mut() {
            Some(Run::Remaining(last)) if last.end == units.start => last.end = units.end,
            _ => runs.push(Run::Remaining(units)),
        }
    }

    /// Appends the next `count` new units to the last group.
    pub fn add_new(&mut self, count: usize) {
        let new = self.added..self.added + count;
        let Some(runs) = self.groups.last_mut().filter(|_| count > 0) else {
            return;
        };
        self.added = new.end;
        match runs.last_mut() {
            Some(Run::New(last)) => last.end = new.end,
            _ => runs.push(Run::New(new)),
        }
    }

    /// Returns an array by unit after the change: `old` has `width` values per unit before it, `new` per new unit.
    ///
    /// # Panics
    /// If one of the arrays is too short.
    pub fn all<T: Copy>(&self, old: &[T], new: &[T], width: usize) -> Vec<T> {
        splice(self.groups.iter().flatten(), (old, 0), (new, 0), width)
    }

    /// Returns an array by unit of group `group`: `old` starts at unit `first` before the change, and `new` at its first
    /// new unit.
    ///
    /// # Panics
    /// If one of the arrays is too short, or there is no such group.
    pub fn of_group<T: Copy>(
        &self,
        group: usize,
        (old, first): (&[T], usize),
        new: &[T],
        width: usize,
    ) -> Vec<T> {
        splice(self.groups[group].iter(), (old, first), (new, self.new_units(group).start), width)
    }

    /// The new units of a group, by their indices among all new ones.
    ///
    /// # Panics
    /// If there is no such group.
    pub fn new_units(&self, group: usize) -> Range<usize> {
        let mut new = self.groups[group].iter().filter_map(|run| match run {
            Run::New(units) => Some(units),
            Run::Remaining(_) => None,
        });
        let first = new.next().cloned().unwrap_or_default();
        first.start..new.next_back().map_or(first.end, |last| last.end)
    }

    /// The indices of each group's units after the change.
    pub fn groups(&self) -> impl Iterator<Item = Range<usize>> {
        let mut end = 0;
        self.groups.iter().map(move |runs| {
            let start = end;
            end += runs.iter().map(Run::len).sum::<usize>();
            start..end
        })
    }

    /// Returns the previous index of each unit after the change; `None` for new ones.
    pub fn origins(&self) -> impl Iterator<Item = Option<usize>> {
        self.groups.iter().flatten().flat_map(|run| {
            let (remaining, new) = match run {
                Run::Remaining(units) => (units.clone(), 0),
                Run::New(units) => (0..0, units.len()),
            };
            remaining.map(Some).chain(repeat_n(None, new))
        })
    }

    /// Returns the new index of each of the `units` units before the change; `None` for removed ones.
    pub fn targets(&self, units: usize) -> Vec<Option<usize>> {
        let mut targets = vec![None; units];
        for (target, origin) in self.origins().enumerate() {
            if let Some(slot) = origin.and_then(|origin| targets.get_mut(origin)) {
                *slot = Some(target);
            }
        }
        targets
    }
}

impl Run {
    fn len(&self) -> usize {
        match self {
            Self::Remaining(units) | Self::New(units) => units.len(),
        }
    }
}

/// Joins the values of runs. Both arrays come with the index of their first unit.
fn splice<'a, T: Copy>(
    runs: impl Iterator<Item = &'a Run> + Clone,
    (old, first_old): (&[T], usize),
    (new, first_new): (&[T], usize),
    width: usize,
) -> Vec<T> {
    let units: usize = runs.clone().map(Run::len).sum();
    let mut joined = Vec::with_capacity(units * width);
    for run in runs {
        let (from, first, units) = match run {
            Run::Remaining(units) => (old, first_old, units),
            Run::New(units) => (new, first_new, units),
        };
        joined.extend_from_slice(&from[(units.start - first) * width..(units.end - first) * width]);
    }
    joined
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Units 0 to 3 and 4 to 5 before; the first group loses unit 1 and gains two, the second loses all and gains one.
    fn change() -> Splice {
        let mut splice = Splice::default();
        splice.add_group();
        splice.add_remaining(0..1);
        splice.add_remaining(2..3);
        splice.add_remaining(3..4);
        splice.add_new(1);
        splice.add_new(1);
        splice.add_group();
        splice.add_remaining(4..4);
        splice.add_new(1);
        splice.add_group();
        splice
    }

    #[test]
    fn arrays_are_joined_from_remaining_and_new_units() {
        let splice = change();
        assert_eq!(splice.groups[0], [Run::Remaining(0..1), Run::Remaining(2..4), Run::New(0..2)]);
        let old = [0, 1, 2, 3, 4, 5];
        assert_eq!(splice.all(&old, &[60, 70, 80], 1), [0, 2, 3, 60, 70, 80]);
        let pairs: Vec<i32> = old.iter().flat_map(|unit| [*unit, -unit]).collect();
        assert_eq!(splice.all(&pairs, &[6, 6, 7, 7, 8, 8], 2), [0, 0, 2, -2, 3, -3, 6, 6, 7, 7, 8, 8]);
        assert_eq!(splice.of_group(0, (&old[..4], 0), &[60, 70], 1), [0, 2, 3, 60, 70]);
        assert_eq!(splice.of_group(1, (&old[4..], 4), &[80], 1), [80]);
        assert_eq!(splice.of_group(2, (&old[..0], 6), &[], 1), [0; 0]);
    }

    #[test]
    fn units_are_renumbered_by_group() {
        let splice = change();
        assert_eq!(splice.groups().collect::<Vec<_>>(), [0..5, 5..6, 6..6]);
        assert_eq!((0..3).map(|group| splice.new_units(group)).collect::<Vec<_>>(), [0..2, 2..3, 0..0]);
        assert_eq!(splice.origins().collect::<Vec<_>>(), [Some(0), Some(2), Some(3), None, None, None]);
        assert_eq!(splice.targets(6), [Some(0), None, Some(1), Some(2), None, None]);
    }
}
