//! The values that scripts hold: small copies that stand for something in the call in progress.

use glam::{Vec2, Vec3};
use rhai::INT;

use crate::perception::List;

/// The unit that decides.
#[derive(Clone, Copy, Debug)]
pub(super) struct Me;

/// A unit, where it appears to be. Where one is asked for, [`Me`] is taken as well.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Unit {
    pub(super) index: usize,
    pub(super) position: Vec3,
}

/// A list of units.
#[derive(Clone, Copy, Debug)]
pub(super) struct Units(pub(super) List);

/// The world.
#[derive(Clone, Copy, Debug)]
pub(super) struct World;

/// An obstacle, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Obstacle(pub(super) usize);

/// The obstacles whose surface is within a reach of the unit, nearest first; all of them, in the order of
/// the scene, if it is infinite.
#[derive(Clone, Copy, Debug)]
pub(super) struct Obstacles(pub(super) f32);

/// What a ray hits.
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

/// A turn: starboard and up, as fractions of the steering force.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn(pub(super) Vec2);

/// What the unit remembers: `this`.
#[derive(Clone, Copy, Debug)]
pub(super) struct Memory;

/// The name of a group, by its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Group(pub(super) usize);

/// A string: an index into the texts of the call, or the name of a group.
#[derive(Clone, Copy, Debug)]
pub(super) enum Text {
    Written(usize),
    Group(usize),
}

/// A value of any kind that can be shown as text.
#[derive(Clone, Copy, Debug)]
pub(super) enum Any {
    Text(Text),
    Number(f32),
    Integer(INT),
    Switch(bool),
    Vector(Vec3),
}
