//! Where the window looks, world to pixels and back: straight down at a plane, or from an eye in
//! space.

mod chase;
mod eye;
mod lens;
mod orbit;
mod plane;
mod space;

pub(in crate::app) use eye::Eye;
pub(in crate::app) use lens::{Lens, Spot};
pub(in crate::app) use plane::PlaneCamera;
use space::SpaceCamera;

use glam::{Vec2, Vec3};

use super::interpolated_poses::Shown;
use crate::world::{Arena, World};

/// How a camera looks at this moment.
pub(in crate::app) enum Sight<'a> {
    /// Straight down.
    Plane(&'a PlaneCamera),
    /// From an eye in space.
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

/// The camera of the window: one for each kind of world, so that a scene which changes from one to
/// the other and back is seen as before.
#[derive(Clone, Debug)]
pub(in crate::app) struct Camera {
    plane: PlaneCamera,
    space: SpaceCamera,
    in_space: bool,
    /// Pixels of a point.
    scale: f32,
}

impl Camera {
    /// A camera that shows the whole world as soon as it has a view.
    pub(in crate::app) fn new() -> Self {
        Self { plane: PlaneCamera::new(), space: SpaceCamera::new(), in_space: false, scale: 1.0 }
    }

    /// Takes over the part of the canvas that shows the world.
    pub(in crate::app) fn set_view(&mut self, min: Vec2, max: Vec2, scale: f32, world: &World) {
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

    /// Pixels of a point.
    pub(in crate::app) fn pixels_per_point(&self) -> f32 {
        self.scale
    }

    /// The part of the canvas that shows the world: top left and bottom right, pixels.
    pub(in crate::app) fn view(&self) -> (Vec2, Vec2) {
        if self.in_space { self.space.view() } else { self.plane.view() }
    }

    /// How it looks now.
    pub(in crate::app) fn sight(&self) -> Sight<'_> {
        if self.in_space { Sight::Space(self.space.eye()) } else { Sight::Plane(&self.plane) }
    }

    /// The eye in space, if it looks from one.
    pub(in crate::app) fn eye(&self) -> Option<Eye> {
        self.in_space.then(|| self.space.eye())
    }

    /// Shows the whole world.
    pub(in crate::app) fn fit(&mut self, arena: &Arena) {
        if self.in_space {
            self.space.fit();
        } else {
            self.plane.fit(arena);
        }
    }

    /// The world point that a click on a pixel means.
    pub(in crate::app) fn to_world(&self, pixel: Vec2) -> Vec3 {
        if self.in_space { self.space.to_world(pixel) } else { self.plane.to_world(pixel) }
    }

    /// The world point at a pixel that is as far away as `place`.
    pub(in crate::app) fn to_world_at(&self, pixel: Vec2, place: Vec3) -> Vec3 {
        match self.sight() {
            Sight::Plane(plane) => plane.to_world(pixel),
            Sight::Space(eye) => eye.point(pixel, eye.depth(place)),
        }
    }

    /// World units that a pixel takes at a place.
    pub(in crate::app) fn unit_at(&self, place: Vec3) -> f32 {
        match self.sight() {
            Sight::Plane(plane) => 1.0 / plane.scale(),
            Sight::Space(eye) => eye.unit(eye.depth(place)),
        }
    }

    /// So many pixels to the right and up as a way in the world, at a place.
    pub(in crate::app) fn across(&self, pixels: Vec2, place: Vec3) -> Vec3 {
        let way = pixels * self.unit_at(place);
        self.eye().map_or(way.extend(0.0), |eye| eye.right * way.x + eye.up * way.y)
    }

    /// Pixels that a world unit takes at a place; 0 where it is not seen.
    pub(in crate::app) fn scale_at(&self, place: Vec3) -> f32 {
        self.sight().project(place).map_or(0.0, |spot| spot.scale)
    }

    /// Zooms: in a plane, what is under `pixel` stays there.
    pub(in crate::app) fn zoom_at(&mut self, pixel: Vec2, factor: f32) {
        if self.in_space {
            self.space.zoom(factor);
        } else {
            self.plane.zoom_at(pixel, factor);
        }
    }

    /// Drags the plane, or turns space, by pixels.
    pub(in crate::app) fn drag(&mut self, pixels: Vec2) {
        if self.in_space {
            // A turn is as large at every scale.
            self.space.drag(pixels / self.scale);
        } else {
            self.plane.pan(pixels);
        }
    }

    /// No button is held any more.
    pub(in crate::app) fn release(&mut self) {
        self.space.release();
    }

    /// Follows the player, or no longer.
    pub(in crate::app) fn toggle_chase(&mut self) {
        self.space.toggle_chase();
    }

    /// Moves on by wall time, whether the simulation runs or not, with `unit` if it follows one.
    pub(in crate::app) fn follow(&mut self, world: &World, shown: &Shown, unit: Option<usize>, seconds: f32) {
        match unit.filter(|unit| *unit < world.units.len()) {
            Some(unit) if !self.in_space => self.plane.show(shown.position(world, unit), &world.arena),
            _ => {}
        }
        self.space.follow(world, shown, unit, seconds);
    }

    /// Shows a point of a plane; space is always seen whole.
    pub(in crate::app) fn show(&mut self, point: Vec3, arena: &Arena) {
        if !self.in_space {
            self.plane.show(point, arena);
        }
    }
}
