//! The obstacle under the pointer.

use glam::{Vec2, Vec3};
use steerbox_core::world::Obstacle;
use steerbox_picture::render::camera::{Camera, Eye, Sight};

/// Distance from an obstacle, or from the rim of a container, within which it can be dragged, points.
const HIT_DISTANCE: f32 = 4.0;

/// An obstacle under the pointer.
pub(crate) struct UnderPointer {
    /// Its index.
    pub(crate) at: usize,
    /// True if the pointer is at its rim.
    pub(crate) is_at_rim: bool,
}

/// The obstacle at a pixel: in a plane the one that is drawn last, in space the nearest.
pub(crate) fn obstacle_at(pixel: Vec2, camera: &Camera, obstacles: &[Obstacle]) -> Option<UnderPointer> {
    let reach = HIT_DISTANCE * camera.pixels_per_point();
    match camera.sight() {
        Sight::Plane(plane) => in_plane(plane.to_world(pixel), reach / plane.scale(), obstacles),
        Sight::Space(eye) => in_space(&eye, pixel, reach, (camera, obstacles)),
    }
}

fn in_plane(point: Vec3, reach: f32, obstacles: &[Obstacle]) -> Option<UnderPointer> {
    let mut near = obstacles.iter().enumerate().rev().filter_map(|(at, obstacle)| {
        let gap = obstacle.solid.distance_to(point);
        // The whole world is inside a container: only its rim can be dragged.
        let distance = if obstacle.inside_out { gap.abs() } else { gap };
        (distance <= reach).then_some(UnderPointer { at, is_at_rim: gap.abs() <= reach })
    });
    near.next()
}

/// Containers are invisible there.
fn in_space(
    eye: &Eye,
    pixel: Vec2,
    reach: f32,
    (camera, obstacles): (&Camera, &[Obstacle]),
) -> Option<UnderPointer> {
    let along = eye.along(pixel);
    let solid = obstacles.iter().enumerate().filter(|(_, obstacle)| !obstacle.inside_out);
    let met = solid.filter_map(|(at, obstacle)| {
        // The point at which the line of sight passes its middle.
        let distance = (obstacle.position() - eye.at).dot(along);
        let point = eye.at + along * distance;
        let (gap, reach) = (obstacle.solid.distance_to(point), reach * camera.unit_at(point));
        let hit = obstacle.ray(eye.at, along, f32::INFINITY).map(|hit| hit.distance);
        let distance = hit.or((distance > 0.0 && gap <= reach).then_some(distance))?;
        Some((UnderPointer { at, is_at_rim: gap.abs() <= reach }, distance))
    });
    met.min_by(|a, b| a.1.total_cmp(&b.1)).map(|(under, _)| under)
}
