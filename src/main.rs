//! Arguments to command; prints the error chain, nothing else.

use std::process::ExitCode;

use steerbox::cli;

fn main() -> ExitCode {
    // Tests set the variable, so that a caught panic fails them.
    if std::env::var_os("STEERBOX_ABORT").is_none() {
        steerbox_core::diagnostics::survive_panics();
    }
    match cli::arguments() {
        Ok(args) => cli::run(args).unwrap_or_else(|error| cli::print_error(&error)),
        Err(status) => status,
    }
}
