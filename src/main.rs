//! Arguments to command; prints the error chain, nothing else.

use std::process::ExitCode;

use clap::Parser as _;
use steerbox::cli::{self, Args};

fn main() -> ExitCode {
    cli::run(Args::parse()).unwrap_or_else(|error| cli::print_error(&error))
}
