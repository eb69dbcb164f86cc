//! Axes.

use super::column::Column;
use super::ticks::{tick_text, ticks};
use super::units::labeled;

/// Maximum number of values of a variable that are ticks themselves.
const MAX_OWN: usize = 8;
/// Free space at both ends of an axis, as a share of it.
const MARGIN: f64 = 0.04;

/// An axis.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Axis {
    /// Its name with the unit.
    pub label: String,
    /// The least and the greatest value.
    pub ends: [f64; 2],
    /// Ticks in place of round numbers, with their texts.
    pub own: Vec<(f64, String)>,
}

impl Axis {
    /// Returns the axis of a column for some of its values.
    pub(super) fn of_values(column: &Column, values: &[f64]) -> Self {
        let ends = [values.first(), values.last()].map(|end| end.copied().unwrap_or_default());
        let label = labeled(&column.name);
        if column.is_numeric() {
            return Self { label, ends: widened(ends), own: Vec::new() };
        }
        let own = values.iter().map(|value| (*value, column.text(*value))).collect();
        Self { label, ends: [ends[0] - 0.5, ends[1] + 0.5], own }
    }

    /// Returns the axis of numbers that contains an interval, with free space at its ends.
    pub fn of_interval(label: String, ends: [f64; 2]) -> Self {
        Self { label, ends: widened(ends), own: Vec::new() }
    }

    /// Uses the values of a numeric variable as ticks if they are few.
    #[must_use]
    pub(super) fn with_own(mut self, column: &Column, values: &[f64]) -> Self {
        if self.own.is_empty() && values.len() <= MAX_OWN {
            self.own = values.iter().map(|value| (*value, column.text(*value))).collect();
        }
        self
    }

    /// Returns its ticks, about `most` of them, with their texts.
    pub(super) fn ticks(&self, most: usize) -> Vec<(f64, String)> {
        if !self.own.is_empty() {
            return self.own.clone();
        }
        let (values, step) = ticks(self.ends, most);
        values.into_iter().map(|value| (value, tick_text(value, step))).collect()
    }

    /// Returns the share of a value between both ends.
    pub(super) fn share(&self, value: f64) -> f32 {
        let [first, last] = self.ends;
        let width = last - first;
        // The width of the whole range of numbers is infinite.
        if width.is_finite() { ((value - first) / width) as f32 } else { 0.5 }
    }
}

/// Returns an interval with free space at its ends.
fn widened([first, last]: [f64; 2]) -> [f64; 2] {
    let width = last - first;
    if width > 0.0 {
        let margin = width * MARGIN;
        return [first - margin, last + margin];
    }
    let margin = if first == 0.0 { 0.5 } else { first.abs() * 0.5 };
    [first - margin, last + margin]
}

/// Returns the interval of an axis of results: it contains 0 if that is near, and the greatest possible value if there is
/// one.
pub(super) fn result_ends([least, most]: [f64; 2], greatest: Option<f64>) -> [f64; 2] {
    if let Some(greatest) = greatest.filter(|greatest| least >= 0.0 && most <= greatest * 1.5) {
        return [0.0, most.max(greatest)];
    }
    if [least, most] == [0.0; 2] {
        return [0.0, 1.0];
    }
    let is_near = least > 0.0 && least < 0.5 * most;
    [if is_near { 0.0 } else { least }, most]
}
