//! An orbit around a point: a distance, yaw about +y, pitch up and down.

use glam::{Vec2, Vec3};

/// Radians of turn per pixel of a drag.
const TURN: f32 = 0.006;
/// Steepest pitch, radians: at the poles, up is undefined.
pub(super) const STEEPEST: f32 = 1.35;
/// Nearest and farthest distance of the zoom, relative to the distance that fits the world.
pub(super) const ZOOM: std::ops::RangeInclusive<f32> = 0.08..=3.0;

/// The position of an eye on an orbit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Orbit {
    pub(super) yaw: f32,
    pub(super) pitch: f32,
    /// Distance relative to the one that fits the world.
    pub(super) zoom: f32,
}

impl Orbit {
    /// A little from above and from the side.
    pub(super) fn new() -> Self {
        Self { yaw: 0.6, pitch: -0.3, zoom: 1.0 }
    }

    /// The direction of view.
    pub(super) fn forward(&self) -> Vec3 {
        direction(self.yaw, self.pitch)
    }

    pub(super) fn drag(&mut self, pixels: Vec2) {
        if !pixels.is_finite() {
            return;
        }
        self.yaw = (self.yaw + pixels.x * TURN) % std::f32::consts::TAU;
        self.pitch = (self.pitch - pixels.y * TURN).clamp(-STEEPEST, STEEPEST);
    }

    pub(super) fn zoom(&mut self, factor: f32) {
        self.zoom = nearer(self.zoom, factor);
    }
}

/// The distance after zooming by `factor`, within the limits.
pub(super) fn nearer(zoom: f32, factor: f32) -> f32 {
    let wanted = zoom / factor;
    if wanted.is_finite() { wanted.clamp(*ZOOM.start(), *ZOOM.end()) } else { zoom }
}

/// The unit vector at `yaw` from −z towards +x and `pitch` towards +y.
pub(super) fn direction(yaw: f32, pitch: f32) -> Vec3 {
    let ((yaw_sin, yaw_cos), (sin, cos)) = (libm::sincosf(yaw), libm::sincosf(pitch));
    Vec3::new(cos * yaw_sin, sin, -cos * yaw_cos)
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3Swizzles;

    #[test]
    fn dragging_never_reaches_the_poles_and_zooming_stays_within_limits() {
        let mut orbit = Orbit::new();
        orbit.drag(Vec2::new(1e6, 1e6));
        assert_eq!(orbit.pitch, -STEEPEST);
        assert!(orbit.forward().is_normalized() && orbit.forward().xz().length() > 0.1);
        orbit.drag(Vec2::new(0.0, -1e6));
        assert_eq!(orbit.pitch, STEEPEST);
        orbit.drag(Vec2::NAN);
        assert!(orbit.forward().is_finite());
        for (factor, zoom) in [(1e9, *ZOOM.start()), (1e-9, *ZOOM.end())] {
            orbit.zoom(factor);
            assert_eq!(orbit.zoom, zoom);
            orbit.zoom(0.0);
            orbit.zoom(f32::NAN);
            assert_eq!(orbit.zoom, zoom);
        }
    }

    #[test]
    fn dragging_moves_the_near_side_with_the_pointer() {
        let mut orbit = Orbit { yaw: 0.0, pitch: 0.0, zoom: 1.0 };
        orbit.drag(Vec2::new(50.0, 50.0));
        let eye = -orbit.forward();
        assert!(eye.x < 0.0 && eye.y > 0.0 && eye.z > 0.0, "{eye}");
    }
}
