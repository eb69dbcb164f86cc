//! An eye in space and its perspective.

use glam::{Vec2, Vec3};

use super::lens::{Lens, Spot};

/// Tangent of half the angle that the lower or narrower side of the view spans: 50° in all.
pub(super) const HALF_VIEW: f32 = 0.466;

/// Where an eye is, where it looks, and onto which pixels.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::app) struct Eye {
    pub(in crate::app) at: Vec3,
    pub(in crate::app) right: Vec3,
    pub(in crate::app) up: Vec3,
    pub(in crate::app) forward: Vec3,
    view: (Vec2, Vec2),
    /// Pixels that a world unit takes at depth 1.
    focal: f32,
    /// Depth before which nothing is seen, above zero.
    near: f32,
}

impl Eye {
    /// An eye that looks along `forward`, which is neither zero nor along y, with +y up.
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

    /// The part of the canvas that it fills: top left and bottom right, pixels.
    pub(in crate::app) fn view(&self) -> (Vec2, Vec2) {
        self.view
    }

    /// How far in front of the eye a point is; negative behind it.
    pub(in crate::app) fn depth(&self, point: Vec3) -> f32 {
        (point - self.at).dot(self.forward)
    }

    /// The point `depth` in front of the eye that is seen at `pixel`.
    pub(super) fn point(&self, pixel: Vec2, depth: f32) -> Vec3 {
        let offset = (pixel - self.middle()) * (depth / self.focal);
        self.at + self.forward * depth + self.right * offset.x - self.up * offset.y
    }

    /// World units that a pixel takes at a depth.
    pub(super) fn unit(&self, depth: f32) -> f32 {
        depth.max(self.near) / self.focal
    }

    /// The direction from the eye to what is seen at `pixel`, a unit vector.
    pub(in crate::app) fn along(&self, pixel: Vec2) -> Vec3 {
        (self.point(pixel, 1.0) - self.at).normalize()
    }

    /// The part of a flat polygon in front of the eye, as pixels, into `seen`.
    pub(in crate::app) fn polygon(&self, corners: &[Vec3], seen: &mut Vec<Vec2>) {
        seen.clear();
        let Some(mut from) = corners.last().copied() else {
            return;
        };
        for &to in corners {
            if self.is_seen(from) != self.is_seen(to) {
                seen.push(self.spot(self.cut(from, to)).pixel);
            }
            if self.is_seen(to) {
                seen.push(self.spot(to).pixel);
            }
            from = to;
        }
    }

    fn middle(&self) -> Vec2 {
        (self.view.0 + self.view.1) * 0.5
    }

    fn is_seen(&self, point: Vec3) -> bool {
        self.depth(point) >= self.near
    }

    /// Where a segment that is seen in part only crosses the nearest plane that is seen.
    fn cut(&self, a: Vec3, b: Vec3) -> Vec3 {
        let (from, to) = (self.depth(a) - self.near, self.depth(b) - self.near);
        a.lerp(b, (from / (from - to)).clamp(0.0, 1.0))
    }

    /// Where a point is seen that is not behind the eye.
    fn spot(&self, point: Vec3) -> Spot {
        let offset = point - self.at;
        // A cut is rounded and may lie a little too near.
        let depth = offset.dot(self.forward).max(self.near);
        let scale = self.focal / depth;
        let across = Vec2::new(offset.dot(self.right), -offset.dot(self.up));
        Spot { pixel: self.middle() + across * scale, depth, scale }
    }
}

impl Lens for Eye {
    fn project(&self, point: Vec3) -> Option<Spot> {
        self.is_seen(point).then(|| self.spot(point))
    }

    fn segment(&self, a: Vec3, b: Vec3) -> Option<(Spot, Spot)> {
        let (from, to) = match (self.is_seen(a), self.is_seen(b)) {
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
    fn pixels_and_points_lead_back_to_each_other() {
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
    fn what_is_behind_the_eye_or_nowhere_is_not_seen() {
        assert_eq!(eye().project(Vec3::new(1.0, 2.0, 31.0)), None);
        assert_eq!(eye().project(eye().at), None);
        assert_eq!(eye().project(Vec3::NAN), None);
        assert_eq!(eye().segment(eye().at, Vec3::new(0.0, 0.0, 90.0)), None);
    }

    #[test]
    fn a_segment_or_polygon_that_passes_the_eye_is_cut_in_front_of_it() {
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
