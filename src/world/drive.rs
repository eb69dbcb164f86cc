//! Motion of obstacles along paths: a function of the number of steps, so that it needs no state.

use glam::Vec3;

use super::path::{NamedPath, Path};

/// The motion of an obstacle along a path. It starts at the point of the path nearest to its center, and its
/// distance from the path is constant. On a closed path it goes around, on an open one back and forth.
#[derive(Clone, Debug)]
pub struct Drive {
    /// The name of the path.
    pub path: String,
    /// Speed along the path, above zero.
    pub speed: f32,
    points: Path,
    /// The arc length at the start.
    start: f32,
}

impl PartialEq for Drive {
    /// Points and start follow from the path and the obstacle.
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.speed == other.speed
    }
}

impl Drive {
    /// Creates the motion of an obstacle whose center is at `center` at the start.
    pub fn new(path: &NamedPath, speed: f32, center: Vec3) -> Self {
        let (_, start) = path.path.nearest(center);
        Self { path: path.name.clone(), speed, points: path.path.clone(), start }
    }

    /// Returns the same motion along another path, or from another center.
    #[must_use]
    pub fn from_center(&self, path: Option<&NamedPath>, center: Vec3) -> Self {
        let same = || NamedPath { name: self.path.clone(), path: self.points.clone() };
        Self::new(path.unwrap_or(&same()), self.speed, center)
    }

    /// Returns the translation since the start, and the velocity, after a time in seconds.
    pub(super) fn after(&self, seconds: f64) -> (Vec3, Vec3) {
        let length = f64::from(self.points.length());
        let way = f64::from(self.start) + f64::from(self.speed) * seconds;
        let (along, sign) = if self.points.is_closed() {
            (way.rem_euclid(length), 1.0)
        } else {
            let way = way.rem_euclid(2.0 * length);
            if way <= length { (way, 1.0) } else { (2.0 * length - way, -1.0) }
        };
        let along = along as f32;
        let offset = self.points.point_at(along) - self.points.point_at(self.start);
        (offset, self.points.direction_at(along) * (sign * self.speed))
    }
}
