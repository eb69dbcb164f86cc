//! Shapes of obstacles and their signed distances.

use glam::{DVec3, Vec3, Vec4};
use serde::{Deserialize, Serialize};

use super::angle::Angle;
use super::points_x4::{PointsX4, difference, length};
use super::polygon::Polygon;
use crate::world::extrema::Extrema;

/// A solid shape. In a plane all z are zero and a box is infinite along z.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub enum Solid {
    /// A circle in a plane, a ball in space.
    Ball {
        /// Center.
        center: Vec3,
        /// Radius, above zero.
        radius: f32,
    },
    /// All points within `radius` of a segment.
    Capsule {
        /// One end of the segment.
        from: Vec3,
        /// The other end.
        to: Vec3,
        /// Radius, above zero.
        radius: f32,
    },
    /// A box rotated about the world's z axis.
    Box {
        /// Center.
        center: Vec3,
        /// Half the extent along its own axes, above zero; infinite along z in a plane.
        half: Vec3,
        /// Its rotation.
        angle: Angle,
    },
    /// The inside of a polygon; in a plane only.
    Polygon(Polygon),
}

/// Declares the kinds of shapes, one per variant of [`Solid`].
macro_rules! kinds {
    ($($kind:ident),*) => {
        enum_with_all! {
            /// The kind of a shape.
            #[derive(Clone, Copy, Debug, PartialEq, Eq)]
            pub enum SolidKind {
                $(#[doc = concat!("The kind of [`Solid::", stringify!($kind), "`].")] $kind,)*
            }
        }

        impl Solid {
            /// Its kind.
            pub fn kind(&self) -> SolidKind {
                match self {
                    $(Self::$kind { .. } => SolidKind::$kind,)*
                }
            }
        }
    };
}

kinds![Ball, Capsule, Box, Polygon];

impl SolidKind {
    /// The names of the shape in scenes: in a plane, and in space if it exists there.
    pub fn names(self) -> (&'static str, Option<&'static str>) {
        match self {
            Self::Ball => ("Circle", Some("Ball")),
            Self::Capsule => ("Capsule", Some("Capsule")),
            Self::Box => ("Box", Some("Box")),
            Self::Polygon => ("Polygon", None),
        }
    }
}

/// The surface of a solid, for drawing.
#[derive(Clone, Debug, PartialEq)]
pub enum Surface {
    /// All points at a distance of `radius` from a segment; for a ball both ends are equal.
    Round {
        /// One end.
        from: Vec3,
        /// The other end.
        to: Vec3,
        /// Distance, above zero.
        radius: f32,
    },
    /// Flat faces with straight edges, counter-clockwise seen from outside; in a plane one face, the outline.
    Faces(Vec<Vec<Vec3>>),
}

impl Solid {
    /// Returns the shape with another radius, above zero; `None` if the shape has no radius or the new one is invalid.
    pub fn with_radius(&self, radius: f32) -> Option<Self> {
        let mut resized = self.clone();
        match &mut resized {
            Self::Ball { radius: known, .. } | Self::Capsule { radius: known, .. } => *known = radius,
            Self::Box { .. } | Self::Polygon(_) => return None,
        }
        (radius > 0.0 && radius.is_finite()).then_some(resized)
    }

    /// The radius of a shape that scenes define by one.
    pub fn defining_radius(&self) -> Option<f32> {
        match *self {
            Self::Ball { radius, .. } | Self::Capsule { radius, .. } => Some(radius),
            Self::Box { .. } | Self::Polygon(_) => None,
        }
    }

    /// The name of the shape in scenes: a ball is a `Circle` in a plane.
    pub fn name(&self, is_plane: bool) -> &'static str {
        let (plane, space) = self.kind().names();
        if is_plane { plane } else { space.unwrap_or(plane) }
    }

    /// A ball with a radius above zero.
    pub fn ball(center: Vec3, radius: f32) -> Self {
        Self::Ball { center, radius }
    }

    /// Its center.
    pub fn position(&self) -> Vec3 {
        match *self {
            Self::Ball { center, .. } | Self::Box { center, .. } => center,
            Self::Capsule { from, to, .. } => (from + to) * 0.5,
            Self::Polygon(ref polygon) => polygon.center(),
        }
    }

    /// Radius of the smallest ball about its center that contains it.
    pub fn radius(&self) -> f32 {
        match *self {
            Self::Ball { radius, .. } => radius,
            Self::Capsule { from, to, radius } => radius + from.distance(to) * 0.5,
            Self::Box { half, .. } => finite(half).length(),
            Self::Polygon(ref polygon) => polygon.radius(),
        }
    }

    /// Returns the least and greatest corner of the axis-aligned bounding box, infinite along z where the shape is.
    pub fn bounds(&self) -> (Vec3, Vec3) {
        match *self {
            Self::Ball { center, radius } => (center - radius, center + radius),
            Self::Capsule { from, to, radius } => (from.min(to) - radius, from.max(to) + radius),
            Self::Box { center, half, angle } => {
                let [x, y] = [Vec3::X * half.x, Vec3::Y * half.y].map(|side| angle.rotate(side).abs());
                let reach = (x + y).with_z(half.z);
                (center - reach, center + reach)
            }
            Self::Polygon(ref polygon) => {
                let corners = || polygon.corners().iter().map(|corner| corner.extend(0.0));
                let low = corners().fold(Vec3::INFINITY, Vec3::min);
                let high = corners().fold(Vec3::NEG_INFINITY, Vec3::max);
                (low.with_z(f32::NEG_INFINITY), high.with_z(f32::INFINITY))
            }
        }
    }

    /// Returns the shape with its defining points mapped by `to`; `None` if the result is invalid.
    pub fn moved(&self, to: impl Fn(Vec3) -> Vec3) -> Option<Self> {
        let mut moved = self.clone();
        match &mut moved {
            Self::Ball { center, .. } | Self::Box { center, .. } => *center = to(*center),
            Self::Capsule { from, to: end, .. } => (*from, *end) = (to(*from), to(*end)),
            // Created like a polygon that is read from a scene, so that the same corners give the same polygon.
            Self::Polygon(polygon) => {
                let corners = polygon.corners().iter();
                let corners = corners.map(|corner| to(corner.extend(0.0)).truncate());
                *polygon = Polygon::new(corners.collect()).ok()?;
            }
        }
        moved.position().is_finite().then_some(moved)
    }

    /// Returns the shape with its own axes turned counter-clockwise about its center by an angle in radians: of a box, since
    /// other shapes are defined by points.
    #[must_use]
    pub(super) fn turned(mut self, by: f32) -> Self {
        if let Self::Box { angle, .. } = &mut self {
            *angle = (angle.radians() + by).into();
        }
        self
    }

    /// Returns an upper bound of the distance of corresponding points of two places of a shape; infinite for different shapes.
    pub(in crate::world) fn movement_since(&self, before: &Self) -> f32 {
        match (self, before) {
            (Self::Ball { center, radius }, Self::Ball { center: other, radius: was }) if radius == was => {
                center.distance(*other)
            }
            (Self::Capsule { from, to, radius }, Self::Capsule { from: start, to: end, radius: was })
                if radius == was =>
            {
                from.distance(*start).greater(to.distance(*end))
            }
            (Self::Box { center, half, angle }, Self::Box { center: other, half: size, angle: was })
                if half == size =>
            {
                let chord = 2.0 * libm::sinf((angle.radians() - was.radians()) * 0.5).abs();
                center.distance(*other) + self.radius() * chord
            }
            (Self::Polygon(polygon), Self::Polygon(was))
                if polygon.corners().len() == was.corners().len() =>
            {
                let corners = polygon.corners().iter().zip(was.corners());
                corners.map(|(corner, was)| corner.distance(*was)).fold(0.0, f32::greater)
            }
            _ => f32::INFINITY,
        }
    }

    /// Its surface, for drawing.
    pub fn surface(&self) -> Surface {
        match *self {
            Self::Ball { center, radius } => Surface::Round { from: center, to: center, radius },
            Self::Capsule { from, to, radius } => Surface::Round { from, to, radius },
            Self::Box { center, half, angle } => Surface::Faces(box_faces(center, half, angle)),
            Self::Polygon(ref polygon) => {
                let corners = polygon.corners().iter();
                Surface::Faces(vec![corners.map(|corner| corner.extend(0.0)).collect()])
            }
        }
    }

    /// The corners of polygons and of boxes in a plane, and the ends of capsules. Balls have none. Boxes in space have none
    /// either, since a pointer could not distinguish all of them.
    pub fn corners(&self) -> Vec<Vec3> {
        match self {
            Self::Ball { .. } => Vec::new(),
            Self::Capsule { from, to, .. } => vec![*from, *to],
            Self::Box { half, .. } if half.z.is_finite() => Vec::new(),
            Self::Box { .. } | Self::Polygon(_) => match self.surface() {
                Surface::Faces(faces) => faces.into_iter().next().unwrap_or_default(),
                Surface::Round { .. } => Vec::new(),
            },
        }
    }

    /// The outline of a shape that may be concave; each of its edges is convex.
    pub fn concave_outline(&self) -> Option<&Polygon> {
        match self {
            Self::Ball { .. } | Self::Capsule { .. } | Self::Box { .. } => None,
            Self::Polygon(polygon) => Some(polygon),
        }
    }

    /// Number of surface elements that a distance computation tests: 1, or the edges of a polygon.
    pub fn pieces(&self) -> usize {
        match self {
            Self::Ball { .. } | Self::Capsule { .. } | Self::Box { .. } => 1,
            Self::Polygon(polygon) => polygon.corners().len(),
        }
    }

    /// Signed distance from `point` to the surface: negative inside.
    pub fn distance_to(&self, point: Vec3) -> f32 {
        match *self {
            Self::Ball { center, radius } => center.distance(point) - radius,
            Self::Capsule { from, to, radius } => spine(from, to, point).distance(point) - radius,
            Self::Box { center, half, angle } => {
                let past = angle.rotate_back(point - center).abs() - half;
                past.max(Vec3::ZERO).length() + past.max_element().lesser(0.0)
            }
            Self::Polygon(ref polygon) => polygon.distance_to(point),
        }
    }

    /// [`Solid::distance_to`] for four points with coordinates below 1e15, bit-identical; `None` if the lanes must be
    /// computed separately.
    pub(super) fn distances_to(&self, points: PointsX4) -> Option<Vec4> {
        Some(match *self {
            Self::Ball { center, radius } => length(difference(points, center)) - radius,
            Self::Capsule { from, to, radius } => {
                let along = to - from;
                let square = along.length_squared();
                if square == 0.0 {
                    return Some(length(difference(points, from)) - radius);
                }
                let [x, y, z] = difference(points, from);
                let share = (x * along.x + y * along.y + z * along.z) / square;
                let share = Vec4::ONE.lesser(Vec4::ZERO.greater(share));
                let gap = |axis: usize| share * along[axis] + from[axis] - points[axis];
                length([gap(0), gap(1), gap(2)]) - radius
            }
            Self::Box { center, half, angle } => {
                let rotate = angle.rotate_back_four(difference(points, center));
                let past = [0, 1, 2].map(|axis| rotate[axis].abs() - half[axis]);
                let [x, y, z] = past;
                length(past.map(|of| of.greater(Vec4::ZERO))) + x.greater(y.greater(z)).lesser(Vec4::ZERO)
            }
            Self::Polygon(ref polygon) => polygon.distances_to(points)?,
        })
    }

    /// The point of the surface nearest to `point`.
    pub fn nearest_point(&self, point: Vec3) -> Vec3 {
        match *self {
            Self::Box { center, half, angle } => {
                center + angle.rotate(nearest_on_box(angle.rotate_back(point - center), half))
            }
            Self::Polygon(ref polygon) => polygon.nearest_point(point),
            Self::Ball { .. } | Self::Capsule { .. } => point - self.normal(point) * self.distance_to(point),
        }
    }

    /// Outward unit normal at the surface point nearest to `point`.
    pub fn normal(&self, point: Vec3) -> Vec3 {
        match *self {
            Self::Ball { center, .. } => (point - center).try_normalize().unwrap_or(Vec3::X),
            Self::Capsule { from, to, .. } => {
                let away = point - spine(from, to, point);
                if away.abs().max_element() > NEAR * point.abs().max_element() {
                    return away.normalize_or(Vec3::X);
                }
                let (offset, along) = (point.as_dvec3() - from.as_dvec3(), to.as_dvec3() - from.as_dvec3());
                let share = offset.dot(along) / along.length_squared().greater(f64::MIN_POSITIVE);
                let away = offset - along * share.limited(0.0, 1.0);
                away.try_normalize().map_or_else(|| perpendicular_to(to - from), DVec3::as_vec3)
            }
            Self::Box { center, half, angle } => {
                angle.rotate(box_normal(angle.rotate_back(point - center), half))
            }
            Self::Polygon(ref polygon) => polygon.normal(point),
        }
    }
}

