//! Arguments of `steerbox merge`.

use std::path::PathBuf;

use clap::Args as ClapArgs;

#[derive(Debug, ClapArgs)]
pub(super) struct MergeArgs {
    /// The tables of all parts, written by `sweep --shard I/N`
    #[arg(required = true, value_name = "PART.csv")]
    pub(super) parts: Vec<PathBuf>,
    /// The table to write
    #[arg(long, value_name = "FILE.csv")]
    pub(super) out: PathBuf,
    /// Write mean, standard deviation and 95 % interval of each measure over the seeds, a row per combination of values
    #[arg(long, value_name = "FILE.csv")]
    pub(super) summary: Option<PathBuf>,
}
