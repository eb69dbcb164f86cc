//! `--trace FILE`: states and decisions of units, as JSON lines or as a table, by the extension of the file.

mod args;
mod json;
mod selection;
mod table;

pub(super) use args::TraceArgs;
pub(super) use json::Steering;
pub(super) use selection::UnitSelection;

use std::path::Path;

use steerbox_core::sim::Simulation;

use super::lines::{Lines, OutputError, is_table};
use super::usage::UsageError;
use selection::Field;
use table::Table;

/// A trace in progress.
pub(super) struct Trace {
    lines: Lines,
    units: UnitSelection,
    form: Form,
    /// True if y points down.
    flips_y: bool,
}

/// The form of a trace.
pub(super) enum Form {
    /// An object per unit and state with these fields, and per grid and state.
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
    pub(super) fn new(lines: Lines, units: UnitSelection, form: Form, flips_y: bool) -> Self {
        Self { lines, units, form, flips_y }
    }

    /// Writes the current state.
    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let Self { lines, units, form, flips_y } = self;
        match form {
            Form::Json(fields) => {
                let world = simulation.world();
                let time = world.decimal_time();
                if fields.iter().any(|field| field.is_of_units()) {
                    for unit in units.of(world) {
                        lines
                            .write(|text| json::write(text, (simulation, time), unit, (fields, *flips_y)))?;
                    }
                }
                let has_values = fields.contains(&Field::GridValues);
                let has_grids = has_values || fields.contains(&Field::Grids);
                for grid in world.grids.iter().filter(|_| has_grids) {
                    lines
                        .write(|text| json::write_grid(text, (world, time), grid, (has_values, *flips_y)))?;
                }
                Ok(())
            }
            Form::Table(table) => lines.write(|text| table.write(text, simulation.world(), units, *flips_y)),
        }
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.lines.flush()
    }
}
