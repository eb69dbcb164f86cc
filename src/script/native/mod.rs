//! Behaviors as machine code.
//!
//! The typed form of a script becomes code for the processor. What the compiler does not take is refused
//! as a whole, with the construct and its place; the interpreter then runs it. Either way the same comes
//! out, bit for bit, failures included.
//!
//! This is the one place with `unsafe`: compiled code is called, kept, shared between threads and given
//! back to the system here and nowhere else.
//!
//! The interpreter defines the language: the order of evaluation, comparisons with tolerance, and the words and
//! places of errors. The compiler reproduces it, and rare cases jump out of line. Otherwise support by the compiler
//! would change results.

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

use super::front::program::Entry;
use super::front::program::Program;
use super::front::unsupported::Unsupported;
use crate::diagnostics::caught;
use crate::sim::{BatchDecisions, BatchMemory, Contribution, Failure, UnitContext};
use code::Code;

/// A behavior as machine code.
#[derive(Debug)]
pub(super) struct Native {
    code: Code,
    entry: Entry,
}

impl Native {
    /// Compiles a program; `plane` tells that units are in a plane. It gives the same bits wherever they are.
    ///
    /// # Errors
    /// With the first construct that the compiler does not take.
    pub(super) fn compile(program: &Program, plane: bool) -> Result<Self, Unsupported> {
        let compiled = caught(|| Self::compiled(program, plane));
        compiled.unwrap_or_else(|| Err(Unsupported::whole("something in it, which is a bug in steerbox")))
    }

    fn compiled(program: &Program, plane: bool) -> Result<Self, Unsupported> {
        Ok(Self { code: Code::of(&program.form()?, plane)?, entry: program.entry.clone() })
    }

    /// What the behavior contributes for the unit that the context is set to.
    ///
    /// # Errors
    /// With the failure, as the interpreter would have it.
    #[allow(clippy::inline_always, reason = "a few nanoseconds on the way of every call")]
    #[inline(always)]
    pub(super) fn decide(
        &self,
        context: &mut UnitContext,
        memory: &mut [u32],
    ) -> Result<Contribution, Failure> {
        self.code.run(context, memory, &self.entry)
    }

    /// Whether it can decide for eight units at once.
    #[cfg(test)]
    fn has_lanes(&self) -> bool {
        self.code.has_lanes()
    }

    /// What it contributes for the units of the context's batch, as far as code for eight units decides that.
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
