//! Operations on numbers for one unit.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::types::{F32, I64};
use cranelift_codegen::ir::{BlockArg, InstBuilder, Value};

use super::super::formulas::{Formulas, Outside, constant_of};
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

    fn unless(&mut self, is_outside: Value, usual: Vec<Value>, formula: Outside, on: &[Value]) -> Vec<Value> {
        let (outside, out) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(outside);
        let values = usual.iter().map(|_| self.builder.append_block_param(out, F32)).collect();
        let usual: Vec<_> = usual.into_iter().map(BlockArg::from).collect();
        self.builder.ins().brif(is_outside, outside, &[], out, &usual);
        self.switch_to_sealed(outside);
        let slots = self.slots();
        let at = |word: usize| 4 * word as i32;
        for (word, value) in on.iter().enumerate() {
            self.builder.ins().stack_store(I64, *value, slots, at(word));
        }
        let address = self.builder.ins().stack_addr(I64, slots, 0);
        self.call_host(formula as *const (), &[address], None);
        let results = (0..usual.len()).map(|word| self.builder.ins().stack_load(I64, F32, slots, at(word)));
        let results: Vec<_> = results.map(BlockArg::from).collect();
        self.builder.ins().jump(out, &results);
        self.switch_to_sealed(out);
        values
    }
}
