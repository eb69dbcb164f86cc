//! `steerbox sensitivity`: prints the effect of each variable on each measure of a table.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use anyhow::Context as _;
use clap::Args as ClapArgs;
use steerbox_project::experiment::sensitivity_of;

use super::print::out;
use super::stream::open_table;
use super::table::read_manifest;

#[derive(Debug, ClapArgs)]
pub(super) struct SensitivityArgs {
    /// The table, written by `sweep --sample morris:N` or `sweep --sample saltelli:N`
    #[arg(value_name = "RESULTS.csv")]
    pub(super) table: PathBuf,
}

pub(super) fn sensitivity(args: &SensitivityArgs) -> anyhow::Result<ExitCode> {
    let text = text_of(&args.table).with_context(|| args.table.display().to_string())?;
    for line in text.lines() {
        out(line)?;
    }
    Ok(ExitCode::SUCCESS)
}

fn text_of(path: &Path) -> anyhow::Result<String> {
    let table = open_table(path).context("cannot read the table")?;
    let manifest = read_manifest(path)?.with_context(|| {
        let shown = path.display();
        format!("it has no manifest {shown}.json, which `steerbox sweep` writes beside the table")
    })?;
    sensitivity_of(table, &manifest)
}
