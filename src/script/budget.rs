//! What a script may take: time while it is read, and work and memory at all times.
//!
//! Values that hold others are weighed when a script reaches for them. What it can hold at once is then
//! bounded by variables times levels of calls times the weight of one value. Compiled code holds nothing
//! of the kind and pays nothing for this.

use std::cell::Cell;
use std::time::Duration;

use rhai::{Array, Dynamic, Engine, EvalAltResult, EvalContext, Map, Position};

use super::call::{self, Fallible};
use crate::sim::work::{self, OPERATION};

/// Operations one call may take: as many of the interpreter, or as much work of compiled code and the API,
/// which is counted finer.
pub(super) const MAX_OPERATIONS: u64 = work::CALL / OPERATION;
/// Operations that a call takes beside those of the script.
const CALL: u64 = 16;
/// How deep functions may call each other.
pub(super) const MAX_CALLS: usize = 16;
/// Most variables of a function at a time, its parameters among them.
pub(super) const MAX_VARIABLES: usize = 64;
/// Most functions of a script.
pub(super) const MAX_FUNCTIONS: usize = 64;
/// Most bytes of a script.
pub const MAX_SOURCE: usize = 64 * 1024;
/// Most bytes of one value with all that it holds.
const MAX_WEIGHT: usize = 20 * 1024;
/// From here on a value counts as heavy, bytes.
const HEAVY: usize = 4 * 1024;
/// Most bytes of all values that one function holds, once one of them is heavy.
const MAX_HELD: usize = 1024 * 1024;
/// Bytes of a value that count as one operation when a script reaches for it: it may be copied.
const BYTES_OF_OPERATION: usize = 256;
/// Operations between two looks at what the API took.
const LOOK: u64 = 16;
/// Tokens between two looks at the clock.
const TOKENS: u32 = 64;

thread_local! {
    /// In processor time of the thread.
    static DEADLINE: Cell<Option<Duration>> = const { Cell::new(None) };
    /// How often somebody asked whether it has passed.
    static LOOKS: Cell<u32> = const { Cell::new(0) };
    /// Operations at the last look.
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
}

/// Works under a limit of processor time, as far as scripts are read; what runs is counted instead. The
/// flag tells whether the limit was reached.
pub(super) fn within<R>(most: Duration, work: impl FnOnce() -> R) -> (R, bool) {
    let before = DEADLINE.get();
    let deadline = processor_time() + most;
    let deadline = before.map_or(deadline, |before| before.min(deadline));
    DEADLINE.set(Some(deadline));
    let result = work();
    let late = is_late();
    DEADLINE.set(before);
    (result, late)
}

/// Whether there is a limit of time and it has passed.
fn is_late() -> bool {
    DEADLINE
        .get()
        .is_some_and(|deadline| processor_time() >= deadline)
}

/// Whether there is a limit of time and it has passed, as of the last look: one a few calls.
pub(super) fn is_late_by_and_by() -> bool {
    if DEADLINE.get().is_none() {
        return false;
    }
    let calls = LOOKS.get().wrapping_add(1);
    LOOKS.set(calls);
    if calls.is_multiple_of(TOKENS) && is_late() {
        // It stays so until somebody else begins.
        DEADLINE.set(Some(Duration::ZERO));
    }
    DEADLINE.get() == Some(Duration::ZERO)
}

/// What this thread has had of a processor: other programs on the machine take nothing from a script's
/// share, so a good script is good on a busy machine, too.
#[cfg(unix)]
fn processor_time() -> Duration {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
}

#[cfg(not(unix))]
fn processor_time() -> Duration {
    static START: std::sync::LazyLock<std::time::Instant> =
        std::sync::LazyLock::new(std::time::Instant::now);
    START.elapsed()
}

/// Sets every limit, said outright: the defaults of debug builds differ.
pub(super) fn limit(engine: &mut Engine) {
    engine.set_max_operations(MAX_OPERATIONS);
    engine.set_max_call_levels(MAX_CALLS);
    engine.set_max_expr_depths(64, 48);
    engine.set_max_string_size(4096);
    engine.set_max_array_size(1024);
    engine.set_max_map_size(256);
    engine.set_max_functions(MAX_FUNCTIONS);
    engine.set_max_variables(MAX_VARIABLES);
    engine.set_max_modules(super::imports::MOST);
    // Interning takes a lock that threads would share.
    engine.set_max_strings_interned(0);
    engine.on_progress(|operations| {
        if operations.wrapping_sub(OPERATIONS.get()) < LOOK {
            return None;
        }
        OPERATIONS.set(operations);
        let taken = OPERATION * operations + call::with(|call| call.context.work());
        (taken > work::CALL).then_some(Dynamic::UNIT)
    });
}

/// Runs a function of a script; the answer is also what its operations took, beside what the API charged.
pub(super) fn counted<R>(run: impl FnOnce() -> R) -> (R, u64) {
    OPERATIONS.set(0);
    let result = run();
    (result, OPERATION * (CALL + OPERATIONS.get()))
}

/// Weighs the variable `name` if it holds other values, and counts it as operations. Where one is heavy,
/// all that the function holds is weighed with it.
pub(super) fn weigh(name: &str, context: &mut EvalContext<'_, '_, '_, '_, '_, '_>) -> Fallible<()> {
    let scope = context.scope();
    let Some(weight) = scope.get(name).and_then(weight_of_many) else {
        return Ok(());
    };
    let mut total = weight;
    if weight > HEAVY {
        let held = scope.iter_raw().map(|(.., value)| value);
        total = held.filter_map(weight_of_many).sum();
    }
    if weight > MAX_WEIGHT || total > MAX_HELD {
        let what = format!("`{name}`");
        return Err(EvalAltResult::ErrorDataTooLarge(what, Position::NONE).into());
    }
    context.global_runtime_state_mut().num_operations += (total / BYTES_OF_OPERATION) as u64;
    Ok(())
}

/// Whether a value holds others.
pub(super) fn is_many(value: &Dynamic) -> bool {
    value.is_array() || value.is_map()
}

/// The weight of an array or a map; nothing for other values, which copy at no cost.
fn weight_of_many(value: &Dynamic) -> Option<usize> {
    let mut left = MAX_WEIGHT as isize;
    if let Some(array) = value.read_lock::<Array>().filter(|_| value.is_array()) {
        array_fits(&array, &mut left);
    } else if let Some(map) = value.read_lock::<Map>().filter(|_| value.is_map()) {
        map_fits(&map, &mut left);
    } else {
        return None;
    }
    Some((MAX_WEIGHT as isize - left) as usize)
}

/// Takes the weight of values off what is left, until nothing is.
fn array_fits(array: &[Dynamic], left: &mut isize) -> bool {
    array.iter().all(|value| fits(value, left))
}

fn map_fits(map: &Map, left: &mut isize) -> bool {
    map.iter().all(|(name, value)| {
        *left -= (size_of::<Dynamic>() + name.len()) as isize;
        fits(value, left)
    })
}

fn fits(value: &Dynamic, left: &mut isize) -> bool {
    *left -= size_of::<Dynamic>() as isize;
    if *left < 0 {
        return false;
    }
    if value.is_array() {
        value
            .read_lock::<Array>()
            .is_none_or(|array| array_fits(&array, left))
    } else if value.is_map() {
        value
            .read_lock::<Map>()
            .is_none_or(|map| map_fits(&map, left))
    } else {
        if let Ok(text) = value.as_immutable_string_ref() {
            *left -= text.len() as isize;
        }
        *left >= 0
    }
}
