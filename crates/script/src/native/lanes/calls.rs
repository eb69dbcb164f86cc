//! Emits operators and calls for eight units.

use std::mem::offset_of;

use cranelift_codegen::ir::InstBuilder;
use cranelift_codegen::ir::types::{I8, I32};
use cranelift_frontend::FunctionBuilder;

use super::super::formulas::{Formulas, signed};
use super::super::intrinsics;
use super::super::operations::Access;
use super::EmitLanes;
use super::context::LaneContext;
use super::value::{LaneValue, Parts, Uniform, Varying};
use crate::api::{self, Charge, Effect};
use crate::typed::ir::{Builtin, Call, Compare, Expr};
use crate::types::{Kind, Type};

impl EmitLanes<'_, '_, '_> {
    /// Emits a call whose arguments are evaluated, as [`super::super::emit`] does for one unit.
    pub(super) fn built_in(&mut self, call: &Call, values: &[Parts], of: Type) -> Parts {
        let kinds: Vec<_> = call.arguments.iter().map(|value| value.of.kind).collect();
        let first = |at: usize| values[at][0];
        match call.to {
            Builtin::Function(place) => self.function_of_api(place, call, values, &kinds, of),
            Builtin::Compare(to) => self.compared(to, &kinds, values),
            Builtin::Exactly(to) => vec![self.exactly(to, first(0), first(1))],
            Builtin::Negate => match kinds[0] {
                Kind::Vector | Kind::Number => values[0].iter().map(|part| self.negative(*part)).collect(),
                _ => self.refuse_value(of),
            },
            Builtin::Not => vec![self.not(first(0))],
            Builtin::Expect => vec![first(0)],
            Builtin::ToNumber if kinds[0] == Kind::Number => vec![first(0)],
            Builtin::ToNumber => vec![self.as_number(first(0))],
            Builtin::Add | Builtin::Subtract | Builtin::Multiply | Builtin::Divide => {
                let (a, b) = (&values[0], &values[1]);
                if let Some(parts) = intrinsics::of_operator(self, call.to, [kinds[0], kinds[1]], a, b) {
                    return parts;
                }
                if kinds[0] == Kind::Integer {
                    self.integers(call.to, a[0], b[0], of)
                } else {
                    self.refuse_value(of)
                }
            }
            Builtin::And | Builtin::Or if kinds[0] == Kind::Bool => {
                let (a, b) = (first(0), first(1));
                vec![if call.to == Builtin::And { self.and(a, b) } else { self.or(a, b) }]
            }
            Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::Remainder
            | Builtin::Power
            | Builtin::ShiftLeft
            | Builtin::ShiftRight
            | Builtin::SameBits
            | Builtin::MakeRange => self.refuse_value(of),
        }
    }

    /// Sums and differences of integers. Lanes whose result exceeds 32 bits fall back.
    fn integers(&mut self, to: Builtin, a: LaneValue, b: LaneValue, of: Type) -> Parts {
        let (Varying(x), Varying(y)) = (a, b) else {
            return self.refuse_value(of);
        };
        let adds = match to {
            Builtin::Add => true,
            Builtin::Subtract => false,
            _ => return self.refuse_value(of),
        };
        let (mut result, mut over) = (x, x);
        for half in 0..2 {
            let (a, b) = (x[half], y[half]);
            let ins = |builder: &mut FunctionBuilder<'_>| {
                if adds { builder.ins().iadd(a, b) } else { builder.ins().isub(a, b) }
            };
            let sum = ins(self.builder);
            // Overflows if the sum's sign differs from both signs; likewise for a difference.
            let other = if adds { sum } else { b };
            let left = self.builder.ins().bxor(a, other);
            let right = if adds { self.builder.ins().bxor(b, sum) } else { self.builder.ins().bxor(a, sum) };
            let both = self.builder.ins().band(left, right);
            let shift = self.builder.ins().iconst(I32, 31);
            (result[half], over[half]) = (sum, self.builder.ins().sshr(both, shift));
        }
        self.fail_if(Varying(over));
        vec![Varying(result)]
    }

    fn compared(&mut self, to: Compare, kinds: &[Kind], values: &[Parts]) -> Parts {
        let (x, y) = (&values[0], &values[1]);
        let is_equality = matches!(to, Compare::Equal | Compare::NotEqual);
        match (kinds[0], kinds[1]) {
            (Kind::Number, Kind::Number) => vec![self.approx_cmp(to, x[0], y[0])],
            (Kind::Vector, Kind::Vector) if is_equality => {
                let same = self.same_vector(x, y);
                vec![if to == Compare::NotEqual { self.not(same) } else { same }]
            }
            (Kind::Integer, Kind::Integer) => {
                let (Varying(x), Varying(y)) = (x[0], y[0]) else {
                    return self.refuse_value(Kind::Bool.into());
                };
                vec![Varying([0, 1].map(|half| self.builder.ins().icmp(signed(to), x[half], y[half])))]
            }
            _ => self.refuse_value(Kind::Bool.into()),
        }
    }

    /// Emits a call that shows something. On a path that only some lanes take, these lanes fall back while something
    /// is recorded.
    fn show(&mut self) {
        if self.depth == 0 {
            self.info.shows = true;
            return;
        }
        let is_shown = self.fixed(I8, offset_of!(LaneContext<'_>, is_shown));
        let (shown, active) = (self.masks(Uniform(is_shown)), self.value_of(self.active));
        let showing = self.mask_and(active, shown);
        self.end_iterations(showing);
        self.fail_if(Varying(shown));
    }

    fn function_of_api(
        &mut self,
        place: usize,
        call: &Call,
        values: &[Parts],
        kinds: &[Kind],
        of: Type,
    ) -> Parts {
        let row = &api::functions()[place];
        if row.effect == Effect::Show {
            self.show();
            return Parts::new();
        }
        if let Some(parts) = intrinsics::of_row(self, row, values, kinds) {
            return parts;
        }
        // A search among all obstacles is charged each time, a search near the unit once per call.
        let is_among_all = || call.arguments.first().is_some_and(Expr::is_all_obstacles);
        if row.is_pure() && (row.charge != Charge::Once || is_among_all()) {
            return self.call_per_lane(place, row, values, kinds, of);
        }
        self.refuse_value(of)
    }
}
