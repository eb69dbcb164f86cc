//! Holding an obstacle or the target with the mouse.

use egui::CursorIcon;
use glam::{Vec2, Vec3};

use super::action::Action;
use super::camera::{Camera, Lens, Sight};
use super::live_session::LiveSession;
use crate::world::{Obstacle, Solid};

/// Points beside an obstacle, or beside the rim of a container, at which it can still be held.
const REACH: f32 = 4.0;
/// Points from the middle of the target's crosshair to its ends.
const CROSSHAIR: f32 = 14.0;

/// What can be held.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Held {
    /// One of the world's obstacles.
    Obstacle(usize),
    /// The rim of one of them: it becomes larger or smaller.
    Rim(usize),
    /// The crosshair of the target.
    Target,
}

/// Something that the pointer holds.
#[derive(Clone, Copy, Debug)]
pub(super) struct ObstacleDrag {
    held: Held,
    /// From the pointer to its center, world units.
    offset: Vec3,
}

impl ObstacleDrag {
    /// Takes hold of what is at a pixel: of the target, else of the obstacle that is drawn last.
    pub(super) fn take(pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Self> {
        Self::target(pixel, camera, session).or_else(|| Self::obstacle(pixel, camera, session))
    }

    fn target(pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Self> {
        let target = session.shown_target()?;
        let spot = camera.sight().project(target)?;
        let offset = match camera.sight() {
            Sight::Plane(_) => target - camera.to_world(pixel),
            Sight::Space(_) => Vec3::ZERO,
        };
        let held = Held::Target;
        (spot.pixel.distance(pixel) <= CROSSHAIR * camera.pixels_per_point()).then_some(Self { held, offset })
    }

    fn obstacle(pixel: Vec2, camera: &Camera, session: &LiveSession) -> Option<Self> {
        let reach = REACH * camera.pixels_per_point() * world_unit(camera)?;
        let point = camera.to_world(pixel);
        let obstacles = session.run.simulation.world().obstacles.iter().enumerate();
        let mut near = obstacles.rev().filter(|(_, obstacle)| {
            let distance = obstacle.solid.distance_to(point);
            // All the world is inside a container: it is held by its rim.
            let distance = if obstacle.inside_out { distance.abs() } else { distance };
            distance <= reach
        });
        let (at, obstacle) = near.next()?;
        let is_rim = obstacle.solid.distance_to(point).abs() <= reach;
        let known = session.run.generation.scene.world.obstacles.len();
        // A container is moved by its rim, and no file has the radius of what is scattered.
        let resizes = is_rim && !obstacle.inside_out && at < known && is_ball(obstacle);
        let held = if resizes { Held::Rim(at) } else { Held::Obstacle(at) };
        Some(Self { held, offset: obstacle.position() - point })
    }

    /// What the pointer looks like over it, at a pixel.
    pub(super) fn cursor(self) -> CursorIcon {
        let across = self.offset.x.abs() > self.offset.y.abs();
        match self.held {
            Held::Rim(_) if across => CursorIcon::ResizeHorizontal,
            Held::Rim(_) => CursorIcon::ResizeVertical,
            _ => CursorIcon::Grab,
        }
    }

    /// Whether it is a rim.
    pub(super) fn is_rim(self) -> bool {
        matches!(self.held, Held::Rim(_))
    }

    /// What a drag does, in words.
    pub(super) fn hint(self) -> Option<String> {
        match self.held {
            Held::Obstacle(at) => Some(format!("drag: move obstacle {}", at + 1)),
            Held::Rim(at) => Some(format!("drag: change the radius of obstacle {}", at + 1)),
            Held::Target => None,
        }
    }

    /// What dragging it to a pixel asks for.
    pub(super) fn drag(self, pixel: Vec2, camera: &Camera, session: &LiveSession) -> Action {
        let to = camera.to_world(pixel) + self.offset;
        match self.held {
            Held::Target => Action::Target(Some(to)),
            Held::Rim(at) => {
                let unit = world_unit(camera).unwrap_or(1.0);
                let obstacle = session.run.simulation.world().obstacles.get(at);
                let center = obstacle.map_or(to, Obstacle::position);
                let radius = rounded(center.distance(camera.to_world(pixel)), unit);
                Action::ResizeObstacle(at, radius.max(unit))
            }
            // In round numbers, no finer than a pixel: they go into the scene's file.
            Held::Obstacle(at) => {
                let unit = world_unit(camera).unwrap_or(1.0);
                let to = Vec3::new(rounded(to.x, unit), rounded(to.y, unit), 0.0);
                Action::DragObstacle(at, to)
            }
        }
    }

    /// What leaving it there asks for.
    pub(super) fn place(self) -> Option<Action> {
        match self.held {
            Held::Target => None,
            Held::Obstacle(at) | Held::Rim(at) => Some(Action::PlaceObstacle(at)),
        }
    }
}

fn is_ball(obstacle: &Obstacle) -> bool {
    matches!(obstacle.solid, Solid::Ball { .. })
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
