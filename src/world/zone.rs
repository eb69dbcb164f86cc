//! Zones: named areas that units pass through.

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
    /// Returns the units of a group whose positions are in the area, its border included.
    pub fn members(&self, units: &Units, group: &Group) -> impl Iterator<Item = usize> {
        group.units.clone().filter(|unit| self.area.distance_to(units.position[*unit]) <= 0.0)
    }
}
