//! Limits of scripts. They count bytes, statements and nesting at compile time, operations and memory at run time.
//! None depends on time, so all machines accept the same scripts.
//!
//! Arrays and maps are weighed whenever a script reads one. The memory that a script can hold is therefore bounded
//! by variables times call depth times the weight of one value. Machine code supports neither and has no such cost.

use std::cell::Cell;

use rhai::{Array, Dynamic, Engine, EvalAltResult, EvalContext, LexError, Map, Position, Token};
use steerbox_core::sim::work::{self, OPERATION};

/// The maximum number of operations of a call: of the interpreter, or the equivalent work of machine code and the
/// API, which has a finer unit.
pub(crate) const MAX_OPERATIONS: u64 = work::CALL / OPERATION;
/// Work of a node in a script that the compiler does not support; a node of machine code costs 1.
pub(crate) const INTERPRETED: u64 = OPERATION;
/// The maximum depth of calls.
pub(crate) const MAX_CALLS: usize = 16;
/// The maximum number of variables of a function at a time, parameters included.
pub(crate) const MAX_VARIABLES: usize = 64;
/// The maximum number of functions of a script.
pub(crate) const MAX_FUNCTIONS: usize = 64;
/// The maximum size of a script in bytes.
pub const MAX_SOURCE: usize = 64 * 1024;
/// The maximum size in bytes of all files that a script imports.
pub(crate) const MAX_IMPORTED: usize = 4 * MAX_SOURCE;
/// The maximum number of files that a script imports.
pub(crate) const MAX_IMPORTS: usize = 16;
/// The maximum number of statements, blocks and cases of a file: the time of parser and optimizer grows with the
/// square of the number of siblings.
const MAX_STATEMENTS: usize = 2_000;
/// The maximum number of faults reported for one script: the search for similar names is slow.
pub(crate) const MAX_FAULTS: usize = 20;
/// The maximum size in bytes of a value with all its elements.
const MAX_WEIGHT: usize = 20 * 1024;
/// The size in bytes from which a value counts as heavy.
const HEAVY: usize = 4 * 1024;
/// The maximum size in bytes of all values of a function, checked if one of them is heavy.
const MAX_HELD: usize = 1024 * 1024;
/// Bytes of an array or map that count as one operation at each read, which may copy it.
const BYTES_OF_OPERATION: usize = 256;
/// Operations between two checks of the API's work.
const CHECK_INTERVAL: u64 = 16;

thread_local! {
    /// The number of statements so far of the file being parsed.
    static STATEMENTS: Cell<usize> = const { Cell::new(0) };
    /// Operations of code without charges, since [`counted`] began.
    static OPERATIONS: Cell<u64> = const { Cell::new(0) };
    /// True if operations of the interpreter are limited; false while code charges for its work.
    static COUNTS: Cell<bool> = const { Cell::new(true) };
}

/// Parses a file with its statements counted by [`token`].
pub(crate) fn parsed<R>(parse: impl FnOnce() -> R) -> R {
    STATEMENTS.set(0);
    parse()
}

/// Counts a statement at its token. Above the limit, the token becomes an error.
pub(crate) fn token(token: Token) -> Token {
    if !matches!(token, Token::SemiColon | Token::LeftBrace | Token::DoubleArrow) {
        return token;
    }
    STATEMENTS.set(STATEMENTS.get() + 1);
    if STATEMENTS.get() <= MAX_STATEMENTS {
        return token;
    }
    let words = format!("the file has more than {MAX_STATEMENTS} statements");
    Token::LexError(LexError::Runtime(words).into())
}

/// Sets every limit explicitly because the defaults of debug builds differ.
pub(crate) fn limit(engine: &mut Engine) {
    // `is_exhausted` limits operations.
    engine.set_max_operations(0);
    engine.set_max_call_levels(MAX_CALLS);
    engine.set_max_expr_depths(64, 48);
    engine.set_max_string_size(4096);
    engine.set_max_array_size(1024);
    engine.set_max_map_size(256);
    engine.set_max_functions(MAX_FUNCTIONS);
    engine.set_max_variables(MAX_VARIABLES);
    engine.set_max_modules(MAX_IMPORTS);
    // Interned strings need a lock that all threads would share.
    engine.set_max_strings_interned(0);
}

