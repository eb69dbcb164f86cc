//! Runs programs: as a behavior with one call of `steer` per unit and step, as a flow field, or as a measure.

mod event_handler;
pub(super) mod flow;
pub(super) mod measure;
mod reloaded;
mod unit_call;

use std::sync::Arc;

use glam::{Vec2, Vec3};
use rhai::{Dynamic, Engine};
use steerbox_core::diagnostics::caught;
#[cfg(feature = "native")]
use steerbox_core::sim::{BatchDecisions, BatchMemory};
use steerbox_core::sim::{Behavior, Contribution, Event, Failure, Handled, MemoryLayout, UnitContext};

use self::event_handler::EventHandler;
use crate::analysis::requirement::{Reduced, Requirement};
use crate::api::Need;
use crate::api::values::{Me, Turn, World};
use crate::checks::names;
use crate::front::program::Program;
use crate::interpret::{engine, explain};
#[cfg(feature = "native")]
use crate::native::Native;
use crate::typed::unsupported::Unsupported;
use crate::world_form::WorldForm;

/// The execution mode of scripts.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Execution {
    /// Machine code if the compiler supports the script, else the interpreter.
    #[default]
    Native,
    /// The interpreter only.
    Interpreted,
}

/// A program with its machine code, if it has any.
#[derive(Debug)]
pub struct ScriptBehavior {
    program: Arc<Program>,
    /// Its reads of scene parts that only some scenes have.
    requirements: Vec<Requirement>,
    /// True if it may claim units or take from grids.
    is_ordered: bool,
    /// The names of the values that its code watches.
    watched: Vec<String>,
    /// Machine code, or the reason why there is none; `None` in interpreted mode.
    #[cfg(feature = "native")]
    native: Option<Result<Native, Unsupported>>,
    /// Its handlers of events.
    handlers: Vec<EventHandler>,
    /// The cost of a node in the interpreter, in units of [`steerbox_core::sim::work`].
    rate: u64,
}

impl ScriptBehavior {
    /// Builds a behavior that runs `program` as machine code if `execution` and the compiler allow it, else in the
    /// interpreter.
    pub fn new(program: Arc<Program>, execution: Execution) -> Self {
        Self::in_world(program, execution, WorldForm::default())
    }

    /// As [`ScriptBehavior::new`], for worlds in a plane: machine code omits z where it is 0. In space, results are
    /// the same, but slower.
    pub fn in_plane(program: Arc<Program>, execution: Execution) -> Self {
        Self::in_world(program, execution, WorldForm { plane: true, ..WorldForm::default() })
    }

    /// As [`ScriptBehavior::new`], for worlds of a form.
    #[cfg_attr(not(feature = "native"), allow(unused_variables))]
    pub fn in_world(program: Arc<Program>, execution: Execution, form: WorldForm) -> Self {
        #[cfg(feature = "native")]
        let native = (execution == Execution::Native).then(|| Native::compile(&program, form));
        let reduced = caught(|| Reduced::new(&program, &[]));
        let is_ordered = reduced.as_ref().is_none_or(|reduced| reduced.is_ordered);
        let requirements = reduced.map(|reduced| reduced.requirements).unwrap_or_default();
        #[cfg(feature = "native")]
        let is_native = matches!(native, Some(Ok(_)));
        #[cfg(not(feature = "native"))]
        let is_native = false;
        Self {
            handlers: program
                .handlers
                .iter()
                .map(|it| EventHandler::new(&program, *it, execution == Execution::Native, form))
                .collect(),
            rate: if is_native { 1 } else { program.rate(None) },
            watched: names::watched(&program.ast, &program.environment.imports),
            program,
            requirements,
            is_ordered,
            #[cfg(feature = "native")]
            native,
        }
    }

    /// Returns its reads of scene parts that only some scenes have.
    pub fn requirements(&self) -> &[Requirement] {
        &self.requirements
    }

    /// Returns its reads and effects in a scene without the parts in `absent`.
    pub fn without(&self, absent: &[Need]) -> Reduced {
        let reduced = caught(|| Reduced::new(&self.program, absent));
        reduced.unwrap_or(Reduced { requirements: Vec::new(), acts: true, is_ordered: true })
    }

