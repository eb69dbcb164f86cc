//! Calls `fn reloaded(old)`, which maps the memory of a script's previous version.

use std::sync::Arc;

use rhai::Map;
use steerbox_core::diagnostics::caught;
use steerbox_core::sim::{Failure, Field, MemoryLayout};

use crate::checks::functions::RELOADED;
use crate::front::program::Program;
use crate::interpret::{call, explain, memory};

/// Runs a script's `reloaded` for one unit, in the interpreter: `memory` holds the values carried over by name and
/// kind, `old` the previous values in the previous layout. No effect without the function in the script. If the
/// call fails, its writes are reverted. Also returns its work.
pub(crate) fn reloaded(
    program: &Arc<Program>,
    (layout, old): (&MemoryLayout, &[u32]),
    memory: &mut [u32],
) -> (Result<(), Failure>, u64) {
    let Some(place) = program.reloaded else {
        return (Ok(()), 0);
    };
    let before = memory.to_vec();
    let old = as_map(layout, old);
    let (result, work) =
        call::enter_memory(&program.environment, memory, || caught(|| program.call(RELOADED, (old,))));
    let failure = match result {
        Some(Ok(_)) => return (Ok(()), work),
        Some(Err(error)) => explain::failure(&error, place),
        None => explain::internal_error(place),
    };
    memory.copy_from_slice(&before);
    (Err(failure), work)
}

/// Converts a row of memory to a map.
fn as_map(layout: &MemoryLayout, row: &[u32]) -> Map {
    let value = |field: &Field| (field.name.as_str().into(), memory::value(field.kind, &row[field.offset..]));
    layout.fields().iter().map(value).collect()
}
