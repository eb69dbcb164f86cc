//! `--metrics FILE`: measures of groups, one row per step and one numeric column per measure and component.
//!
//! Only values show which watched values are vectors, and none are watched before the first step. The first row is
//! therefore held until the second one, which determines the columns.

#[cfg(feature = "parquet")]
mod parquet;
mod row;
mod table;

use self::row::Row;
pub(super) use self::table::{Table, check};
use steerbox_core::sim::{Measure, MeasureNames, Measured, Simulation, UnknownMeasure};

use super::lines::OutputError;
use super::usage::UsageError;

pub(super) struct Metrics {
    table: Table,
    measures: Vec<Measure>,
    /// The first row, while the columns are not known.
    held: Option<Row>,
    has_header: bool,
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
    let (measured, mut chosen) = (Measured::new(simulation), Vec::<Measure>::new());
    for text in of {
        let failed = |error: String| UsageError(format!("--metrics-of {text}: {error}"));
        let more = names.select(text).map_err(|error: UnknownMeasure| failed(error.to_string()))?;
        for measure in more {
            measured.check_component(&measure).map_err(failed)?;
            if !chosen.contains(&measure) {
                chosen.push(measure);
            }
        }
    }
    Ok(chosen)
}

impl Metrics {
    pub(super) fn new(table: Table, measures: Vec<Measure>) -> Self {
        Self { table, measures, held: None, has_header: false }
    }

    /// Writes the current state as a row.
    pub(super) fn write(&mut self, simulation: &Simulation) -> Result<(), OutputError> {
        let measured = Measured::new(simulation);
        if !self.has_header {
            self.add_components(&measured);
            if self.held.is_none() {
                self.held = Some(Row::of(&self.measures, simulation, &measured));
                return Ok(());
            }
            self.write_held()?;
        }
        self.table.row(Row::of(&self.measures, simulation, &measured), &self.measures)
    }

    /// Inserts the components of vectors and lists after their measures; a list itself is not a number.
    fn add_components(&mut self, measured: &Measured<'_>) {
        let mut held = self.held.as_mut().map(|row| std::mem::take(&mut row.values).into_iter());
        let (mut measures, mut values) = (Vec::new(), Vec::new());
        for measure in &self.measures {
            let value = held.as_mut().and_then(Iterator::next).flatten();
            let components = measured.components(measure);
            let is_list = !components.is_empty() && measured.value(measure).is_none();
            let own = Some((measure.clone(), value)).filter(|_| !is_list);
            let parts = components.into_iter().filter(|component| !self.measures.contains(component));
            for (measure, value) in own.into_iter().chain(parts.map(|component| (component, None))) {
                measures.push(measure);
                values.push(value);
            }
        }
        self.measures = measures;
        if let Some(row) = &mut self.held {
            row.values = values;
        }
    }

    /// Writes the header and the first row.
    fn write_held(&mut self) -> Result<(), OutputError> {
        self.has_header = true;
        self.table.header(&self.measures)?;
        self.held.take().map_or(Ok(()), |row| self.table.row(row, &self.measures))
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        if !self.has_header {
            self.write_held()?;
        }
        self.table.finish()
    }
}
