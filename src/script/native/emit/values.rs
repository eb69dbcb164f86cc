//! What can be done with plain values: operators, numbers, ranges, vectors.

use cranelift_codegen::ir::condcodes::{CondCode, IntCC};
use cranelift_codegen::ir::types::{F32, I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::form::{Builtin, Call, Compare};
use super::super::host;
use super::super::kind::Kind;
use super::Emit;
use super::value::Parts;

impl Emit<'_, '_, '_> {
    pub(super) fn operator(
        &mut self,
        call: &Call,
        values: &[Parts],
        kinds: &[Kind],
    ) -> Option<Parts> {
        match call.to {
            Builtin::Compare(to) => {
                let operands = [&call.arguments[0], &call.arguments[1]];
                let flag = self.compared(to, operands, [&values[0], &values[1]]);
                Some(vec![flag])
            }
            Builtin::Exactly(to) => Some(vec![self.exactly(to, values[0][0], values[1][0])]),
            Builtin::SameBits => Some(vec![self.same_bits(values[0][0], values[1][0])]),
            Builtin::Negate if kinds[0] == Kind::Vector => Some(
                (values[0].iter())
                    .map(|part| self.builder.ins().fneg(*part))
                    .collect(),
            ),
            Builtin::Negate => Some(vec![self.negated(kinds[0], values[0][0], call.place)]),
            Builtin::Not => Some(vec![self.builder.ins().bxor_imm_s(values[0][0], 1)]),
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
                Some(match (kinds[0], kinds[1]) {
                    (Kind::Vector, Kind::Vector) if call.to == Builtin::Add => self.add(a, b),
                    (Kind::Vector, Kind::Vector) => self.subtract(a, b),
                    (Kind::Vector, _) if call.to == Builtin::Multiply => self.scale(a, b[0]),
                    (Kind::Vector, _) => self.shrink(a, b[0]),
                    (_, Kind::Vector) => self.scale(b, a[0]),
                    (Kind::Number, _) => vec![self.floats(call.to, a[0], b[0])],
                    (Kind::Switch, _) => vec![self.switches(call.to, a[0], b[0])],
                    _ => vec![self.integers(call.to, a[0], b[0], call.place)],
                })
            }
            _ => None,
        }
    }

    pub(super) fn switches(&mut self, to: Builtin, a: Value, b: Value) -> Value {
        match to {
            Builtin::And => self.builder.ins().band(a, b),
            Builtin::Or => self.builder.ins().bor(a, b),
            _ => self.builder.ins().bxor(a, b),
        }
    }

    pub(super) fn of_numbers(
        &mut self,
        to: Builtin,
        values: &[Parts],
        kinds: &[Kind],
    ) -> Option<Parts> {
        let first = values.first().and_then(|parts| parts.first()).copied()?;
        let kind = kinds[0];
        let all = || values.iter().map(|parts| parts[0]).collect::<Vec<_>>();
        let value = match to {
            Builtin::Expect => first,
            Builtin::ToNumber if kind == Kind::Number => first,
            Builtin::ToNumber => self.builder.ins().fcvt_from_sint(F32, first),
            Builtin::ToInteger if kind == Kind::Integer => first,
            Builtin::ToInteger => self.builder.ins().fcvt_to_sint_sat(I64, first),
            Builtin::Math(math) => self.math(math, &all()),
            Builtin::Sqrt => self.builder.ins().sqrt(first),
            Builtin::Floor => self.host_float(host::floor as *const (), &[first]),
            Builtin::Ceil => self.host_float(host::ceil as *const (), &[first]),
            Builtin::Min => self.least(kind, first, values[1][0]),
            Builtin::Max => self.greatest(kind, first, values[1][0]),
            Builtin::Clamp => {
                let most = self.least(kind, first, values[2][0]);
                self.greatest(kind, most, values[1][0])
            }
            Builtin::Abs => self.absolute(kind, first),
            Builtin::Sign => self.sign(kind, first),
            Builtin::IsZero if kind == Kind::Number => {
                let zero = self.builder.ins().f32const(0.0);
                self.exactly(Compare::Equal, first, zero)
            }
            Builtin::IsZero => self.builder.ins().icmp_imm_s(IntCC::Equal, first, 0),
            Builtin::IsOdd => self.lowest_bit(first, true),
            Builtin::IsEven => self.lowest_bit(first, false),
            Builtin::Lerp => {
                let t = values[2][0];
                return Some(self.lerp(&values[0], &values[1], t));
            }
            _ => return None,
        };
        Some(vec![value])
    }

    pub(super) fn of_ranges(
        &mut self,
        to: Builtin,
        values: &[Parts],
        kinds: &[Kind],
    ) -> Option<Parts> {
        if let Builtin::MeansCache(known) = to {
            return Some(vec![self.builder.ins().iconst(I8, i64::from(known))]);
        }
        if to == Builtin::MakeRange {
            return Some(vec![values[0][0], values[1][0]]);
        }
        let order = match kinds.first()? {
            Kind::Range => IntCC::SignedLessThan,
            Kind::RangeThrough => IntCC::SignedLessThanOrEqual,
            _ => return None,
        };
        let (start, end) = (values[0][0], values[0][1]);
        let value = match to {
            Builtin::RangeStart => start,
            Builtin::RangeEnd => end,
            Builtin::IsEmpty => self.builder.ins().icmp(order.complement(), start, end),
            _ => {
                let value = values[1][0];
                let above = IntCC::SignedGreaterThanOrEqual;
                let above = self.builder.ins().icmp(above, value, start);
                let below = self.builder.ins().icmp(order, value, end);
                self.builder.ins().band(above, below)
            }
        };
        Some(vec![value])
    }

    pub(super) fn of_vectors(&mut self, to: Builtin, values: &[Parts]) -> Option<Parts> {
        Some(match to {
            Builtin::MakeVector => {
                let mut parts: Parts = values.iter().map(|parts| parts[0]).collect();
                if parts.len() == 2 {
                    parts.push(self.builder.ins().f32const(0.0));
                }
                parts
            }
            Builtin::MakeTurn => values.iter().map(|parts| parts[0]).collect(),
            Builtin::Part(part) => vec![values[0][part as usize]],
            Builtin::Length => vec![self.length(&values[0])],
            Builtin::Normalized => self.normalized(&values[0]),
            Builtin::Dot => vec![self.dot(&values[0], &values[1])],
            Builtin::Cross => self.cross(&values[0], &values[1]),
            Builtin::Limit => self.limit(&values[0], values[1][0]),
            Builtin::Rotated => self.rotated(&values[0], values[1][0]),
            Builtin::AngleTo => vec![self.angle_to(&values[0], &values[1])],
            _ => return None,
        })
    }
}
