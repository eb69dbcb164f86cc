//! Four points at once: differences and lengths.

use glam::{Vec3, Vec4};

/// Four points, one vector per component.
pub(super) type PointsX4 = [Vec4; 3];

pub(super) fn difference(points: PointsX4, from: Vec3) -> PointsX4 {
    [0, 1, 2].map(|axis| points[axis] - from[axis])
}

pub(super) fn length([x, y, z]: [Vec4; 3]) -> Vec4 {
    let square = x * x + y * y + z * z;
    Vec4::from(square.to_array().map(f32::sqrt))
}
