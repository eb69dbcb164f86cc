//! Rows of tables of measures.

use std::io::{self, Write as _};

use steerbox_core::sim::{Measure, Measured, Simulation};

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
    pub(super) fn write(&self, text: &mut Vec<u8>) -> io::Result<()> {
        write!(text, "{},{:?}", self.step, self.time)?;
        for value in &self.values {
            match value {
                None => text.push(b','),
                // Counts are exact in double precision only; all else is computed in single precision.
                Some(value) if value.fract() == 0.0 => write!(text, ",{value}")?,
                Some(value) => write!(text, ",{}", *value as f32)?,
            }
        }
        text.push(b'\n');
        Ok(())
    }
}
