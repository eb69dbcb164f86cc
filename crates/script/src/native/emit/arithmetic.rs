//! Arithmetic of integers and numbers, as the script language defines it.

use std::mem::offset_of;

use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::types::{F32, I8, I64};
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::failure::{Arithmetic, Cause};
use super::super::host;
use super::super::vm::VmContext;
use super::Emit;
use crate::typed::ir::{Builtin, Place};
use crate::types::Kind;

impl Emit<'_, '_, '_> {
    /// Emits an operator of two integers.
    pub(super) fn integers(&mut self, to: Builtin, a: Value, b: Value, place: Place) -> Value {
        match to {
            Builtin::Add => {
                let sum = self.builder.ins().iadd(a, b);
                // Overflows if the sum's sign differs from both signs.
                let signs = [self.xor(a, sum), self.xor(b, sum)];
                self.fail_if_negative(signs, Arithmetic::Add, [a, b], place);
                sum
            }
            Builtin::Subtract => {
                let difference = self.builder.ins().isub(a, b);
                let signs = [self.xor(a, b), self.xor(a, difference)];
                self.fail_if_negative(signs, Arithmetic::Subtract, [a, b], place);
                difference
            }
            Builtin::Multiply => {
                let (low, high) = (self.builder.ins().imul(a, b), self.builder.ins().smulhi(a, b));
                let sign = self.builder.ins().sshr_imm_s(low, 63);
                let over = self.builder.ins().icmp(IntCC::NotEqual, high, sign);
                self.fail_if(over, place, Cause::Integers(Arithmetic::Multiply), [a, b]);
                low
            }
            Builtin::Divide | Builtin::Remainder => self.divided(to, a, b, place),
            Builtin::Power => {
                let power = self.host_on(host::power as *const (), &[a, b], I64);
                let over = self.changing(I64, offset_of!(VmContext<'_>, count));
                let over = self.builder.ins().icmp_imm_s(IntCC::NotEqual, over, 0);
                self.fail_if(over, place, Cause::Integers(Arithmetic::Power), [a, b]);
                power
            }
            Builtin::ShiftLeft => self.host(host::shift_left as *const (), &[a, b], I64),
            Builtin::ShiftRight => self.host(host::shift_right as *const (), &[a, b], I64),
            Builtin::And => self.builder.ins().band(a, b),
            Builtin::Or => self.builder.ins().bor(a, b),
            _ => self.xor(a, b),
        }
    }

    fn xor(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().bxor(a, b)
    }

    /// Emits a failure if both integers are negative, which indicates an overflow.
    fn fail_if_negative(
        &mut self,
        [x, y]: [Value; 2],
        operator: Arithmetic,
        operands: [Value; 2],
        place: Place,
    ) {
        let both = self.builder.ins().band(x, y);
        let over = self.builder.ins().icmp_imm_s(IntCC::SignedLessThan, both, 0);
        self.fail_if(over, place, Cause::Integers(operator), operands);
    }

    fn divided(&mut self, to: Builtin, a: Value, b: Value, place: Place) -> Value {
        let operator = match to {
            Builtin::Divide => Arithmetic::Divide,
            _ => Arithmetic::Remainder,
        };
        let none = self.builder.ins().icmp_imm_s(IntCC::Equal, b, 0);
        self.fail_if(none, place, Cause::Integers(operator), [a, b]);
        let least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
        let minus = self.builder.ins().icmp_imm_s(IntCC::Equal, b, -1);
        let over = self.builder.ins().band(least, minus);
        self.fail_if(over, place, Cause::Integers(operator), [a, b]);
        match to {
            Builtin::Divide => self.builder.ins().sdiv(a, b),
            _ => self.builder.ins().srem(a, b),
        }
    }

    /// Emits an operator of two numbers that needs a host function.
    pub(super) fn floats(&mut self, to: Builtin, a: Value, b: Value) -> Value {
        let function = match to {
            Builtin::Remainder => host::remainder as *const (),
            _ => host::powf as *const (),
        };
        self.host_float(function, &[a, b])
    }

    /// Calls a host function of numbers only.
    pub(super) fn host_float(&mut self, address: *const (), arguments: &[Value]) -> Value {
        self.host(address, arguments, F32)
    }

    pub(super) fn negated(&mut self, kind: Kind, a: Value, place: Place) -> Value {
        if kind == Kind::Number {
            return self.builder.ins().fneg(a);
        }
        let least = self.builder.ins().icmp_imm_s(IntCC::Equal, a, i64::MIN);
        self.fail_if(least, place, Cause::Integers(Arithmetic::Negate), [a, a]);
        self.builder.ins().ineg(a)
    }

    /// Tests if an integer is odd, or even if `odd` is false.
    pub(super) fn lowest_bit(&mut self, a: Value, odd: bool) -> Value {
        let bit = self.builder.ins().band_imm_s(a, 1);
        let bit = self.builder.ins().ireduce(I8, bit);
        if odd { bit } else { self.builder.ins().bxor_imm_s(bit, 1) }
    }
}
