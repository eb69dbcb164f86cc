//! Conversion between the coordinates of files and positions, which are relative to the origin of the world.
//!
//! Positions have 24 significant bits: 0.5 m at the northings of maps, 5,800,000 m. With an origin near them, they are
//! small. Sums and differences are those of decimal numbers, so that a table contains the digits that it was read from.

use glam::{DVec3, Vec3};
use serde::Serialize;

use super::arena::Arena;
use super::clock::decimal;

/// The coordinates of a position in files. Formatted like a vector with rounded components: see
/// [`crate::sim::rounded`].
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
#[serde(untagged)]
pub enum Coordinates {
    /// The position itself, in a world without an origin.
    Single([f32; 3]),
    /// The sum of origin and position.
    Double([f64; 3]),
}

impl Arena {
    /// Returns the coordinates of a position in files.
    pub fn coordinates(&self, position: Vec3) -> Coordinates {
        if self.origin == DVec3::ZERO {
            return Coordinates::Single(position.to_array());
        }
        Coordinates::Double([0, 1, 2].map(|axis| absolute(position[axis], self.origin[axis])))
    }
}

/// Returns the coordinate of a position along an axis of a world with this origin.
pub fn absolute(position: f32, origin: f64) -> f64 {
    decimal(position) + origin
}

/// Returns the position of a coordinate along an axis of a world with this origin, with the decimals of the coordinate.
pub fn relative(coordinate: f64, origin: f64) -> f32 {
    if origin == 0.0 {
        return coordinate as f32;
    }
    let difference = coordinate - origin;
    let size = if coordinate.abs() > origin.abs() { coordinate.abs() } else { origin.abs() };
    // The greatest power of ten whose reciprocal the coordinate resolves.
    let mut scale = 1.0;
    while scale * 10.0 * size * f64::EPSILON <= 1.0 && scale < 1e15 {
        scale *= 10.0;
    }
    ((difference * scale).round() / scale) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_near_the_origin_have_the_digits_of_the_file() {
        for (coordinate, position) in [(5_811_012.3, 12.3), (5_810_999.99, -0.01), (5_811_000.000_7, 0.000_7)]
        {
            assert_eq!(relative(coordinate, 5_811_000.0), position);
            assert_eq!(absolute(position, 5_811_000.0), coordinate);
        }
        // 0.1 + 0.2 in binary is not the double nearest to 0.3, but the nearest position is.
        assert_eq!(relative(0.3, 0.1), 0.2);
        assert_eq!(relative(-7.0, 0.0), -7.0);
    }

    #[test]
    fn a_world_without_an_origin_writes_positions_unchanged() {
        let position = Vec3::new(0.1, -0.0, 1e-20);
        assert_eq!(Arena::default().coordinates(position), Coordinates::Single(position.to_array()));
        let arena = Arena { origin: DVec3::new(389_000.0, 0.0, 0.0), ..Arena::default() };
        let written = Coordinates::Double([389_000.1, 0.0, f64::from(1e-20_f32)]);
        assert_eq!(arena.coordinates(position), written);
    }
}
