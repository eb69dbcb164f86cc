//! The call in progress: what the functions that scripts call work on.
//!
//! Script values are `'static` handles, so what they stand for is reached through the thread: a
//! worker lends its context and the unit's memory for one call and takes them back after it.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult};

use super::environment::Environment;
use super::param::ParamRange;
use super::{budget, imports};
use crate::scene::ParamValue;
use crate::sim::{Frozen, UnitContext};

/// What a call to a script works on.
pub(super) struct Call {
    pub(super) context: UnitContext,
    pub(super) memory: Vec<u32>,
    pub(super) environment: Option<Arc<Environment>>,
}

thread_local! {
    static CALL: RefCell<Call> = RefCell::new(Call {
        context: UnitContext::new(Arc::new(Frozen::default())),
        memory: Vec::new(),
        environment: None,
    });
    static LEARNING: RefCell<Option<Lesson>> = const { RefCell::new(None) };
}

/// An error in the user's words.
pub(super) type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// Lends context and memory to `run`, and takes them back. UnitContext are charged for what it took.
pub(super) fn lend<R>(
    environment: &Arc<Environment>,
    context: &mut UnitContext,
    memory: &mut [u32],
    run: impl FnOnce() -> R,
) -> R {
    CALL.with_borrow_mut(|call| {
        std::mem::swap(&mut call.context, context);
        call.memory.clear();
        call.memory.extend_from_slice(memory);
        if !call
            .environment
            .as_ref()
            .is_some_and(|before| Arc::ptr_eq(before, environment))
        {
            call.environment = Some(Arc::clone(environment));
            imports::keep_at_hand(&environment.imports);
        }
    });
    let (result, work) = budget::counted(run);
    CALL.with_borrow_mut(|call| {
        std::mem::swap(&mut call.context, context);
        context.charge(work);
        memory.copy_from_slice(&call.memory);
    });
    result
}

/// Lends a unit's memory alone to `run`, and takes it back; the answer is also what it took. Nothing can
/// be seen meanwhile.
pub(super) fn remember<R>(
    environment: &Arc<Environment>,
    memory: &mut [u32],
    run: impl FnOnce() -> R,
) -> (R, u64) {
    let mut nothing = UnitContext::new(Arc::default());
    let result = lend(environment, &mut nothing, memory, run);
    (result, nothing.work())
}

/// Works on the call in progress.
pub(super) fn with<R>(work: impl FnOnce(&mut Call) -> R) -> R {
    CALL.with_borrow_mut(work)
}

/// Whether what runs may have values that hold others: a script that cannot, need not be watched for them.
pub(super) fn may_hold_many() -> bool {
    CALL.with_borrow(|call| {
        let environment = call.environment.as_ref();
        environment.is_none_or(|environment| environment.may_hold_many)
    })
}

/// What the run of a script's top level teaches.
#[derive(Default)]
pub(super) struct Lesson {
    /// Where each top-level constant that calls `param` does so: line, column, name.
    pub(super) named: Vec<(usize, usize, String)>,
    /// Values that replace the defaults.
    pub(super) values: Vec<(String, ParamValue)>,
    /// What was declared, in the order of the calls.
    pub(super) declared: Vec<(String, usize, ParamValue, ParamRange)>,
}

/// Runs a script's top level under a lesson and returns what it learned.
pub(super) fn learn<R>(lesson: Lesson, run: impl FnOnce() -> R) -> (R, Lesson) {
    // The constants of what ran before on this thread are no business of this script.
    CALL.with_borrow_mut(|call| call.environment = None);
    LEARNING.set(Some(lesson));
    let result = run();
    (result, LEARNING.take().unwrap_or_default())
}

/// A call of `param(…)` at a line and column.
pub(super) fn declare(line: usize, column: usize, arguments: &[Dynamic]) -> Fallible<Dynamic> {
    LEARNING.with_borrow_mut(|lesson| {
        let Some(lesson) = lesson else {
            return Err("`param` declares constants and is called nowhere else\nwrite `const NAME = param(…);` at the top of the file".into());
        };
        let named = lesson.named.iter().find(|(l, c, _)| (*l, *c) == (line, column));
        let Some((_, _, name)) = named else {
            return Err("`param` stands for a whole constant\nwrite `const NAME = param(…);`".into());
        };
        let (default, range) = super::param::declare(arguments).map_err(|error| Box::new(EvalAltResult::from(error)))?;
        let set = lesson.values.iter().find(|(known, _)| known == name);
        let value = super::param::to_dynamic(set.map_or(&default, |(_, value)| value));
        lesson.declared.push((name.clone(), line, default, range));
        Ok(value)
    })
}
