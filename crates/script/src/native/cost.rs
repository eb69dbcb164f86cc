//! Estimates the execution cost of code. Code for eight units branches around paths above a limit that no lane
//! takes. The charge of a call is a different count, [`crate::interpret::cost`].

use std::slice;

use crate::api;
use crate::interpret::cost::{COMPARISON, DIVISION, POWER};
use crate::typed::ir::{Builtin, Expr, Op};
use crate::types::Type;

impl Expr {
    /// The unconditional cost: without branches and iterations of loops.
    pub(super) fn cost(&self) -> i64 {
        let called = match &self.op {
            Op::Call(call) => call.to.cost(),
            _ => 0,
        };
        1 + called + self.operands().iter().map(Self::cost).sum::<i64>()
    }

    /// Returns the subexpressions that are always evaluated.
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

    /// Returns true if a `select` can evaluate it without a branch: a constant or a local of type `of`.
    pub(super) fn is_plain(&self, of: Type) -> bool {
        self.of == of && (self.is_constant() || matches!(self.op, Op::Local(_)))
    }
}

impl Builtin {
    /// The cost of the call itself, without its arguments.
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
