//! The camera that faces straight down at a plane.

use glam::{Vec2, Vec3};
use steerbox_core::world::Arena;

use super::lens::{Lens, Spot};

/// Margin of the fitted world on each side, as a share of the view.
const MARGIN: f32 = 0.03;
/// Minimum scale, relative to the scale that fits the world.
const MIN_ZOOM: f32 = 0.5;
/// Points of the shortest unit at the greatest scale.
const CLOSEST: f32 = 40.0;
/// Lower bound of the greatest scale, relative to the scale that fits the world.
const CLOSER: f32 = 4.0;

/// A view straight down at the plane.
#[derive(Clone, Debug)]
pub struct PlaneCamera {
    /// World point in the middle of the view.
    center: Vec2,
    /// Pixels per world unit.
    scale: f32,
    /// The part of the canvas that shows the world, pixels.
    view: (Vec2, Vec2),
    /// Minimum and maximum pixels per world unit.
    zoom: (f32, f32),
    /// True if the whole world stays in view while the window is resized.
    fitted: bool,
}

impl PlaneCamera {
    /// A camera that fits the world once the size of its view is known.
    pub(crate) fn new() -> Self {
        Self {
            center: Vec2::ZERO,
            scale: 1.0,
            view: (Vec2::ZERO, Vec2::ONE),
            zoom: (f32::MIN_POSITIVE, f32::MAX),
            fitted: true,
        }
    }

    /// Sets the part of the canvas that shows the world.
    pub(crate) fn set_view(&mut self, min: Vec2, max: Vec2, arena: &Arena) {
        self.view = (min, max.max(min + 1.0));
        if self.fitted {
            self.fit(arena);
        }
    }

    /// Sets the limits of the zoom for a world whose shortest unit is `length` long, with `scale` pixels per
    /// point.
    pub(crate) fn limit(&mut self, arena: &Arena, length: f32, scale: f32) {
        let fits = self.fitting(arena);
        let closest = if length > 0.0 { CLOSEST * scale / length } else { 0.0 };
        self.zoom = (fits * MIN_ZOOM, closest.max(fits * CLOSER));
        self.set_scale(self.scale);
    }

    /// Pixels per world unit at which the whole world is in view.
    fn fitting(&self, arena: &Arena) -> f32 {
        let size = arena.size().truncate().max(Vec2::splat(1e-3));
        let room = (self.view.1 - self.view.0) * (1.0 - 2.0 * MARGIN);
        (room / size).min_element()
    }

    /// Fits the whole world, also after later changes of the window's size.
    pub(crate) fn fit(&mut self, arena: &Arena) {
        self.fitted = true;
        self.center = arena.center().truncate();
        self.scale = self.fitting(arena);
    }

    fn set_scale(&mut self, scale: f32) {
        self.scale = if scale.is_finite() { scale.clamp(self.zoom.0, self.zoom.1) } else { self.zoom.0 };
    }

    /// Returns the camera that shows each point where this one shows the point plus `shift`.
    pub(crate) fn shifted(&self, shift: Vec3) -> Self {
        Self { center: self.center - shift.truncate(), ..self.clone() }
    }

    /// Pixels per world unit.
    pub fn scale(&self) -> f32 {
        self.scale
    }

    /// The part of the canvas that shows the world: top left and bottom right, pixels.
    pub(crate) fn view(&self) -> (Vec2, Vec2) {
        self.view
    }

    /// The pixel of a world point.
    pub(crate) fn to_screen(&self, point: Vec3) -> Vec2 {
        let offset = (point.truncate() - self.center) * self.scale;
        (self.view.0 + self.view.1) * 0.5 + Vec2::new(offset.x, -offset.y)
    }

    /// The world point under a pixel, at z = 0.
    pub fn to_world(&self, pixel: Vec2) -> Vec3 {
        let offset = (pixel - (self.view.0 + self.view.1) * 0.5) / self.scale;
        (self.center + Vec2::new(offset.x, -offset.y)).extend(0.0)
    }

    /// Zooms so that the point under `pixel` stays fixed.
    pub(crate) fn zoom_at(&mut self, pixel: Vec2, factor: f32) {
        let before = self.to_world(pixel).truncate();
        self.fitted = false;
        self.set_scale(self.scale * factor);
        self.center += before - self.to_world(pixel).truncate();
    }

    /// Centers a point as closely as possible without a wider margin beyond the edges of the world
    /// than the fitted world has. Ignores a point that is not finite.
    pub(crate) fn show(&mut self, point: Vec3, arena: &Arena) {
        if !point.is_finite() {
            return;
        }
        let (middle, size) = (arena.center().truncate(), arena.size().truncate());
        let seen = (self.view.1 - self.view.0) * (1.0 - 2.0 * MARGIN) / self.scale;
        let way = ((size - seen) * 0.5).max(Vec2::ZERO);
        // Rounding can make a fitted world slightly larger than the visible part.
        let is_seen = way.cmple(size * 1e-4);
        let way = Vec2::select(is_seen, Vec2::ZERO, way);
        self.fitted &= is_seen.all();
        self.center = point.truncate().clamp(middle - way, middle + way);
    }

