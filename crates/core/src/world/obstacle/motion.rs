//! Obstacles that move.

use std::sync::Arc;

use glam::Vec3;

use super::Obstacle;
use crate::world::drive::{Carrier, Drive, PathDrive};
use crate::world::path::NamedPath;
use crate::world::units::Units;

impl Obstacle {
    /// The unit that it is attached to.
    pub fn carrier(&self) -> Option<&Carrier> {
        self.drive.as_ref()?.carrier()
    }

    /// The path that it follows.
    pub fn path(&self) -> Option<&PathDrive> {
        self.drive.as_ref()?.path()
    }

    /// Returns an obstacle, as it is at the start, after a time in seconds; one that a unit carries does not change.
    #[must_use]
    pub fn after(&self, seconds: f64) -> Self {
        let Some(drive) = self.path() else { return Self { velocity: Vec3::ZERO, ..self.clone() } };
        let (offset, velocity) = drive.after(seconds);
        let moved = offset.and_then(|offset| self.solid.moved(|point| point + offset));
        // A polygon whose corners coincide after rounding rests.
        Self { solid: moved.unwrap_or_else(|| self.solid.clone()), velocity, ..self.clone() }
    }

    /// Returns an obstacle, as it is at the start, whose motion along a path continues the one of `before` after a time in
    /// seconds. One that rested at its start begins to move.
    pub(in crate::world) fn following(&self, before: &Self, seconds: f64) -> Self {
        let Some(drive) = self.path() else { return self.clone() };
        let drive = match before.path() {
            Some(before_drive) => drive.following(before_drive, self.position() - before.position(), seconds),
            None => drive.with_lead(-f64::from(drive.speed) * seconds),
        };
        Self { drive: Some(Arc::new(Drive::Path(drive))), ..self.clone() }
    }

    /// Returns the same obstacle with another distance traveled beyond speed × time, if it follows a path.
    pub(in crate::world) fn with_lead(&self, lead: f64) -> Self {
        let drive = self.path().map(|drive| Arc::new(Drive::Path(drive.with_lead(lead))));
        Self { drive: drive.or_else(|| self.drive.clone()), ..self.clone() }
    }

    /// Returns an obstacle, as it is for a carrier at the origin with heading +x, for the unit at an index after a time in seconds
    /// at its present velocity. A box in space turns about z only. `None` if the shape is not valid there.
    pub(in crate::world) fn carried(&self, units: &Units, carrier: usize, seconds: f32) -> Option<Self> {
        let (heading, up) = (units.heading[carrier], units.up[carrier]);
        let (port, velocity) = (up.cross(heading), units.velocity[carrier]);
        let place = units.position[carrier] + velocity * seconds;
        let solid = self.solid.moved(|p| place + heading * p.x + port * p.y + up * p.z)?;
        let solid = solid.turned(libm::atan2f(heading.y, heading.x));
        Some(Self { solid, velocity, ..self.clone() })
    }

    /// Returns the same shape without a motion.
    #[must_use]
    pub fn resting(&self) -> Self {
        Self { velocity: Vec3::ZERO, drive: None, ..self.clone() }
    }

    /// Returns the obstacle as it is at the start, with its motion from its present center, along another version of the
    /// path if there is one.
    #[must_use]
    pub fn driven(mut self, path: Option<&NamedPath>) -> Self {
        if let Some(drive) = self.path() {
            let drive = drive.from_center(path, self.position());
            self.drive = Some(Arc::new(Drive::Path(drive)));
        }
        self.after(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::path::Path;
    use crate::world::{Drive, PathDrive, Solid, SolidKind, testing};

    fn driven(closed: bool, center: Vec3) -> Obstacle {
        let points = vec![Vec3::ZERO, Vec3::X * 6.0, Vec3::new(6.0, 8.0, 0.0)];
        let path = NamedPath { name: "a".to_owned(), path: Path::new(points, closed, 0.0).unwrap() };
        let drive = Some(Arc::new(Drive::Path(PathDrive::new(&path, 2.0, center))));
        Obstacle { drive, ..Solid::ball(center, 1.0).into() }
    }

    fn state(obstacle: &Obstacle, seconds: f64) -> (Vec3, Vec3) {
        let after = obstacle.after(seconds);
        (after.position(), after.velocity)
    }

    #[test]
    fn an_open_path_is_followed_back_and_forth_and_a_closed_one_around() {
        let (right, up) = (Vec3::X * 2.0, Vec3::Y * 2.0);
        let open = driven(false, Vec3::ZERO);
        assert_eq!(state(&open, 0.0), (Vec3::ZERO, right));
        assert_eq!(state(&open, 2.0), (Vec3::X * 4.0, right));
        assert_eq!(state(&open, 5.0), (Vec3::new(6.0, 4.0, 0.0), up));
        assert_eq!(state(&open, 9.0), (Vec3::new(6.0, 4.0, 0.0), -up));
        assert_eq!(state(&open, 14.0 + 2.0), (Vec3::X * 4.0, right));
        let closed = driven(true, Vec3::ZERO);
        assert_eq!(state(&closed, 5.0), (Vec3::new(6.0, 4.0, 0.0), up));
        assert_eq!(state(&closed, 12.0 + 2.0), (Vec3::X * 4.0, right));
        assert!(state(&closed, 1e9).0.is_finite());
    }

    #[test]
    fn it_starts_where_it_is_and_stays_beside_the_path() {
        let beside = driven(false, Vec3::new(3.0, -1.0, 0.0));
        assert_eq!(state(&beside, 0.0).0, Vec3::new(3.0, -1.0, 0.0));
        assert_eq!(state(&beside, 1.0).0, Vec3::new(5.0, -1.0, 0.0));
        let elsewhere = Obstacle { solid: Solid::ball(Vec3::X * 5.0, 1.0), ..beside.after(1.0) };
        assert_eq!(state(&elsewhere.driven(None), 0.5).0, Vec3::X * 6.0);
    }

    #[test]
    fn a_distance_changes_by_no_more_than_the_movement() {
        let mut units = Units::default();
        for step in 0..40_u8 {
            let (y, x) = libm::sincosf(f32::from(step) * 0.37);
            let heading = Vec3::new(x, y, 0.0);
            units.push(heading * 3.0 * f32::from(step), Vec3::X, (heading, Vec3::Z), 0, u64::from(step));
        }
        let points = [Vec3::ZERO, Vec3::X * 9.0, Vec3::new(4.0, 7.0, 0.0)];
        for kind in SolidKind::ALL {
            let solid = testing::solid(kind, &points, Vec3::new(4.0, 1.0, f32::INFINITY), 0.4, true);
            let obstacle = Obstacle::from(solid);
            let places: Vec<_> =
                (0..units.len()).map(|unit| obstacle.carried(&units, unit, 0.0).unwrap()).collect();
            for pair in places.windows(2) {
                let moved = pair[1].solid.movement_since(&pair[0].solid);
                assert!(moved > 0.5 && moved < 90.0, "{kind:?}: {moved}");
                for at in points.map(|at| at * 5.0) {
                    let change = (pair[1].distance_to(at) - pair[0].distance_to(at)).abs();
                    assert!(change <= moved * 1.0001 + 1e-3, "{kind:?}: {change} by {moved}");
                }
            }
        }
    }
}
