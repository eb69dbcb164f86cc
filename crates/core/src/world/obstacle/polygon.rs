//! Polygons in the plane.

use std::sync::Arc;

use glam::{Vec2, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use crate::world::extrema::Extrema;
use crate::world::lengths;
use crate::world::segments::Segments;

/// A simple polygon: at least three corners, no crossing edges. Clones share the corners.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "Vec<Vec2>", into = "Vec<Vec2>")]
pub struct Polygon {
    /// Counter-clockwise.
    corners: Arc<[Vec2]>,
    /// The edges, from each corner to the next.
    edges: Segments,
    center: Vec2,
    radius: f32,
}

/// The reason why a list of corners is not a simple polygon.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PolygonError {
    /// Fewer than three corners.
    #[error("a polygon needs at least 3 corners; it has {0}")]
    TooFew(usize),
    /// More than [`Polygon::MAX_CORNERS`] corners.
    #[error("a polygon has at most {most} corners; it has {0}", most = Polygon::MAX_CORNERS)]
    TooMany(usize),
    /// Two edges cross or touch; edge i starts at corner i, counted from 0.
    #[error("its edges {0} and {1} cross")]
    Crossing(usize, usize),
    /// All corners are collinear.
    #[error("it has no area")]
    Flat,
}

impl TryFrom<Vec<Vec2>> for Polygon {
    type Error = PolygonError;

    fn try_from(corners: Vec<Vec2>) -> Result<Self, PolygonError> {
        Self::new(corners)
    }
}

impl From<Polygon> for Vec<Vec2> {
    fn from(polygon: Polygon) -> Self {
        polygon.corners.to_vec()
    }
}

impl Polygon {
    /// Maximum number of corners.
    pub const MAX_CORNERS: usize = 256;

    /// Creates a polygon from its corners, in either orientation. A corner that repeats the one before it is omitted, also
    /// a last one that repeats the first, as rings of `GeoJSON` and WKT do.
    ///
    /// # Errors
    /// If there are fewer than three corners or more than [`Self::MAX_CORNERS`], edges cross, or the area is zero.
    pub fn new(mut corners: Vec<Vec2>) -> Result<Self, PolygonError> {
        corners.dedup();
        if corners.len() > 1 && corners.first() == corners.last() {
            corners.pop();
        }
        if corners.len() > Self::MAX_CORNERS {
            return Err(PolygonError::TooMany(corners.len()));
        }
        if corners.len() < 3 {
            return Err(PolygonError::TooFew(corners.len()));
        }
        let area = signed_area(&corners);
        if area == 0.0 {
            return Err(PolygonError::Flat);
        }
        if let Some((a, b)) = crossing(&corners) {
            return Err(PolygonError::Crossing(a, b));
        }
        if area < 0.0 {
            corners.reverse();
        }
        let low = corners.iter().fold(Vec2::INFINITY, |low, p| low.min(*p));
        let high = (corners.iter()).fold(Vec2::NEG_INFINITY, |high, p| high.max(*p));
        let center = (low + high) * 0.5;
        let radius = corners.iter().map(|p| p.distance(center));
        let radius = radius.fold(0.0, f32::greater);
        let edges = edges(&corners).map(|(from, to)| (from.extend(0.0), to.extend(0.0))).collect();
        Ok(Self { radius, center, edges, corners: corners.into() })
    }

    /// Its corners, counter-clockwise.
    pub fn corners(&self) -> &[Vec2] {
        &self.corners
    }

    /// The center of its bounding box.
    pub fn center(&self) -> Vec3 {
        self.center.extend(0.0)
    }

    /// Radius of a circle about its center that contains it.
    pub fn radius(&self) -> f32 {
        self.radius
    }

    /// Signed distance to the nearest edge, negative inside.
    pub fn distance_to(&self, point: Vec3) -> f32 {
        let point = point.truncate();
        let distance = self.nearest(point).distance(point);
        if self.contains(point) { -distance } else { distance }
    }

