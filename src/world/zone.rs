//! Zones: named areas that units pass through.

use glam::Vec3;

use super::group::Group;
use super::obstacle::Obstacle;
use super::units::Units;

/// A named area.
#[derive(Clone, Debug, PartialEq)]
pub struct Zone {
    /// The name.
    pub name: String,
    /// The area: where an obstacle of this shape would be solid.
    pub area: Obstacle,
}

impl Zone {
    /// Returns true if a position is in the area, its border included.
    pub fn contains(&self, position: Vec3) -> bool {
        self.area.distance_to(position) <= 0.0
    }

    /// Returns the units of a group whose positions are in the area, its border included.
    pub fn members(&self, units: &Units, group: &Group) -> impl Iterator<Item = usize> {
        group.units.clone().filter(|unit| self.contains(units.position[*unit]))
    }
}
