//! Script values: small copies that refer to objects of the call in progress.

use glam::{Vec2, Vec3};
use rhai::INT;
use steerbox_core::perception::List;

/// The deciding unit.
#[derive(Clone, Copy, Debug)]
pub(super) struct Me;

/// A unit with its apparent position. Parameters of this type also accept [`Me`].
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    pub(super) index: usize,
    pub(super) position: Vec3,
}

/// A list of units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units(pub(super) List);

/// A group, by its index, and the point to which its units appear nearest across a periodic edge: the deciding unit, or
/// the center of the group of a measure.
#[derive(Clone, Copy, Debug)]
pub(super) struct Members {
    pub(super) index: usize,
    pub(super) origin: Vec3,
}

/// The world.
#[derive(Clone, Copy, Debug)]
pub(super) struct World;

/// An obstacle, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Obstacle(pub(super) usize);

/// The obstacles whose surface is within a distance of the unit, nearest first. If the distance is infinite, all
/// obstacles in the order of the scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacles(pub(super) f32);

/// The intersection of a ray with an obstacle.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hit {
    pub(super) distance: f32,
    pub(super) point: Vec3,
    pub(super) normal: Vec3,
    pub(super) obstacle: Obstacle,
}

/// A path, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Path(pub(super) usize);

/// A flow field, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Field(pub(super) usize);

/// An environment grid, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Grid(pub(super) usize);

/// A turn: starboard and up, as fractions of the steering force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn(pub(super) Vec2);

/// The memory of the unit: `this`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory;

/// A group's name, by the index of the group.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(pub(super) usize);

/// A zone's name, by the index of the zone.
#[derive(Clone, Copy, Debug)]
pub(super) struct ZoneName(pub(super) usize);

/// A string: an index into the texts of the call, or the name of a group or zone.
#[derive(Clone, Copy, Debug)]
pub(super) enum Text {
    Written(usize),
    Group(usize),
    Zone(usize),
}

/// A value of any kind for display as text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Any {
    Text(Text),
    Number(f32),
    Integer(INT),
    Bool(bool),
    Vector(Vec3),
}
