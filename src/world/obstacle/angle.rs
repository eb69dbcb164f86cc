//! An angle about the world's z axis, and the rotations by it.

use glam::{Quat, Vec3};

/// A counter-clockwise turn about the world's z axis. Sine and cosine are computed once.
#[derive(Clone, Copy, Debug)]
pub struct Angle {
    radians: f32,
    there: Quat,
    back: Quat,
}

impl From<f32> for Angle {
    /// An angle in radians.
    fn from(radians: f32) -> Self {
        let [there, back] = [radians, -radians].map(Quat::from_rotation_z);
        Self { radians, there, back }
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
        self.there * v
    }

    /// A vector turned by the angle the other way.
    pub fn turned_back(&self, v: Vec3) -> Vec3 {
        self.back * v
    }
}
