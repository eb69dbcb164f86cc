//! Motion of obstacles: along paths, as a function of the time, or with units, as a function of the present state of the
//! unit. Neither needs state of its own, except the place of an obstacle whose unit no longer exists, and the lead of one
//! whose speed or path changed.

use glam::Vec3;

use super::group::Group;
use super::path::{NamedPath, Path};
use super::units::{Units, unit_key};

/// The motion of an obstacle.
#[derive(Clone, Debug, PartialEq)]
pub enum Drive {
    /// Along a path.
    Path(PathDrive),
    /// With a unit.
    Carrier(Carrier),
}

impl Drive {
    /// The path, if it moves along one.
    pub fn path(&self) -> Option<&PathDrive> {
        match self {
            Self::Path(path) => Some(path),
            Self::Carrier(_) => None,
        }
    }

    /// The unit, if it moves with one.
    pub fn carrier(&self) -> Option<&Carrier> {
        match self {
            Self::Path(_) => None,
            Self::Carrier(carrier) => Some(carrier),
        }
    }
}

/// The unit that an obstacle is attached to.
#[derive(Clone, Debug, PartialEq)]
pub struct Carrier {
    /// The name of its group.
    pub group: String,
    /// Its index in the group at the start.
    pub unit: usize,
    /// Its key, which identifies it when its index changes.
    pub key: u64,
}

impl Carrier {
    /// Returns the unit of a group by its index at the start.
    pub fn new(group: &str, unit: usize) -> Self {
        Self { group: group.to_owned(), unit, key: unit_key(group, unit) }
    }

    /// Returns the present index of the unit in the world, if it exists.
    pub(super) fn find(&self, units: &Units, group: &Group) -> Option<usize> {
        let keys = units.key.get(group.units.clone())?;
        let is_it = |at: &usize| keys.get(*at) == Some(&self.key);
        let at = Some(self.unit).filter(is_it).or_else(|| (0..keys.len()).find(is_it))?;
        Some(group.units.start + at)
    }
}

/// The motion of an obstacle along a path. It starts at the point of the path nearest to its center, and its
/// distance from the path is constant. On a closed path it goes around, on an open one back and forth.
#[derive(Clone, Debug)]
pub struct PathDrive {
    /// The name of the path.
    pub path: String,
    /// Speed along the path, above zero.
    pub speed: f32,
    points: Path,
    /// The arc length at the start.
    start: f32,
    /// The distance traveled beyond speed × time: 0 until speed or path change while the world runs.
    lead: f64,
}

/// Relative rounding error below which a lead is 0, so that a speed that is changed and changed back has no effect.
const ROUNDING: f64 = 1e-12;

impl PartialEq for PathDrive {
    /// Points and start follow from the path and the obstacle; the lead is state.
    fn eq(&self, other: &Self) -> bool {
        self.path == other.path && self.speed == other.speed
    }
}

impl PathDrive {
    /// Creates the motion of an obstacle whose center is at `center` at the start.
    pub fn new(path: &NamedPath, speed: f32, center: Vec3) -> Self {
        let (_, start) = path.path.nearest(center);
        Self { path: path.name.clone(), speed, points: path.path.clone(), start, lead: 0.0 }
    }

    /// Returns the same motion along another path, or from another center.
    #[must_use]
    pub fn from_center(&self, path: Option<&NamedPath>, center: Vec3) -> Self {
        let same = || NamedPath { name: self.path.clone(), path: self.points.clone() };
        Self::new(path.unwrap_or(&same()), self.speed, center)
    }

    /// The distance traveled beyond speed × time.
    pub(super) fn lead(&self) -> f64 {
        self.lead
    }

    /// Returns the same motion with another [`PathDrive::lead`].
    pub(super) fn with_lead(&self, lead: f64) -> Self {
        Self { lead, ..self.clone() }
    }

    /// Returns the motion from the present place of another one on, after a time in seconds. On the same points, it has
    /// traveled as far. On others, it is where the obstacle of the other motion is or nearest to it, and the direction
    /// is the same. `shift` is the translation from the start of the other motion to its own.
    pub(super) fn following(&self, before: &Self, shift: Vec3, seconds: f64) -> Self {
        let traveled = if self.points == before.points {
            before.traveled(seconds)
        } else {
            let (along, sign) = before.along(seconds);
            let offset = before.points.point_at(along) - before.points.point_at(before.start);
            let (_, along) = self.points.nearest(self.points.point_at(self.start) + offset - shift);
            let (along, length) = (f64::from(along), f64::from(self.points.length()));
            let is_back = sign < 0.0 && !self.points.is_closed();
            (if is_back { 2.0 * length - along } else { along }) - f64::from(self.start)
        };
        let lead = traveled - f64::from(self.speed) * seconds;
        self.with_lead(if lead.abs() <= ROUNDING * traveled.abs() { 0.0 } else { lead })
    }

    /// Returns the distance traveled after a time in seconds.
    fn traveled(&self, seconds: f64) -> f64 {
        self.lead + f64::from(self.speed) * seconds
    }

    /// Returns the arc length after a time in seconds, and the direction: 1, or −1 for the way back.
    fn along(&self, seconds: f64) -> (f32, f32) {
        let length = f64::from(self.points.length());
        let way = f64::from(self.start) + self.traveled(seconds);
        let (along, sign) = if self.points.is_closed() {
            (way.rem_euclid(length), 1.0)
        } else {
            let way = way.rem_euclid(2.0 * length);
            if way <= length { (way, 1.0) } else { (2.0 * length - way, -1.0) }
        };
        (along as f32, sign)
    }

    /// Returns the translation since the start, and the velocity, after a time in seconds. The translation is `None` if
    /// nothing has moved.
    pub(super) fn after(&self, seconds: f64) -> (Option<Vec3>, Vec3) {
        let (along, sign) = self.along(seconds);
        let offset = || self.points.point_at(along) - self.points.point_at(self.start);
        let has_moved = seconds != 0.0 || self.lead != 0.0;
        (has_moved.then(offset), self.points.direction_at(along) * (sign * self.speed))
    }
}
