//! Zones: named areas that units pass through.

use glam::{Vec2, Vec3};
use serde::{Deserialize, Serialize};

use super::extrema::Extrema;
use super::group::Group;
use super::obstacle::Obstacle;
use super::units::Units;

/// The margin of bounds, in the coordinates farthest from the origin.
const MARGIN: f32 = 1e-4;

/// A named area.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
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

    /// Returns two corners of a box that contains the area, with a margin for rounding; it is infinite for a container, and
    /// for an area that has images in the arena.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let (low, high) = self.area.solid.bounds();
        let size = low.abs().max(high.abs());
        let margin = size.max(Vec3::splat(size.x.greater(size.y))) * MARGIN;
        let (low, high) = (low - margin, high + margin);
        let is_within = |period: Vec2| low.truncate().min(period - high.truncate()).min_element() >= 0.0;
        if self.area.inside_out || !self.area.period.is_none_or(is_within) {
            return (Vec3::NEG_INFINITY, Vec3::INFINITY);
        }
        (low, high)
    }

    /// [`Zone::contains`] with the bounds of the zone: out of them, no distance is computed.
    #[inline]
    pub fn contains_in(&self, (low, high): (Vec3, Vec3), position: Vec3) -> bool {
        position.cmpge(low).all() && position.cmple(high).all() && self.contains(position)
    }

    /// Returns the units of a group whose positions are in the area, its border included.
    pub fn members(&self, units: &Units, group: &Group) -> impl Iterator<Item = usize> {
        let bounds = self.bounds();
        group.units.clone().filter(move |unit| self.contains_in(bounds, units.position[*unit]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::{Solid, random};

    #[test]
    fn positions_out_of_bounds_are_not_in_the_area() {
        let shapes = [
            Solid::ball(Vec3::new(30.0, 20.0, 0.0), 9.0),
            Solid::Capsule { from: Vec3::new(5.0, 5.0, 0.0), to: Vec3::new(50.0, 30.0, 0.0), radius: 4.0 },
            Solid::Box {
                center: Vec3::new(40.0, 30.0, 0.0),
                half: Vec3::new(12.0, 5.0, f32::INFINITY),
                angle: 0.6.into(),
            },
        ];
        let mut inside = 0;
        let periods = [None, Some(Vec2::new(80.0, 60.0)), Some(Vec2::new(45.0, 24.0))];
        let cases = shapes.iter().flat_map(|solid| [(solid, false), (solid, true)]);
        for ((solid, container), period) in cases.flat_map(|case| periods.map(|period| (case, period))) {
            let area = Obstacle { inside_out: container, period, ..solid.clone().into() };
            let zone = Zone { name: "a".to_owned(), area };
            for number in 0..4000 {
                let part = |axis| random::draw(1, number, 0, 0, axis);
                let Vec2 { x, y } = period.unwrap_or(Vec2::new(90.0, 70.0));
                let position = Vec3::new(x * part(0), y * part(1), 0.0);
                let is_in = zone.contains(position);
                assert_eq!(is_in, zone.contains_in(zone.bounds(), position), "{zone:?} {position}");
                inside += usize::from(is_in);
            }
        }
        assert!((12_000..60_000).contains(&inside), "{inside}");
    }
}
