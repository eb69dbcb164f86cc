//! Operations on numbers for eight units.

use cranelift_codegen::ir::condcodes::{FloatCC, IntCC};
use cranelift_codegen::ir::types::{F32X4, I32, I32X4};
use cranelift_codegen::ir::{InstBuilder, MemFlagsData, Type as Machine, Value};
use cranelift_frontend::FunctionBuilder;

use super::super::formulas::{Formulas, Outside, constant_of};
use super::super::operations::Access;
use super::EmitLanes;
use super::value::{LaneValue, Uniform, Varying};

impl EmitLanes<'_, '_, '_> {
    /// Broadcasts a number to all lanes.
    pub(super) fn numbers(&mut self, value: LaneValue) -> [Value; 2] {
        match value {
            Varying(values) => values,
            Uniform(value) => [self.builder.ins().splat(F32X4, value); 2],
        }
    }

    /// Broadcasts a bool to a mask.
    pub(super) fn masks(&mut self, value: LaneValue) -> [Value; 2] {
        match value {
            Varying(values) => values,
            Uniform(value) => {
                let mask = self.builder.ins().icmp_imm_s(IntCC::NotEqual, value, 0);
                let mask = self.builder.ins().bmask(I32, mask);
                [self.builder.ins().splat(I32X4, mask); 2]
            }
        }
    }

    /// Converts a mask to an integer with one bit per lane.
    pub(super) fn bits(&mut self, mask: [Value; 2]) -> Value {
        let [low, high] = mask.map(|half| self.builder.ins().vhigh_bits(I32, half));
        let high = self.builder.ins().ishl_imm_u(high, 4);
        self.builder.ins().bor(low, high)
    }

    /// Applies a unary operation.
    pub(super) fn map(
        &mut self,
        a: LaneValue,
        work: impl Fn(&mut FunctionBuilder<'_>, Value) -> Value,
    ) -> LaneValue {
        match a {
            Uniform(value) => Uniform(work(self.builder, value)),
            Varying(values) => Varying(values.map(|value| work(self.builder, value))),
        }
    }

    /// Applies a binary operation to operands that `spread` broadcasts.
    fn zip(
        &mut self,
        [a, b]: [LaneValue; 2],
        spread: fn(&mut Self, LaneValue) -> [Value; 2],
        work: impl Fn(&mut FunctionBuilder<'_>, Value, Value) -> Value,
    ) -> LaneValue {
        if let (Uniform(a), Uniform(b)) = (a, b) {
            return Uniform(work(self.builder, a, b));
        }
        let (a, b) = (spread(self, a), spread(self, b));
        Varying([0, 1].map(|half| work(self.builder, a[half], b[half])))
    }

    /// The union of two masks.
    pub(super) fn mask_or(&mut self, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        [0, 1].map(|half| self.builder.ins().bor(a[half], b[half]))
    }

    /// The intersection of two masks.
    pub(super) fn mask_and(&mut self, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        [0, 1].map(|half| self.builder.ins().band(a[half], b[half]))
    }

    /// The lanes of `a` that are not in `b`.
    pub(super) fn mask_and_not(&mut self, a: [Value; 2], b: [Value; 2]) -> [Value; 2] {
        [0, 1].map(|half| self.builder.ins().band_not(a[half], b[half]))
    }

    /// Blends two values by lane: floats, or integers and masks.
    pub(super) fn blend(&mut self, mask: [Value; 2], yes: [Value; 2], no: [Value; 2]) -> [Value; 2] {
        [0, 1].map(|half| {
            let of = self.builder.func.dfg.value_type(yes[half]);
            let mask = self.cast(of, mask[half]);
            self.builder.ins().bitselect(mask, yes[half], no[half])
        })
    }

    fn cast(&mut self, to: Machine, value: Value) -> Value {
        if self.builder.func.dfg.value_type(value) == to {
            return value;
        }
        self.builder.ins().bitcast(to, MemFlagsData::new(), value)
    }

    /// Broadcasts an integer.
    pub(super) fn integer(&mut self, value: i32) -> [Value; 2] {
        let value = self.builder.ins().iconst(I32, i64::from(value));
        [self.builder.ins().splat(I32X4, value); 2]
    }

    /// The mask of integers that are not zero.
    pub(super) fn are_set(&mut self, integers: [Value; 2]) -> [Value; 2] {
        let zero = self.integer(0);
        [0, 1].map(|half| self.builder.ins().icmp(IntCC::NotEqual, integers[half], zero[half]))
    }

    pub(super) fn not(&mut self, value: LaneValue) -> LaneValue {
        match value {
            Uniform(value) => Uniform(self.builder.ins().bxor_imm_s(value, 1)),
            Varying(values) => Varying(values.map(|value| self.builder.ins().bnot(value))),
        }
    }

    pub(super) fn negative(&mut self, value: LaneValue) -> LaneValue {
        self.map(value, |builder, value| builder.ins().fneg(value))
    }

    /// Loads two adjacent vectors of four. The host's data is aligned to single numbers only, so the load must not
    /// be marked as aligned: without AVX, it would fault.
    pub(super) fn load(&mut self, of: Machine, base: Value, offset: usize) -> [Value; 2] {
        self.load_as(of, MemFlagsData::new().with_notrap(), base, offset)
    }

    /// As [`EmitLanes::load`], for data that does not change during a call.
    pub(super) fn load_fixed(&mut self, of: Machine, base: Value, offset: usize) -> [Value; 2] {
        let flags = MemFlagsData::new().with_notrap().with_readonly().with_can_move();
        self.load_as(of, flags, base, offset)
    }

    fn load_as(&mut self, of: Machine, flags: MemFlagsData, base: Value, offset: usize) -> [Value; 2] {
        [0, 16].map(|half| self.builder.ins().load(of, flags, base, (offset + half) as i32))
    }

    pub(super) fn store(&mut self, values: [Value; 2], base: Value, offset: usize) {
        for (half, value) in values.into_iter().enumerate() {
            let flags = MemFlagsData::new().with_notrap();
            self.builder.ins().store(flags, value, base, (offset + 16 * half) as i32);
        }
    }
}

impl Formulas for EmitLanes<'_, '_, '_> {
    type Value = LaneValue;

    fn number(&mut self, value: f32) -> LaneValue {
        Uniform(self.builder.ins().f32const(value))
    }

    fn constant(&self, a: LaneValue) -> Option<f32> {
        match a {
            Uniform(value) => constant_of(self.builder.func, value),
            Varying(_) => None,
        }
    }

    fn add(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        if self.is_zero(a) && self.is_zero(b) {
            return a;
        }
        self.zip([a, b], Self::numbers, |builder, a, b| builder.ins().fadd(a, b))
    }

    fn sub(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        if self.is_zero(b) {
            return a;
        }
        self.zip([a, b], Self::numbers, |builder, a, b| builder.ins().fsub(a, b))
    }

    fn mul(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        if self.is_zero(a) && self.is_zero(b) {
            return a;
        }
        self.zip([a, b], Self::numbers, |builder, a, b| builder.ins().fmul(a, b))
    }

    fn div(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        self.zip([a, b], Self::numbers, |builder, a, b| builder.ins().fdiv(a, b))
    }

    fn sqrt(&mut self, a: LaneValue) -> LaneValue {
        self.map(a, |builder, a| builder.ins().sqrt(a))
    }

    fn abs(&mut self, a: LaneValue) -> LaneValue {
        self.map(a, |builder, a| builder.ins().fabs(a))
    }

    fn fcmp(&mut self, order: FloatCC, a: LaneValue, b: LaneValue) -> LaneValue {
        self.zip([a, b], Self::numbers, |builder, a, b| builder.ins().fcmp(order, a, b))
    }

    fn and(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        self.zip([a, b], Self::masks, |builder, a, b| builder.ins().band(a, b))
    }

    fn or(&mut self, a: LaneValue, b: LaneValue) -> LaneValue {
        self.zip([a, b], Self::masks, |builder, a, b| builder.ins().bor(a, b))
    }

    fn select(&mut self, condition: LaneValue, yes: LaneValue, no: LaneValue) -> LaneValue {
        if let (Uniform(condition), Uniform(yes), Uniform(no)) = (condition, yes, no) {
            return Uniform(self.builder.ins().select(condition, yes, no));
        }
        let (yes, no) = (self.numbers(yes), self.numbers(no));
        if let Uniform(condition) = condition {
            return Varying([0, 1].map(|half| self.builder.ins().select(condition, yes[half], no[half])));
        }
        let mask = self.masks(condition);
        Varying(self.blend(mask, yes, no))
    }

    /// Aborts the batch if the vector of an active lane is outside the range, and not zero as the offset of a unit from
    /// itself.
    fn unless(
        &mut self,
        is_outside: LaneValue,
        usual: Vec<LaneValue>,
        _: Outside,
        on: &[LaneValue],
    ) -> Vec<LaneValue> {
        let any = match is_outside {
            Uniform(is_outside) => is_outside,
            Varying(mask) => self.any(mask),
        };
        let (outside, out) = (self.builder.create_block(), self.builder.create_block());
        self.builder.set_cold_block(outside);
        self.builder.ins().brif(any, outside, &[], out, &[]);
        self.switch_to_sealed(outside);
        let zero = self.number(0.0);
        let [x, y, z] = [on[0], on[1], on[2]].map(|part| self.fcmp(FloatCC::NotEqual, part, zero));
        let is_long = self.or(x, y);
        let is_long = self.or(is_long, z);
        let is_outside = self.and(is_outside, is_long);
        let active = self.value_of(self.active);
        let is_outside = self.and(is_outside, Varying(active));
        let is_outside = self.masks(is_outside);
        let (any, abort) = (self.any(is_outside), self.abort);
        self.builder.ins().brif(any, abort, &[], out, &[]);
        self.switch_to_sealed(out);
        usual
    }
}
