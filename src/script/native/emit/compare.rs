//! Comparisons.
//!
//! The script language compares numbers up to a relative rounding error ε: `x > y` is
//! (x − y) / m > ε, where m is the greater of |x| and |y|, or 1 if x · y is zero. Since ε is a power
//! of two, (x − y) > m · ε says the same without a division: m · ε is exact, and a quotient of floats
//! exceeds a power of two exactly if the dividend exceeds the product. (m is above 2⁻⁷⁵, or the
//! product x · y would have been zero.) What is left are infinities and what is no number.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::I32;
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Value};

use super::Emit;
use super::value::Parts;
use crate::script::typed::form::{Compare, Expr};
use crate::script::types::Kind;
use crate::sim::NameIds;

impl Emit<'_, '_, '_> {
    /// A comparison of two values that are there.
    pub(super) fn compared(&mut self, to: Compare, [a, b]: [&Expr; 2], [x, y]: [&Parts; 2]) -> Value {
        match (a.of.kind, b.of.kind) {
            (Kind::Integer | Kind::Obstacle, _) => self.builder.ins().icmp(signed(to), x[0], y[0]),
            (Kind::Switch, _) => self.builder.ins().icmp(unsigned(to), x[0], y[0]),
            (Kind::Number, _) => self.nearly(to, x[0], y[0]),
            (Kind::Vector, _) => self.same_vector(to, x, y),
            (Kind::Me | Kind::Unit, _) => {
                let x = self.unit_index(a.of.kind, x);
                let y = self.unit_index(b.of.kind, y);
                self.builder.ins().icmp(signed(to), x, y)
            }
            _ => self.same_text(to, [a.of.kind, b.of.kind], [x[0], y[0]]),
        }
    }

    fn same_vector(&mut self, to: Compare, x: &Parts, y: &Parts) -> Value {
        let mut all = self.builder.ins().fcmp(FloatCC::Equal, x[0], y[0]);
        for part in 1..3 {
            let same = self.builder.ins().fcmp(FloatCC::Equal, x[part], y[part]);
            all = self.builder.ins().band(all, same);
        }
        match to {
            Compare::NotEqual => self.builder.ins().bxor_imm_s(all, 1),
            _ => all,
        }
    }

    /// Texts of the script and names of groups: no two of either are the same.
    fn same_text(&mut self, to: Compare, kinds: [Kind; 2], texts: [Value; 2]) -> Value {
        let group = offset_of!(NameIds, group);
        let [x, y] = match kinds {
            [Kind::Text, Kind::Group] => [self.name_id(texts[0], group), texts[1]],
            [Kind::Group, Kind::Text] => [texts[0], self.name_id(texts[1], group)],
            _ => texts,
        };
        self.builder.ins().icmp(signed(to), x, y)
    }

    /// Numbers, up to a rounding error.
    fn nearly(&mut self, to: Compare, x: Value, y: Value) -> Value {
        let epsilon = self.builder.ins().f32const(f32::EPSILON);
        let zero = self.builder.ins().f32const(0.0);
        let one = self.builder.ins().f32const(1.0);
        let product = self.builder.ins().fmul(x, y);
        let none = self.builder.ins().fcmp(FloatCC::Equal, product, zero);
        let (size_x, size_y) = (self.builder.ins().fabs(x), self.builder.ins().fabs(y));
        let larger = self.builder.ins().fcmp(FloatCC::GreaterThan, size_x, size_y);
        let scale = self.builder.ins().select(larger, size_x, size_y);
        let scale = self.builder.ins().select(none, one, scale);
        let limit = self.builder.ins().fmul(scale, epsilon);
        match to {
            Compare::Greater => {
                let over = self.builder.ins().fsub(x, y);
                self.builder.ins().fcmp(FloatCC::GreaterThan, over, limit)
            }
            Compare::Less => {
                let over = self.builder.ins().fsub(y, x);
                self.builder.ins().fcmp(FloatCC::GreaterThan, over, limit)
            }
            Compare::NotEqual => {
                let apart = self.builder.ins().fsub(x, y);
                let apart = self.builder.ins().fabs(apart);
                self.builder.ins().fcmp(FloatCC::GreaterThan, apart, limit)
            }
            Compare::GreaterOrEqual => {
                let under = self.builder.ins().fsub(y, x);
                let holds = self.builder.ins().fcmp(FloatCC::LessThan, under, limit);
                self.or_odd(holds, [x, y], scale)
            }
            Compare::LessOrEqual => {
                let over = self.builder.ins().fsub(x, y);
                let holds = self.builder.ins().fcmp(FloatCC::LessThan, over, limit);
                self.or_odd(holds, [x, y], scale)
            }
            Compare::Equal => {
                let apart = self.builder.ins().fsub(x, y);
                let apart = self.builder.ins().fabs(apart);
                let holds = self.builder.ins().fcmp(FloatCC::LessThanOrEqual, apart, limit);
                self.or_odd(holds, [x, y], scale)
            }
        }
    }

    /// Numbers as they are.
    pub(super) fn exactly(&mut self, to: Compare, x: Value, y: Value) -> Value {
        let to = match to {
            Compare::Equal => FloatCC::Equal,
            Compare::NotEqual => FloatCC::NotEqual,
            Compare::Less => FloatCC::LessThan,
            Compare::LessOrEqual => FloatCC::LessThanOrEqual,
            Compare::Greater => FloatCC::GreaterThan,
            Compare::GreaterOrEqual => FloatCC::GreaterThanOrEqual,
        };
        self.builder.ins().fcmp(to, x, y)
    }

    pub(super) fn same_bits(&mut self, x: Value, y: Value) -> Value {
        let [x, y] = [x, y].map(|value| {
            let flags = MemFlagsData::new();
            self.builder.ins().bitcast(I32, flags, value)
        });
        self.builder.ins().icmp(IntCC::Equal, x, y)
    }

    /// Nothing is at most or at least infinite, by the language's formula; and what is no number
    /// compares as equal to zero.
    fn or_odd(&mut self, holds: Value, [x, y]: [Value; 2], scale: Value) -> Value {
        let infinity = self.builder.ins().f32const(f32::INFINITY);
        let finite = self.builder.ins().fcmp(FloatCC::NotEqual, scale, infinity);
        let holds = self.builder.ins().band(holds, finite);
        let odd = self.builder.ins().fcmp(FloatCC::Unordered, x, y);
        let zero = self.builder.ins().f32const(0.0);
        let none_x = self.builder.ins().fcmp(FloatCC::Equal, x, zero);
        let none_y = self.builder.ins().fcmp(FloatCC::Equal, y, zero);
        let none = self.builder.ins().bor(none_x, none_y);
        let odd = self.builder.ins().band(odd, none);
        self.builder.ins().bor(holds, odd)
    }
}

fn signed(to: Compare) -> IntCC {
    match to {
        Compare::Equal => IntCC::Equal,
        Compare::NotEqual => IntCC::NotEqual,
        Compare::Less => IntCC::SignedLessThan,
        Compare::LessOrEqual => IntCC::SignedLessThanOrEqual,
        Compare::Greater => IntCC::SignedGreaterThan,
        Compare::GreaterOrEqual => IntCC::SignedGreaterThanOrEqual,
    }
}

fn unsigned(to: Compare) -> IntCC {
    signed(to).unsigned()
}
