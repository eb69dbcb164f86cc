//! Tables of measures as Parquet: columns of 64-bit numbers, compressed by Snappy, with the unit as metadata of the column.

use std::io;
use std::path::Path;
use std::sync::Arc;

use arrow_array::{ArrayRef, Float64Array, Int64Array, RecordBatch};
use arrow_schema::{DataType, Field, Metadata, Schema};
use parquet::arrow::ArrowWriter;
use parquet::basic::Compression;
use parquet::file::properties::WriterProperties;
use steerbox_core::sim::Measure;

use super::row::Row;
use crate::cli::lines::OutputError;
use crate::cli::stream::Stream;

/// Number of rows that are written together.
const ROWS: usize = 4096;
/// The key of the unit in the metadata of a column.
const UNIT: &str = "unit";

/// An open file.
pub(in crate::cli) struct Parquet {
    name: String,
    stream: Option<Stream>,
    writer: Option<ArrowWriter<Output>>,
    schema: Arc<Schema>,
    rows: Vec<Row>,
}

/// The stream of the file, for the writer.
struct Output(Stream);

impl io::Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write_lines(bytes).map(|()| bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl Parquet {
    pub(super) fn new(path: &Path, stream: Stream) -> Self {
        Self {
            name: path.display().to_string(),
            stream: Some(stream),
            writer: None,
            schema: Arc::new(Schema::empty()),
            rows: Vec::new(),
        }
    }

    /// Opens the columns.
    pub(super) fn header(&mut self, measures: &[Measure]) -> Result<(), OutputError> {
        let field = |name: &str, is_count: bool, unit: &str| {
            let kind = if is_count { DataType::Int64 } else { DataType::Float64 };
            let unit = (!unit.is_empty()).then(|| (UNIT.to_owned(), unit.to_owned()));
            Field::new(name, kind, true).with_metadata(unit.into_iter().collect::<Metadata>())
        };
        let own = [field("step", true, "steps"), field("time", false, "s")];
        let measures =
            measures.iter().map(|measure| field(measure.name(), measure.is_count(), measure.unit()));
        self.schema = Arc::new(Schema::new(own.into_iter().chain(measures).collect::<Vec<_>>()));
        let properties = WriterProperties::builder().set_compression(Compression::SNAPPY).build();
        let Some(stream) = self.stream.take() else { return Ok(()) };
        let writer = ArrowWriter::try_new(Output(stream), Arc::clone(&self.schema), Some(properties));
        self.writer = Some(writer.map_err(|error| self.failed(error))?);
        Ok(())
    }

    pub(super) fn row(&mut self, row: Row) -> Result<(), OutputError> {
        self.rows.push(row);
        if self.rows.len() < ROWS { Ok(()) } else { self.write() }
    }

    /// Writes the rows so far and the end of the file.
    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        self.write()?;
        let closed = self.writer.take().map_or(Ok(()), |writer| writer.close().map(drop));
        closed.map_err(|error| self.failed(error))
    }

    fn write(&mut self) -> Result<(), OutputError> {
        let rows = std::mem::take(&mut self.rows);
        let Some(writer) = &mut self.writer else { return Ok(()) };
        let schema = Arc::clone(&self.schema);
        let column = |(at, field): (usize, &Arc<Field>)| -> ArrayRef {
            let values = rows.iter().map(|row| match at {
                0 => Some(row.step as f64),
                1 => Some(row.time),
                at => row.values.get(at - 2).copied().flatten(),
            });
            match field.data_type() {
                DataType::Int64 => {
                    Arc::new(values.map(|value| value.map(|it| it as i64)).collect::<Int64Array>())
                }
                _ => Arc::new(values.collect::<Float64Array>()),
            }
        };
        let columns = schema.fields().iter().enumerate().map(column).collect();
        let written = RecordBatch::try_new(schema, columns).map_err(Into::into);
        let written = written.and_then(|batch| writer.write(&batch));
        written.map_err(|error| self.failed(error))
    }

    /// Returns the error of the file, with that of the system if it has one.
    fn failed(&self, error: parquet::errors::ParquetError) -> OutputError {
        let of_system = match error {
            parquet::errors::ParquetError::External(inner) => {
                inner.downcast::<io::Error>().map(|error| *error)
            }
            other => Err(other.into()),
        };
        OutputError::new(&self.name, of_system.unwrap_or_else(io::Error::other))
    }
}
