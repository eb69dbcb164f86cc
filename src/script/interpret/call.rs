//! The call in progress: what the functions that scripts call work on.
//!
//! Script values are `'static` handles, so what they stand for is reached through the thread: for one
//! call, a worker swaps its context and the unit's memory into a thread-local.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, Position};

use super::budget::{self, Exhausted};
use super::environment::Environment;
use crate::scene::ParamValue;
use crate::script::front::imported::Imported;
use crate::script::front::param::{self, Param};
use crate::sim::work::{self, OPERATION};
use crate::sim::{Frozen, UnitContext};

/// What a call to a script works on.
pub(in crate::script) struct Call {
    pub(in crate::script) context: UnitContext,
    pub(in crate::script) memory: Vec<u32>,
    pub(in crate::script) environment: Option<Arc<Environment>>,
    /// The work of a node; 0 while a script runs without charges.
    rate: u64,
    is_exhausted: bool,
}

impl Call {
    /// Charges for operations of the engine; without charges, the engine counts them itself.
    pub(in crate::script) fn charge_operations(&mut self, operations: u64) {
        if self.rate > 0 {
            self.context.charge(OPERATION * operations);
        }
    }

    /// Returns true if the call exceeded its limit of work. It then fails, even if the script catches the error.
    pub(in crate::script) fn is_exhausted(&mut self) -> bool {
        self.is_exhausted |= self.rate > 0 && self.context.work() > work::CALL;
        self.is_exhausted
    }
}

thread_local! {
    static CALL: RefCell<Call> = RefCell::new(Call {
        context: UnitContext::new(Arc::new(Frozen::default())),
        memory: Vec::new(),
        environment: None,
        rate: 0,
        is_exhausted: false,
    });
    static EVALUATION: RefCell<Option<Evaluation>> = const { RefCell::new(None) };
}

/// An error in the user's words.
pub(in crate::script) type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// Runs a call with a context and a memory, which are its own meanwhile. The context is charged `rate` per node; if
/// that is 0, the interpreter's operations are limited instead.
pub(in crate::script) fn enter<R>(
    environment: &Arc<Environment>,
    context: &mut UnitContext,
    memory: &mut [u32],
    rate: u64,
    run: impl FnOnce() -> R,
) -> R {
    CALL.with_borrow_mut(|call| {
        (call.rate, call.is_exhausted) = (rate, false);
        std::mem::swap(&mut call.context, context);
        call.memory.clear();
        call.memory.extend_from_slice(memory);
        if !call.environment.as_ref().is_some_and(|before| Arc::ptr_eq(before, environment)) {
            call.environment = Some(Arc::clone(environment));
        }
    });
    let result = if rate > 0 { budget::uncounted(run) } else { run() };
    CALL.with_borrow_mut(|call| {
        call.rate = 0;
        std::mem::swap(&mut call.context, context);
        memory.copy_from_slice(&call.memory);
    });
    result
}

/// The same with a unit's memory alone: nothing else can be seen. Returns also what it took.
pub(in crate::script) fn enter_memory<R>(
    environment: &Arc<Environment>,
    memory: &mut [u32],
    run: impl FnOnce() -> R,
) -> (R, u64) {
    let mut nothing = UnitContext::new(Arc::default());
    let result = enter(environment, &mut nothing, memory, budget::INTERPRETED, run);
    (result, nothing.work())
}

/// Charges the call in progress for static work.
///
/// # Errors
/// At the place `at`, if the call exceeds its limit of work.
pub(in crate::script) fn pay(work: u64, at: Position) -> Fallible<()> {
    let is_exhausted = with(|call| {
        call.context.charge(call.rate * work);
        call.is_exhausted()
    });
    if is_exhausted { Exhausted::error(at) } else { Ok(()) }
}

/// Works on the call in progress.
pub(in crate::script) fn with<R>(work: impl FnOnce(&mut Call) -> R) -> R {
    CALL.with_borrow_mut(work)
}

/// Whether what runs may have values that hold others, which have to be weighed.
pub(in crate::script) fn may_hold_many() -> bool {
    CALL.with_borrow(|call| {
        let environment = call.environment.as_ref();
        environment.is_none_or(|environment| environment.may_hold_many)
    })
}

/// The evaluation of a script's constants, which may be parameters.
#[derive(Default)]
pub(in crate::script) struct Evaluation {
    /// Where each top-level constant that calls `param` does so: line, column, name.
    pub(in crate::script) named: Vec<(usize, usize, String)>,
    /// Values that replace the defaults.
    pub(in crate::script) values: Vec<(String, ParamValue)>,
    /// What was declared, in the order of the calls.
    pub(in crate::script) declared: Vec<Param>,
}

/// Runs a script's top level with the files that it imports, and returns what it declared.
pub(in crate::script) fn evaluate<R>(
    evaluation: Evaluation,
    imports: &[Arc<Imported>],
    run: impl FnOnce() -> R,
) -> (R, Vec<Param>) {
    // The constants of what ran before on this thread are not those of this script.
    let environment =
        Environment { imports: imports.to_vec(), may_hold_many: true, ..Environment::default() };
    CALL.with_borrow_mut(|call| call.environment = Some(environment.into()));
    EVALUATION.set(Some(evaluation));
    let result = run();
    CALL.with_borrow_mut(|call| call.environment = None);
    let declared = EVALUATION.take().map(|evaluation| evaluation.declared);
    (result, declared.unwrap_or_default())
}

/// A call of `param(…)` at a line and column.
pub(in crate::script) fn declare(line: usize, column: usize, arguments: &[Dynamic]) -> Fallible<Dynamic> {
    EVALUATION.with_borrow_mut(|evaluation| {
        let Some(evaluation) = evaluation else {
            return Err("`param` declares constants and is called nowhere else\nwrite `const NAME = param(…);` at the top of the file".into());
        };
        let mut named = evaluation.named.iter();
        let Some((_, _, name)) = named.find(|(l, c, _)| (*l, *c) == (line, column)) else {
            return Err("`param` stands for a whole constant\nwrite `const NAME = param(…);`".into());
        };
        let (default, range) = param::declare(arguments).map_err(|error| Box::new(EvalAltResult::from(error)))?;
        let set = evaluation.values.iter().find(|(known, _)| known == name);
        let value = param::to_dynamic(set.map_or(&default, |(_, value)| value));
        evaluation.declared.push(Param { name: name.clone(), default, range, line });
        Ok(value)
    })
}
