//! The motion of a unit and its steering.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use crate::world::Units;

/// Minimum number of units per parallel task.
pub(crate) const GRAIN: usize = 256;

/// Position, attitude and velocities of one unit; see [`crate::world::Units`] for the fields.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[allow(missing_docs, reason = "the fields of `Units`, documented there")]
pub struct Motion {
    pub position: Vec3,
    pub velocity: Vec3,
    pub heading: Vec3,
    pub up: Vec3,
    pub angular_velocity: Vec3,
}

impl Motion {
    /// Reads the motion of a unit.
    ///
    /// # Panics
    /// If there is no such unit.
    pub fn from_unit(units: &Units, unit: usize) -> Self {
        Self {
            position: units.position[unit],
            velocity: units.velocity[unit],
            heading: units.heading[unit],
            up: units.up[unit],
            angular_velocity: units.angular_velocity[unit],
        }
    }

    /// The starboard axis: heading × up.
    pub fn starboard(&self) -> Vec3 {
        self.heading.cross(self.up)
    }

    /// Converts a world vector to body axes: x to starboard, y forward, z up.
    pub fn to_local(&self, v: Vec3) -> Vec3 {
        Vec3::new(v.dot(self.starboard()), v.dot(self.heading), v.dot(self.up))
    }

    /// Converts a body vector to world axes.
    pub fn to_world(&self, v: Vec3) -> Vec3 {
        self.starboard() * v.x + self.heading * v.y + self.up * v.z
    }

    /// Returns true if every component is finite.
    pub fn is_finite(&self) -> bool {
        let Self { position, velocity, heading, up, angular_velocity } = self;
        [position, velocity, heading, up, angular_velocity].iter().all(|v| v.is_finite())
    }
}

/// The sum of the contributions of a unit's behaviors.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Steering {
    /// To starboard and up, as fractions of the steering force.
    pub turn: Vec2,
    /// In world axes: a force for a rigid body, a change of velocity for a mover.
    pub push: Vec3,
}

/// Returns the component of `up` perpendicular to `heading`, normalized; `None` if they are parallel.
pub(super) fn perpendicular(up: Vec3, heading: Vec3) -> Option<Vec3> {
    // For nearly parallel vectors the first pass leaves an error that the second one removes.
    let once = up.reject_from_normalized(heading).try_normalize()?;
    once.reject_from_normalized(heading).try_normalize()
}