    /// [`Polygon::distance_to`] for four points with coordinates below 1e15, bit-identical; `None` if a squared distance
    /// overflows.
    pub(super) fn distances_to(&self, [x, y, _]: [Vec4; 3]) -> Option<Vec4> {
        let squares = self.edges.least_squares([x, y]);
        if !squares.is_finite() {
            return None;
        }
        let distances = Vec4::from(squares.to_array().map(f32::sqrt));
        Some(Vec4::select(self.edges.are_crossed_oddly([x, y]), -distances, distances))
    }

    /// The point of the edges nearest to `point`.
    pub fn nearest_point(&self, point: Vec3) -> Vec3 {
        self.nearest(point.truncate()).extend(0.0)
    }

    /// Outward unit normal at the point of the edges nearest to `point`: of an edge, its perpendicular; of a corner, the direction
    /// to the point, or from it in a notch.
    pub fn normal(&self, point: Vec3) -> Vec3 {
        let count = self.corners.len();
        let edge = |at: usize| self.corners[(at + 1) % count] - self.corners[at % count];
        let Some(nearest) = self.edges.nearest(point.with_z(0.0)) else { return Vec3::X };
        let corner = match nearest.share {
            0.0 => nearest.segment,
            1.0 => nearest.segment + 1,
            _ => return perpendicular(edge(nearest.segment)),
        };
        // Near a corner, a share may be rounded to 0 or 1.
        let (before, after) = (edge(corner + count - 1), edge(corner));
        let away = point.truncate() - self.corners[corner % count];
        let turn = before.perp_dot(after);
        if away.dot(before) < 0.0 || turn == 0.0 {
            perpendicular(before)
        } else if away.dot(after) > 0.0 {
            perpendicular(after)
        } else {
            let normal = lengths::direction(away.extend(0.0) * turn.signum());
            normal.unwrap_or_else(|| perpendicular(before))
        }
    }

    /// Its edges as (start, end), counter-clockwise.
    pub fn edges(&self) -> impl Iterator<Item = (Vec2, Vec2)> {
        edges(&self.corners)
    }

    /// Returns the nearest point of the edges; in a tie, of the first edge.
    fn nearest(&self, point: Vec2) -> Vec2 {
        let Some(nearest) = self.edges.nearest(point.extend(0.0)) else {
            return self.center;
        };
        let [from, to] = [0, 1].map(|next| self.corners[(nearest.segment + next) % self.corners.len()]);
        from + (to - from) * nearest.share
    }

    /// Returns true if a ray to the right crosses an odd number of edges.
    fn contains(&self, point: Vec2) -> bool {
        self.edges.crossings(point) % 2 == 1
    }
}

/// Returns the outward normal of an edge.
fn perpendicular(edge: Vec2) -> Vec3 {
    lengths::direction(Vec3::new(edge.y, -edge.x, 0.0)).unwrap_or(Vec3::X)
}

/// Returns the edges between corners as (start, end).
fn edges(corners: &[Vec2]) -> impl Iterator<Item = (Vec2, Vec2)> {
    let ends = corners.iter().cycle().skip(1);
    corners.iter().copied().zip(ends.copied())
}

/// Signed area: positive if the corners are counter-clockwise.
fn signed_area(corners: &[Vec2]) -> f64 {
    let next = corners.iter().cycle().skip(1);
    let doubled = (corners.iter().zip(next)).map(|(a, b)| a.as_dvec2().perp_dot(b.as_dvec2()));
    doubled.sum::<f64>() * 0.5
}

/// Returns the first two edges that meet, except neighbors at their common corner.
fn crossing(corners: &[Vec2]) -> Option<(usize, usize)> {
    let count = corners.len();
    let edge = |at: usize| (corners[at], corners[(at + 1) % count]);
    for a in 0..count {
        for b in a + 1..count {
            let neighbors = b == a + 1 || (a == 0 && b == count - 1);
            if !neighbors && meet(edge(a), edge(b)) {
                return Some((a, b));
            }
        }
    }
    None
}

