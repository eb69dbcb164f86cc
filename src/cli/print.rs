//! Writing to the terminal: colors only where they are supported; a closed pipe is no error.

use std::io::{self, Write as _};
use std::process::ExitCode;

use super::lines::{OutputError, STANDARD_OUTPUT};
use crate::diagnostics::{Fault, render};
use crate::reload::LoadError;

/// The exit status of a program that writes on after its reader has gone: that of SIGPIPE.
const READER_GONE: u8 = 141;

/// Writes a line to standard output.
pub(super) fn out(line: impl std::fmt::Display) -> Result<(), OutputError> {
    let mut stdout = anstream::stdout().lock();
    let written = writeln!(stdout, "{line}").and_then(|()| stdout.flush());
    written.map_err(standard_output)
}

/// Writes bytes to standard output as they are.
pub(super) fn raw(bytes: &[u8]) -> Result<(), OutputError> {
    let mut stdout = io::stdout().lock();
    let written = stdout.write_all(bytes).and_then(|()| stdout.flush());
    written.map_err(standard_output)
}

/// What went wrong with standard output.
pub(super) fn standard_output(error: io::Error) -> OutputError {
    OutputError::new(STANDARD_OUTPUT, error)
}

/// Writes a line to standard error; errors in doing so are ignored.
pub(super) fn err(line: impl std::fmt::Display) {
    let _ = writeln!(anstream::stderr().lock(), "{line}");
}

/// Writes faults with their source lines to standard error.
pub(super) fn faults(faults: &[Fault]) {
    for fault in faults {
        err(render(fault));
    }
}

/// Whether an error says no more than that the reader of an output has gone.
pub(super) fn is_closed(error: &anyhow::Error) -> bool {
    let mut outputs = error.chain().filter_map(|cause| cause.downcast_ref());
    outputs.any(OutputError::is_closed)
}

/// Writes an error with its causes to standard error, and says how the program is to end. That the
/// reader of an output has gone is no news.
pub fn print_error(error: &anyhow::Error) -> ExitCode {
    if is_closed(error) {
        return ExitCode::from(READER_GONE);
    }
    for cause in error.chain() {
        if let Some(LoadError(found)) = cause.downcast_ref::<LoadError>() {
            faults(found);
        }
    }
    let chain: Vec<_> = error.chain().map(ToString::to_string).collect();
    err(format!("steerbox: {}", chain.join(": ")));
    ExitCode::FAILURE
}
