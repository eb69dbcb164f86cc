//! A column of a table.

use std::collections::BTreeMap;

/// The meaning of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A value that an experiment varies.
    Variable,
    /// The seed of a run.
    Seed,
    /// A result.
    Measure,
    /// The step or the time of a row.
    Time,
}

/// A column.
#[derive(Clone, Debug)]
pub struct Column {
    /// Its name in the first line.
    pub name: String,
    /// Its meaning.
    pub role: Role,
    /// A number for each row, NaN where there is none; for texts the index of the label.
    pub values: Vec<f64>,
    /// The distinct texts in the order of their first rows; empty for a column of numbers.
    pub labels: Vec<String>,
    known: BTreeMap<String, usize>,
}

impl Column {
    pub(super) fn new(name: &str, role: Role) -> Self {
        Self { name: name.to_owned(), role, values: Vec::new(), labels: Vec::new(), known: BTreeMap::new() }
    }

    /// Returns true if its values are numbers.
    pub fn is_numeric(&self) -> bool {
        self.labels.is_empty()
    }

    /// Returns its values without repetition, in ascending order; of texts, in the order of their first rows.
    pub fn distinct(&self) -> Vec<f64> {
        let mut values: Vec<_> = self.values.iter().copied().filter(|value| value.is_finite()).collect();
        values.sort_by(f64::total_cmp);
        // Zero has two signs.
        values.dedup_by(|a, b| a == b);
        values
    }

    /// Returns the text of a value.
    pub fn text(&self, value: f64) -> String {
        if self.is_numeric() {
            return value.to_string();
        }
        self.labels.get(value as usize).cloned().unwrap_or_default()
    }

    /// Appends the value of a cell. Measures are numbers, or missing.
    pub(super) fn push(&mut self, cell: &str) {
        let number = cell.trim().parse::<f64>().ok();
        if self.is_numeric() && (number.is_some() || cell.is_empty() || self.role != Role::Variable) {
            self.values.push(number.filter(|number| number.is_finite()).unwrap_or(f64::NAN));
            return;
        }
        if self.is_numeric() {
            for value in std::mem::take(&mut self.values) {
                self.push_label(&value.to_string());
            }
        }
        self.push_label(cell);
    }

    fn push_label(&mut self, label: &str) {
        let next = self.labels.len();
        let index = *self.known.entry(label.to_owned()).or_insert(next);
        if index == next {
            self.labels.push(label.to_owned());
        }
        self.values.push(index as f64);
    }
}
