//! Formulas of numbers and vectors, shared by code for one unit and for eight. Each has the same operations in the
//! same order as the host's function, so that results are bit-identical.
//!
//! Comparisons tolerate a rounding error relative to the larger operand, or to 1 if the product is zero. For a
//! constant operand, code generation resolves these cases: three to five operations instead of twenty.

use cranelift_codegen::ir::condcodes::FloatCC::{
    self, Equal, GreaterThan, GreaterThanOrEqual, LessThan, LessThanOrEqual, NotEqual, Unordered,
};
use cranelift_codegen::ir::condcodes::IntCC;
use cranelift_codegen::ir::{self, InstructionData, Value, ValueDef};
use steerbox_core::world::lengths;

use super::host;
use crate::typed::ir::Compare;

/// Converts to a comparison of signed integers.
pub(super) fn signed(to: Compare) -> IntCC {
    match to {
        Compare::Equal => IntCC::Equal,
        Compare::NotEqual => IntCC::NotEqual,
        Compare::Less => IntCC::SignedLessThan,
        Compare::LessOrEqual => IntCC::SignedLessThanOrEqual,
        Compare::Greater => IntCC::SignedGreaterThan,
        Compare::GreaterOrEqual => IntCC::SignedGreaterThanOrEqual,
    }
}

/// Returns the equivalent comparison with swapped operands.
fn mirrored(to: Compare) -> Compare {
    match to {
        Compare::Less => Compare::Greater,
        Compare::LessOrEqual => Compare::GreaterOrEqual,
        Compare::Greater => Compare::Less,
        Compare::GreaterOrEqual => Compare::LessOrEqual,
        Compare::Equal | Compare::NotEqual => to,
    }
}

/// Returns the value of a constant number.
pub(super) fn constant_of(function: &ir::Function, value: Value) -> Option<f32> {
    let ValueDef::Result(instruction, _) = function.dfg.value_def(value) else {
        return None;
    };
    match function.dfg.insts[instruction] {
        InstructionData::UnaryIeee32 { imm, .. } => Some(f32::from_bits(imm.bits())),
        _ => None,
    }
}

/// Returns the value of a constant integer.
pub(super) fn integer_of(function: &ir::Function, value: Value) -> Option<i64> {
    let ValueDef::Result(instruction, _) = function.dfg.value_def(value) else {
        return None;
    };
    match function.dfg.insts[instruction] {
        InstructionData::UnaryImm { imm, .. } => Some(imm.bits()),
        _ => None,
    }
}

/// A function of the host that replaces a vector, and a number after it, by the result.
pub(super) type Outside = extern "C" fn(&mut [f32; 4]);

/// Operations on numbers and bools.
pub(super) trait Formulas: Sized {
    /// A number or a bool.
    type Value: Copy;

