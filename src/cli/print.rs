//! Terminal output: color if supported, text from files and arguments made printable. A closed pipe is not an error.

use std::io::{self, Write as _};
use std::process::ExitCode;

use clap::error::{ContextKind, ContextValue};
use serde::Serialize;
use serde_json::json;
use steerbox_core::diagnostics::{Fault, printable};
use steerbox_project::reload::LoadError;

use super::interrupt::blocking;
use super::lines::{OutputError, STANDARD_OUTPUT};
use super::page::Page;
use super::startup::standard_output;
use super::usage::UsageError;

/// The exit status after the reader closed the pipe: that of SIGPIPE.
const READER_GONE: u8 = 141;
/// The exit status for contradictory arguments: the same as for invalid ones.
const USAGE: u8 = 2;

/// Writes a line to standard output.
pub(super) fn out(line: impl std::fmt::Display) -> Result<(), OutputError> {
    page(&Page::of_line(line))
}

/// Writes lines to standard output.
pub(super) fn page(page: &Page) -> Result<(), OutputError> {
    written(|out| anstream::AutoStream::auto(out).write_all(page.as_str().as_bytes()))
}

/// Writes an object to standard output as a line of JSON.
pub(super) fn json(object: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(object)?;
    line.push(b'\n');
    Ok(raw(&line)?)
}

/// Writes a note about a position in a file to standard output as a line of JSON. Line and column count from 1; 0 if
/// unknown.
pub(super) fn note(
    path: &str,
    (line, column): (usize, usize),
    message: &str,
    help: Option<&str>,
) -> anyhow::Result<()> {
    json(&json!({
        "path": path, "line": line, "column": column, "message": message, "help": help, "severity": "note",
    }))
}

/// Writes bytes to standard output unchanged.
pub(super) fn raw(bytes: &[u8]) -> Result<(), OutputError> {
    written(|mut out| out.write_all(bytes))
}

fn written(write: impl FnOnce(io::StdoutLock<'static>) -> io::Result<()>) -> Result<(), OutputError> {
    let written = standard_output()
        .and_then(|stdout| blocking(|| write(stdout.lock()).and_then(|()| io::stdout().flush())));
    written.map_err(failed)
}

/// Returns true if standard output supports color.
pub(super) fn has_color() -> bool {
    anstream::AutoStream::choice(&io::stdout()) != anstream::ColorChoice::Never
}

/// Creates an error of standard output.
pub(super) fn failed(error: io::Error) -> OutputError {
    OutputError::new(STANDARD_OUTPUT, error)
}

/// Writes a line to standard error; ignores errors.
pub(super) fn err(line: impl std::fmt::Display) {
    err_page(&Page::of_line(line));
}

/// Writes faults with their source lines to standard error.
pub(super) fn faults(faults: &[Fault]) {
    let mut page = Page::default();
    for fault in faults {
        page.fault(fault, columns());
    }
    err_page(&page);
}

/// Returns the columns of the terminal of standard error; `None` if it is not a terminal.
fn columns() -> Option<usize> {
    let (width, _) = terminal_size::terminal_size_of(io::stderr())?;
    Some(width.0.into())
}

/// Writes lines to standard error; ignores errors.
fn err_page(page: &Page) {
    let _ = blocking(|| anstream::stderr().lock().write_all(page.as_str().as_bytes()));
}

/// Prints the result of parsing the arguments: help, or an error in which quoted arguments are made printable.
pub(super) fn of_parser(mut result: clap::Error) -> Result<(), OutputError> {
    let replaced = result.context().filter_map(|(kind, value)| {
        let shown = printable_context(value);
        (shown != *value).then_some((kind, shown))
    });
    for (kind, value) in replaced.collect::<Vec<_>>() {
        result.insert(kind, value);
        // This hint repeats the argument.
        result.remove(ContextKind::Suggested);
    }
    let mut lines = Page::default();
    lines.formatted(&result.render().ansi().to_string());
    if result.use_stderr() {
        err_page(&lines);
        return Ok(());
    }
    page(&lines)
}

fn printable_context(value: &ContextValue) -> ContextValue {
    match value {
        ContextValue::String(text) => ContextValue::String(printable(text).into_owned()),
        ContextValue::Strings(texts) => {
            ContextValue::Strings(texts.iter().map(|text| printable(text).into_owned()).collect())
        }
        other => other.clone(),
    }
}

/// Returns true if the error only states that the reader of an output closed the pipe.
pub(super) fn is_closed(error: &anyhow::Error) -> bool {
    let mut outputs = error.chain().filter_map(|cause| cause.downcast_ref());
    outputs.any(OutputError::is_closed)
}

/// Returns true for the error of an output that was abandoned after a signal.
pub(super) fn is_unread(error: &anyhow::Error) -> bool {
    unread(error).is_some()
}

fn unread(error: &anyhow::Error) -> Option<u8> {
    error.chain().filter_map(|cause| cause.downcast_ref()).find_map(OutputError::unread)
}

/// Prints an error with its causes to standard error, and returns the exit status. Prints nothing if the reader of an
/// output closed the pipe.
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
    if error.chain().any(<dyn std::error::Error>::is::<UsageError>) {
        return ExitCode::from(USAGE);
    }
    unread(error).map_or(ExitCode::FAILURE, ExitCode::from)
}
