//! Numbers and ranges. Transcendental functions come from libm, whose results are bit-identical on all platforms.

use std::ops::{Range, RangeBounds, RangeInclusive};

use glam::Vec2;
use rhai::INT;

use super::attributes::Tag;
use super::function::Table;
use super::intrinsic::{IntegerOp, SpecialOp, ValueOp, binary, unary};
use super::values::{Turn, Value};

/// Work of a function that evaluates a polynomial.
const MATH: i64 = 15;

#[rustfmt::skip]
pub(super) fn add(table: &mut Table) {
    table.add("turn(starboard, up)", "a turn in space: fractions of the steering force", |starboard: f32, up: f32| Turn(Vec2::new(starboard, up))).intrinsic(ValueOp::Concat);
    table.add("sin(x)", "sine of an angle in radians", libm::sinf).work(MATH).tag(Tag::Angle).intrinsic(unary!(libm::sinf));
    table.add("cos(x)", "cosine of an angle in radians", libm::cosf).work(MATH).tag(Tag::Angle).intrinsic(unary!(libm::cosf));
    table.add("tan(x)", "tangent of an angle in radians", libm::tanf).work(MATH).tag(Tag::Angle).intrinsic(unary!(libm::tanf));
    table.add("asin(x)", "the angle whose sine is `x`, radians", libm::asinf).work(MATH).tag(Tag::Arc).intrinsic(unary!(libm::asinf));
    table.add("acos(x)", "the angle whose cosine is `x`, radians", libm::acosf).work(MATH).tag(Tag::Arc).intrinsic(unary!(libm::acosf));
    table.add("atan(x)", "the angle whose tangent is `x`, radians", libm::atanf).work(MATH).intrinsic(unary!(libm::atanf));
    table.add("atan2(y, x)", "the angle of the direction (x, y), radians", libm::atan2f).work(MATH).intrinsic(binary!(libm::atan2f));
    table.add("sinh(x)", "hyperbolic sine", libm::sinhf).work(MATH).tag(Tag::Exponential).intrinsic(unary!(libm::sinhf));
    table.add("cosh(x)", "hyperbolic cosine", libm::coshf).work(MATH).tag(Tag::Exponential).intrinsic(unary!(libm::coshf));
    table.add("tanh(x)", "hyperbolic tangent: from −1 to 1, as of a saturating response", libm::tanhf).work(MATH).intrinsic(unary!(libm::tanhf));
    table.add("exp(x)", "e to the power of `x`", libm::expf).work(MATH).tag(Tag::Exponential).intrinsic(unary!(libm::expf));
    table.add("ln(x)", "natural logarithm", libm::logf).work(MATH).tag(Tag::Logarithm).intrinsic(unary!(libm::logf));
    table.add("pow(x, y)", "`x` to the power of `y`", libm::powf).work(MATH).tag(Tag::Power).intrinsic(binary!(libm::powf));
    table.add("sqrt(x)", "square root", f32::sqrt).work(5).tag(Tag::Root).tag(Tag::VectorForNumber).intrinsic(ValueOp::SquareRoot);
    table.add("floor(x)", "the nearest integer below, as a number", f32::floor).work(5).tag(Tag::Whole).intrinsic(unary!(f32::floor));
    table.add("ceil(x)", "the nearest integer above, as a number", f32::ceil).work(5).intrinsic(unary!(f32::ceil));
    table.add("round(x)", "the nearest integer, as a number; halves away from zero", f32::round).work(5).intrinsic(unary!(f32::round));
    table.add("lerp(a, b, t)", "interpolates from `a` (t = 0) to `b` (t = 1)", |a: f32, b: f32, t: f32| a + (b - a) * t).intrinsic(ValueOp::Lerp);

    table.add("clamp(x, least, most)", "`x` limited to `least` and `most`; an integer if all three are", clamp).tag(Tag::VectorForNumber).intrinsic(ValueOp::Clamp);
    table.add("clamp(x, least, most)", "`x` limited to `least` and `most`", |x: INT, low: INT, high: INT| x.min(high).max(low)).intrinsic(IntegerOp::Clamp);
    table.add("min(a, b)", "the lesser of two; an integer if both are", least).tag(Tag::VectorForNumber).intrinsic(ValueOp::Min);
    table.add("min(a, b)", "the lesser of two", |a: INT, b: INT| a.min(b)).intrinsic(IntegerOp::Min);
    table.add("max(a, b)", "the greater of two; an integer if both are", greatest).tag(Tag::VectorForNumber).intrinsic(ValueOp::Max);
    table.add("max(a, b)", "the greater of two", |a: INT, b: INT| a.max(b)).intrinsic(IntegerOp::Max);
    table.add("abs(x)", "absolute value; an integer if `x` is", f32::abs).tag(Tag::VectorForNumber).intrinsic(ValueOp::Abs);
    table.add("abs(x)", "absolute value", INT::saturating_abs);
    table.add("sign(x)", "sign of `x`: −1, 0 or +1; an integer if `x` is", sign).tag(Tag::VectorForNumber).intrinsic(ValueOp::Sign);
    table.add("sign(x)", "sign of `x`: −1, 0 or +1", INT::signum);
    table.add("to_int(x)", "the number truncated to an integer", |x: f32| x as INT).tag(Tag::Whole).intrinsic(SpecialOp::ToInteger);
    table.add("to_int(x)", "the integer itself", |x: INT| x).intrinsic(IntegerOp::Same);
    table.add("to_float(x)", "the integer as a number", |x: INT| x as f32).intrinsic(IntegerOp::ToNumber);
    table.add("to_float(x)", "the integer as a number", |x: f32| x).intrinsic(ValueOp::Concat);

    table.add("x.is_odd", "", |x: INT| x & 1 == 1).of_the_engine().tag(Tag::Whole).intrinsic(IntegerOp::IsOdd);
    table.add("x.is_odd()", "", |x: INT| x & 1 == 1).of_the_engine().intrinsic(IntegerOp::IsOdd);
    table.add("x.is_even", "", |x: INT| x & 1 == 0).of_the_engine().tag(Tag::Whole).intrinsic(IntegerOp::IsEven);
    table.add("x.is_even()", "", |x: INT| x & 1 == 0).of_the_engine().intrinsic(IntegerOp::IsEven);
    table.add("x.is_zero", "", |x: INT| x == 0).of_the_engine().tag(Tag::Whole).intrinsic(IntegerOp::IsZero);
    table.add("x.is_zero()", "", |x: INT| x == 0).of_the_engine().intrinsic(IntegerOp::IsZero);
    table.add("x.is_zero", "", |x: f32| x == 0.0).of_the_engine().intrinsic(ValueOp::IsZero);
    table.add("x.is_zero()", "", |x: f32| x == 0.0).of_the_engine().intrinsic(ValueOp::IsZero);
    table.add("range(from, to)", "", |from: INT, to: INT| from..to).of_the_engine().tag(Tag::Whole);
    range::<Range<INT>>(table, true);
    range::<RangeInclusive<INT>>(table, false);
}

