//! The values of a loop as a table with one row per iteration.

use std::collections::BTreeMap;

use super::code::{Site, SiteKind};
use super::recorder::{Entry, SiteLog};
use super::recording::Recording;
use super::value::ProbedValue;

/// The values of a loop. In nested loops, a row is an iteration of the innermost.
#[derive(Clone, Debug, PartialEq)]
pub struct LoopTable<'a> {
    /// The line of the first value.
    pub line: usize,
    /// The name of each value: its line, and its variable if it has one.
    pub columns: Vec<String>,
    /// The first iterations and the last, in order.
    pub rows: Vec<Iteration<'a>>,
    /// The total number of iterations.
    pub count: u32,
}

/// An iteration.
#[derive(Clone, Debug, PartialEq)]
pub struct Iteration<'a> {
    /// Its number from 1; in nested loops that of each, outermost first; with `call/` before it if the function was
    /// called several times.
    pub number: String,
    /// The value of each column, if it was recorded.
    pub values: Vec<Option<&'a ProbedValue>>,
}

/// Returns the loops of a file with more than one iteration, in source order.
pub fn loop_tables(recording: &Recording, file: usize) -> Vec<LoopTable<'_>> {
    let mut loops: BTreeMap<&[usize], Vec<(&Site, &SiteLog)>> = BTreeMap::new();
    let in_loop = |(site, _): &(&Site, &SiteLog)| site.file == file && !site.loops.is_empty();
    for (site, log) in recording.values().into_iter().filter(in_loop) {
        loops.entry(&site.loops).or_default().push((site, log));
    }
    let mut tables: Vec<_> = loops.values().map(|sites| table(sites)).collect();
    tables.retain(|table| table.rows.len() > 1);
    tables.sort_by_key(|table| table.line);
    tables
}

/// The iteration of a value: the call, and the iteration of each loop.
fn key(entry: &Entry) -> (u32, &[u32]) {
    (entry.call, &entry.iterations)
}

fn table<'a>(sites: &[(&'a Site, &'a SiteLog)]) -> LoopTable<'a> {
    let column = |(site, _): &(&Site, &SiteLog)| {
        let line = site.span.start.0;
        match (&site.name, site.kind) {
            (Some(name), _) => format!("{line} {name}"),
            (None, SiteKind::Condition) => format!("{line} if"),
            (None, _) => format!("{line} →"),
        }
    };
    let mut rows: BTreeMap<(u32, &[u32]), Vec<Option<&ProbedValue>>> = BTreeMap::new();
    for (at, (_, log)) in sites.iter().enumerate() {
        for entry in log.entries() {
            rows.entry(key(entry)).or_insert_with(|| vec![None; sites.len()])[at] = Some(&entry.value);
        }
    }
    // Of many iterations, each site stores the first ones and its last. After the first ones, only the last
    // iteration is complete.
    let kept = sites.iter().filter(|(_, log)| log.last.is_some()).filter_map(|(_, log)| log.first.last());
    if let (Some(kept), Some(last)) = (kept.map(key).min(), rows.keys().next_back().copied()) {
        rows.retain(|row, _| *row <= kept || *row == last);
    }
    let has_calls = rows.keys().any(|(call, _)| *call > 0);
    let number = |call: u32, iterations: &[u32]| {
        let iterations: Vec<_> = iterations.iter().map(|iteration| (iteration + 1).to_string()).collect();
        let iterations = iterations.join(".");
        if has_calls { format!("{}/{iterations}", call + 1) } else { iterations }
    };
    LoopTable {
        line: sites.iter().map(|(site, _)| site.span.start.0).min().unwrap_or(0),
        columns: sites.iter().map(column).collect(),
        count: sites.iter().map(|(_, log)| log.count).max().unwrap_or(0).max(rows.len() as u32),
        rows: rows
            .into_iter()
            .map(|((call, iterations), values)| Iteration { number: number(call, iterations), values })
            .collect(),
    }
}
