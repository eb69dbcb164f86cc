//! Paths that units can follow.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};

use super::extrema::Extrema;
use super::images;
use super::segments::{NearestOnSegments, Segments};

/// Range of [`Path::nearest_about`] along the path, as a multiple of the distance to the point. An arc of half a circle is
/// 1.6 times as long as its chord.
const RANGE: f32 = 2.0;

/// Up to this many points, a branch-free count is faster than a binary search.
const MAX_COUNTED: usize = 64;

/// A polyline with a radius. Clones share the points.
#[derive(Clone, Debug)]
pub struct Path {
    /// Consecutive points differ; a closed path ends with its first point.
    points: Arc<[Vec3]>,
    /// Arc length up to each point.
    along: Arc<[f32]>,
    /// The unit direction of each segment.
    directions: Arc<[Vec3]>,
    segments: Segments,
    closed: bool,
    radius: f32,
    /// The center and the radius of a ball that contains the points.
    ball: (Vec3, f32),
    /// The period of its images.
    period: Option<Vec2>,
}

impl PartialEq for Path {
    /// The period follows from the arena.
    fn eq(&self, other: &Self) -> bool {
        (&self.points, self.closed, self.radius) == (&other.points, other.closed, other.radius)
    }
}

/// A path and its name in groups and scripts.
#[derive(Clone, Debug, PartialEq)]
pub struct NamedPath {
    /// Its name in the scene.
    pub name: String,
    /// The path.
    pub path: Path,
}

