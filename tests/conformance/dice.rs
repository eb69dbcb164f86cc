//! Random directions, points and vectors, in the precision of the crate.

use glam::{DVec2, DVec3, Vec3};

pub(crate) use crate::common::dice::Dice;

impl Dice {
    /// A unit vector in the plane.
    pub(crate) fn course(&mut self) -> DVec2 {
        DVec2::from_angle(self.between(-3.2, 3.2))
    }

    /// A point of the unit ball.
    pub(crate) fn in_ball(&mut self) -> DVec3 {
        loop {
            let mut axis = || self.between(-1.0, 1.0);
            let point = DVec3::new(axis(), axis(), axis());
            if point.length_squared() <= 1.0 {
                return point;
            }
        }
    }
}

/// A vector of the plane in the precision of the crate.
pub(crate) fn flat(v: DVec2) -> Vec3 {
    v.as_vec2().extend(0.0)
}
