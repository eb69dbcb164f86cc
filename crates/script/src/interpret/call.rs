//! The state of the call in progress, on which the functions of the API operate.
//!
//! Script values are `'static` handles without references, so API functions reach the simulation through a
//! thread-local: for one call, a worker swaps its context and the unit's memory into it.

use std::cell::RefCell;
use std::sync::Arc;

use rhai::{Dynamic, EvalAltResult, Position};
use steerbox_core::sim::work::{self, OPERATION};
use steerbox_core::sim::{Frozen, UnitContext};
use steerbox_core::world::ParamValue;

use super::environment::Environment;
use super::imported::Imported;
use crate::budget::{self, Exhausted};
use crate::param::{self, Param};

/// The state that a call to a script operates on.
pub(crate) struct Call {
    pub(crate) context: UnitContext,
    pub(crate) memory: Vec<u32>,
    pub(crate) environment: Option<Arc<Environment>>,
    limits: Limits,
    is_exhausted: bool,
}

/// The limits of a call.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Limits {
    /// The cost of a node; 0 while a script runs without charges.
    pub(crate) rate: u64,
    /// The maximum work.
    pub(crate) work: u64,
}

impl Limits {
    /// The limits of a call of a behavior.
    const fn of_behavior(rate: u64) -> Self {
        Self { rate, work: work::CALL }
    }
}

impl Call {
    /// Charges for operations of the engine; without charges, the engine counts them itself.
    pub(crate) fn charge_operations(&mut self, operations: u64) {
        if self.limits.rate > 0 {
            self.context.charge(OPERATION * operations);
        }
    }

    /// Returns true if the call exceeded its work limit. The result stays true, so a script cannot catch the error.
    pub(crate) fn is_exhausted(&mut self) -> bool {
        self.is_exhausted |= self.limits.rate > 0 && self.context.work() > self.limits.work;
        self.is_exhausted
    }
}

thread_local! {
    static CALL: RefCell<Call> = RefCell::new(Call {
        context: UnitContext::new(Arc::new(Frozen::default())),
        memory: Vec::new(),
        environment: None,
        limits: Limits::of_behavior(0),
        is_exhausted: false,
    });
    static EVALUATION: RefCell<Option<Evaluation>> = const { RefCell::new(None) };
}

/// A result whose error has a message for the user.
pub(crate) type Fallible<T> = Result<T, Box<EvalAltResult>>;

/// Runs a call on a context and a memory. Each node costs `rate`; if that is 0, the interpreter's operations are
/// limited instead.
pub(crate) fn enter<R>(
    environment: &Arc<Environment>,
    context: &mut UnitContext,
    memory: &mut [u32],
    rate: u64,
    run: impl FnOnce() -> R,
) -> R {
    enter_limited(environment, context, memory, Limits::of_behavior(rate), run)
}

/// As [`enter`], with other limits.
pub(crate) fn enter_limited<R>(
    environment: &Arc<Environment>,
    context: &mut UnitContext,
    memory: &mut [u32],
    limits: Limits,
    run: impl FnOnce() -> R,
) -> R {
    CALL.with_borrow_mut(|call| {
        (call.limits, call.is_exhausted) = (limits, false);
        std::mem::swap(&mut call.context, context);
        call.memory.clear();
        call.memory.extend_from_slice(memory);
        if !call.environment.as_ref().is_some_and(|before| Arc::ptr_eq(before, environment)) {
            call.environment = Some(Arc::clone(environment));
        }
    });
    let result = if limits.rate > 0 { budget::uncounted(run) } else { run() };
    CALL.with_borrow_mut(|call| {
        call.limits = Limits::of_behavior(0);
        std::mem::swap(&mut call.context, context);
        memory.copy_from_slice(&call.memory);
    });
    result
}

/// Runs a call with a unit's memory only: it cannot read the world. Also returns its work.
pub(crate) fn enter_memory<R>(
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
/// At the position `at`, if the call exceeds its work limit.
pub(crate) fn charge(work: u64, at: Position) -> Fallible<()> {
    let is_exhausted = with(|call| {
        call.context.charge(call.limits.rate * work);
        call.is_exhausted()
    });
    if is_exhausted { Exhausted::error(at) } else { Ok(()) }
}

/// Returns the maximum number of operations of the call in progress, or of a behavior if there is none.
pub(crate) fn max_operations() -> u64 {
    CALL.with_borrow(|call| call.limits.work / OPERATION)
}

/// Accesses the state of the call in progress.
pub(crate) fn with<R>(work: impl FnOnce(&mut Call) -> R) -> R {
    CALL.with_borrow_mut(work)
}

/// Returns true if the running script may hold arrays or maps, which must be weighed.
pub(crate) fn may_hold_containers() -> bool {
    CALL.with_borrow(|call| {
        let environment = call.environment.as_ref();
        environment.is_none_or(|environment| environment.may_hold_containers)
    })
}

/// The evaluation of a script's constants, some of which are parameters.
#[derive(Default)]
pub(crate) struct Evaluation {
    /// Line, column and constant of each top-level call of `param`.
    pub(crate) named: Vec<(usize, usize, String)>,
    /// Values that replace the defaults.
    pub(crate) values: Vec<(String, ParamValue)>,
    /// The parameters declared so far, in the order of the calls.
    pub(crate) declared: Vec<Param>,
}

/// Evaluates a script's top level with the files that it imports; also returns its parameters.
pub(crate) fn evaluate<R>(
    evaluation: Evaluation,
    imports: &[Arc<Imported>],
    run: impl FnOnce() -> R,
) -> (R, Vec<Param>) {
    // An earlier run on this thread may have left the constants of another script.
    let environment =
        Environment { imports: imports.to_vec(), may_hold_containers: true, ..Environment::default() };
    CALL.with_borrow_mut(|call| call.environment = Some(environment.into()));
    EVALUATION.set(Some(evaluation));
    let result = run();
    CALL.with_borrow_mut(|call| call.environment = None);
    let declared = EVALUATION.take().map(|evaluation| evaluation.declared);
    (result, declared.unwrap_or_default())
}

/// Handles a call of `param(…)` at a line and column.
pub(crate) fn declare(line: usize, column: usize, arguments: &[Dynamic]) -> Fallible<Dynamic> {
    EVALUATION.with_borrow_mut(|evaluation| {
        let Some(evaluation) = evaluation else {
            return Err("`param` declares constants and is called nowhere else\nwrite `const NAME = param(…);` at the top of the file".into());
        };
        let mut named = evaluation.named.iter();
        let Some((_, _, name)) = named.find(|(l, c, _)| (*l, *c) == (line, column)) else {
            return Err("`param` stands for a whole constant\nwrite `const NAME = param(…);`".into());
        };
        let (default, range) = param::declare(arguments).map_err(|error| Box::new(EvalAltResult::from(error)))?;
        // Units draw their own values; nothing at the top reads one.
        let is_constant = |value: &ParamValue| !matches!(value, ParamValue::Distribution(_));
        let mut set = evaluation.values.iter().filter(|(_, value)| is_constant(value));
        let set = set.find(|(known, _)| known == name);
        let value = param::to_dynamic(set.map_or(&default, |(_, value)| value));
        evaluation.declared.push(Param { name: name.clone(), default, range, line });
        Ok(value)
    })
}
