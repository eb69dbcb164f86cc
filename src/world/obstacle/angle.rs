//! An angle about the world's z axis, and the rotations by it.

use glam::{Quat, Vec3, Vec4};

use crate::world::rotation::rotate;

/// A counter-clockwise turn about the world's z axis. Sine and cosine are computed once.
#[derive(Clone, Copy, Debug)]
pub struct Angle {
    radians: f32,
    /// Sine and cosine of half the angle: the parts of the rotation that are not zero.
    half: (f32, f32),
}

impl From<f32> for Angle {
    /// An angle in radians.
    fn from(radians: f32) -> Self {
        let there = Quat::from_rotation_z(radians);
        Self { radians, half: (there.z, there.w) }
    }
}

impl PartialEq for Angle {
    fn eq(&self, other: &Self) -> bool {
        self.radians == other.radians
    }
}

impl Angle {
    /// In radians.
    pub fn radians(&self) -> f32 {
        self.radians
    }

    /// A vector turned by the angle.
    pub fn turned(&self, v: Vec3) -> Vec3 {
        let (sine, cosine) = self.half;
        rotate(v, Quat::from_xyzw(0.0, 0.0, sine, cosine))
    }

    /// A vector turned by the angle the other way.
    pub fn turned_back(&self, v: Vec3) -> Vec3 {
        let (sine, cosine) = self.half;
        rotate(v, Quat::from_xyzw(0.0, 0.0, -sine, cosine))
    }

    /// [`Angle::turned_back`] of four vectors that are not too long, with the same bits but for signs of zeros: as a
    /// rotation does it, without its products with the parts that are zero.
    pub(super) fn turned_back_four(&self, [x, y, z]: [Vec4; 3]) -> [Vec4; 3] {
        let (sine, cosine) = self.half;
        let (scale, twice) = (cosine * cosine - sine * sine, cosine * 2.0);
        [x * scale + y * sine * twice, y * scale + x * -sine * twice, z * scale + z * -sine * 2.0 * -sine]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn turns_are_those_of_the_rotations() {
        for step in -40_i16..40 {
            let (radians, v) = (f32::from(step) * 0.37, Vec3::new(3.0, -1.25, 7.5));
            let angle = Angle::from(radians);
            assert_eq!(angle.turned(v), rotate(v, Quat::from_rotation_z(radians)));
            assert_eq!(angle.turned_back(v), rotate(v, Quat::from_rotation_z(-radians)));
        }
    }
}