/// Distance from the segment of a capsule, relative to coordinates, up to which rounding would turn the normal.
const NEAR: f32 = 1e-3;

/// The faces of a box; in a plane its outline.
fn box_faces(center: Vec3, half: Vec3, angle: Angle) -> Vec<Vec<Vec3>> {
    /// Indices of corners; their bits are 1: +x, 2: +y, 4: +z.
    const FACES: [[usize; 4]; 6] =
        [[1, 3, 7, 5], [0, 4, 6, 2], [2, 6, 7, 3], [0, 1, 5, 4], [4, 5, 7, 6], [0, 2, 3, 1]];
    const OUTLINE: [[usize; 4]; 1] = [[0, 1, 3, 2]];
    let faces: &[_] = if half.is_finite() { &FACES } else { &OUTLINE };
    let corner = |bits: &usize| {
        let sign = |bit: usize| if bits & bit == 0 { -1.0 } else { 1.0 };
        center + angle.rotate(finite(half) * Vec3::new(sign(1), sign(2), sign(4)))
    };
    faces.iter().map(|face| face.iter().map(corner).collect()).collect()
}

/// A unit vector perpendicular to `v`, in the world's plane if `v` is.
fn perpendicular_to(v: Vec3) -> Vec3 {
    Vec3::new(-v.y, v.x, 0.0).try_normalize().unwrap_or(Vec3::X)
}

