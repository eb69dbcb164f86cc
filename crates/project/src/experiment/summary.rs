//! The summary of a table: for each point and measure, the mean over seeds with its confidence interval.

use std::io::{BufRead, Write};

use anyhow::{Context as _, ensure};
use steerbox_core::text;

use super::cells;
use super::manifest::Manifest;
use super::merge::read_line;
use super::sample::Sample;

/// The columns after those of the variables.
const COLUMNS: &str = "measure,n,mean,deviation,low,high\n";

/// Writes the summary of a complete table: a row for each point and measure. Runs that failed do not count.
///
/// # Errors
/// If the table cannot be read, is not that of the manifest, or the summary cannot be written.
pub fn summarize(table: impl BufRead, manifest: &Manifest, summary: &mut impl Write) -> anyhow::Result<()> {
    let mut text = String::new();
    for column in &manifest.variables {
        cells::push_text(&mut text, &column.name);
        text.push(',');
    }
    text.push_str(COLUMNS);
    for_each_point(table, manifest, |values, samples| {
        for (measure, sample) in manifest.measures.iter().zip(samples) {
            for cell in values.iter().chain([measure]) {
                cells::push_text(&mut text, cell);
                text.push(',');
            }
            text.push_str(&sample.count().to_string());
            let interval = sample.interval();
            let [low, high] = [interval.map(|it| it.0), interval.map(|it| it.1)];
            for number in [sample.mean(), sample.deviation(), low, high] {
                text.push(',');
                cells::push_number(&mut text, number, false);
            }
            text.push('\n');
        }
        summary.write_all(text.as_bytes())?;
        text.clear();
        Ok(())
    })?;
    Ok(summary.write_all(text.as_bytes())?)
}

/// Reads a complete table; calls `visit` with the values of each point and the sample of each measure over its seeds. Runs
/// that failed do not count.
///
/// # Errors
/// If the table cannot be read or is not that of the manifest.
pub(super) fn for_each_point(
    mut table: impl BufRead,
    manifest: &Manifest,
    mut visit: impl FnMut(&[String], &[Sample]) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let mut line = Vec::new();
    ensure!(read_line(&mut table, &mut line)?, "the table has no first line");
    ensure!(line == manifest.header().as_bytes(), "line 1 is not that of the manifest");
    let (variables, measures) = (manifest.variables.len(), manifest.measures.len());
    let order = manifest.order();
    for point in 0..order.points() {
        let mut samples = vec![Sample::default(); measures];
        let mut values = Vec::new();
        for seed in 0..manifest.seeds {
            let run = point * manifest.seeds + seed;
            let number = run + 2;
            ensure!(read_line(&mut table, &mut line)?, "line {number} of the table is missing");
            let row = text::cells(str::from_utf8(&line).with_context(|| format!("line {number}"))?, ',');
            ensure!(row.len() == variables + measures + 2, "line {number} has {} cells", row.len());
            let is_known = manifest.values(run).iter().zip(&row).all(|((_, value), cell)| value == cell)
                && row[variables] == order.seed_of(run).to_string();
            ensure!(is_known, "line {number} is not that of the manifest");
            for (sample, cell) in samples.iter_mut().zip(&row[variables + 1..]) {
                if let Ok(value) = cell.parse() {
                    sample.add(value);
                }
            }
            values = row;
            values.truncate(variables);
        }
        visit(&values, &samples)?;
    }
    Ok(())
}
