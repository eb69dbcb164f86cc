//! Minimum, maximum and clamping with a defined result.
//!
//! `f32::min` and the `min` of vectors in registers may return either of two equal operands: for zeros of different sign,
//! processors differ. These functions are comparisons, which compile to one instruction on x86-64. `clippy.toml` bans
//! the others. `glam::Vec2` and `glam::Vec3` compare in the same way; a test checks it.

use glam::Vec4;

/// Numbers, or vectors of numbers by component.
pub trait Extrema: Copy {
    /// Returns the lesser operand: `other` if both are equal. Numbers ignore NaN as `f32::min` does; a component of a vector
    /// is that of `other` if one is NaN.
    #[must_use]
    fn lesser(self, other: Self) -> Self;

    /// Returns the greater operand: `other` if both are equal. NaN is treated as by [`Extrema::lesser`].
    #[must_use]
    fn greater(self, other: Self) -> Self;

    /// Limits to `low` and `high`: `self` if it equals a bound or is NaN; `high` if the bounds are crossed.
    #[must_use]
    fn limited(self, low: Self, high: Self) -> Self;
}

/// Implements [`Extrema`] for numbers.
macro_rules! numbers {
    ($($number:ty)*) => {
        $(impl Extrema for $number {
            #[inline]
            fn lesser(self, other: Self) -> Self {
                if self < other || other.is_nan() { self } else { other }
            }

            #[inline]
            fn greater(self, other: Self) -> Self {
                if self > other || other.is_nan() { self } else { other }
            }

            #[inline]
            fn limited(self, low: Self, high: Self) -> Self {
                let raised = if self < low { low } else { self };
                if raised > high { high } else { raised }
            }
        })*
    };
}

numbers!(f32 f64);

impl Extrema for Vec4 {
    #[inline]
    fn lesser(self, other: Self) -> Self {
        Self::select(self.cmplt(other), self, other)
    }

    #[inline]
    fn greater(self, other: Self) -> Self {
        Self::select(self.cmpgt(other), self, other)
    }

    #[inline]
    fn limited(self, low: Self, high: Self) -> Self {
        // If both operands are equal, the second one is returned.
        high.lesser(low.greater(self))
    }
}

#[cfg(test)]
mod tests {
    use glam::{Vec2, Vec3};

    use super::*;

    const NUMBERS: [f32; 7] = [0.0, -0.0, 1.0, -1.0, f32::INFINITY, f32::NEG_INFINITY, f32::NAN];

    /// Pairs of numbers that the optimizer does not know.
    fn pairs() -> impl Iterator<Item = (f32, f32)> {
        NUMBERS.into_iter().flat_map(|a| NUMBERS.map(|b| std::hint::black_box((a, b))))
    }

    #[test]
    fn equal_operands_give_the_second_one_bit_for_bit() {
        for (a, b) in pairs() {
            let numbers = [a < b, a > b].map(|first| if first || b.is_nan() { a } else { b });
            assert_eq!([a.lesser(b), a.greater(b)].map(f32::to_bits), numbers.map(f32::to_bits), "{a} {b}");
            let [less, more] = [a < b, a > b].map(|first| if first { a } else { b }.to_bits());
            for axis in 0..4 {
                let four = [Vec4::splat(a).lesser(Vec4::splat(b)), Vec4::splat(a).greater(Vec4::splat(b))];
                assert_eq!(four.map(|four| four[axis].to_bits()), [less, more], "{a} {b}");
            }
            // No function of this module replaces these; here it shows if they change.
            for axis in 0..3 {
                let three = [Vec3::splat(a).min(Vec3::splat(b)), Vec3::splat(a).max(Vec3::splat(b))];
                assert_eq!(three.map(|three| three[axis].to_bits()), [less, more], "{a} {b}");
            }
            for axis in 0..2 {
                let two = [Vec2::splat(a).min(Vec2::splat(b)), Vec2::splat(a).max(Vec2::splat(b))];
                assert_eq!(two.map(|two| two[axis].to_bits()), [less, more], "{a} {b}");
            }
            let [a, b] = [a, b].map(f64::from);
            let exact = [a.lesser(b), a.greater(b)].map(f64::to_bits);
            assert_eq!(exact, numbers.map(f64::from).map(f64::to_bits));
        }
    }

    #[test]
    fn clamping_retains_the_sign_of_a_zero_and_nan() {
        for (a, _) in pairs() {
            for (low, high) in [(0.0, 1.0), (-0.0, 0.0), (-1.0, -0.0)] {
                let expected = if a < low {
                    low
                } else if a > high {
                    high
                } else {
                    a
                };
                assert_eq!(a.limited(low, high).to_bits(), expected.to_bits(), "{a} {low} {high}");
            }
        }
        assert_eq!(5.0_f32.limited(3.0, 1.0), 1.0);
    }
}
