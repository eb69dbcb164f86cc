//! Direct manipulation of each shape: a new one, its corners, its rim.

use glam::Vec3;
use steerbox_core::world::{Polygon, Solid, SolidKind};

/// A new shape with its middle at a position, in a plane or in space; `None` for shapes that are drawn instead.
pub(crate) fn new_solid(kind: SolidKind, center: Vec3, size: f32, is_plane: bool) -> Option<Solid> {
    Some(match kind {
        SolidKind::Ball => Solid::ball(center, size),
        SolidKind::Box => {
            let half = Vec3::new(size * 1.5, size, if is_plane { f32::INFINITY } else { size });
            Solid::Box { center, half, angle: 0.0.into() }
        }
        SolidKind::Capsule => {
            let end = Vec3::X * (size * 2.0);
            Solid::Capsule { from: center - end, to: center + end, radius: size * 0.5 }
        }
        SolidKind::Polygon => return None,
    })
}

/// Returns true if a drag of the rim resizes the shape.
pub(crate) fn has_rim_handle(solid: &Solid) -> bool {
    match solid {
        Solid::Ball { .. } => true,
        Solid::Capsule { .. } | Solid::Box { .. } | Solid::Polygon(_) => false,
    }
}

/// The shape after one corner has moved, with the opposite corner of a box fixed; `None` if the result is invalid.
pub(crate) fn with_corner(solid: &Solid, corner: usize, to: Vec3) -> Option<Solid> {
    match solid {
        Solid::Ball { .. } => None,
        Solid::Capsule { from, radius, .. } if corner == 1 => {
            Some(Solid::Capsule { from: *from, to, radius: *radius })
        }
        Solid::Capsule { to: end, radius, .. } => {
            Some(Solid::Capsule { from: to, to: *end, radius: *radius })
        }
        Solid::Box { half, angle, .. } => {
            let opposite = *solid.corners().get((corner + 2) % 4)?;
            let across = angle.rotate_back(to - opposite);
            let half = (across.abs() * 0.5).with_z(half.z);
            let is_shape = half.x > 0.0 && half.y > 0.0;
            is_shape.then_some(Solid::Box { center: (to + opposite) * 0.5, half, angle: *angle })
        }
        Solid::Polygon(polygon) => {
            let mut corners = polygon.corners().to_vec();
            *corners.get_mut(corner)? = to.truncate();
            Polygon::new(corners).ok().map(Solid::Polygon)
        }
    }
}

#[cfg(test)]
mod tests {
    use glam::Vec2;

    use super::*;

    #[test]
    fn a_dragged_corner_moves_alone() {
        let corners_of_it = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)];
        let shapes = [
            Solid::Polygon(Polygon::new(corners_of_it.map(Vec2::from).to_vec()).unwrap()),
            Solid::Capsule { from: Vec3::ZERO, to: Vec3::X * 9.0, radius: 1.0 },
        ];
        for shape in shapes {
            let before = shape.corners();
            let to = before[1] + Vec3::new(1.0, -1.0, 0.0);
            let after = with_corner(&shape, 1, to).unwrap().corners();
            assert_eq!((after[0], after[1], after.len()), (before[0], to, before.len()));
        }
    }

    #[test]
    fn a_resized_box_preserves_the_opposite_corner_and_the_rotation() {
        let half = Vec3::new(4.0, 2.0, f32::INFINITY);
        let shape = Solid::Box { center: Vec3::new(10.0, 10.0, 0.0), half, angle: 0.5.into() };
        let before = shape.corners();
        for corner in 0..4 {
            let away = (before[corner] - shape.position()) * 0.5;
            let larger = with_corner(&shape, corner, before[corner] + away).unwrap();
            let after = larger.corners();
            let opposite = (corner + 2) % 4;
            assert!(after[opposite].distance(before[opposite]) < 1e-4);
            assert!(after[corner].distance(before[corner] + away) < 1e-4);
        }
        assert_eq!(with_corner(&shape, 0, before[2]), None, "a box without an extent is rejected");
    }

    #[test]
    fn a_drag_to_crossing_edges_leaves_the_shape_unchanged() {
        let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 3.0), (0.0, 3.0)].map(Vec2::from);
        let shape = Solid::Polygon(Polygon::new(corners.to_vec()).unwrap());
        assert_eq!(with_corner(&shape, 0, Vec3::new(9.0, 1.0, 0.0)), None);
    }
}