/// The error of a call that exceeded its limit of work, as a value of the engine.
#[derive(Clone, Debug)]
pub(crate) struct Exhausted;

impl Exhausted {
    pub(crate) fn error<T>(at: Position) -> Result<T, Box<EvalAltResult>> {
        Err(EvalAltResult::ErrorRuntime(Dynamic::from(Self), at).into())
    }
}

/// Returns true if code without charges exceeded `share` times the limit of a call by this number of operations, or
/// together with the work of the API, which is checked every few operations.
pub(crate) fn is_exhausted(operations: u64, share: u64, work: impl FnOnce() -> u64) -> bool {
    if !COUNTS.get() {
        return false;
    }
    OPERATIONS.set(operations);
    operations > share * MAX_OPERATIONS
        || operations.is_multiple_of(CHECK_INTERVAL) && OPERATION * operations + work() > share * work::CALL
}

/// Runs code without charges; also returns the work of its operations.
pub(crate) fn counted<R>(run: impl FnOnce() -> R) -> (R, u64) {
    OPERATIONS.set(0);
    let result = run();
    (result, OPERATION * OPERATIONS.get())
}

/// Runs code that charges for its work, so that its operations are not limited.
pub(crate) fn uncounted<R>(run: impl FnOnce() -> R) -> R {
    COUNTS.set(false);
    let result = run();
    COUNTS.set(true);
    result
}

/// Weighs the variable `name` if it is an array or map, and returns its weight in operations. If it is heavy, all
/// variables of the function are weighed with it.
pub(crate) fn weigh(
    name: &str,
    context: &mut EvalContext<'_, '_, '_, '_, '_, '_>,
) -> Result<u64, Box<EvalAltResult>> {
    let scope = context.scope();
    let Some(weight) = scope.get(name).and_then(container_weight) else {
        return Ok(0);
    };
    let mut total = weight;
    if weight > HEAVY {
        let held = scope.iter_raw().map(|(.., value)| value);
        total = held.filter_map(container_weight).sum();
    }
    if weight > MAX_WEIGHT || total > MAX_HELD {
        let what = format!("`{name}`");
        return Err(EvalAltResult::ErrorDataTooLarge(what, Position::NONE).into());
    }
    let operations = (total / BYTES_OF_OPERATION) as u64;
    context.global_runtime_state_mut().num_operations += operations;
    Ok(operations)
}

/// Returns true for an array or a map.
pub(crate) fn is_container(value: &Dynamic) -> bool {
    value.is_array() || value.is_map()
}

/// Returns the weight of an array or a map; `None` for other values, whose copies are free.
fn container_weight(value: &Dynamic) -> Option<usize> {
    let mut left = MAX_WEIGHT as isize;
    is_container(value).then(|| parts_fit(value, &mut left))?;
    Some((MAX_WEIGHT as isize - left) as usize)
}

/// Subtracts the weight of a value's elements from `left`; stops with false when nothing is left.
fn parts_fit(value: &Dynamic, left: &mut isize) -> bool {
    if value.is_array() {
        let array = value.read_lock::<Array>();
        return array.is_none_or(|array| array.iter().all(|part| fits(part, left)));
    }
    if value.is_map() {
        let mut entry_fits = |name: &str, part: &Dynamic| {
            *left -= (size_of::<Dynamic>() + name.len()) as isize;
            fits(part, left)
        };
        let map = value.read_lock::<Map>();
        return map.is_none_or(|map| map.iter().all(|(name, part)| entry_fits(name, part)));
    }
    if let Ok(text) = value.as_immutable_string_ref() {
        *left -= text.len() as isize;
    }
    *left >= 0
}

fn fits(value: &Dynamic, left: &mut isize) -> bool {
    *left -= size_of::<Dynamic>() as isize;
    *left >= 0 && parts_fit(value, left)
}