/// Replaces infinite components by zero.
fn finite(half: Vec3) -> Vec3 {
    Vec3::select(half.is_finite_mask(), half, Vec3::ZERO)
}

fn spine(from: Vec3, to: Vec3, point: Vec3) -> Vec3 {
    let along = to - from;
    let length_squared = along.length_squared();
    if length_squared == 0.0 {
        return from;
    }
    from + along * ((point - from).dot(along) / length_squared).limited(0.0, 1.0)
}

/// Outward normal of the face, edge or corner of an axis-aligned box nearest to `p`.
fn box_normal(p: Vec3, half: Vec3) -> Vec3 {
    let outside = p - p.clamp(-half, half);
    if let Some(normal) = outside.try_normalize() {
        return normal;
    }
    let depth = half - p.abs();
    let sign = |x: f32| if x < 0.0 { -1.0 } else { 1.0 };
    if depth.x <= depth.y && depth.x <= depth.z {
        Vec3::X * sign(p.x)
    } else if depth.y <= depth.z {
        Vec3::Y * sign(p.y)
    } else {
        Vec3::Z * sign(p.z)
    }
}

fn nearest_on_box(p: Vec3, half: Vec3) -> Vec3 {
    let inside = p.clamp(-half, half);
    if inside != p {
        return inside;
    }
    let normal = box_normal(p, half);
    let depth = finite(half - p.abs()).dot(normal.abs());
    p + normal * depth
}
