//! What is checked of every file, a script's own and what it imports: its functions and names.
//!
//! Checks read the syntax tree as written, since the optimizer folds `1 / 2` and removes dead branches. They reject
//! only code that fails whenever it is reached.

pub(super) mod functions;
pub(super) mod imports;
pub(super) mod names;

use crate::diagnostics::Fault;

/// Nothing, if there are no faults.
fn none_of(faults: Vec<Fault>) -> Result<(), Vec<Fault>> {
    if faults.is_empty() { Ok(()) } else { Err(faults) }
}

/// The result of a check. Its faults are added to those of the file, and the default is returned instead.
pub(super) fn noted<T: Default>(checked: Result<T, Vec<Fault>>, faults: &mut Vec<Fault>) -> T {
    checked.unwrap_or_else(|mut found| {
        faults.append(&mut found);
        T::default()
    })
}
