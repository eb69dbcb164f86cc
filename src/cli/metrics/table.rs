//! A table of measures: comma-separated values, or Parquet.

use std::io::Write as _;
use std::path::Path;

use steerbox_core::sim::{Measure, csv_field};

#[cfg(feature = "parquet")]
use super::parquet::Parquet;
use super::row::Row;
use crate::cli::lines::{Lines, OutputError, has_extension};
use crate::cli::stream::Stream;
use crate::cli::usage::{UsageError, require};

/// The extension of Parquet files.
const PARQUET: &str = "parquet";

/// An open table, in the form that the name of its file denotes.
pub(in crate::cli) enum Table {
    Csv(Lines),
    #[cfg(feature = "parquet")]
    Parquet(Box<Parquet>),
}

/// Checks that this program can write a table to a file of this name.
///
/// # Errors
/// If it cannot.
pub(in crate::cli) fn check(path: &Path) -> Result<(), UsageError> {
    require(!has_extension(path, PARQUET) || cfg!(feature = "parquet"), || {
        format!(
            "--metrics {}: this build of steerbox writes no Parquet; write a .csv, or build it with \
             `cargo build --release --features parquet`",
            path.display()
        )
    })
}

impl Table {
    /// Opens the table of `path` on a stream, or on standard output for `-`.
    ///
    /// # Errors
    /// If standard output is closed.
    pub(in crate::cli) fn new(
        path: Option<&Path>,
        stream: Option<Stream>,
    ) -> Result<Option<Self>, OutputError> {
        #[cfg(feature = "parquet")]
        if let Some(path) = path.filter(|path| has_extension(path, PARQUET)) {
            return Ok(stream.map(|stream| Self::Parquet(Box::new(Parquet::new(path, stream)))));
        }
        Ok(Lines::new(path, stream)?.map(Self::Csv))
    }

    /// Writes the names of the columns.
    pub(super) fn header(&mut self, measures: &[Measure]) -> Result<(), OutputError> {
        match self {
            Self::Csv(lines) => lines.write(|text| {
                text.extend_from_slice(b"step,time");
                for measure in measures {
                    write!(text, ",{}", csv_field(measure.name()))?;
                }
                text.push(b'\n');
                Ok(())
            }),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.header(measures),
        }
    }

    #[cfg_attr(
        not(feature = "parquet"),
        allow(
            clippy::needless_pass_by_value,
            reason = "a Parquet file stores rows until a group is complete"
        )
    )]
    pub(super) fn row(&mut self, row: Row, measures: &[Measure]) -> Result<(), OutputError> {
        match self {
            Self::Csv(lines) => lines.write(|text| row.write(text, measures)),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.row(row),
        }
    }

    pub(super) fn finish(&mut self) -> Result<(), OutputError> {
        match self {
            Self::Csv(lines) => lines.flush(),
            #[cfg(feature = "parquet")]
            Self::Parquet(table) => table.finish(),
        }
    }
}
