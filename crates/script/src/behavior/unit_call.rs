//! Calls a function of a behavior for a unit.

use rhai::Dynamic;
use steerbox_core::diagnostics::caught;
use steerbox_core::sim::{Failure, UnitContext};

use crate::front::program::Program;
use crate::interpret::call::{self, Fallible};
use crate::interpret::explain;

/// Runs a call of a behavior, with a unit's memory and a rate as in [`call::enter`]; `place` is the position for errors
/// without one.
pub(crate) fn call_for_unit(
    (program, place): (&Program, (usize, usize)),
    context: &mut UnitContext,
    (memory, rate): (&mut [u32], u64),
    run: impl FnOnce() -> Fallible<Dynamic>,
) -> Result<Dynamic, Failure> {
    match call::enter(&program.environment, context, memory, rate, || caught(run)) {
        Some(Ok(value)) => Ok(value),
        Some(Err(error)) => {
            let failure = explain::failure(&error, place);
            Err(explain::with_work_source(failure, context.main_source()))
        }
        None => Err(explain::internal_error(place)),
    }
}
