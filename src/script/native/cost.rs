//! What code takes, known while it is compiled: what stands between two places where paths part.

use std::ops::Add;
use std::slice;

use crate::script::api;
use crate::script::typed::form::{Builtin, Expr, Loop, Op, Over};
use crate::script::types::Type;

/// Work of something, in units of [`crate::sim::work`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Cost {
    /// What is known.
    pub(super) work: i64,
    /// Looks at lists. What one takes is known when the code runs.
    pub(super) looks: i64,
}

impl Add for Cost {
    type Output = Self;

    fn add(self, other: Self) -> Self {
        Self { work: self.work + other.work, looks: self.looks + other.looks }
    }
}

/// Less than this is not worth counting where paths part.
const MUCH: i64 = 8;

impl Cost {
    /// Whether it is worth counting where paths part.
    pub(super) fn is_much(self) -> bool {
        self.work > MUCH || self.looks > 0
    }
}

/// Of a round of a loop beside its body.
const ROUND: i64 = 2;

impl Expr {
    /// What it takes in any case. Rounds of loops and what is chosen are charged for where they run.
    pub(super) fn cost(&self) -> Cost {
        let called = match &self.op {
            Op::Call(call) => call.to.cost(),
            _ => Cost::default(),
        };
        Cost { work: 1, looks: 0 } + called + all(self.operands())
    }

    /// The expressions in it that are evaluated in any case.
    fn operands(&self) -> &[Self] {
        match &self.op {
            Op::Set(_, value)
            | Op::SetPart(_, _, value)
            | Op::Remember { value, .. }
            | Op::Return(value)
            | Op::IsNothing(value)
            | Op::Certain(value) => slice::from_ref::<Self>(value),
            Op::Sequence(parts) => parts,
            Op::If(parts) => &parts[..1],
            Op::Call(call) => &call.arguments,
            Op::Invoke { arguments, .. } => arguments,
            Op::Loop(looping) => looping.over.parts(),
            _ => &[],
        }
    }

    /// Calls `visit` with whatever is built in and called in it, wherever that stands.
    pub(super) fn each_builtin(&self, visit: &mut impl FnMut(Builtin)) {
        if let Op::Call(call) = &self.op {
            visit(call.to);
        }
        self.each_part(&mut |part| part.each_builtin(visit));
    }

    /// Whether a choice takes it without a jump: it is a constant or a local of the type that the choice has.
    pub(super) fn is_plain(&self, of: Type) -> bool {
        self.of == of && (self.is_constant() || matches!(self.op, Op::Local(_)))
    }
}

fn all(parts: &[Expr]) -> Cost {
    parts.iter().map(Expr::cost).fold(Cost::default(), Add::add)
}

impl Loop {
    /// What a round takes.
    pub(super) fn round(&self) -> Cost {
        let test = match &self.over {
            Over::While(test) | Over::DoWhile(test) => test.cost(),
            _ => Cost::default(),
        };
        let round = Cost { work: ROUND, looks: 0 };
        round + test + self.body.cost()
    }
}

impl Builtin {
    /// What it takes beside its arguments, but for what the host charges for itself.
    fn cost(self) -> Cost {
        let work = match self {
            Self::Remainder | Self::Divide => 5,
            Self::Power => 15,
            Self::Compare(_) | Self::Exactly(_) => 2,
            Self::Function(place) => {
                let row = &api::functions()[place];
                let (work, looks) = (row.work, i64::from(row.looks));
                return Cost { work, looks };
            }
            _ => 0,
        };
        Cost { work, looks: 0 }
    }

    /// Which of [`crate::sim::GroupFacts::looks`] is the work of a look at the list that it gives.
    pub(super) fn source(self) -> Option<usize> {
        match self {
            Self::Function(place) => api::functions()[place].source,
            _ => None,
        }
    }
}