    /// Returns the reason why it has no machine code, unless it is interpreted by request.
    pub fn unsupported(&self) -> Option<&Unsupported> {
        #[cfg(feature = "native")]
        {
            let handlers = self.handlers.iter().filter_map(|handler| handler.native());
            self.native.iter().chain(handlers).find_map(|native| native.as_ref().err())
        }
        #[cfg(not(feature = "native"))]
        None
    }

    /// Returns true if all of it runs as machine code.
    pub fn is_native(&self) -> bool {
        #[cfg(feature = "native")]
        return matches!(self.native, Some(Ok(_))) && self.unsupported().is_none();
        #[cfg(not(feature = "native"))]
        return false;
    }
}

impl Behavior for ScriptBehavior {
    fn memory(&self) -> &MemoryLayout {
        &self.program.environment.memory
    }

    fn reloaded(&self, before: (&MemoryLayout, &[u32]), memory: &mut [u32]) -> (Result<(), Failure>, u64) {
        reloaded::reloaded(&self.program, before, memory)
    }

    fn handled(&self) -> Handled {
        let handlers = self.handlers.iter();
        handlers.fold(Handled::NONE, |all, it| all.with(it.handler().kind, it.handler().arity > 1))
    }

    fn handle(&self, event: Event, context: &mut UnitContext, memory: &mut [u32]) -> Result<(), Failure> {
        let mut handlers = self.handlers.iter();
        match handlers.find(|it| it.handler().kind == event.kind()) {
            Some(handler) => handler.handle(&self.program, event, context, memory),
            None => Ok(()),
        }
    }

    fn place(&self) -> (usize, usize) {
        self.program.entry.place
    }

    fn watched(&self) -> &[String] {
        &self.watched
    }

    fn is_ordered(&self) -> bool {
        self.is_ordered
    }

    fn decide(&self, context: &mut UnitContext, memory: &mut [u32]) -> Result<Contribution, Failure> {
        #[cfg(feature = "native")]
        if let Some(Ok(native)) = &self.native
            && native.fits(context)
        {
            debug_assert!(memory.len() >= self.memory().words(), "machine code reads and writes all of it");
            return native.decide(context, memory);
        }
        interpret((&self.program, self.rate), engine::engine(), context, memory)
    }

    #[cfg(feature = "native")]
    fn decide_batch(
        &self,
        context: &mut UnitContext,
        units: &[[u32; 2]],
        memory: &mut BatchMemory<'_>,
        decisions: &mut BatchDecisions,
    ) {
        if let Some(Ok(native)) = &self.native
            && native.fits(context)
        {
            native.decide_batch(context, units, memory, decisions);
        }
    }
}

/// Calls `steer` once in an interpreter, with `rate` as in [`call::enter`].
pub(super) fn interpret(
    (program, rate): (&Program, u64),
    engine: &Engine,
    context: &mut UnitContext,
    memory: &mut [u32],
) -> Result<Contribution, Failure> {
    let place = program.entry.place;
    let call = || program.call_by(engine, "steer", (Me, World));
    let value = unit_call::call_for_unit((program, place), context, (memory, rate), call)?;
    match contribution(&value) {
        Some(contribution) if contribution.is_finite() => Ok(contribution),
        Some(_) => Err(explain::not_finite(place, &program.entry.not_finite)),
        None => {
            let kind = explain::kind_of(&value);
            let message = format!("steer returned {kind} instead of a number, turn(…), a vector or ()");
            Err(explain::failure_at(place, message, explain::result_remedy(&value)))
        }
    }
}

fn contribution(value: &Dynamic) -> Option<Contribution> {
    if value.is_unit() {
        Some(Contribution::None)
    } else if let Ok(turn) = value.as_float() {
        Some(Contribution::Turn(Vec2::new(turn, 0.0)))
    } else if let Ok(turn) = value.as_int() {
        Some(Contribution::Turn(Vec2::new(turn as f32, 0.0)))
    } else if let Some(push) = value.read_lock::<Vec3>() {
        Some(Contribution::Push(*push))
    } else {
        value.read_lock::<Turn>().map(|turn| Contribution::Turn(turn.0))
    }
}
