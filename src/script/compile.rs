//! From text to a syntax tree, within time, and with what may go wrong in words.

use std::time::Duration;

use rhai::{AST, Scope};

use super::{budget, engine, explain, syntax};
use crate::diagnostics::{Fault, caught};

/// Faults told of one script: looking for what was meant takes time.
pub(super) const MOST_FAULTS: usize = 20;

/// Refuses what is too long to be read.
pub(super) fn check_size(path: &str, text: &str) -> Result<(), Vec<Fault>> {
    if text.len() <= budget::MAX_SOURCE {
        return Ok(());
    }
    let limit = budget::MAX_SOURCE / 1024;
    let message = format!("the script is longer than {limit} KiB");
    Err(vec![Fault::of_file(path, message)])
}

/// Does what may meet a bug of ours, or of the engine, and takes at most so long.
pub(super) fn guarded<T>(
    path: &str,
    most: Duration,
    work: impl FnOnce() -> Result<T, Vec<Fault>>,
) -> Result<T, Vec<Fault>> {
    // Building it does not count.
    engine::engine();
    let done = caught(|| budget::within(most, work).0);
    done.unwrap_or_else(|| Err(vec![Fault::of_file(path, explain::OUR_FAULT)]))
}

/// Compiles with the constants of `scope` folded in.
pub(super) fn compile(path: &str, text: &str, scope: &Scope<'_>) -> Result<AST, Vec<Fault>> {
    let (result, late) = engine::parse(scope, text);
    if late {
        return Err(vec![
            Fault::of_file(path, "the script takes too long to read")
                .help("split it or shorten it"),
        ]);
    }
    result.map_err(|error| vec![syntax::fault(path, text, &error)])
}
