//! `--metrics FILE.csv`: measures of groups, one row per step and one numeric column per measure and component.
//!
//! Only values show which watched values are vectors, and none are watched before the first step. The first row is
//! therefore held until the second one, which determines the columns.

use std::io::{self, Write as _};

use super::lines::{Lines, OutputError};
use super::usage::UsageError;
use crate::sim::{Measure, MeasureNames, Measured, Simulation, UnknownMeasure, csv_field};

pub(super) struct Metrics {
    lines: Lines,
    measures: Vec<Measure>,
    /// The first row, while the columns are not known.
    held: Option<Row>,
    has_header: bool,
}

/// The values of a state.
struct Row {
    step: u64,
    time: f32,
    values: Vec<Option<f64>>,
}

/// Returns the chosen measures; without a choice, all that are not costly.
///
/// # Errors
/// If one of the names is unknown.
pub(super) fn chosen(of: &[String], simulation: &Simulation) -> Result<Vec<Measure>, UsageError> {
    let names = MeasureNames::of(simulation);
    if of.is_empty() {
        return Ok(names.all().into_iter().filter(|measure| !measure.is_costly()).collect());
    }
    let mut chosen: Vec<Measure> = Vec::new();
    for text in of {
        let unknown = |error: UnknownMeasure| UsageError(format!("--metrics-of {text}: {error}"));
        let more = names.select(text).map_err(unknown)?;
        chosen.extend(more.into_iter().filter(|measure| !chosen.contains(measure)).collect::<Vec<_>>());
    }
    Ok(chosen)
}

impl Metrics {
    pub(super) fn new(lines: Lines, measures: Vec<Measure>) -> Self {
        Self { lines, measures, held: None, has_header: false }
    }

    /// Writes the current state as a row.
    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let world = simulation.world();
        let measured = Measured::new(simulation);
        if !self.has_header {
            if self.held.is_none() {
                self.held = Some(Row::of(&self.measures, simulation, &measured));
                return Ok(());
            }
            self.add_components(&measured, world.arena.is_plane());
            self.write_held()?;
        }
        let row = Row::of(&self.measures, simulation, &measured);
        self.lines.write(|text| row.write(text))
    }

    /// Inserts the components of watched vectors after their lengths.
    fn add_components(&mut self, measured: &Measured<'_>, is_plane: bool) {
        let held = self.held.iter_mut().flat_map(|row| std::mem::take(&mut row.values));
        let (mut measures, mut values) = (Vec::new(), Vec::new());
        let axes = if is_plane { 2 } else { 3 };
        for (measure, value) in self.measures.iter().zip(held) {
            measures.push(measure.clone());
            values.push(value);
            let components = measure.components().into_iter().take(axes);
            for component in components.filter(|component| measured.value(component).is_some()) {
                if !self.measures.contains(&component) {
                    measures.push(component);
                    values.push(None);
                }
            }
        }
        self.measures = measures;
        self.held.iter_mut().for_each(|row| row.values.clone_from(&values));
    }

    /// Writes the header and the first row.
    fn write_held(&mut self) -> Result<(), OutputError> {
        self.has_header = true;
        let (measures, held) = (&self.measures, self.held.take());
        self.lines.write(|text| {
            text.extend_from_slice(b"step,time");
            for measure in measures {
                write!(text, ",{}", csv_field(measure.name()))?;
            }
            text.push(b'\n');
            held.map_or(Ok(()), |row| row.write(text))
        })
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        if !self.has_header {
            self.write_held()?;
        }
        self.lines.flush()
    }
}

impl Row {
    fn of(measures: &[Measure], simulation: &Simulation, measured: &Measured<'_>) -> Self {
        let world = simulation.world();
        let values = measures.iter().map(|measure| measured.value(measure)).collect();
        Self { step: world.steps, time: world.time(), values }
    }

    /// Writes the row; a missing value is an empty field.
    fn write(&self, text: &mut Vec<u8>) -> io::Result<()> {
        write!(text, "{},{}", self.step, self.time)?;
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
