//! `steerbox plot`: plots a table of results.

use std::fs::File;
use std::io::{BufReader, Write as _};
use std::path::Path;
use std::process::ExitCode;

use anyhow::{Context as _, anyhow};
use glam::Vec2;
use steerbox_core::diagnostics::counted;
use steerbox_picture::record::PlotFormat;
use steerbox_picture::render::chart::Sheet;
use steerbox_project::plot::{Query, Reference, Table, chart_of, size_of};

use super::output::claim_all;
use super::plot_args::PlotArgs;
use super::print::out;
use super::stream::open_table;
use super::usage::UsageError;

pub(super) fn plot(args: &PlotArgs) -> anyhow::Result<ExitCode> {
    let extension = args.out.extension().unwrap_or_default().to_string_lossy();
    let format = PlotFormat::of_extension(&extension).ok_or_else(|| {
        UsageError(format!("--out {}: expected a name that ends in .svg or .png", args.out.display()))
    })?;
    let table = read(&args.table)?;
    let in_table = |error: String| anyhow!("{}: {error}", args.table.display());
    let query = Query::of(&table, &args.choice()).map_err(in_table)?;
    let mut chart = chart_of(&table, &query).map_err(in_table)?;
    if let Some(path) = &args.reference {
        let in_reference = |error: String| anyhow!("--reference {}: {error}", path.display());
        let shown = path.file_name().unwrap_or_default().to_string_lossy();
        let reference = Reference::read(opened(path)?).map_err(in_reference)?;
        chart.add_reference((&shown, &reference), (&table, &query)).map_err(in_reference)?;
    }
    let default = size_of(&chart);
    let size = Vec2::new(args.width.unwrap_or(default.x), args.height.unwrap_or(default.y));
    let theme = args.theme.name();
    let bytes = format.write(&chart, &Sheet { size, scale: args.scale, theme })?;
    let inputs: Vec<_> = std::iter::once(args.table.clone()).chain(args.reference.clone()).collect();
    let [claim] = claim_all([("--out", Some(&*args.out))], &inputs)?;
    let mut file = claim.context("--out: name a file")?.pending()?;
    let written = file.write_all(&bytes).map_err(anyhow::Error::from);
    let written = written.and_then(|()| Ok(file.complete()?));
    written.with_context(|| format!("cannot write {}", args.out.display()))?;
    let rows = counted(table.rows.len() as u64, ["row", "rows"]);
    let notes: Vec<_> = std::iter::once(format!("{} of {rows}", query.kind)).chain(chart.notes).collect();
    out(notes.join("; "))?;
    Ok(ExitCode::SUCCESS)
}

/// Reads a table of results.
///
/// # Errors
/// If it cannot be read or is none.
pub(super) fn read(path: &Path) -> anyhow::Result<Table> {
    Table::read(opened(path)?).map_err(|error| anyhow!("{}: {error}", path.display()))
}

fn opened(path: &Path) -> anyhow::Result<BufReader<File>> {
    open_table(path).with_context(|| format!("cannot read {}", path.display()))
}
