//! Writing to the terminal: colors only where they are wanted, and no fuss when nobody listens.

use std::io::Write as _;
use std::process::ExitCode;

use crate::diagnostics::{Fault, render};
use crate::reload::LoadError;

/// Writes a line to standard output; a closed pipe is not an error.
pub(super) fn out(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stdout().lock(), "{line}");
}

/// Writes a line to standard error; a closed pipe is not an error.
pub(super) fn err(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Writes faults with their source lines to standard error.
pub(super) fn faults(faults: &[Fault]) {
    for fault in faults {
        err(render(fault));
    }
}

/// Writes an error with its causes to standard error, and says how the program is to end.
pub fn print_error(error: &anyhow::Error) -> ExitCode {
    for cause in error.chain() {
        if let Some(LoadError(found)) = cause.downcast_ref::<LoadError>() {
            faults(found);
        }
    }
    let chain: Vec<_> = error.chain().map(ToString::to_string).collect();
    err(format!("steerbox: {}", chain.join(": ")));
    ExitCode::FAILURE
}
