//! Obstacles that move.

use std::sync::Arc;

use glam::Vec3;

use super::Obstacle;
use crate::world::path::NamedPath;

impl Obstacle {
    /// Returns an obstacle, as it is at the start, after a time in seconds.
    #[must_use]
    pub fn after(&self, seconds: f64) -> Self {
        let Some(drive) = &self.drive else { return self.resting() };
        let (offset, velocity) = drive.after(seconds);
        let moved = if seconds == 0.0 { None } else { self.solid.moved(|point| point + offset) };
        // A polygon whose corners coincide after rounding rests.
        Self { solid: moved.unwrap_or_else(|| self.solid.clone()), velocity, ..self.clone() }
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
        let center = self.position();
        self.drive = self.drive.map(|drive| Arc::new(drive.from_center(path, center)));
        self.after(0.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::world::path::Path;
    use crate::world::{Drive, Solid};

    fn driven(closed: bool, center: Vec3) -> Obstacle {
        let points = vec![Vec3::ZERO, Vec3::X * 6.0, Vec3::new(6.0, 8.0, 0.0)];
        let path = NamedPath { name: "a".to_owned(), path: Path::new(points, closed, 0.0).unwrap() };
        let drive = Some(Arc::new(Drive::new(&path, 2.0, center)));
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
}
