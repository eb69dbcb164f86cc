//! Sensitivity: the effect of each variable on each measure of a sample by `morris:N` or `saltelli:N`.
//!
//! The value of a point is the mean over its seeds. Intervals are 95 % intervals of a normal distribution, whose deviation is
//! that of the estimate over resamples of whole trajectories or blocks (B. Efron, "Bootstrap methods", 1979); they depend on
//! the table only.

mod indices;
mod resamples;
mod screening;

use std::io::BufRead;

use anyhow::{anyhow, bail, ensure};

use super::cells;
use super::manifest::Manifest;
use super::point_set::{Method, PointSet};
use super::shard::Shard;
use super::summary::for_each_point;

/// Returns a table, as CSV, of the sensitivity of each measure of a complete table to each variable: a row for each measure
/// and variable.
///
/// # Errors
/// If the table has no such sample, cannot be read, or is not that of the manifest.
pub fn sensitivity_of(table: impl BufRead, manifest: &Manifest) -> anyhow::Result<String> {
    let axes = manifest.variables.len();
    let sample = sample_of(manifest)?;
    let (mut values, mut numbers) = (Vec::new(), vec![Vec::new(); manifest.measures.len()]);
    for_each_point(table, manifest, |point, samples| {
        values.push(point.to_vec());
        for (numbers, sample) in numbers.iter_mut().zip(samples) {
            numbers.push(sample.mean());
        }
        Ok(())
    })?;
    let (columns, size) = match sample.method {
        Method::Morris => (screening::COLUMNS, axes + 1),
        _ => (indices::COLUMNS, axes + 2),
    };
    let mut text = format!("measure,variable,n,{columns}\n");
    for (measure, numbers) in manifest.measures.iter().zip(&numbers) {
        let (count, rows) = match sample.method {
            Method::Morris => screening::rows(&values, &whole_blocks(numbers, size), axes)?,
            _ => indices::rows(&whole_blocks(numbers, size), axes),
        };
        for (variable, row) in manifest.variables.iter().zip(rows) {
            for cell in [measure, &variable.name] {
                cells::push_text(&mut text, cell);
                text.push(',');
            }
            text.push_str(&count.to_string());
            for number in row {
                text.push(',');
                cells::push_number(&mut text, number, false);
            }
            text.push('\n');
        }
    }
    Ok(text)
}

/// Returns the sample of a table.
fn sample_of(manifest: &Manifest) -> anyhow::Result<PointSet> {
    let part = manifest.shard;
    ensure!(part == Shard::WHOLE, "it is part {part}: `steerbox merge` joins the parts");
    let axes = manifest.variables.len();
    let remedy = "`steerbox sweep … --sample morris:N` or `--sample saltelli:N` makes a table for it";
    let Some(text) = &manifest.sample else { bail!("its manifest has no `sample`: {remedy}") };
    let sample: PointSet = text.parse().map_err(|error| anyhow!("its manifest: sample: {error}"))?;
    let is_sensitivity = matches!(sample.method, Method::Morris | Method::Saltelli);
    ensure!(is_sensitivity, "its sample is {sample}, from which no sensitivity can be computed: {remedy}");
    let (expected, found) = (sample.points(axes) as u64, manifest.order().points());
    ensure!(
        expected == found && axes > 0,
        "its manifest has {found} points, {sample} of {axes} variables has {expected}: {remedy}"
    );
    Ok(sample)
}

/// Returns the blocks of `size` numbers in which none is missing, each with its position.
fn whole_blocks(numbers: &[Option<f64>], size: usize) -> Vec<(usize, Vec<f64>)> {
    let blocks = numbers.chunks(size).map(|block| block.iter().copied().collect::<Option<Vec<_>>>());
    blocks.enumerate().filter_map(|(at, block)| Some((at, block?))).collect()
}