impl Path {
    /// Creates a path through `points`, and back to the first if `closed`, with a `radius` (not negative) to either
    /// side. `None` unless two consecutive points differ.
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
        let segments = points.windows(2).map(|pair| (pair[0], pair[1])).collect();
        let (points, along, ball) = (points.into(), along.into(), (Vec3::ZERO, 0.0));
        let path = Self { points, along, directions, segments, closed, radius, ball, period: None };
        let (low, high) = path.bounds();
        Some(Self { ball: (low.midpoint(high), low.distance(high) * 0.5), ..path })
    }

    /// Returns the same path with images at a period.
    #[must_use]
    pub fn with_period(self, period: Option<Vec2>) -> Self {
        Self { period, ..self }
    }

    /// Its points; a closed path ends with its first point.
    pub fn points(&self) -> &[Vec3] {
        &self.points
    }

    /// Returns true if the path returns to its start.
    pub fn is_closed(&self) -> bool {
        self.closed
    }

    /// Distance that it reaches to either side.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Two corners of a box that contains the points and everything within the radius.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        let low = self.points.iter().fold(Vec3::INFINITY, |low, point| low.min(*point));
        let high = self.points.iter().fold(Vec3::NEG_INFINITY, |high, point| high.max(*point));
        (low - self.radius, high + self.radius)
    }

    /// Total arc length.
    pub fn length(&self) -> f32 {
        self.along[self.along.len() - 1]
    }

    /// Returns the point of the path nearest to `point`, of the nearest image if there are several, and its arc length; in a
    /// tie, the first.
    pub fn nearest(&self, point: Vec3) -> (Vec3, f32) {
        let first = self.first_image(point);
        self.of_images(point, first, self.point_on(self.segments.nearest(first)))
    }

    /// Returns the image of a point that is nearest to the center of the path.
    fn first_image(&self, point: Vec3) -> Vec3 {
        self.period.map_or(point, |period| images::about(point, self.ball.0, period))
    }

    /// Returns [`Path::nearest`] of a point, where `found` is that of its first image without others.
    fn of_images(&self, point: Vec3, first: Vec3, found: (Vec3, f32)) -> (Vec3, f32) {
        let Some(period) = self.period else {
            return found;
        };
        let measured = |image: Vec3, found: (Vec3, f32)| (found.0.distance(image), found);
        let measure = |image| measured(image, self.point_on(self.segments.nearest(image)));
        let (image, (_, (on, along))) =
            images::nearest((first, measured(first, found)), self.ball, period, measure);
        (on + (point - image), along)
    }

    /// Returns the point of the path nearest to `point` on the branch at the arc length `along`, and its arc length.
    ///
    /// The search covers a part of the path: to either side of `along`, twice the distance of `point` from the point
    /// there. A branch that crosses is farther away along the path. For a `point` that is far away, for instance after
    /// an edge was crossed, the part is the whole path.
    pub fn nearest_about(&self, point: Vec3, along: f32) -> (Vec3, f32) {
        let (along, length) = (self.clamp_to_path(along), self.length());
        let place = self.point_at(along);
        let image = self.period.map_or(point, |period| images::about(point, place, period));
        let (by, point) = (point - image, image);
        let range = RANGE * place.distance(point);
        let mut nearest = (f32::INFINITY, (place, along));
        // On a closed path the part may extend beyond the start.
        let laps = if self.closed { [0.0, -length, length] } else { [0.0; 3] };
        for lap in &laps[..if self.closed { 3 } else { 1 }] {
            let (low, high) = (along - range + lap, along + range + lap);
            for at in 0..self.points.len() - 1 {
                let (before, after) = (self.along[at], self.along[at + 1]);
                if high < before || low > after {
                    continue;
                }
                let (from, way) = (self.points[at], self.points[at + 1] - self.points[at]);
                let ends = [low, high].map(|end| ((end - before) / (after - before)).limited(0.0, 1.0));
                let share = ((point - from).dot(way) / way.length_squared()).limited(ends[0], ends[1]);
                let place = from + way * share;
                let square = place.distance_squared(point);
                if square < nearest.0 {
                    nearest = (square, (place, before + (after - before) * share));
                }
            }
        }
        let (place, along) = nearest.1;
        (place + by, along)
    }

    /// [`Path::nearest`] for each of eight points, a lane each by component.
    pub fn nearest_to_each(&self, points: &[[f32; 8]; 3]) -> [(Vec3, f32); 8] {
        let point = |lane: usize| Vec3::from(points.map(|part| part[lane]));
        let first: [Vec3; 8] = std::array::from_fn(|lane| self.first_image(point(lane)));
        let half = |from: usize| {
            [0, 1, 2].map(|axis| Vec4::from([0, 1, 2, 3].map(|lane: usize| first[from + lane][axis])))
        };
        let [low, high] = [half(0), half(4)].map(|four| self.segments.nearest_of_four(four));
        std::array::from_fn(|lane| {
            let found = self.point_on(if lane < 4 { low[lane] } else { high[lane - 4] });
            self.of_images(point(lane), first[lane], found)
        })
    }

    /// Returns the point on the path and its arc length; the start for `None`.
    fn point_on(&self, nearest: Option<NearestOnSegments>) -> (Vec3, f32) {
        let Some(NearestOnSegments { segment, share }) = nearest else {
            return (self.points[0], 0.0);
        };
        let (from, to) = (self.points[segment], self.points[segment + 1]);
        let (before, after) = (self.along[segment], self.along[segment + 1]);
        (from + (to - from) * share, before + (after - before) * share)
    }

    /// Returns the point at an arc length, modulo the total length on a closed path, clamped to the ends of an open one.
    pub fn point_at(&self, distance: f32) -> Vec3 {
        let (at, share) = self.segment(distance);
        self.points[at].lerp(self.points[at + 1], share)
    }

    /// Returns the unit vector along the path at an arc length, as for [`Path::point_at`].
    pub fn direction_at(&self, distance: f32) -> Vec3 {
        let (at, _) = self.segment(distance);
        self.directions[at]
    }

    /// [`Path::point_at`] for each of eight arc lengths.
    pub fn points_at(&self, distances: &[f32; 8]) -> [Vec3; 8] {
        self.segments(distances).map(|(at, share)| self.points[at].lerp(self.points[at + 1], share))
    }

    /// [`Path::direction_at`] for each of eight arc lengths.
    pub fn directions_at(&self, distances: &[f32; 8]) -> [Vec3; 8] {
        self.segments(distances).map(|(at, _)| self.directions[at])
    }

    /// [`Path::segment`] for each of eight arc lengths.
    fn segments(&self, distances: &[f32; 8]) -> [(usize, f32); 8] {
        if self.along.len() > MAX_COUNTED {
            return distances.map(|distance| self.segment(distance));
        }
        let distances = distances.map(|distance| self.clamp_to_path(distance));
        let mut after = [0_u32; 8];
        for along in self.along.iter() {
            for (after, distance) in after.iter_mut().zip(&distances) {
                *after += u32::from(along <= distance);
            }
        }
        std::array::from_fn(|lane| self.segment_before(after[lane] as usize, distances[lane]))
    }

    /// Returns the index of the segment at an arc length, and the fraction of the segment before it.
    fn segment(&self, distance: f32) -> (usize, f32) {
        let distance = self.clamp_to_path(distance);
        let is_before = |along: &f32| *along <= distance;
        let after = if self.along.len() <= MAX_COUNTED {
            self.along.iter().map(|along| u32::from(is_before(along))).sum::<u32>() as usize
        } else {
            self.along.partition_point(is_before)
        };
        self.segment_before(after, distance)
    }

    /// Maps an arc length to the range from 0 to the total length.
    fn clamp_to_path(&self, distance: f32) -> f32 {
        let length = self.length();
        // Usually it is already in range, and a remainder would dominate the time.
        if !self.closed {
            distance.limited(0.0, length)
        } else if (0.0..length).contains(&distance) {
            distance
        } else {
            distance.rem_euclid(length)
        }
    }

    /// Returns the segment that ends at the point `after`, and the fraction of it before `distance`.
    fn segment_before(&self, after: usize, distance: f32) -> (usize, f32) {
        let at = after.clamp(1, self.points.len() - 1) - 1;
        let (from, to) = (self.along[at], self.along[at + 1]);
        (at, ((distance - from) / (to - from)).limited(0.0, 1.0))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Compares with a search over many points of the path.
    #[test]
    fn the_nearest_point_of_a_branch_is_near_along_the_path() {
        let eight = |closed| {
            let angle = |at: i32| at as f32 * std::f32::consts::TAU / 64.0;
            let points =
                (0..64).map(angle).map(|t| Vec3::new(100.0 * libm::sinf(t), 29.0 * libm::sinf(2.0 * t), 0.0));
            Path::new(points.collect(), closed, 6.0).expect("a path")
        };
        for path in [eight(true), eight(false)] {
            let length = path.length();
            let apart = |a: f32, b: f32| {
                let apart = (a - b).abs();
                if path.is_closed() { apart.lesser(length - apart) } else { apart }
            };
            for case in 0..2000 {
                let draw = |at: u32| crate::world::random::draw(1, case, 0, 0, at);
                let along = draw(0) * length;
                let point = path.point_at(along) + Vec3::new(draw(1) - 0.5, draw(2) - 0.5, 0.0) * 30.0;
                let range = RANGE * path.point_at(along).distance(point);
                let places =
                    (0..4000).map(|at| at as f32 / 4000.0 * length).filter(|at| apart(*at, along) <= range);
                let least =
                    places.map(|at| path.point_at(at).distance(point)).fold(f32::INFINITY, f32::lesser);
                let (place, found) = path.nearest_about(point, along);
                assert!(place.distance(path.point_at(found)) < 1e-3, "{found}");
                assert!(apart(found, along) <= range + 1e-3 && place.distance(point) <= least + 1e-4);
            }
            // From far away, the whole path is searched.
            let far = Vec3::new(-300.0, 7.0, 0.0);
            assert!((path.nearest_about(far, 0.3 * length).1 - path.nearest(far).1).abs() < 1e-3);
        }
    }

    fn square(closed: bool) -> Path {
        let corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 0.0), (4.0, 4.0), (0.0, 4.0)];
        let points = corners.map(|(x, y)| Vec3::new(x, y, 0.0)).to_vec();
        Path::new(points, closed, 1.0).unwrap()
    }

    #[test]
    fn a_closed_path_repeats_and_an_open_one_ends() {
        assert_eq!((square(true).length(), square(false).length()), (16.0, 12.0));
        assert_eq!(square(true).point_at(18.0), Vec3::new(2.0, 0.0, 0.0));
        assert_eq!(square(true).point_at(-1.0), Vec3::new(0.0, 1.0, 0.0));
        assert_eq!(square(false).point_at(18.0), Vec3::new(0.0, 4.0, 0.0));
        assert_eq!(square(false).point_at(-1.0), Vec3::ZERO);
        assert_eq!(square(true).direction_at(13.0), Vec3::NEG_Y);
        assert_eq!(square(false).direction_at(4.0), Vec3::Y);
    }

    #[test]
    fn the_nearest_point_is_on_the_path_with_its_arc_length() {
        let (on, along) = square(true).nearest(Vec3::new(5.0, 3.0, 0.0));
        assert_eq!((on, along), (Vec3::new(4.0, 3.0, 0.0), 7.0));
        assert_eq!(square(true).point_at(along), on);
    }

    #[test]
    fn counting_and_binary_search_find_the_same_segments() {
        let line = |count| {
            let points = (0..count).map(|at: u8| Vec3::new(f32::from(at).powi(2), f32::from(at % 3), 0.0));
            Path::new(points.collect(), false, 1.0).unwrap()
        };
        let (few, many) = (line(MAX_COUNTED as u8), line(MAX_COUNTED as u8 + 1));
        let ends = few.along.iter().copied();
        let between = (0..3000).map(|step| step as f32 * 1.3);
        for distance in ends.chain(between).filter(|distance| *distance < few.length()) {
            assert_eq!(few.segment(distance), many.segment(distance), "{distance}");
            let eight = [0, 1, 2, 3, 4, 5, 6, 7].map(|lane| distance + (lane * lane) as f32);
            assert_eq!(few.segments(&eight), eight.map(|distance| few.segment(distance)));
        }
    }

    #[test]
    fn one_point_is_no_path() {
        assert_eq!(Path::new(vec![Vec3::X, Vec3::X], true, 1.0), None);
        assert_eq!(Path::new(Vec::new(), true, 1.0), None);
    }
}