/// Both kinds of ranges.
trait Span: Value + RangeBounds<INT> + 'static {
    fn ends(&self) -> (INT, INT);
}

impl Span for Range<INT> {
    fn ends(&self) -> (INT, INT) {
        (self.start, self.end)
    }
}

impl Span for RangeInclusive<INT> {
    fn ends(&self) -> (INT, INT) {
        (*self.start(), *self.end())
    }
}

#[rustfmt::skip]
fn range<R: Span>(table: &mut Table, is_exclusive: bool) {
    fn is_empty<R: Span>(range: &R) -> bool {
        !range.contains(&range.ends().0)
    }
    table.add("range.start", "", |range: R| range.ends().0).of_the_engine();
    table.add("range.start()", "", |range: R| range.ends().0).of_the_engine();
    table.add("range.end", "", |range: R| range.ends().1).of_the_engine();
    table.add("range.end()", "", |range: R| range.ends().1).of_the_engine();
    table.add("range.is_empty", "", |range: R| is_empty(&range)).of_the_engine();
    table.add("range.is_empty()", "", |range: R| is_empty(&range)).of_the_engine();
    table.add("range.is_exclusive", "", move |_: R| is_exclusive).of_the_engine();
    table.add("range.is_exclusive()", "", move |_: R| is_exclusive).of_the_engine();
    table.add("range.is_inclusive", "", move |_: R| !is_exclusive).of_the_engine();
    table.add("range.is_inclusive()", "", move |_: R| !is_exclusive).of_the_engine();
    table.add("range.contains(x)", "", |range: R, x: INT| range.contains(&x)).of_the_engine();
}

/// Returns the lesser number: `a` unless `b < a` or `a` is NaN. `f32::min` does not specify the result for zeros of
/// different sign.
fn least(a: f32, b: f32) -> f32 {
    if b < a || a.is_nan() { b } else { a }
}

/// Returns the greater number, with the same rules.
pub(super) fn greatest(a: f32, b: f32) -> f32 {
    if b > a || a.is_nan() { b } else { a }
}

/// Clamps to crossed bounds without a panic, unlike `f32::clamp`: the lower bound wins.
fn clamp(x: f32, low: f32, high: f32) -> f32 {
    greatest(least(x, high), low)
}

/// Returns −1, 0 or +1; 0 for NaN.
pub(super) fn sign(x: f32) -> f32 {
    if x > 0.0 {
        1.0
    } else if x < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    #[test]
    fn hyperbolic_functions_are_within_two_units_in_the_last_place_of_double_precision() {
        let at = |x: f32| {
            let exact = f64::from(x);
            [
                (libm::sinhf(x), libm::sinh(exact)),
                (libm::coshf(x), libm::cosh(exact)),
                (libm::tanhf(x), libm::tanh(exact)),
            ]
        };
        for step in -8000_i32..=8000 {
            let x = step as f32 * 0.01;
            for (found, exact) in at(x) {
                let unit = f64::from((exact as f32).abs().next_up()) - f64::from((exact as f32).abs());
                assert!((f64::from(found) - exact).abs() <= 2.0 * unit, "{x}: {found}, {exact}");
            }
        }
    }
}
