//! Tables of results, as `steerbox sweep`, `merge` and `run --metrics` write them.

use std::io::{self, BufRead};

use steerbox_core::text::cells;

use super::column::{Column, Role};
use crate::experiment::is_failed;

/// Maximum number of rows of a table.
const MAX_ROWS: usize = 20_000_000;

/// The command that wrote a table.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Source {
    /// A row per run.
    Sweep,
    /// A row per step of a run.
    Metrics,
}

/// A table of results.
#[derive(Clone, Debug)]
pub struct Table {
    /// Its origin.
    pub source: Source,
    /// Variables, seed and measures; or step, time and measures.
    pub columns: Vec<Column>,
    /// The number of each row in the file, counted from 1. Failed runs are not among them.
    pub rows: Vec<u64>,
    /// The seed of each row; empty for metrics.
    pub seeds: Vec<u64>,
    /// The number of failed runs.
    pub failed: u64,
}

impl Table {
    /// Reads a table. An unfinished last line is skipped.
    ///
    /// # Errors
    /// With the line and the reason if it cannot be read or is not a table of results.
    pub fn read(mut file: impl BufRead) -> Result<Self, String> {
        let mut line = Vec::new();
        read_line(&mut file, &mut line, 1)?;
        let header = cells(text(&line, 1)?.trim_start_matches('\u{feff}'), ',');
        let (source, mut columns) = columns(&header)?;
        let (mut rows, mut seeds, mut failed) = (Vec::new(), Vec::new(), 0);
        let mut number = 0;
        while read_line(&mut file, &mut line, number + 2)? {
            if !line.ends_with(b"\n")
                && number > 0
                && cells(&String::from_utf8_lossy(&line), ',').len() < header.len()
            {
                break;
            }
            number += 1;
            let cells = cells(text(&line, number + 1)?, ',');
            if cells.len() != header.len() {
                let (found, expected) = (cells.len(), header.len());
                return Err(format!("line {} has {found} cells, the first line {expected}", number + 1));
            }
            if rows.len() == MAX_ROWS {
                return Err(format!("it has more than {MAX_ROWS} rows"));
            }
            if source == Source::Sweep && is_failed(&line) {
                failed += 1;
                continue;
            }
            for (column, cell) in columns.iter_mut().zip(&cells) {
                column.push(cell);
                if column.role == Role::Seed {
                    let seed = cell.parse();
                    let seed = seed.map_err(|_| format!("line {}: `{cell}` is not a seed", number + 1))?;
                    seeds.push(seed);
                }
            }
            rows.push(number);
        }
        match (rows.is_empty(), failed) {
            (true, 0) => Err("it has no rows".to_owned()),
            (true, _) => Err(format!("all {failed} runs failed: there is nothing to plot")),
            _ => Ok(Self { source, columns, rows, seeds, failed }),
        }
    }

    /// Returns the indices of the columns with a role.
    pub fn of_role(&self, role: Role) -> impl Iterator<Item = usize> {
        self.columns.iter().enumerate().filter(move |(_, column)| column.role == role).map(|(at, _)| at)
    }

    /// Returns the variables that have more than one value.
    pub fn varied(&self) -> Vec<usize> {
        self.of_role(Role::Variable).filter(|at| self.columns[*at].distinct().len() > 1).collect()
    }
}

/// Returns the source of a table and its columns without the hash, from the cells of its first line.
fn columns(header: &[String]) -> Result<(Source, Vec<Column>), String> {
    let names: Vec<_> = header.iter().map(String::as_str).collect();
    let seed = names.iter().rposition(|name| *name == "seed");
    if let (Some(seed), Some((&"hash", names))) = (seed, names.split_last()) {
        let role = |at: usize| match at.cmp(&seed) {
            std::cmp::Ordering::Less => Role::Variable,
            std::cmp::Ordering::Equal => Role::Seed,
            std::cmp::Ordering::Greater => Role::Measure,
        };
        let column = |(at, name): (usize, &&str)| Column::new(name, role(at));
        return Ok((Source::Sweep, names.iter().enumerate().map(column).collect()));
    }
    if names.starts_with(&["step", "time"]) {
        let role = |at: usize| if at < 2 { Role::Time } else { Role::Measure };
        let column = |(at, name): (usize, &&str)| Column::new(name, role(at));
        return Ok((Source::Metrics, names.iter().enumerate().map(column).collect()));
    }
    if names.ends_with(&["measure", "n", "mean", "deviation", "low", "high"]) {
        return Err("it is a summary; plot the table that `sweep --out` wrote".to_owned());
    }
    Err("it is not a table of results: the first line ends with `seed`, measures and `hash` in a table of \
         `steerbox sweep`, and starts with `step,time` in one of `run --metrics`"
        .to_owned())
}

/// Reads a line with its end; returns false at the end of the file.
pub(super) fn read_line(file: &mut impl BufRead, line: &mut Vec<u8>, number: u64) -> Result<bool, String> {
    /// Maximum number of bytes of a line.
    const MAX_LINE: u64 = 1 << 20;
    line.clear();
    let mut limited = io::Read::take(file, MAX_LINE);
    let count = limited.read_until(b'\n', line).map_err(|error| format!("line {number}: {error}"))?;
    if count as u64 == MAX_LINE {
        return Err(format!("line {number} has more than {MAX_LINE} bytes"));
    }
    Ok(count > 0)
}

pub(super) fn text(line: &[u8], number: u64) -> Result<&str, String> {
    let text = str::from_utf8(line).map_err(|_| format!("line {number} is not UTF-8: it is not a table"));
    text.map(|text| text.trim_end_matches(['\n', '\r']))
}
