//! Rows of tables of measures.

use std::io::{self, Write as _};

use steerbox_core::sim::{Measure, Measured, Simulation};
use steerbox_core::text::number_cell;

/// The values of a state.
pub(super) struct Row {
    pub(super) step: u64,
    pub(super) time: f64,
    pub(super) values: Vec<Option<f64>>,
}

impl Row {
    pub(super) fn of(measures: &[Measure], simulation: &Simulation, measured: &Measured<'_>) -> Self {
        let world = simulation.world();
        let values = measures.iter().map(|measure| measured.value(measure)).collect();
        Self { step: world.steps, time: world.decimal_time(), values }
    }

    /// Writes the row; a missing value is an empty field.
    pub(super) fn write(&self, text: &mut Vec<u8>, measures: &[Measure]) -> io::Result<()> {
        write!(text, "{},{}", self.step, number_cell(self.time, false))?;
        for (value, measure) in self.values.iter().zip(measures) {
            match value {
                None => text.push(b','),
                // Counts and totals are exact in double precision only; all else is computed in single precision.
                Some(value) if value.fract() == 0.0 => {
                    write!(text, ",{}", number_cell(value, measure.is_count()))?;
                }
                Some(value) => write!(text, ",{}", number_cell(*value as f32, false))?,
            }
        }
        text.push(b'\n');
        Ok(())
    }
}
