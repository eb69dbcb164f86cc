//! Checks of every file, imported or not: its functions and names.
//!
//! Checks read the unfolded syntax tree, since the optimizer folds `1 / 2` and removes dead branches. They reject
//! only code that fails whenever it is reached.

pub(super) mod functions;
pub(super) mod handlers;
pub(super) mod imports;
pub(super) mod names;

use steerbox_core::diagnostics::Fault;

/// Converts a list of faults to a result.
fn none_of(faults: Vec<Fault>) -> Result<(), Vec<Fault>> {
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// Returns the result of a check. On failure, appends its faults and returns the default.
pub(super) fn noted<T: Default>(checked: Result<T, Vec<Fault>>, faults: &mut Vec<Fault>) -> T {
    checked.unwrap_or_else(|mut found| {
        faults.append(&mut found);
        T::default()
    })
}
