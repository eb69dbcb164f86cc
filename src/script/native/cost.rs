//! Estimates the work of code: code for eight units jumps over paths above a limit. The charge of a call is another
//! count, [`crate::script::analysis::cost`].

use std::slice;

use crate::script::analysis::cost::{COMPARISON, DIVISION, POWER};
use crate::script::api;
use crate::script::typed::form::{Builtin, Expr, Op};
use crate::script::types::Type;

impl Expr {
    /// The work in any case: without rounds of loops and branches.
    pub(super) fn cost(&self) -> i64 {
        let called = match &self.op {
            Op::Call(call) => call.to.cost(),
            _ => 0,
        };
        1 + called + self.operands().iter().map(Self::cost).sum::<i64>()
    }

    /// The expressions in it that are evaluated in any case.
    fn operands(&self) -> &[Self] {
        match &self.op {
            Op::Set(_, value)
            | Op::SetPart(_, _, value)
            | Op::StoreField { value, .. }
            | Op::Return(value)
            | Op::IsNothing(value)
            | Op::Unwrap(value) => slice::from_ref::<Self>(value),
            Op::Sequence(parts) => parts,
            Op::If(parts) => &parts[..1],
            Op::Call(call) => &call.arguments,
            Op::Invoke { arguments, .. } => arguments,
            Op::Loop(looping) => looping.over.parts(),
            _ => &[],
        }
    }

    /// Whether a choice takes it without a jump: it is a constant or a local of the type that the choice has.
    pub(super) fn is_plain(&self, of: Type) -> bool {
        self.of == of && (self.is_constant() || matches!(self.op, Op::Local(_)))
    }
}

impl Builtin {
    /// The work beside its arguments.
    fn cost(self) -> i64 {
        match self {
            Self::Remainder | Self::Divide => DIVISION,
            Self::Power => POWER,
            Self::Compare(_) | Self::Exactly(_) => COMPARISON,
            Self::Function(place) => api::functions()[place].work,
            _ => 0,
        }
    }
}
