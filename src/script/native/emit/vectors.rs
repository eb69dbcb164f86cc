//! Vectors, operation by operation as the host's vector library computes them: the same bits come out.

use cranelift_codegen::ir::condcodes::FloatCC;
use cranelift_codegen::ir::{InstBuilder, Value};

use super::Emit;
use super::value::Parts;
use crate::script::types::Kind;

impl Emit<'_, '_, '_> {
    /// A component by component operation.
    pub(super) fn each(
        &mut self,
        a: &[Value],
        b: &[Value],
        work: impl Fn(&mut Self, Value, Value) -> Value,
    ) -> Parts {
        a.iter().zip(b).map(|(a, b)| work(self, *a, *b)).collect()
    }

    pub(super) fn add(&mut self, a: &[Value], b: &[Value]) -> Parts {
        self.each(a, b, |emit, a, b| emit.builder.ins().fadd(a, b))
    }

    pub(super) fn subtract(&mut self, a: &[Value], b: &[Value]) -> Parts {
        self.each(a, b, |emit, a, b| emit.builder.ins().fsub(a, b))
    }

    pub(super) fn scale(&mut self, a: &[Value], by: Value) -> Parts {
        self.each(a, &[by; 3], |emit, a, by| emit.builder.ins().fmul(a, by))
    }

    pub(super) fn shrink(&mut self, a: &[Value], by: Value) -> Parts {
        self.each(a, &[by; 3], |emit, a, by| emit.builder.ins().fdiv(a, by))
    }

    pub(super) fn dot(&mut self, a: &[Value], b: &[Value]) -> Value {
        let products = self.each(a, b, |emit, a, b| emit.builder.ins().fmul(a, b));
        let sum = self.builder.ins().fadd(products[0], products[1]);
        self.builder.ins().fadd(sum, products[2])
    }

    pub(super) fn cross(&mut self, a: &[Value], b: &[Value]) -> Parts {
        [(1, 2), (2, 0), (0, 1)]
            .into_iter()
            .map(|(i, j)| {
                let left = self.builder.ins().fmul(a[i], b[j]);
                let right = self.builder.ins().fmul(b[i], a[j]);
                self.builder.ins().fsub(left, right)
            })
            .collect()
    }

    pub(super) fn length(&mut self, a: &[Value]) -> Value {
        let squared = self.dot(a, a);
        self.builder.ins().sqrt(squared)
    }

    pub(super) fn distance(&mut self, a: &[Value], b: &[Value]) -> Value {
        let offset = self.subtract(a, b);
        self.length(&offset)
    }

    /// Of length 1; zero where that cannot be.
    pub(super) fn normalized(&mut self, a: &[Value]) -> Parts {
        let length = self.length(a);
        let one = self.builder.ins().f32const(1.0);
        let per_length = self.builder.ins().fdiv(one, length);
        let zero = self.builder.ins().f32const(0.0);
        let infinity = self.builder.ins().f32const(f32::INFINITY);
        let above = self.builder.ins().fcmp(FloatCC::GreaterThan, per_length, zero);
        let finite = self.builder.ins().fcmp(FloatCC::LessThan, per_length, infinity);
        let works = self.builder.ins().band(above, finite);
        let scaled = self.scale(a, per_length);
        (scaled.into_iter()).map(|part| self.builder.ins().select(works, part, zero)).collect()
    }

    /// No longer than `max`, a negative one counting as zero.
    pub(super) fn limit(&mut self, a: &[Value], max: Value) -> Parts {
        let zero = self.builder.ins().f32const(0.0);
        let max = self.greatest(Kind::Number, max, zero);
        let squared = self.dot(a, a);
        let most = self.builder.ins().fmul(max, max);
        let longer = self.builder.ins().fcmp(FloatCC::GreaterThan, squared, most);
        let length = self.builder.ins().sqrt(squared);
        let direction = self.shrink(a, length);
        let limited = self.scale(&direction, max);
        (limited.into_iter().zip(a))
            .map(|(limited, part)| self.builder.ins().select(longer, limited, *part))
            .collect()
    }

    /// From `a` (t = 0) to `b` (t = 1), numbers or vectors.
    pub(super) fn lerp(&mut self, a: &[Value], b: &[Value], t: Value) -> Parts {
        self.each(a, b, |emit, a, b| {
            let way = emit.builder.ins().fsub(b, a);
            let part = emit.builder.ins().fmul(way, t);
            emit.builder.ins().fadd(a, part)
        })
    }
}
