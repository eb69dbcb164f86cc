//! Rotation of vectors with the same bits on every processor.
//!
//! The product of `glam::Quat` and a vector uses a fused multiply-subtract on aarch64, and on x86-64 where FMA is enabled
//! at compile time, so its last bit depends on the processor. The functions here use separate products and sums.

use glam::{Quat, Vec3};

/// Returns `v` rotated by a quaternion of unit length: v (w² − |b|²) + 2 b (v·b) + 2 w (b × v), where b is the vector
/// part and w the scalar part.
#[inline]
pub fn rotate(v: Vec3, by: Quat) -> Vec3 {
    let (b, w) = (Vec3::new(by.x, by.y, by.z), by.w);
    v * (w * w - b.dot(b)) + b * (v.dot(b) * 2.0) + b.cross(v) * (w * 2.0)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn a_rotated_vector_is_the_product_with_the_rotation(
            axis in prop::array::uniform3(-1.0_f32..1.0),
            v in prop::array::uniform3(-100.0_f32..100.0),
        ) {
            let (by, v) = (Quat::from_scaled_axis(Vec3::from(axis)), Vec3::from(v));
            prop_assert!(rotate(v, by).abs_diff_eq(by * v, 1e-4));
        }
    }

    #[test]
    fn products_are_rounded_before_they_are_subtracted() {
        // Rounded separately, both products of the x of the cross product are equal; fused, their difference is not 0.
        let [y, z] = [1.0 + f32::EPSILON, 1.0 - f32::EPSILON];
        let by = Quat::from_xyzw(0.0, y, z, 1.0);
        let found = rotate(Vec3::new(0.0, y, z), by);
        assert_eq!(found.x, 0.0);
    }
}
