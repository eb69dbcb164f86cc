//! Lengths and directions of vectors whose squares leave the range of `f32`.
//!
//! The square of a length below 1e-19 is a subnormal number or 0, and that of a length above 1e19 is infinite. Such
//! vectors are scaled by a power of two first, which is exact. All other results equal those of `glam` bit for bit.

use glam::Vec3;

/// Squares from here to `f32::MAX` are accurate to single precision.
pub const LEAST_SQUARE: f32 = 1e-36;
/// Scales a vector whose square is below [`LEAST_SQUARE`]: 2^96.
pub const ENLARGEMENT: f32 = 79_228_162_514_264_337_593_543_950_336.0;
/// Scales a vector whose square is infinite: 2^-96.
pub const REDUCTION: f32 = 1.0 / ENLARGEMENT;

/// Returns the length; infinite only if it exceeds the range.
#[inline]
pub fn length(v: Vec3) -> f32 {
    let scale = scale_of(v.length_squared());
    if scale == 1.0 { v.length() } else { (v * scale).length() * (1.0 / scale) }
}

/// Returns the unit vector of a direction; `None` for zero and for a vector that is not finite.
#[inline]
pub fn direction(v: Vec3) -> Option<Vec3> {
    (v * scale_of(v.length_squared())).try_normalize()
}

/// Returns a vector with at most the length `max`, which is not negative.
#[inline]
pub fn shortened(v: Vec3, max: f32) -> Vec3 {
    if v.length_squared() < f32::INFINITY {
        return v.clamp_length_max(max);
    }
    let (small, least) = (v * REDUCTION, max * REDUCTION);
    if small.length_squared() > least * least { max * (small / small.length()) } else { v }
}

/// Returns the power of two by which a vector with this square is scaled.
#[inline]
fn scale_of(square: f32) -> f32 {
    if square < LEAST_SQUARE {
        ENLARGEMENT
    } else if square <= f32::MAX {
        1.0
    } else {
        REDUCTION
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::world::Extrema;

    fn vectors() -> impl Strategy<Value = Vec3> {
        let part =
            || (-1.0_f64..1.0, -150_i32..128).prop_map(|(share, power)| (share * 2_f64.powi(power)) as f32);
        let near = [-1.0_f64..1.0, -1.0..1.0, -1.0..1.0];
        prop_oneof![
            [part(), part(), part()].prop_map(Vec3::from),
            (near, -149_i32..128)
                .prop_map(|(v, power)| Vec3::from(v.map(|of| (of * 2_f64.powi(power)) as f32))),
        ]
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(20_000))]
        #[test]
        fn lengths_and_directions_equal_those_in_double_precision(v in vectors(), max in vectors()) {
            let exact = v.as_dvec3().length();
            let tolerance = 1e-6 * exact + 1e-45;
            let found = length(v);
            prop_assert!(exact > f64::from(f32::MAX) * (1.0 - 1e-6) || (f64::from(found) - exact).abs() <= tolerance, "{v} {found}");
            match direction(v) {
                None => prop_assert_eq!(v, Vec3::ZERO),
                Some(unit) => prop_assert!(unit.as_dvec3().abs_diff_eq(v.as_dvec3() / exact, 1e-6), "{} {}", v, unit),
            }
            let max = length(max);
            let short = f64::from(length(shortened(v, max)));
            let expected = exact.lesser(f64::from(max));
            // A length whose square is not a normal number is unchanged if the maximum is as small.
            prop_assert!(exact.greater(f64::from(max)) < 1e-18 || (short - expected).abs() <= 1e-6 * expected + 1e-44, "{} {} {}", v, max, short);
        }
    }

    #[test]
    fn vectors_that_are_not_finite_have_no_direction() {
        for v in [Vec3::INFINITY, Vec3::NAN, Vec3::new(1.0, f32::NEG_INFINITY, 0.0), Vec3::ZERO] {
            assert_eq!(direction(v), None, "{v}");
        }
    }
}
