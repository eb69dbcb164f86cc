//! Worlds without a scene, for tests and benchmarks.
//!
//! ```
//! use glam::Vec3;
//! use steerbox_core::world::{Edges, Group, View, World, testing};
//!
//! let arena = testing::plane(100.0, 60.0, Edges::Open);
//! let group = Group { view: Some(0), ..Group::default() };
//! let world = World { arena, step: 0.1, ..World::default() }
//!     .with_views([View::Around { radius: 20.0 }])
//!     .with_group(group, [Vec3::ZERO, Vec3::X]);
//! assert_eq!(world.units.len(), 2);
//! ```

use glam::{Vec2, Vec3};

use super::{
    Arena, Domain, Edges, Group, NamedView, Polygon, Solid, SolidKind, View, World, random, unit_key,
};

/// A plane of the given width and height.
pub fn plane(width: f32, height: f32, edges: Edges) -> Arena {
    let size = Vec2::new(width, height);
    let domain = Domain::Plane { size };
    Arena { domain, edges, ..Arena::default() }
}

/// A ball of space about the origin.
pub fn space(radius: f32, edges: Edges) -> Arena {
    let center = Vec3::ZERO;
    let domain = Domain::Space { center, radius };
    Arena { domain, edges, ..Arena::default() }
}

/// Creates groups of the given sizes with an all-around view of `radius`. `place` maps a unit and its random draws (by
/// index) to its position and velocity.
pub fn world(
    sizes: &[usize],
    radius: f32,
    place: impl Fn(usize, &dyn Fn(u32) -> f32) -> (Vec3, Vec3),
) -> World {
    let mut world = World::default().with_views([View::Around { radius }]);
    for size in sizes {
        let first = world.units.len();
        let key = |unit| unit_key("a", unit);
        let start = |unit| place(unit, &|number| random::draw(1, key(unit), 0, 0, number));
        let group = Group { view: Some(0), ..Group::default() };
        world = world.with_group(group, (first..first + size).map(start));
        for unit in first..first + size {
            (world.units.key[unit], world.units.heading[unit]) = (key(unit), Vec3::X);
            world.units.up[unit] = Vec3::Z;
        }
    }
    world
}

/// The kinds of shapes that exist in a plane, or in space.
pub fn solid_kinds(is_plane: bool) -> Vec<SolidKind> {
    let kinds = SolidKind::ALL.iter().copied();
    kinds.filter(|kind| is_plane || kind.names().1.is_some()).collect()
}

/// Creates a shape of a kind from numbers above zero and at least one point; each kind uses some of them. A polygon has the
/// points as its corners. Returns a ball if the numbers define no such shape.
pub fn solid(kind: SolidKind, points: &[Vec3], half: Vec3, angle: f32, is_plane: bool) -> Solid {
    let (center, ball) = (points[0], Solid::ball(points[0], half.x));
    match kind {
        SolidKind::Ball => ball,
        SolidKind::Capsule => Solid::Capsule { from: center, to: points[points.len() / 2], radius: half.y },
        SolidKind::Box => {
            let half = if is_plane { half.with_z(f32::INFINITY) } else { half };
            Solid::Box { center, half, angle: angle.into() }
        }
        SolidKind::Polygon => {
            let corners = points.iter().map(|point| point.truncate());
            Polygon::new(corners.collect()).map_or(ball, Solid::Polygon)
        }
    }
}

/// The initial state of a unit: it heads along its velocity, or along x at rest.
#[derive(Clone, Copy, Debug)]
pub struct Start {
    /// Its position.
    pub position: Vec3,
    /// Its velocity.
    pub velocity: Vec3,
}

impl From<Vec3> for Start {
    /// At rest.
    fn from(position: Vec3) -> Self {
        let velocity = Vec3::ZERO;
        Self { position, velocity }
    }
}

impl From<(Vec3, Vec3)> for Start {
    fn from((position, velocity): (Vec3, Vec3)) -> Self {
        Self { position, velocity }
    }
}

impl World {
    /// Replaces the views; each is named by its index.
    #[must_use]
    pub fn with_views(mut self, views: impl IntoIterator<Item = View>) -> Self {
        let named = |(at, view): (usize, View)| NamedView { name: at.to_string(), view };
        self.views = views.into_iter().enumerate().map(named).collect();
        self
    }

    /// Adds a group and its units, and sets its range of units. A group without a name is named by its index.
    #[must_use]
    pub fn with_group<S: Into<Start>>(
        mut self,
        mut group: Group,
        units: impl IntoIterator<Item = S>,
    ) -> Self {
        let number = self.groups.len();
        if group.name.is_empty() {
            group.name = number.to_string();
        }
        let first = self.units.len();
        for (index, start) in units.into_iter().enumerate() {
            let Start { position, velocity } = start.into();
            let heading = velocity.normalize_or(Vec3::X);
            let up = if heading.z == 0.0 { Vec3::Z } else { heading.any_orthonormal_vector() };
            let key = unit_key(&group.name, index);
            self.units.push(position, velocity, (heading, up), number as u16, key);
        }
        group.units = first..self.units.len();
        self.groups.push(group);
        self
    }
}
