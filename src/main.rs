//! Arguments to command; prints the error chain, nothing else.

use std::process::ExitCode;

use steerbox::cli;

fn main() -> ExitCode {
    match cli::arguments() {
        Ok(args) => cli::run(args).unwrap_or_else(|error| cli::print_error(&error)),
        Err(status) => status,
    }
}
