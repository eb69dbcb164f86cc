//! Lines that units can follow.

use std::sync::Arc;

use glam::{Vec3, Vec4};

use super::segments::{NearestOnSegments, Segments};

/// So many points are sooner counted, several at a time, than searched.
const FEW: usize = 64;

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
        self.on_line(self.pieces.nearest(point))
    }

    /// As [`Path::nearest`] for each of eight points, a lane each by component.
    pub fn nearest_to_each(&self, points: &[[f32; 8]; 3]) -> [(Vec3, f32); 8] {
        let half = |from: usize| points.map(|part| Vec4::from_slice(&part[from..]));
        let [low, high] = [half(0), half(4)].map(|four| self.pieces.nearest_of_four(four));
        std::array::from_fn(|lane| self.on_line(if lane < 4 { low[lane] } else { high[lane - 4] }))
    }

    /// A point of the line, and how far along it is; the start if there is none.
    fn on_line(&self, nearest: Option<NearestOnSegments>) -> (Vec3, f32) {
        let Some(NearestOnSegments { piece, share }) = nearest else {
            return (self.points[0], 0.0);
        };
        let (from, to) = (self.points[piece], self.points[piece + 1]);
        let (before, after) = (self.along[piece], self.along[piece + 1]);
        (from + (to - from) * share, before + (after - before) * share)
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

    /// As [`Path::point_at`] for each of eight distances.
    pub fn points_at(&self, distances: &[f32; 8]) -> [Vec3; 8] {
        self.pieces(distances).map(|(at, share)| self.points[at].lerp(self.points[at + 1], share))
    }

    /// As [`Path::direction_at`] for each of eight distances.
    pub fn directions_at(&self, distances: &[f32; 8]) -> [Vec3; 8] {
        self.pieces(distances).map(|(at, _)| self.directions[at])
    }

    /// As [`Path::piece`] for each of eight distances.
    fn pieces(&self, distances: &[f32; 8]) -> [(usize, f32); 8] {
        if self.along.len() > FEW {
            return distances.map(|distance| self.piece(distance));
        }
        let distances = distances.map(|distance| self.on_path(distance));
        let mut after = [0_u32; 8];
        for along in self.along.iter() {
            for (after, distance) in after.iter_mut().zip(&distances) {
                *after += u32::from(along <= distance);
            }
        }
        std::array::from_fn(|lane| self.before(after[lane] as usize, distances[lane]))
    }

    /// The piece at a distance, and the share of it that lies before.
    fn piece(&self, distance: f32) -> (usize, f32) {
        let distance = self.on_path(distance);
        let is_before = |along: &f32| *along <= distance;
        let after = if self.along.len() <= FEW {
            self.along.iter().map(|along| u32::from(is_before(along))).sum::<u32>() as usize
        } else {
            self.along.partition_point(is_before)
        };
        self.before(after, distance)
    }

    /// A distance from the start, no less than 0 and no more than the length.
    fn on_path(&self, distance: f32) -> f32 {
        let length = self.length();
        // Mostly it is less than once round, and a remainder takes longer than all else.
        if !self.closed {
            distance.clamp(0.0, length)
        } else if (0.0..length).contains(&distance) {
            distance
        } else {
            distance.rem_euclid(length)
        }
    }

    /// The piece before the point of this number, and the share of it that lies before a distance.
    fn before(&self, after: usize, distance: f32) -> (usize, f32) {
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
    fn few_points_and_many_are_found_alike() {
        let line = |count| {
            let points = (0..count).map(|at: u8| Vec3::new(f32::from(at).powi(2), f32::from(at % 3), 0.0));
            Path::new(points.collect(), false, 1.0).unwrap()
        };
        let (few, many) = (line(FEW as u8), line(FEW as u8 + 1));
        let ends = few.along.iter().copied();
        let between = (0..3000).map(|step| step as f32 * 1.3);
        for distance in ends.chain(between).filter(|distance| *distance < few.length()) {
            assert_eq!(few.piece(distance), many.piece(distance), "{distance}");
            let eight = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| distance + (lane * lane) as f32);
            assert_eq!(few.pieces(&eight), eight.map(|distance| few.piece(distance)));
        }
    }

    #[test]
    fn one_point_is_no_path() {
        assert_eq!(Path::new(vec![Vec3::X, Vec3::X], true, 1.0), None);
        assert_eq!(Path::new(Vec::new(), true, 1.0), None);
    }
}
