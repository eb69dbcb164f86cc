//! `fn reloaded(old)`: what a script makes of what its last version remembered.

use std::sync::Arc;

use rhai::Map;

use super::{call, explain};
use crate::diagnostics::caught;
use crate::script::api::memory;
use crate::script::checks::functions::RELOADED;
use crate::script::front::program::Program;
use crate::sim::{Failure, Field, MemoryLayout};

/// Lets a script map a unit's memory: `memory` holds what was carried over by name and kind, and `old`
/// what was remembered before, by the layout of then. It runs in the interpreter, once a unit and
/// reload. Without the function nothing is done. When it fails, what it has written by then is taken
/// back. Returns also how much work it took.
pub(in crate::script) fn reloaded(
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
        None => explain::our_fault(place),
    };
    memory.copy_from_slice(&before);
    (Err(failure), work)
}

/// A row of memory as scripts name it.
fn as_map(layout: &MemoryLayout, row: &[u32]) -> Map {
    let value = |field: &Field| (field.name.as_str().into(), memory::value(field.kind, &row[field.offset..]));
    layout.fields().iter().map(value).collect()
}
