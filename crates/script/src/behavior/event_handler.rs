//! Calls the functions of a behavior that handle events.

use rhai::{Dynamic, ImmutableString};
use steerbox_core::sim::{Event, Failure, UnitContext};

use super::unit_call;
use crate::api::values::{Me, Unit, World, ZoneName};
#[cfg(feature = "native")]
use crate::api::values::{Outcome, Slots, Value, Writer};
use crate::checks::handlers::Handler;
use crate::front::program::Program;
use crate::interpret::engine;
#[cfg(feature = "native")]
use crate::native::Native;
#[cfg(feature = "native")]
use crate::typed::unsupported::Unsupported;
use crate::world_form::WorldForm;

/// A function of a program that handles events of a kind, with its machine code, if it has any.
#[derive(Debug)]
pub(super) struct EventHandler {
    handler: Handler,
    /// As in [`super::ScriptBehavior`].
    #[cfg(feature = "native")]
    native: Option<Result<Native, Unsupported>>,
    rate: u64,
}

/// The first argument of a handler.
#[derive(Clone, Copy, Debug)]
enum Subject {
    /// A unit that exists.
    Unit(Unit),
    /// A unit, or `()`.
    MaybeUnit(Option<Unit>),
    Zone(ZoneName),
}

impl EventHandler {
    /// Compiles a handler of a program if `is_compiled` is true and the compiler supports it.
    #[cfg_attr(not(feature = "native"), allow(unused_variables, reason = "nothing is compiled"))]
    pub(super) fn new(program: &Program, handler: Handler, is_compiled: bool, form: WorldForm) -> Self {
        #[cfg(feature = "native")]
        let native = is_compiled.then(|| Native::compile_handler(program, &handler, form));
        #[cfg(feature = "native")]
        let is_native = matches!(native, Some(Ok(_)));
        #[cfg(not(feature = "native"))]
        let is_native = false;
        Self {
            rate: if is_native { 1 } else { program.rate(Some(&handler)) },
            handler,
            #[cfg(feature = "native")]
            native,
        }
    }

    /// Its function.
    pub(super) fn handler(&self) -> &Handler {
        &self.handler
    }

    /// Its machine code, or the reason why there is none; `None` in interpreted mode.
    #[cfg(feature = "native")]
    pub(super) fn native(&self) -> Option<&Result<Native, Unsupported>> {
        self.native.as_ref()
    }

    /// Handles an event of the unit of the context. An event with a unit or zone that does not exist has no effect.
    ///
    /// # Errors
    /// If the script fails.
    pub(super) fn handle(
        &self,
        program: &Program,
        event: Event,
        context: &mut UnitContext,
        memory: &mut [u32],
    ) -> Result<(), Failure> {
        let Some(subject) = Subject::of(event, context) else {
            return Ok(());
        };
        #[cfg(feature = "native")]
        if let Some(Ok(native)) = &self.native
            && native.fits(context)
        {
            return native.handle(context, memory, &subject.slots());
        }
        let Handler { kind, arity, place } = self.handler;
        let mut arguments = vec![subject.value(context), Dynamic::from(Me), Dynamic::from(World)];
        arguments.truncate(arity);
        let call = || program.call_by(engine::engine(), kind.name(), arguments);
        unit_call::call_for_unit((program, place), context, (memory, self.rate), call).map(|_| ())
    }
}

impl Subject {
    fn of(event: Event, context: &UnitContext) -> Option<Self> {
        Some(match event {
            Event::Born { parent } => Self::MaybeUnit(parent.and_then(|parent| unit(context, parent))),
            Event::Touched { other } => Self::Unit(unit(context, other)?),
            Event::Entered { zone } | Event::Left { zone } => {
                context.world().zone(zone)?;
                Self::Zone(ZoneName(zone))
            }
        })
    }

    /// Returns it in the encoding of machine code.
    #[cfg(feature = "native")]
    fn slots(self) -> Slots {
        let mut slots = Slots::default();
        let to = &mut Writer::new(&mut slots);
        match self {
            Self::Unit(unit) => unit.write(to),
            Self::MaybeUnit(unit) => _ = unit.store(to),
            Self::Zone(zone) => zone.write(to),
        }
        slots
    }

    /// Returns it as a value of the interpreter.
    fn value(self, context: &UnitContext) -> Dynamic {
        match self {
            Self::Unit(unit) => Dynamic::from(unit),
            Self::MaybeUnit(unit) => unit.map_or(Dynamic::UNIT, Dynamic::from),
            Self::Zone(zone) => {
                let name = context.world().zone(zone.0).map(|zone| ImmutableString::from(&zone.name));
                name.unwrap_or_default().into()
            }
        }
    }
}

/// Returns a unit at the position that is nearest to the unit of the context across a periodic edge.
fn unit(context: &UnitContext, index: usize) -> Option<Unit> {
    let world = context.world();
    let position = *world.units.position.get(index)?;
    let own = world.units.position.get(context.unit()).copied().unwrap_or_default();
    let across = || own + world.arena.shortest(position - own);
    Some(Unit { index, position: world.arena.period().map_or(position, |_| across()) })
}