    fn number(&mut self, value: f32) -> Self::Value;
    fn add(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn sub(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn mul(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn div(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn sqrt(&mut self, a: Self::Value) -> Self::Value;
    /// The absolute value.
    fn abs(&mut self, a: Self::Value) -> Self::Value;
    fn fcmp(&mut self, order: FloatCC, a: Self::Value, b: Self::Value) -> Self::Value;
    fn and(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    fn or(&mut self, a: Self::Value, b: Self::Value) -> Self::Value;
    /// Returns the value of a constant number.
    fn constant(&self, a: Self::Value) -> Option<f32>;
    /// Returns `yes` if the bool is set, else `no`.
    fn select(&mut self, condition: Self::Value, yes: Self::Value, no: Self::Value) -> Self::Value;
    /// Returns the numbers `usual`, which a formula for a vector outside the range of squares replaces if a bool is set.
    fn unless(
        &mut self,
        is_outside: Self::Value,
        usual: Vec<Self::Value>,
        formula: Outside,
        on: &[Self::Value],
    ) -> Vec<Self::Value>;

    /// Applies an operation to each component.
    fn each(
        &mut self,
        a: &[Self::Value],
        b: &[Self::Value],
        work: impl Fn(&mut Self, Self::Value, Self::Value) -> Self::Value,
    ) -> Vec<Self::Value> {
        a.iter().zip(b).map(|(a, b)| work(self, *a, *b)).collect()
    }

    fn add_vectors(&mut self, a: &[Self::Value], b: &[Self::Value]) -> Vec<Self::Value> {
        self.each(a, b, Self::add)
    }

    fn sub_vectors(&mut self, a: &[Self::Value], b: &[Self::Value]) -> Vec<Self::Value> {
        self.each(a, b, Self::sub)
    }

    fn scale(&mut self, a: &[Self::Value], by: Self::Value) -> Vec<Self::Value> {
        self.each(a, &[by; 3], Self::mul)
    }

    fn div_scalar(&mut self, a: &[Self::Value], by: Self::Value) -> Vec<Self::Value> {
        self.each(a, &[by; 3], Self::div)
    }

    fn dot(&mut self, a: &[Self::Value], b: &[Self::Value]) -> Self::Value {
        let products = self.each(a, b, Self::mul);
        let sum = self.add(products[0], products[1]);
        self.add(sum, products[2])
    }

    /// As [`Formulas::dot`] with itself. Squares are never −0, so that the initial 0 can be omitted.
    fn squared(&mut self, a: &[Self::Value]) -> Self::Value {
        let [x, y] = [0, 1].map(|axis| self.mul(a[axis], a[axis]));
        let sum = self.add(x, y);
        if self.constant(a[2]) == Some(0.0) {
            return sum;
        }
        let z = self.mul(a[2], a[2]);
        self.add(sum, z)
    }

    fn cross(&mut self, a: &[Self::Value], b: &[Self::Value]) -> Vec<Self::Value> {
        let axes = [(1, 2), (2, 0), (0, 1)].into_iter();
        axes.map(|(i, j)| {
            let left = self.mul(a[i], b[j]);
            let right = self.mul(b[i], a[j]);
            self.sub(left, right)
        })
        .collect()
    }

    fn length(&mut self, a: &[Self::Value]) -> Self::Value {
        let squared = self.squared(a);
        let length = self.sqrt(squared);
        let is_outside = self.leaves_range(squared);
        self.unless(is_outside, vec![length], host::length, a)[0]
    }

    /// Returns true for a square that is inaccurate or infinite.
    fn leaves_range(&mut self, squared: Self::Value) -> Self::Value {
        let [least, most] = [lengths::LEAST_SQUARE, f32::MAX].map(|end| self.number(end));
        let (is_small, is_large) =
            (self.fcmp(LessThan, squared, least), self.fcmp(GreaterThan, squared, most));
        self.or(is_small, is_large)
    }

    fn distance(&mut self, a: &[Self::Value], b: &[Self::Value]) -> Self::Value {
        let offset = self.sub_vectors(a, b);
        self.length(&offset)
    }

    /// A vector of length 1; zero if the length is zero or not finite.
    fn normalized(&mut self, a: &[Self::Value]) -> Vec<Self::Value> {
        let squared = self.squared(a);
        let length = self.sqrt(squared);
        let one = self.number(1.0);
        let per_length = self.div(one, length);
        let (zero, infinity) = (self.number(0.0), self.number(f32::INFINITY));
        let above = self.fcmp(GreaterThan, per_length, zero);
        let finite = self.fcmp(LessThan, per_length, infinity);
        let works = self.and(above, finite);
        let scaled = self.scale(a, per_length);
        let normalized = scaled.into_iter().map(|part| self.select(works, part, zero)).collect();
        let is_outside = self.leaves_range(squared);
        self.unless(is_outside, normalized, host::direction, a)
    }

    /// Shortens a vector to the length `max`; negative lengths count as zero.
    fn limit(&mut self, a: &[Self::Value], max: Self::Value) -> Vec<Self::Value> {
        let zero = self.number(0.0);
        let max = self.greater_of(max, zero);
        let squared = self.squared(a);
        let most = self.mul(max, max);
        let longer = self.fcmp(GreaterThan, squared, most);
        let length = self.sqrt(squared);
        let direction = self.div_scalar(a, length);
        let limited = self.scale(&direction, max);
        let limited =
            limited.into_iter().zip(a).map(|(limited, part)| self.select(longer, limited, *part)).collect();
        let most = self.number(f32::MAX);
        let is_outside = self.fcmp(GreaterThan, squared, most);
        self.unless(is_outside, limited, host::shortened, &[a, &[max]].concat())
    }

    /// The change of velocity, limited to `force`, that turns one velocity into another.
    fn push_toward(
        &mut self,
        wish: &[Self::Value],
        velocity: &[Self::Value],
        force: Self::Value,
    ) -> Vec<Self::Value> {
        let change = self.sub_vectors(wish, velocity);
        self.limit(&change, force)
    }

    /// Interpolates from `a` (t = 0) to `b` (t = 1), numbers or vectors.
    fn lerp(&mut self, a: &[Self::Value], b: &[Self::Value], t: Self::Value) -> Vec<Self::Value> {
        self.each(a, b, |emit, a, b| {
            let way = emit.sub(b, a);
            let part = emit.mul(way, t);
            emit.add(a, part)
        })
    }

    /// Rotates a vector from world axes to a unit's axes.
    fn in_axes(&mut self, axes: &[Vec<Self::Value>; 3], v: &[Self::Value]) -> Vec<Self::Value> {
        axes.iter().map(|axis| self.dot(v, axis)).collect()
    }

    /// Rotates a vector from a unit's axes to world axes.
    fn along_axes(&mut self, axes: &[Vec<Self::Value>; 3], v: &[Self::Value]) -> Vec<Self::Value> {
        let [starboard, heading, up] = axes;
        let across = self.scale(starboard, v[0]);
        let along = self.scale(heading, v[1]);
        let above = self.scale(up, v[2]);
        let level = self.add_vectors(&across, &along);
        self.add_vectors(&level, &above)
    }

    /// −1 to port, +1 to starboard.
    fn side_of(
        &mut self,
        starboard: &[Self::Value],
        position: &[Self::Value],
        point: &[Self::Value],
    ) -> Self::Value {
        let offset = self.sub_vectors(point, position);
        let across = self.dot(&offset, starboard);
        self.sign(across)
    }

    /// The lesser number: `a` unless `b < a` or `a` is NaN.
    fn lesser_of(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        let less = self.fcmp(LessThan, b, a);
        self.preferred(less, a, b)
    }

    /// The greater number, with the same rules.
    fn greater_of(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        let greater = self.fcmp(GreaterThan, b, a);
        self.preferred(greater, a, b)
    }

    /// `b` if the bool is set or `a` is NaN.
    fn preferred(&mut self, condition: Self::Value, a: Self::Value, b: Self::Value) -> Self::Value {
        let is_nan = self.fcmp(Unordered, a, a);
        let second = self.or(condition, is_nan);
        self.select(second, b, a)
    }

    /// Replaces NaN by canonical bits, since the bits that an operation produces depend on the order of its operands.
    fn canonical_nan(&mut self, a: Self::Value) -> Self::Value {
        let is_nan = self.fcmp(Unordered, a, a);
        let nan = self.number(f32::NAN);
        self.select(is_nan, nan, a)
    }

    /// The sign of a number: −1, 0 or +1.
    fn sign(&mut self, a: Self::Value) -> Self::Value {
        let [one, minus, zero] = [1.0, -1.0, 0.0].map(|value| self.number(value));
        let above = self.fcmp(GreaterThan, a, zero);
        let below = self.fcmp(LessThan, a, zero);
        let rest = self.select(below, minus, zero);
        self.select(above, one, rest)
    }

    /// Compares numbers exactly.
    fn exactly(&mut self, to: Compare, x: Self::Value, y: Self::Value) -> Self::Value {
        let order = match to {
            Compare::Equal => Equal,
            Compare::NotEqual => NotEqual,
            Compare::Less => LessThan,
            Compare::LessOrEqual => LessThanOrEqual,
            Compare::Greater => GreaterThan,
            Compare::GreaterOrEqual => GreaterThanOrEqual,
        };
        self.fcmp(order, x, y)
    }

    /// Compares numbers with a tolerance for rounding errors.
    ///
    /// The script language compares numbers with a relative tolerance ε: `x > y` is (x − y) / m > ε, where m is the
    /// greater of |x| and |y|, or 1 if x · y is zero. Since ε is a power of two, (x − y) > m · ε is equivalent and
    /// needs no division: m · ε is exact, and a quotient of floats exceeds a power of two exactly if the dividend
    /// exceeds the product. (m is above 2⁻⁷⁵, or the product x · y would be zero.) Infinities and NaN are handled
    /// separately.
    fn approx_cmp(&mut self, to: Compare, x: Self::Value, y: Self::Value) -> Self::Value {
        if let Some(constant) = self.constant(y)
            && let Some(holds) = self.approx_cmp_simple(to, x, constant)
        {
            return holds;
        }
        if let Some(constant) = self.constant(x)
            && let Some(holds) = self.approx_cmp_simple(mirrored(to), y, constant)
        {
            return holds;
        }
        let (epsilon, zero) = (self.number(f32::EPSILON), self.number(0.0));
        let one = self.number(1.0);
        let product = self.mul(x, y);
        let none = self.fcmp(Equal, product, zero);
        let (size_x, size_y) = (self.abs(x), self.abs(y));
        let scale = self.maximum(size_x, size_y);
        let scale = self.select(none, one, scale);
        let limit = self.mul(scale, epsilon);
        match to {
            Compare::Greater => {
                let over = self.sub(x, y);
                self.fcmp(GreaterThan, over, limit)
            }
            Compare::Less => {
                let over = self.sub(y, x);
                self.fcmp(GreaterThan, over, limit)
            }
            Compare::NotEqual => {
                let apart = self.sub(x, y);
                let apart = self.abs(apart);
                self.fcmp(GreaterThan, apart, limit)
            }
            Compare::GreaterOrEqual => {
                let under = self.sub(y, x);
                let holds = self.fcmp(LessThan, under, limit);
                self.or_nan(holds, [x, y], scale)
            }
            Compare::LessOrEqual => {
                let over = self.sub(x, y);
                let holds = self.fcmp(LessThan, over, limit);
                self.or_nan(holds, [x, y], scale)
            }
            Compare::Equal => {
                let apart = self.sub(x, y);
                let apart = self.abs(apart);
                let holds = self.fcmp(LessThanOrEqual, apart, limit);
                self.or_nan(holds, [x, y], scale)
            }
        }
    }

    /// The greater of two absolute values; the second if either is NaN. One instruction on x86.
    fn maximum(&mut self, a: Self::Value, b: Self::Value) -> Self::Value {
        let greater = self.fcmp(LessThan, b, a);
        self.select(greater, a, b)
    }

    /// Compares a number with a constant c, if a shorter formula exists: for c = 0 and for finite |c| > ε.
    fn approx_cmp_simple(&mut self, to: Compare, x: Self::Value, constant: f32) -> Option<Self::Value> {
        if constant == 0.0 {
            return Some(self.approx_cmp_zero(to, x));
        }
        let is_plain = constant.is_finite() && constant.abs() > f32::EPSILON;
        is_plain.then(|| self.approx_cmp_const(to, x, constant))
    }

    /// Compares a number with zero: m is 1, or infinite if the number is.
    fn approx_cmp_zero(&mut self, to: Compare, x: Self::Value) -> Self::Value {
        let [above, below] = [f32::EPSILON, -f32::EPSILON].map(|value| self.number(value));
        let [most, least] = [f32::INFINITY, f32::NEG_INFINITY].map(|value| self.number(value));
        let [holds, is_finite] = match to {
            Compare::Greater => [self.fcmp(GreaterThan, x, above), self.fcmp(LessThan, x, most)],
            Compare::Less => [self.fcmp(LessThan, x, below), self.fcmp(GreaterThan, x, least)],
            Compare::LessOrEqual => [self.fcmp(LessThan, x, above), self.fcmp(GreaterThan, x, least)],
            Compare::GreaterOrEqual => [self.fcmp(GreaterThan, x, below), self.fcmp(LessThan, x, most)],
            Compare::NotEqual => {
                let size = self.abs(x);
                [self.fcmp(GreaterThan, size, above), self.fcmp(LessThan, size, most)]
            }
            Compare::Equal => {
                let size = self.abs(x);
                [self.fcmp(LessThanOrEqual, size, above); 2]
            }
        };
        let holds = self.and(holds, is_finite);
        match to {
            Compare::Greater | Compare::Less | Compare::NotEqual => holds,
            Compare::LessOrEqual | Compare::GreaterOrEqual | Compare::Equal => {
                // NaN compares as equal to zero.
                let is_nan = self.fcmp(Unordered, x, x);
                self.or(holds, is_nan)
            }
        }
    }

    /// Compares a number with a constant c, finite and |c| > ε. If x · c is zero, |x| is so small that x − c is −c,
    /// and |c| exceeds both ε and |c| · ε, so that m needs no special case.
    fn approx_cmp_const(&mut self, to: Compare, x: Self::Value, constant: f32) -> Self::Value {
        let [c, size_of_c, epsilon] =
            [constant, constant.abs(), f32::EPSILON].map(|value| self.number(value));
        let size = self.abs(x);
        let scale = self.maximum(size, size_of_c);
        let limit = self.mul(scale, epsilon);
        let apart = match to {
            Compare::Greater | Compare::LessOrEqual => self.sub(x, c),
            Compare::Less | Compare::GreaterOrEqual => self.sub(c, x),
            Compare::Equal | Compare::NotEqual => {
                let apart = self.sub(x, c);
                self.abs(apart)
            }
        };
        let order = match to {
            Compare::Greater | Compare::Less | Compare::NotEqual => GreaterThan,
            Compare::LessOrEqual | Compare::GreaterOrEqual => LessThan,
            Compare::Equal => LessThanOrEqual,
        };
        let holds = self.fcmp(order, apart, limit);
        if order == GreaterThan {
            return holds;
        }
        let infinity = self.number(f32::INFINITY);
        let is_finite = self.fcmp(NotEqual, scale, infinity);
        self.and(holds, is_finite)
    }

    /// Corrects a comparison for infinite operands, which by the language's formula are never at most or at least
    /// anything, and for NaN, which compares as equal to zero.
    fn or_nan(&mut self, holds: Self::Value, [x, y]: [Self::Value; 2], scale: Self::Value) -> Self::Value {
        let infinity = self.number(f32::INFINITY);
        let finite = self.fcmp(NotEqual, scale, infinity);
        let holds = self.and(holds, finite);
        let is_nan = self.fcmp(Unordered, x, y);
        let zero = self.number(0.0);
        let none_x = self.fcmp(Equal, x, zero);
        let none_y = self.fcmp(Equal, y, zero);
        let none = self.or(none_x, none_y);
        let is_nan = self.and(is_nan, none);
        self.or(holds, is_nan)
    }

    fn same_vector(&mut self, x: &[Self::Value], y: &[Self::Value]) -> Self::Value {
        let mut all = self.fcmp(Equal, x[0], y[0]);
        for part in 1..3 {
            let same = self.fcmp(Equal, x[part], y[part]);
            all = self.and(all, same);
        }
        all
    }
}
