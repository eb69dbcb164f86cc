//! Compiles behaviors to machine code.
//!
//! The IR of a script becomes code for the processor. The compiler rejects scripts with an unsupported
//! construct as a whole and reports the construct with its position; the interpreter then runs the script. Results,
//! failures included, are bit-identical either way.
//!
//! This is the only module with `unsafe`: only here, compiled code is called, stored, shared between threads and
//! freed.
//!
//! The interpreter defines the language: evaluation order, comparisons with tolerance, messages and positions of
//! errors. The compiler reproduces it, with rare cases out of line. Otherwise results would depend on which
//! constructs the compiler supports.

mod code;
mod compile;
mod cost;
mod emit;
mod failure;
mod formulas;
#[cfg(test)]
mod hoisting;
mod host;
mod intrinsics;
mod lanes;
mod operations;
#[cfg(test)]
mod tests;
mod vm;

use steerbox_core::diagnostics::caught;
use steerbox_core::sim::{BatchDecisions, BatchMemory, Contribution, Failure, UnitContext};

use super::api::values::Slots;
use super::checks::handlers::Handler;
use super::front::program::Entry;
use super::front::program::Program;
use super::typed::unsupported::Unsupported;
use super::world_form::WorldForm;
use code::Code;

/// A behavior as machine code.
#[derive(Debug)]
pub(super) struct Native {
    code: Code,
    entry: Entry,
    /// True if it reads the body of each unit.
    varied: bool,
}

impl Native {
    /// Compiles a program for worlds of a form. Results do not depend on it.
    ///
    /// # Errors
    /// With the first construct that the compiler does not support.
    pub(super) fn compile(program: &Program, form: WorldForm) -> Result<Self, Unsupported> {
        Self::caught(|| Self::compiled(program, None, form))
    }

    /// As [`Native::compile`], for a handler of events.
    ///
    /// # Errors
    /// With the first construct that the compiler does not support.
    pub(super) fn compile_handler(
        program: &Program,
        handler: &Handler,
        form: WorldForm,
    ) -> Result<Self, Unsupported> {
        Self::caught(|| Self::compiled(program, Some(handler), form))
    }

    fn caught(compile: impl FnOnce() -> Result<Self, Unsupported>) -> Result<Self, Unsupported> {
        let compiled = caught(compile);
        compiled.unwrap_or_else(|| Err(Unsupported::whole("something in it, which is a bug in steerbox")))
    }

    fn compiled(program: &Program, handler: Option<&Handler>, form: WorldForm) -> Result<Self, Unsupported> {
        let (ir, mut entry) = (program.ir(handler)?, program.entry.clone());
        if let Some(handler) = handler {
            entry.place = handler.place;
        }
        // Events are too rare for code for eight units.
        let code = Code::compile(&ir, form, handler.is_none())?;
        Ok(Self { code, entry, varied: form.varied })
    }

    /// Returns true if it was compiled for worlds whose bodies differ by unit, or are equal, as those of the context.
    pub(super) fn fits(&self, context: &UnitContext) -> bool {
        self.varied == context.has_varied_bodies()
    }

    /// Decides for the unit of the context.
    ///
    /// # Errors
    /// With the same failure as the interpreter.
    #[allow(clippy::inline_always, reason = "saves a few nanoseconds per call")]
    #[inline(always)]
    pub(super) fn decide(
        &self,
        context: &mut UnitContext,
        memory: &mut [u32],
    ) -> Result<Contribution, Failure> {
        self.code.run(context, (memory, None), &self.entry)
    }

    /// Handles an event of the unit of the context; `given` are the arguments.
    ///
    /// # Errors
    /// With the same failure as the interpreter.
    pub(super) fn handle(
        &self,
        context: &mut UnitContext,
        memory: &mut [u32],
        given: &Slots,
    ) -> Result<(), Failure> {
        self.code.run(context, (memory, Some(given)), &self.entry).map(|_| ())
    }

    /// Returns true if it has code for eight units.
    #[cfg(test)]
    fn has_lanes(&self) -> bool {
        self.code.has_lanes()
    }

    /// Decides for the units of the context's batch, as far as code for eight units can.
    pub(super) fn decide_batch(
        &self,
        context: &mut UnitContext,
        units: &[[u32; 2]],
        memory: &mut BatchMemory<'_>,
        decisions: &mut BatchDecisions,
    ) {
        self.code.run_batch(context, units.len(), memory, decisions);
    }
}
