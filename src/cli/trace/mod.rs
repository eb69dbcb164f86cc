//! `--trace FILE`: states and decisions of units, as JSON lines or as a table, by the extension of the file.

mod args;
mod json;
mod selection;
mod table;

pub(super) use args::TraceArgs;
pub(super) use json::Steering;
pub(super) use selection::UnitSelection;

use std::path::Path;

use super::lines::{Lines, OutputError, is_table};
use super::usage::UsageError;
use crate::sim::Simulation;
use selection::Field;
use table::Table;

/// A trace in progress.
pub(super) struct Trace {
    lines: Lines,
    units: UnitSelection,
    form: Form,
}

/// The form of a trace.
pub(super) enum Form {
    /// An object per unit and state, with these fields.
    Json(Vec<Field>),
    /// A row per state.
    Table(Table),
}

impl Form {
    /// Returns the form of a file with these fields; none are the usual ones.
    ///
    /// # Errors
    /// If a table cannot contain one of them.
    pub(super) fn of(path: &Path, fields: &[Field]) -> Result<Self, UsageError> {
        if is_table(path) {
            return Ok(Self::Table(Table::new(fields)?));
        }
        Ok(Self::Json(if fields.is_empty() { Field::DEFAULT.to_vec() } else { fields.to_vec() }))
    }
}

impl Trace {
    pub(super) fn new(lines: Lines, units: UnitSelection, form: Form) -> Self {
        Self { lines, units, form }
    }

    /// Writes the current state.
    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let Self { lines, units, form } = self;
        match form {
            Form::Json(fields) => {
                let mut written = units
                    .of(simulation.world())
                    .map(|unit| lines.write(|text| json::write(text, simulation, unit, fields)));
                written.try_for_each(|written| written)
            }
            Form::Table(table) => lines.write(|text| table.write(text, simulation.world(), units)),
        }
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.lines.flush()
    }
}
