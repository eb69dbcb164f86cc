//! Merging of the parts of a table.

use std::io::{self, BufRead, Write};

use anyhow::{bail, ensure};
use thiserror::Error;

use super::manifest::Manifest;
use super::shard::Shard;

/// The error of a part, or of the whole table.
#[derive(Debug, Error)]
#[error("{reason}")]
pub struct PartError {
    /// The index of the part; `None` for the table that is written.
    pub part: Option<usize>,
    /// The reason.
    pub reason: String,
}

/// Returns the indices of parts in the order of their runs. `names` are those of the files.
///
/// # Errors
/// If parts are missing or overlap, or are of different sweeps: with their names.
pub fn parts_in_order(names: &[String], parts: &[Manifest]) -> anyhow::Result<Vec<usize>> {
    let Some(first) = parts.first() else { bail!("there are no parts") };
    for (name, part) in names.iter().zip(parts) {
        if let Some(difference) = first.difference(part) {
            bail!("{} and {name} are of different sweeps: {difference}", names[0]);
        }
        let [count, other] = [first.shard.count, part.shard.count];
        ensure!(count == other, "{} is one of {count} parts, {name} one of {other}", names[0]);
    }
    let mut order: Vec<usize> = (0..parts.len()).collect();
    order.sort_by_key(|at| parts[*at].shard.index);
    for pair in order.windows(2) {
        let [a, b] = [pair[0], pair[1]];
        let shard = parts[a].shard;
        ensure!(shard != parts[b].shard, "{} and {} are both part {shard}", names[a], names[b]);
    }
    let indices = order.iter().map(|at| parts[*at].shard.index).chain([u64::MAX]);
    let missing =
        (1..).zip(indices).find(|(expected, found)| expected != found).map(|(expected, _)| expected);
    let count = first.shard.count;
    if let Some(index) = missing.filter(|index| *index <= count) {
        bail!("part {} is missing", Shard { index, count });
    }
    Ok(order)
}

/// Writes the table of all `runs` from the tables of all parts, in order. `header` is the first line of each.
///
/// # Errors
/// If a part cannot be read or has not exactly its runs; also if a line cannot be written.
pub fn merge(
    parts: &mut [impl BufRead],
    header: &str,
    runs: u64,
    table: &mut impl Write,
) -> Result<(), PartError> {
    let count = parts.len() as u64;
    let mut line = Vec::new();
    let failed = |part: Option<usize>| move |error: io::Error| PartError { part, reason: error.to_string() };
    let of_part = |part: usize, reason: String| PartError { part: Some(part), reason };
    for (part, reader) in parts.iter_mut().enumerate() {
        let is_whole = read_line(reader, &mut line).map_err(failed(Some(part)))?;
        if !is_whole || line != header.as_bytes() {
            return Err(of_part(part, "its first line is not that of its manifest".to_owned()));
        }
    }
    table.write_all(header.as_bytes()).map_err(failed(None))?;
    for run in 0..runs {
        let part = (run % count) as usize;
        if !read_line(&mut parts[part], &mut line).map_err(failed(Some(part)))? {
            let all = Shard { index: part as u64 + 1, count }.len_of(runs);
            return Err(of_part(part, format!("it is unfinished: it has {} of {all} runs", run / count)));
        }
        table.write_all(&line).map_err(failed(None))?;
    }
    for (part, reader) in parts.iter_mut().enumerate() {
        if !reader.fill_buf().map_err(failed(Some(part)))?.is_empty() {
            return Err(of_part(part, "it has more lines than runs".to_owned()));
        }
    }
    Ok(())
}

/// Reads a line with its end; returns false if the text ends before.
pub(super) fn read_line(table: &mut impl BufRead, line: &mut Vec<u8>) -> io::Result<bool> {
    line.clear();
    table.read_until(b'\n', line)?;
    Ok(line.ends_with(b"\n"))
}