fn meet((a, b): (Vec2, Vec2), (c, d): (Vec2, Vec2)) -> bool {
    let side = |p: Vec2, q: Vec2, r: Vec2| (q - p).perp_dot(r - p);
    let (abc, abd, cda, cdb) = (side(a, b, c), side(a, b, d), side(c, d, a), side(c, d, b));
    let between = |p: Vec2, q: Vec2, r: Vec2| r.cmpge(p.min(q)).all() && r.cmple(p.max(q)).all();
    abc * abd < 0.0 && cda * cdb < 0.0
        || abc == 0.0 && between(a, b, c)
        || abd == 0.0 && between(a, b, d)
        || cda == 0.0 && between(c, d, a)
        || cdb == 0.0 && between(c, d, b)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn polygon(corners: &[(f32, f32)]) -> Result<Polygon, PolygonError> {
        Polygon::new(corners.iter().map(|p| Vec2::from(*p)).collect())
    }

    #[test]
    fn a_notch_is_outside_in_both_orientations() {
        let mut corners = [(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)];
        for _ in 0..2 {
            let notched = polygon(&corners).unwrap();
            assert!(notched.distance_to(Vec3::new(2.0, 2.0, 0.0)) > 0.5);
            assert!((notched.distance_to(Vec3::new(2.0, 0.25, 0.0)) + 0.25).abs() < 1e-6);
            assert_eq!(notched.normal(Vec3::new(2.0, 0.25, 0.0)), Vec3::NEG_Y);
            assert_eq!(notched.normal(Vec3::new(2.0, -3.0, 0.0)), Vec3::NEG_Y);
            assert_eq!(notched.normal(Vec3::new(2.0, 0.0, 0.0)), Vec3::NEG_Y);
            corners.reverse();
        }
    }

    #[test]
    fn repeated_corners_are_omitted() {
        let square = polygon(&[(2.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0)]).unwrap();
        let ring = [(2.0, 2.0), (8.0, 2.0), (8.0, 2.0), (8.0, 8.0), (2.0, 8.0), (2.0, 2.0)];
        assert_eq!(polygon(&ring).unwrap(), square);
        assert_eq!(polygon(&[(1.0, 1.0); 4]), Err(PolygonError::TooFew(1)));
    }

    #[test]
    fn corners_that_enclose_no_single_area_are_rejected() {
        assert_eq!(polygon(&[(0.0, 0.0), (1.0, 0.0)]), Err(PolygonError::TooFew(2)));
        assert_eq!(polygon(&[(0.0, 0.0), (1.0, 1.0), (2.0, 2.0)]), Err(PolygonError::Flat));
        let bow_tie = [(0.0, 0.0), (4.0, 4.0), (4.0, 0.0), (0.0, 3.0)];
        assert_eq!(polygon(&bow_tie), Err(PolygonError::Crossing(0, 2)));
    }

    /// Points from 1e-6 to 1 beside the edges and corners of polygons far from the origin, outside and inside.
    #[test]
    fn normals_are_perpendicular_to_edges_and_point_from_corners() {
        for case in 0..400_u16 {
            let angle = f32::from(case) * 0.37;
            let turned = |at: f32| Vec2::from_angle(angle + at);
            let place = Vec2::new(155.0, 25.0) + turned(1.0) * f32::from(case % 90);
            let away = libm::powf(10.0, -f32::from(case % 7));
            let corners = [0.1, 1.7, 3.0, 5.0].map(|at| place + turned(at) * 9.0);
            let shape = Polygon::new(corners.to_vec()).unwrap();
            for (from, to) in shape.edges() {
                let expected = (from - to).perp().normalize();
                for share in [0.2, 0.5, 0.8] {
                    for side in [away, -away] {
                        let normal = shape.normal((from.lerp(to, share) + expected * side).extend(0.0));
                        assert!(normal.truncate().abs_diff_eq(expected, 1e-6), "{normal} {expected} {side}");
                    }
                }
                let beyond = (from + (from - place).normalize() * away.greater(1e-3)).extend(0.0);
                let expected = (beyond - from.extend(0.0)).normalize();
                assert!(shape.normal(beyond).abs_diff_eq(expected, 1e-6), "{expected}");
            }
        }
        let notched = polygon(&[(0.0, 0.0), (4.0, 0.0), (4.0, 4.0), (2.0, 1.0), (0.0, 4.0)]).unwrap();
        assert_eq!(notched.normal(Vec3::new(2.0, 0.75, 0.0)), Vec3::Y);
    }
}
