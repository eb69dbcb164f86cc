//! Holding an obstacle with the mouse.

use glam::{Vec2, Vec3};

use super::camera::{Camera, Sight};
use super::session::Session;

/// Pixels beside an obstacle, or beside the rim of a container, at which it can still be held.
const REACH: f32 = 4.0;

/// An obstacle of a plane that the pointer holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct Grip {
    /// Which of the world's obstacles.
    pub(super) at: usize,
    /// From the pointer to its center, world units.
    offset: Vec3,
}

impl Grip {
    /// Takes hold of the obstacle at a pixel; of several, of the one that is drawn last.
    pub(super) fn take(pixel: Vec2, camera: &Camera, session: &Session) -> Option<Self> {
        let reach = REACH * world_unit(camera)?;
        let point = camera.to_world(pixel);
        let obstacles = session.simulation.world().obstacles.iter().enumerate();
        let mut held = obstacles.rev().filter(|(_, obstacle)| {
            let distance = obstacle.solid.distance_to(point);
            // All the world is inside a container: it is held by its rim.
            let distance = if obstacle.inside_out {
                distance.abs()
            } else {
                distance
            };
            distance <= reach
        });
        held.next().map(|(at, obstacle)| Self {
            at,
            offset: obstacle.position() - point,
        })
    }

    /// Where the pointer at a pixel takes the obstacle's center: in round numbers, no finer than a pixel.
    pub(super) fn to(self, pixel: Vec2, camera: &Camera) -> Vec3 {
        let to = camera.to_world(pixel) + self.offset;
        let unit = world_unit(camera).unwrap_or(1.0);
        Vec3::new(rounded(to.x, unit), rounded(to.y, unit), 0.0)
    }
}

/// World units that a pixel of a plane takes.
fn world_unit(camera: &Camera) -> Option<f32> {
    match camera.sight() {
        Sight::Plane(plane) => Some(1.0 / plane.scale()),
        Sight::Space(_) => None,
    }
}

/// The multiple of a power of ten nearest to `value`, the largest power that is at most `unit`.
fn rounded(value: f32, unit: f32) -> f32 {
    let (mut step, mut parts) = (1.0_f64, 1.0_f64);
    while step * 10.0 <= f64::from(unit) {
        step *= 10.0;
    }
    while step / parts > f64::from(unit) && parts < 1e6 {
        parts *= 10.0;
    }
    let value = f64::from(value);
    ((value / step * parts).round() / parts * step) as f32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_are_as_round_as_a_pixel_allows() {
        assert_eq!(rounded(123.456, 0.9).to_string(), "123.5");
        assert_eq!(rounded(123.456, 1.0).to_string(), "123");
        assert_eq!(rounded(123.456, 30.0).to_string(), "120");
        assert_eq!(rounded(0.126, 0.04).to_string(), "0.13");
        assert!(rounded(f32::MAX, 1e-30).is_finite());
    }
}
