//! Lines that units can follow.

use std::sync::Arc;

use glam::Vec3;

use super::segments::Segments;

/// A line of straight pieces with a width. Clones share their points.
#[derive(Clone, Debug, PartialEq)]
pub struct Path {
    /// No two after one another alike; of a closed path the last is the first again.
    points: Arc<[Vec3]>,
    /// Length of the line up to each point.
    along: Arc<[f32]>,
    /// The direction of each piece.
    directions: Arc<[Vec3]>,
    pieces: Segments,
    closed: bool,
    radius: f32,
}

/// A path and the name by which groups and scripts ask for it.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPath {
    /// Its name in the scene.
    pub name: String,
    /// The path.
    pub path: Path,
}

impl Path {
    /// A path through `points`, and back to the first if it is `closed`, that reaches `radius` (not
    /// negative) to either side. `None` unless two points differ.
    pub fn new(points: Vec<Vec3>, closed: bool, radius: f32) -> Option<Self> {
        let mut points = points;
        if closed {
            points.extend(points.first().copied());
        }
        points.dedup();
        if points.len() < 2 {
            return None;
        }
        let mut along = vec![0.0];
        for pair in points.windows(2) {
            along.push(along[along.len() - 1] + pair[0].distance(pair[1]));
        }
        let directions = points.windows(2).map(|pair| (pair[1] - pair[0]).normalize_or_zero()).collect();
        let pieces = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
        Some(Self { points: points.into(), along: along.into(), directions, pieces, closed, radius })
    }

    /// Its points; of a closed path the last is the first again.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Whether it leads back to its start.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// How far it reaches to either side.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Length from start to end.
    pub fn length(&self) -> f32 {
        self.along[self.along.len() - 1]
    }

    /// The point of the line nearest to `point`, and how far along it is; of equally near ones the
    /// first.
    pub fn nearest(&self, point: Vec3) -> (Vec3, f32) {
        let Some(nearest) = self.pieces.nearest(point) else {
            return (self.points[0], 0.0);
        };
        let (from, to) = (self.along[nearest.piece], self.along[nearest.piece + 1]);
        (nearest.point, from + (to - from) * nearest.share)
    }

    /// The point at a distance from the start, round and round on a closed path, held at the ends of
    /// an open one.
    pub fn point_at(&self, distance: f32) -> Vec3 {
        let (at, share) = self.piece(distance);
        self.points[at].lerp(self.points[at + 1], share)
    }

    /// The unit vector along the line at a distance from the start, as for [`Path::point_at`].
    pub fn direction_at(&self, distance: f32) -> Vec3 {
        let (at, _) = self.piece(distance);
        self.directions[at]
    }

    /// The piece at a distance, and the share of it that lies before.
    fn piece(&self, distance: f32) -> (usize, f32) {
        let length = self.length();
        // Mostly it is less than once round, and a remainder takes longer than all else.
        let distance = if !self.closed {
            distance.clamp(0.0, length)
        } else if (0.0..length).contains(&distance) {
            distance
        } else {
            distance.rem_euclid(length)
        };
        let after = self.along.partition_point(|along| *along <= distance);
        let at = after.clamp(1, self.points.len() - 1) - 1;
        let (from, to) = (self.along[at], self.along[at + 1]);
        (at, ((distance - from) / (to - from)).clamp(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn square(closed: bool) -> Path {
        let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        let points = corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
        Path::new(points, closed, 1.0).unwrap()
    }

    #[test]
    fn a_closed_path_goes_round_and_an_open_one_ends() {
        assert_eq!((square(true).length(), square(false).length()), (16.0, 12.0));
        assert_eq!(square(true).point_at(18.0), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(square(true).point_at(-1.0), Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(square(false).point_at(18.0), Vec3::new(0.0, 4.0, 0.0));
        assert_eq!(square(false).point_at(-1.0), Vec3::ZERO);
        assert_eq!(square(true).direction_at(13.0), Vec3::NEG_Y);
        assert_eq!(square(false).direction_at(4.0), Vec3::Y);
    }

    #[test]
    fn the_nearest_point_is_on_the_line_and_knows_its_distance() {
        let (on, along) = square(true).nearest(Vec3::new(5.0, 3.0, 0.0));
        assert_eq!((on, along), (Vec3::new(4.0, 3.0, 0.0), 7.0));
        assert_eq!(square(true).point_at(along), on);
    }

    #[test]
    fn one_point_is_no_path() {
        assert_eq!(Path::new(vec![Vec3::X, Vec3::X], true, 1.0), None);
        assert_eq!(Path::new(Vec::new(), true, 1.0), None);
    }
}
