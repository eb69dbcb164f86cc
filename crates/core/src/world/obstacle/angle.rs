//! An angle about the world's z axis and its rotations.

use glam::{DVec2, DVec3, Quat, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::world::rotation::rotate;

/// A counter-clockwise rotation about the world's z axis. Sine and cosine are computed once.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
#[serde(from = "f32", into = "f32")]
pub struct Angle {
    radians: f32,
    /// Sine and cosine of half the angle: the nonzero components of the quaternion.
    half: (f32, f32),
    /// Cosine and sine of the angle.
    exact: DVec2,
}

impl From<f32> for Angle {
    /// An angle in radians.
    fn from(radians: f32) -> Self {
        let there = Quat::from_rotation_z(radians);
        let (sine, cosine) = libm::sincos(radians.into());
        Self { radians, half: (there.z, there.w), exact: DVec2::new(cosine, sine) }
    }
}

impl From<Angle> for f32 {
    fn from(angle: Angle) -> Self {
        angle.radians
    }
}

impl PartialEq for Angle {
    fn eq(&self, other: &Self) -> bool {
        self.radians == other.radians
    }
}

impl Angle {
    /// The angle in radians.
    pub fn radians(&self) -> f32 {
        self.radians
    }

    /// Returns the vector rotated by the angle.
    pub fn rotate(&self, v: Vec3) -> Vec3 {
        let (sine, cosine) = self.half;
        rotate(v, Quat::from_xyzw(0.0, 0.0, sine, cosine))
    }

    /// Returns the vector rotated by the negative angle.
    pub fn rotate_back(&self, v: Vec3) -> Vec3 {
        let (sine, cosine) = self.half;
        rotate(v, Quat::from_xyzw(0.0, 0.0, -sine, cosine))
    }

    /// [`Angle::rotate`] in double precision.
    pub(super) fn rotate_exact(&self, v: DVec3) -> DVec3 {
        self.exact.rotate(v.truncate()).extend(v.z)
    }

    /// [`Angle::rotate_back`] in double precision.
    pub(super) fn rotate_back_exact(&self, v: DVec3) -> DVec3 {
        self.exact.with_y(-self.exact.y).rotate(v.truncate()).extend(v.z)
    }

    /// [`Angle::rotate_back`] for four vectors, one per lane, bit-identical except for the signs of zeros: the rotation
    /// formula without its products with zero components. Coordinates must be below 1e15.
    pub(super) fn rotate_back_four(&self, [x, y, z]: [Vec4; 3]) -> [Vec4; 3] {
        let (sine, cosine) = self.half;
        let (scale, twice) = (cosine * cosine - sine * sine, cosine * 2.0);
        [x * scale + y * sine * twice, y * scale + x * -sine * twice, z * scale + z * -sine * 2.0 * -sine]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rotations_equal_those_of_the_quaternion() {
        for step in -40_i16..40 {
            let (radians, v) = (f32::from(step) * 0.37, Vec3::new(3.0, -1.25, 7.5));
            let angle = Angle::from(radians);
            assert_eq!(angle.rotate(v), rotate(v, Quat::from_rotation_z(radians)));
            assert_eq!(angle.rotate_back(v), rotate(v, Quat::from_rotation_z(-radians)));
        }
    }
}