    /// Moves the view by a drag in pixels.
    pub(crate) fn pan(&mut self, pixels: Vec2) {
        self.fitted = false;
        self.center -= Vec2::new(pixels.x, -pixels.y) / self.scale;
    }
}

impl Lens for PlaneCamera {
    fn project(&self, point: Vec3) -> Option<Spot> {
        Some(Spot { pixel: self.to_screen(point), depth: 0.0, scale: self.scale })
    }
}

#[cfg(test)]
mod tests {
    use steerbox_core::world::{Domain, Edges};

    use super::*;

    fn arena() -> Arena {
        let domain = Domain::Plane { size: Vec2::new(800.0, 600.0) };
        Arena { domain, edges: Edges::Wrap, ..Arena::default() }
    }

    #[test]
    fn zooming_is_limited_by_the_world_and_its_units() {
        let (arena, middle) = (arena(), Vec2::splat(200.0));
        let mut camera = PlaneCamera::new();
        camera.set_view(Vec2::ZERO, Vec2::splat(400.0), &arena);
        camera.limit(&arena, 5.0, 1.0);
        let fits = camera.scale();
        for (factor, scale) in [(0.1, fits * 0.5), (1e9, 8.0), (f32::NAN, fits * 0.5)] {
            camera.zoom_at(middle, factor);
            assert!((camera.scale() - scale).abs() < 1e-4, "{factor}");
        }
        camera.limit(&arena, 5.0, 2.0);
        camera.zoom_at(middle, 1e9);
        assert!((camera.scale() - 16.0).abs() < 1e-4);
        camera.limit(&arena, f32::INFINITY, 1.0);
        camera.zoom_at(middle, 1e9);
        assert!((camera.scale() - fits * 4.0).abs() < 1e-4);
    }

    #[test]
    fn centering_a_point_adds_no_margin_beyond_the_edges() {
        let arena = arena();
        let mut camera = PlaneCamera::new();
        camera.set_view(Vec2::ZERO, Vec2::splat(400.0), &arena);
        let (fits, corner) = (camera.clone(), Vec3::new(795.0, 2.0, 0.0));
        camera.show(corner, &arena);
        assert_eq!(camera.to_screen(corner), fits.to_screen(corner), "all of the world is in view");
        camera.limit(&arena, 5.0, 1.0);
        camera.zoom_at(Vec2::splat(200.0), 3.0);
        camera.show(arena.center(), &arena);
        assert!(camera.to_screen(arena.center()).abs_diff_eq(Vec2::splat(200.0), 1e-3));
        for point in [corner, Vec3::ZERO, Vec3::new(10.0, 590.0, 0.0)] {
            camera.show(point, &arena);
            let seen = camera.to_screen(point);
            assert!(seen.cmpge(Vec2::ZERO).all() && seen.cmple(Vec2::splat(400.0)).all(), "{seen}");
            let least = camera.to_screen(Vec3::new(0.0, 600.0, 0.0));
            let most = camera.to_screen(Vec3::new(800.0, 0.0, 0.0));
            let margin = Vec2::splat(400.0 * MARGIN + 1e-2);
            assert!(least.cmple(margin).all() && most.cmpge(400.0 - margin).all(), "{least} {most}");
        }
        camera.show(Vec3::NAN, &arena);
        assert!(camera.to_screen(corner).is_finite());
    }

    #[test]
    fn pixels_and_points_round_trip_and_zooming_fixes_the_point_under_the_pointer() {
        let arena = arena();
        let mut camera = PlaneCamera::new();
        camera.set_view(Vec2::ZERO, Vec2::new(400.0, 400.0), &arena);
        assert!(camera.to_screen(arena.center()).abs_diff_eq(Vec2::splat(200.0), 1e-3));
        let pixel = Vec2::new(37.0, 290.0);
        let under = camera.to_world(pixel);
        camera.zoom_at(pixel, 1.7);
        assert!(camera.to_screen(under).abs_diff_eq(pixel, 1e-2));
        camera.pan(Vec2::new(10.0, 5.0));
        assert!(camera.to_screen(under).abs_diff_eq(pixel + Vec2::new(10.0, 5.0), 1e-2));
        camera.set_view(Vec2::ZERO, Vec2::ZERO, &arena);
        camera.fit(&arena);
        assert!(camera.scale() > 0.0);
    }
}
