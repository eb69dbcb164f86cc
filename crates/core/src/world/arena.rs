//! The world's extent (a rectangle in the plane or a ball in space) and its edge behavior.

use glam::{DVec3, Vec2, Vec3};

use super::extrema::Extrema;
use super::images::{self, Images};

/// Maximum number of periods of a point from a seamless arena.
const MAX_REMOTE: f32 = 1000.0;

/// Edge behavior: the effect on a unit that crosses the edge.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Edges {
    /// The unit enters at the opposite side; its velocity is unchanged.
    Wrap,
    /// Position, velocity and heading are reflected at the edge.
    Bounce,
    /// No effect.
    Open,
}

/// The extent of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Domain {
    /// A rectangle from (0, 0) to `size`; z, pitch and roll stay zero.
    Plane {
        /// Width and height, above zero.
        size: Vec2,
    },
    /// A ball of space.
    Space {
        /// Its center.
        center: Vec3,
        /// Its radius, above zero.
        radius: f32,
    },
}

/// Extent and edge behavior of the world.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arena {
    /// The extent.
    pub domain: Domain,
    /// Edge behavior.
    pub edges: Edges,
    /// True if views, shapes and paths extend across the edge. It has an effect only in a plane with [`Edges::Wrap`].
    pub seamless: bool,
    /// The coordinates in files of the position (0, 0, 0); z is 0 in a plane.
    pub origin: DVec3,
}

impl Default for Arena {
    /// An open plane of size 1.
    fn default() -> Self {
        Self {
            domain: Domain::Plane { size: Vec2::ONE },
            edges: Edges::Open,
            seamless: false,
            origin: DVec3::ZERO,
        }
    }
}

impl Arena {
    /// Returns true in a plane, where z, pitch and roll are always zero.
    pub fn is_plane(&self) -> bool {
        matches!(self.domain, Domain::Plane { .. })
    }

    /// The center of the extent.
    pub fn center(&self) -> Vec3 {
        match self.domain {
            Domain::Plane { size } => (size * 0.5).extend(0.0),
            Domain::Space { center, .. } => center,
        }
    }

    /// Returns a point with y counted from the opposite edge, as in images: y is reflected about the center.
    pub fn flip_y(&self, point: Vec3) -> Vec3 {
        point.with_y(2.0 * self.center().y - point.y)
    }

    /// The extent along each axis; z is 0 in a plane.
    pub fn size(&self) -> Vec3 {
        match self.domain {
            Domain::Plane { size } => size.extend(0.0),
            Domain::Space { radius, .. } => Vec3::splat(2.0 * radius),
        }
    }

    /// The distance of a point from the extent, in units of length; 0 inside.
    pub fn distance_to(&self, point: Vec3) -> f32 {
        match self.domain {
            Domain::Plane { .. } => point.distance(self.nearest(point)),
            Domain::Space { center, radius } => (point.distance(center) - radius).greater(0.0),
        }
    }

    /// Returns the point of the extent that is nearest to a point.
    pub fn nearest(&self, point: Vec3) -> Vec3 {
        match self.domain {
            Domain::Plane { size } => {
                Vec3::new(point.x.limited(0.0, size.x), point.y.limited(0.0, size.y), 0.0)
            }
            Domain::Space { center, radius } => center + (point - center).clamp_length_max(radius),
        }
    }

    /// The radius of the ball, or of the largest circle inside the rectangle.
    pub fn radius(&self) -> f32 {
        match self.domain {
            Domain::Plane { size } => size.min_element() * 0.5,
            Domain::Space { radius, .. } => radius,
        }
    }

    /// The up axis of a unit without roll: z in a plane, y in space.
    pub fn zenith(&self) -> Vec3 {
        if self.is_plane() { Vec3::Z } else { Vec3::Y }
    }

    /// Returns the up axis of a unit without roll: the component of the zenith perpendicular to its heading, a unit vector.
    pub fn upright(&self, heading: Vec3) -> Vec3 {
        let zenith = self.zenith();
        let square = zenith - heading * zenith.dot(heading);
        if square.length_squared() > 1e-6 {
            return square.normalize();
        }
        heading.any_orthonormal_vector()
    }

    /// The period of positions: the size of a plane with [`Edges::Wrap`], else `None`.
    pub fn wrap(&self) -> Option<Vec2> {
        match self.domain {
            Domain::Plane { size } if self.edges == Edges::Wrap => Some(size),
            _ => None,
        }
    }

    /// The period of offsets in views: that of [`Arena::wrap`] if the arena is seamless, else `None`.
    pub fn period(&self) -> Option<Vec2> {
        self.wrap().filter(|_| self.seamless)
    }

    /// Returns the shifts at which the images of a box between two corners meet the arena: none, but for a seamless arena.
    pub fn images(&self, (low, high): (Vec3, Vec3)) -> impl Iterator<Item = Vec3> {
        let [low, high] = [low, high].map(Vec3::as_dvec3);
        let images = |period| Images::of_segment([DVec3::ZERO, self.size().as_dvec3()], [low, high], period);
        let images = images(self.period()).few().unwrap_or_else(|| images(None));
        images.shifts().map(DVec3::as_vec3)
    }

    /// Returns true if a box between two corners extends over too many periods of a seamless arena for the images of its shape.
    pub fn is_overlong(&self, (low, high): (Vec3, Vec3)) -> bool {
        let is_longer =
            |period: Vec2| (high - low).truncate().cmpge(period * (2.0 * images::MAX_PERIODS)).any();
        self.period().is_some_and(is_longer)
    }

    /// Returns true if a point is so many periods from a seamless arena that its image there is not exact.
    pub fn is_remote(&self, point: Vec3) -> bool {
        let is_remote = |period: Vec2| (point.truncate() / period).abs().cmpge(Vec2::splat(MAX_REMOTE)).any();
        self.period().is_some_and(is_remote)
    }

    /// Returns true if a box between two corners extends across an edge where units wrap, but has no image there.
    pub fn is_cut(&self, (low, high): (Vec3, Vec3)) -> bool {
        let size = self.wrap().filter(|_| !self.seamless);
        let is_across = |size: Vec2| low.truncate().min(size - high.truncate()).min_element() < 0.0;
        size.is_some_and(is_across)
    }

    /// Returns the minimum image of `offset` if views reach across the edge, else `offset`.
    pub fn shortest(&self, offset: Vec3) -> Vec3 {
        minimum_image(offset, self.period())
    }
}

/// Returns the shortest of the offsets that differ by whole periods (the minimum image convention).
pub fn minimum_image(offset: Vec3, period: Option<Vec2>) -> Vec3 {
    let Some(size) = period else {
        return offset;
    };
    let periods = (offset.truncate() / size).round();
    offset - (periods * size).extend(0.0)
}
