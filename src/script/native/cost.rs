//! What code takes, known while it is compiled: what stands between two places where paths part.

use std::ops::Add;

use crate::script::api;
use crate::script::typed::form::{Builtin, Expr, Loop, Op, Over};

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
        let own = Cost { work: 1, looks: 0 };
        own + match &self.op {
            Op::Set(_, value)
            | Op::SetPart(_, _, value)
            | Op::Remember { value, .. }
            | Op::Return(value)
            | Op::IsNothing(value)
            | Op::Certain(value) => value.cost(),
            Op::Sequence(parts) => all(parts),
            Op::If(parts) => parts[0].cost(),
            Op::Call(call) => call.to.cost() + all(&call.arguments),
            Op::Invoke { arguments, .. } => all(arguments),
            Op::Loop(looping) => looping.over.cost(),
            _ => Cost::default(),
        }
    }

    /// Calls `visit` with whatever is built in and called in it, wherever that stands.
    pub(super) fn each_builtin(&self, visit: &mut impl FnMut(Builtin)) {
        let mut all = |parts: &[Self]| parts.iter().for_each(|part| part.each_builtin(visit));
        match &self.op {
            Op::Set(_, value)
            | Op::SetPart(_, _, value)
            | Op::Remember { value, .. }
            | Op::Return(value)
            | Op::IsNothing(value)
            | Op::Certain(value) => value.each_builtin(visit),
            Op::Sequence(parts) => all(parts),
            Op::If(parts) => all(&**parts),
            Op::Invoke { arguments, .. } => all(arguments),
            Op::Call(call) => {
                all(&call.arguments);
                visit(call.to);
            }
            Op::Loop(looping) => {
                all(looping.over.parts());
                looping.body.each_builtin(visit);
            }
            _ => {}
        }
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

impl Over {
    /// What is worked out for a loop beside its rounds.
    fn parts(&self) -> &[Expr] {
        match self {
            Self::While(part)
            | Self::DoWhile(part)
            | Self::Range(_, part)
            | Self::Units(_, part)
            | Self::Obstacles(_, part) => std::slice::from_ref(part),
            Self::Steps(_, parts) | Self::NumberSteps(_, parts) => &**parts,
        }
    }

    /// What it takes to begin.
    fn cost(&self) -> Cost {
        all(self.parts())
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
