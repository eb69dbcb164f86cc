//! The options of a trace.

use std::path::PathBuf;

use clap::Args;

use super::selection::Field;

#[derive(Debug, Args)]
pub(in crate::cli) struct TraceArgs {
    /// Write the state and contributions of every unit, one JSON object per line; .csv: positions, a row per step
    #[arg(long = "trace", value_name = "FILE|-")]
    pub(in crate::cli) file: Option<PathBuf>,
    /// The units of --trace: groups, numbers such as 7, or ranges such as 10..19 [default: all]
    #[arg(
        long = "trace-of",
        value_name = "NAME,…",
        value_delimiter = ',',
        requires = "file",
        allow_hyphen_values = true
    )]
    pub(in crate::cli) of: Vec<String>,
    /// The fields of --trace [default: all; the position in a table]
    #[arg(
        long = "trace-fields",
        value_name = "FIELD,…",
        value_delimiter = ',',
        requires = "file",
        value_enum
    )]
    pub(in crate::cli) fields: Vec<Field>,
    /// Write --trace with y down, as images and tracking software count it: y is the height of the world minus y
    #[arg(long = "trace-flip-y", requires = "file")]
    pub(in crate::cli) flip_y: bool,
}
