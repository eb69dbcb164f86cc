//! Arguments of `steerbox test`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::numbers::whole;

#[derive(Debug, Args)]
pub(super) struct TestArgs {
    /// Scenes by file or name, folders [default: the scenes in scenes/ here, or those built in]
    pub(super) paths: Vec<PathBuf>,
    /// The number of seeds: that of the scene, and those that follow
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = whole(1..=10_000_u64), allow_negative_numbers = true)]
    pub(super) seeds: u64,
    /// The number of steps of each run [default: until all expectations are judged, at least 300]
    #[arg(long, value_name = "N", value_parser = whole(1..=u64::MAX), allow_negative_numbers = true)]
    pub(super) steps: Option<u64>,
    /// The output format
    #[arg(long, value_enum, default_value_t = TestFormat::Text)]
    pub(super) format: TestFormat,
}

/// The format of the results of `test`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(super) enum TestFormat {
    /// For people
    Text,
    /// For reports of tests: XML with a suite for each scene
    Junit,
}
