//! The results of an unfinished file.

use std::io::BufRead;

use anyhow::{bail, ensure};

use super::measured_run::ERROR;
use super::merge::read_line;
use super::plan::Plan;

/// The complete lines of a table.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Scanned {
    /// The length of the complete lines, bytes; a half-written line may follow.
    pub bytes: u64,
    /// The number of runs.
    pub runs: u64,
    /// The positions of runs that failed.
    pub failed: Vec<u64>,
}

/// Reads a table that may end in the middle of a line.
///
/// # Errors
/// If it cannot be read, or is not the table of the plan's part: with the first line that differs.
pub fn scan(mut table: impl BufRead, plan: &Plan) -> anyhow::Result<Scanned> {
    let (mut scanned, mut line) = (Scanned::default(), Vec::new());
    let header = plan.header();
    let is_complete = read_line(&mut table, &mut line)?;
    ensure!(
        if is_complete { line == header.as_bytes() } else { is_start(&line, header.as_bytes()) },
        "it is not a table of this sweep: its first line is not `{}`",
        header.trim_end()
    );
    if !is_complete {
        return Ok(scanned);
    }
    scanned.bytes = line.len() as u64;
    while read_line(&mut table, &mut line)? {
        if line.contains(&0) {
            // A system that lost power may fill the end of a file with zeros.
            break;
        }
        let position = scanned.runs;
        let is_known =
            position < plan.len() && line.starts_with(plan.prefix(plan.shard.run(position)).as_bytes());
        if !is_known {
            bail!("line {} is not that of run {position} of this sweep", position + 2);
        }
        if is_failed(&line) {
            scanned.failed.push(position);
        }
        scanned.bytes += line.len() as u64;
        scanned.runs += 1;
    }
    Ok(scanned)
}

/// Returns true if the run of a line failed.
pub fn is_failed(line: &[u8]) -> bool {
    let is_error = |at: usize| {
        let cell = &line[at + 1..];
        let cell = cell.strip_prefix(b"\"").unwrap_or(cell);
        cell.starts_with(ERROR.as_bytes())
    };
    line.iter().enumerate().any(|(at, byte)| *byte == b',' && is_error(at))
}

/// Returns true if `part` is the start of `whole`, or consists of zeros after such a start.
fn is_start(part: &[u8], whole: &[u8]) -> bool {
    let zeros = part.iter().rev().take_while(|byte| **byte == 0).count();
    whole.starts_with(&part[..part.len() - zeros])
}
