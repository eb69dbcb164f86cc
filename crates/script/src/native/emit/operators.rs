//! Emits operators of values that are not optional.

use cranelift_codegen::ir::types::F32;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::formulas::Formulas;
use super::super::intrinsics;
use super::Emit;
use super::value::Parts;
use crate::typed::ir::{Builtin, Call};
use crate::types::Kind;

impl Emit<'_, '_, '_> {
    /// Emits a call whose arguments are evaluated; the match is exhaustive over operators and rows.
    pub(super) fn built_in(&mut self, call: &Call, values: &[Parts]) -> Parts {
        let kinds: Vec<_> = call.arguments.iter().map(|value| value.of.kind).collect();
        let first = |at: usize| values[at][0];
        match call.to {
            Builtin::Function(place) => self.function_of_api(place, call, values, &kinds),
            Builtin::Compare(to) => {
                let operands = [&call.arguments[0], &call.arguments[1]];
                vec![self.compared(to, operands, [&values[0], &values[1]])]
            }
            Builtin::Exactly(to) => vec![self.exactly(to, first(0), first(1))],
            Builtin::SameBits => vec![self.same_bits(first(0), first(1))],
            Builtin::Negate if kinds[0] == Kind::Vector => {
                (values[0].iter()).map(|part| self.builder.ins().fneg(*part)).collect()
            }
            Builtin::Negate => vec![self.negated(kinds[0], first(0), call.place)],
            Builtin::Not => vec![self.builder.ins().bxor_imm_s(first(0), 1)],
            Builtin::Expect => vec![first(0)],
            Builtin::ToNumber if kinds[0] == Kind::Number => vec![first(0)],
            Builtin::ToNumber => vec![self.builder.ins().fcvt_from_sint(F32, first(0))],
            Builtin::MakeRange => vec![first(0), first(1)],
            Builtin::Add
            | Builtin::Subtract
            | Builtin::Multiply
            | Builtin::Divide
            | Builtin::Remainder
            | Builtin::Power
            | Builtin::And
            | Builtin::Or
            | Builtin::Xor
            | Builtin::ShiftLeft
            | Builtin::ShiftRight => {
                let (a, b) = (&values[0], &values[1]);
                if let Some(parts) = intrinsics::of_operator(self, call.to, [kinds[0], kinds[1]], a, b) {
                    return parts;
                }
                vec![match kinds[0] {
                    Kind::Number => self.floats(call.to, a[0], b[0]),
                    Kind::Bool => self.bools(call.to, a[0], b[0]),
                    _ => self.integers(call.to, a[0], b[0], call.place),
                }]
            }
        }
    }

    pub(super) fn bools(&mut self, to: Builtin, a: Value, b: Value) -> Value {
        match to {
            Builtin::And => self.builder.ins().band(a, b),
            Builtin::Or => self.builder.ins().bor(a, b),
            _ => self.builder.ins().bxor(a, b),
        }
    }
}
