//! An eye in space and its perspective.

use glam::{Vec2, Vec3};

use super::lens::{Lens, Spot};

/// Tangent of half the field of view, 50°, along the lower or narrower side of the view.
pub(super) const HALF_VIEW: f32 = 0.466;

/// Position, direction and projection of an eye.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Eye {
    /// The position.
    pub at: Vec3,
    pub(crate) right: Vec3,
    pub(crate) up: Vec3,
    pub(crate) forward: Vec3,
    view: (Vec2, Vec2),
    /// Pixels per world unit at depth 1.
    focal: f32,
    /// Depth of the near plane, above zero.
    near: f32,
}

impl Eye {
    /// An eye that faces `forward`, which is neither zero nor parallel to y; +y is up.
    pub(super) fn new(at: Vec3, forward: Vec3, view: (Vec2, Vec2), near: f32) -> Self {
        let forward = forward.try_normalize().unwrap_or(Vec3::NEG_Z);
        let right = forward.cross(Vec3::Y).try_normalize().unwrap_or(Vec3::X);
        let side = (view.1 - view.0).min_element().max(1.0);
        Self {
            at,
            right,
            up: right.cross(forward),
            forward,
            view,
            focal: side * 0.5 / HALF_VIEW,
            near: near.max(1e-4),
        }
    }

    /// The part of the canvas that the view fills: top left and bottom right, pixels.
    pub(crate) fn view(&self) -> (Vec2, Vec2) {
        self.view
    }

    /// The depth of a point in front of the eye; negative behind it.
    pub fn depth(&self, point: Vec3) -> f32 {
        (point - self.at).dot(self.forward)
    }

    /// The point at a depth whose projection is `pixel`.
    pub(super) fn point(&self, pixel: Vec2, depth: f32) -> Vec3 {
        let offset = (pixel - self.middle()) * (depth / self.focal);
        self.at + self.forward * depth + self.right * offset.x - self.up * offset.y
    }

    /// World units per pixel at a depth.
    pub(super) fn unit(&self, depth: f32) -> f32 {
        depth.max(self.near) / self.focal
    }

    /// The direction from the eye through `pixel`, a unit vector.
    pub fn along(&self, pixel: Vec2) -> Vec3 {
        (self.point(pixel, 1.0) - self.at).normalize()
    }

    /// Clips a flat polygon at the near plane and projects it, into `seen`.
    pub(crate) fn polygon(&self, corners: &[Vec3], seen: &mut Vec<Vec2>) {
        seen.clear();
        let Some(mut from) = corners.last().copied() else {
            return;
        };
        for &to in corners {
            if self.is_in_front(from) != self.is_in_front(to) {
                seen.push(self.spot(self.cut(from, to)).pixel);
            }
            if self.is_in_front(to) {
                seen.push(self.spot(to).pixel);
            }
            from = to;
        }
    }

    fn middle(&self) -> Vec2 {
        (self.view.0 + self.view.1) * 0.5
    }

    fn is_in_front(&self, point: Vec3) -> bool {
        self.depth(point) >= self.near
    }

    /// The intersection of a partly visible segment with the near plane.
    fn cut(&self, a: Vec3, b: Vec3) -> Vec3 {
        let (from, to) = (self.depth(a) - self.near, self.depth(b) - self.near);
        a.lerp(b, (from / (from - to)).clamp(0.0, 1.0))
    }

    /// The projection of a point that is not behind the eye.
    fn spot(&self, point: Vec3) -> Spot {
        let offset = point - self.at;
        // The cut is rounded and may lie slightly before the plane.
        let depth = offset.dot(self.forward).max(self.near);
        let scale = self.focal / depth;
        let across = Vec2::new(offset.dot(self.right), -offset.dot(self.up));
        Spot { pixel: self.middle() + across * scale, depth, scale }
    }
}

impl Lens for Eye {
    fn project(&self, point: Vec3) -> Option<Spot> {
        self.is_in_front(point).then(|| self.spot(point))
    }

    fn segment(&self, a: Vec3, b: Vec3) -> Option<(Spot, Spot)> {
        let (from, to) = match (self.is_in_front(a), self.is_in_front(b)) {
            (true, true) => (a, b),
            (true, false) => (a, self.cut(a, b)),
            (false, true) => (self.cut(a, b), b),
            (false, false) => return None,
        };
        Some((self.spot(from), self.spot(to)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn eye() -> Eye {
        let view = (Vec2::new(10.0, 20.0), Vec2::new(410.0, 320.0));
        Eye::new(Vec3::new(1.0, 2.0, 30.0), Vec3::NEG_Z, view, 0.1)
    }

    #[test]
    fn pixels_and_points_round_trip() {
        let (eye, pixel) = (eye(), Vec2::new(77.0, 180.0));
        let point = eye.point(pixel, 12.0);
        let spot = eye.project(point).unwrap();
        assert!(spot.pixel.abs_diff_eq(pixel, 1e-2), "{spot:?}");
        assert!((spot.depth - 12.0).abs() < 1e-4);
        let beside = eye.project(point + eye.right).unwrap();
        assert!((beside.pixel.x - pixel.x - spot.scale).abs() < 1e-2);
        let above = eye.project(point + Vec3::Y).unwrap();
        assert!(above.pixel.y < spot.pixel.y, "up is up");
    }

    #[test]
    fn points_behind_the_eye_and_nan_are_invisible() {
        assert_eq!(eye().project(Vec3::new(1.0, 2.0, 31.0)), None);
        assert_eq!(eye().project(eye().at), None);
        assert_eq!(eye().project(Vec3::NAN), None);
        assert_eq!(eye().segment(eye().at, Vec3::new(0.0, 0.0, 90.0)), None);
    }

    #[test]
    fn segments_and_polygons_are_clipped_in_front_of_the_eye() {
        let (ahead, behind) = (Vec3::new(3.0, 0.0, 0.0), Vec3::new(3.0, 0.0, 60.0));
        let (a, b) = eye().segment(ahead, behind).unwrap();
        assert_eq!(Some(a), eye().project(ahead));
        assert!(b.pixel.is_finite() && b.depth < 0.2);
        let (c, d) = eye().segment(behind, ahead).unwrap();
        assert_eq!((a, b), (d, c));
        let mut seen = Vec::new();
        eye().polygon(&[ahead, behind, Vec3::new(-3.0, 0.0, 0.0)], &mut seen);
        assert_eq!(seen.len(), 4);
        assert!(seen.iter().all(|pixel| pixel.is_finite()));
        eye().polygon(&[behind; 3], &mut seen);
        assert_eq!(seen, []);
    }
}
