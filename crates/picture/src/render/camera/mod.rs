//! Cameras, world to pixels and back: straight down at a plane, or perspective in
//! space.

mod chase;
mod eye;
mod lens;
mod orbit;
mod plane;
mod space;

pub use eye::Eye;
use glam::{Vec2, Vec3};
pub use lens::{Lens, Spot};
pub(crate) use plane::PlaneCamera;
use space::SpaceCamera;
use steerbox_core::world::{Arena, World};

use super::interpolated_poses::InterpolatedPoses;

/// The current projection of a camera.
pub enum Sight<'a> {
    /// Straight down at a plane.
    Plane(&'a PlaneCamera),
    /// Perspective from an eye in space.
    Space(Eye),
}

impl Lens for Sight<'_> {
    fn project(&self, point: Vec3) -> Option<Spot> {
        match self {
            Self::Plane(camera) => camera.project(point),
            Self::Space(eye) => eye.project(point),
        }
    }
}

/// The camera of the window: one for each kind of world, so that each view is preserved when a scene changes
/// from a plane to space and back.
#[derive(Clone, Debug)]
pub struct Camera {
    plane: PlaneCamera,
    space: SpaceCamera,
    in_space: bool,
    /// Pixels per point.
    scale: f32,
}

impl Default for Camera {
    /// A camera that shows the whole world once the size of its view is known.
    fn default() -> Self {
        Self { plane: PlaneCamera::new(), space: SpaceCamera::new(), in_space: false, scale: 1.0 }
    }
}

impl Camera {
    /// Sets the part of the canvas that shows the world.
    pub fn set_view(&mut self, min: Vec2, max: Vec2, scale: f32, world: &World) {
        let arena = &world.arena;
        self.scale = scale;
        self.in_space = !arena.is_plane();
        if self.in_space {
            self.space.set_view(min, max, arena);
        } else {
            let lengths = world.groups.iter().map(|group| group.body.length());
            self.plane.set_view(min, max, arena);
            self.plane.limit(arena, lengths.fold(f32::INFINITY, f32::min), scale);
        }
    }

    /// Pixels per point.
    pub fn pixels_per_point(&self) -> f32 {
        self.scale
    }

    /// The part of the canvas that shows the world: top left and bottom right, pixels.
    pub fn view(&self) -> (Vec2, Vec2) {
        if self.in_space { self.space.view() } else { self.plane.view() }
    }

    /// The current projection.
    pub fn sight(&self) -> Sight<'_> {
        if self.in_space { Sight::Space(self.space.eye()) } else { Sight::Plane(&self.plane) }
    }

    /// The eye in space; `None` in a plane.
    pub fn eye(&self) -> Option<Eye> {
        self.in_space.then(|| self.space.eye())
    }

    /// Shows the whole world.
    pub fn fit(&mut self, arena: &Arena) {
        if self.in_space {
            self.space.fit();
        } else {
            self.plane.fit(arena);
        }
    }

    /// The world point that corresponds to a click on a pixel.
    pub fn to_world(&self, pixel: Vec2) -> Vec3 {
        if self.in_space { self.space.to_world(pixel) } else { self.plane.to_world(pixel) }
    }

    /// The world point at a pixel, at the depth of `place`.
    pub fn to_world_at(&self, pixel: Vec2, place: Vec3) -> Vec3 {
        match self.sight() {
            Sight::Plane(plane) => plane.to_world(pixel),
            Sight::Space(eye) => eye.point(pixel, eye.depth(place)),
        }
    }

    /// World units per pixel at a place.
    pub fn unit_at(&self, place: Vec3) -> f32 {
        match self.sight() {
            Sight::Plane(plane) => 1.0 / plane.scale(),
            Sight::Space(eye) => eye.unit(eye.depth(place)),
        }
    }

    /// A shift by pixels to the right and up as a world vector, at a place.
    pub fn across(&self, pixels: Vec2, place: Vec3) -> Vec3 {
        let way = pixels * self.unit_at(place);
        self.eye().map_or(way.extend(0.0), |eye| eye.right * way.x + eye.up * way.y)
    }

    /// Pixels per world unit at a place; 0 if the place is not visible.
    pub fn scale_at(&self, place: Vec3) -> f32 {
        self.sight().project(place).map_or(0.0, |spot| spot.scale)
    }

    /// Zooms: in a plane, the point under `pixel` stays fixed.
    pub fn zoom_at(&mut self, pixel: Vec2, factor: f32) {
        if self.in_space {
            self.space.zoom(factor);
        } else {
            self.plane.zoom_at(pixel, factor);
        }
    }

    /// A drag by pixels: moves a plane, or turns space.
    pub fn drag(&mut self, pixels: Vec2) {
        if self.in_space {
            // The turn does not depend on the scale.
            self.space.drag(pixels / self.scale);
        } else {
            self.plane.pan(pixels);
        }
    }

    /// Ends a drag.
    pub fn release(&mut self) {
        self.space.release();
    }

    /// Follows the player, or stops.
    pub fn toggle_chase(&mut self) {
        self.space.toggle_chase();
    }

    /// Advances the camera by wall time, whether the simulation runs or not; it follows `unit`, if there is one.
    pub fn follow(&mut self, world: &World, shown: &InterpolatedPoses, unit: Option<usize>, seconds: f32) {
        match unit.filter(|unit| *unit < world.units.len()) {
            Some(unit) if !self.in_space => self.plane.show(shown.position(world, unit), &world.arena),
            _ => {}
        }
        self.space.follow(world, shown, unit, seconds);
    }

    /// Centers a point of a plane; space is always visible as a whole.
    pub fn show(&mut self, point: Vec3, arena: &Arena) {
        if !self.in_space {
            self.plane.show(point, arena);
        }
    }
}
