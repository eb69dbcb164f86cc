//! Operations on numbers for one unit.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::super::formulas::{Formulas, constant_of};
use super::super::operations::Access;
use super::Emit;

impl Formulas for Emit<'_, '_, '_> {
    type Value = Value;

    fn number(&mut self, value: f32) -> Value {
        self.builder.ins().f32const(value)
    }

    fn constant(&self, a: Value) -> Option<f32> {
        constant_of(self.builder.func, a)
    }

    fn add(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fadd(a, b)
    }

    fn sub(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fsub(a, b)
    }

    fn mul(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fmul(a, b)
    }

    fn div(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().fdiv(a, b)
    }

    fn sqrt(&mut self, a: Value) -> Value {
        self.builder.ins().sqrt(a)
    }

    fn abs(&mut self, a: Value) -> Value {
        self.builder.ins().fabs(a)
    }

    fn fcmp(&mut self, order: FloatCC, a: Value, b: Value) -> Value {
        self.builder.ins().fcmp(order, a, b)
    }

    fn and(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().band(a, b)
    }

    fn or(&mut self, a: Value, b: Value) -> Value {
        self.builder.ins().bor(a, b)
    }

    fn select(&mut self, condition: Value, yes: Value, no: Value) -> Value {
        self.builder.ins().select(condition, yes, no)
    }

    fn unless(
        &mut self,
        is_rare: Value,
        usual: Vec<Value>,
        rare: impl FnOnce(&mut Self) -> Vec<Value>,
    ) -> Vec<Value> {
        self.branch(is_rare, usual, rare)
    }
}
