//! The values that scripts hold: small copies that stand for something in the call in progress.

use glam::{Vec2, Vec3};
use rhai::Engine;

use crate::perception::List;

/// The unit that decides.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Me;

/// Another unit, where it appears to be.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct Unit {
    pub(super) unit: usize,
    pub(super) position: Vec3,
}

/// A list of units.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Units(pub(super) List);

/// The world.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Universe;

/// One obstacle, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct Obstructing(pub(super) usize);

/// All obstacles.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Obstacles;

/// A path, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct Route(pub(super) usize);

/// A flow field, by its index.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct Field(pub(super) usize);

/// A turn: starboard and up.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(in crate::script) struct Turn(pub(in crate::script) Vec2);

/// What the unit remembers: `this`.
#[derive(Clone, Copy, Debug)]
pub(in crate::script) struct Remembered;

/// Gives every type the name that messages and editors use.
pub(super) fn name_types(engine: &mut Engine) {
    engine.register_type_with_name::<Me>("Me");
    engine.register_type_with_name::<Unit>("Unit");
    engine.register_type_with_name::<Units>("List");
    engine.register_type_with_name::<Universe>("World");
    engine.register_type_with_name::<Obstructing>("Obstacle");
    engine.register_type_with_name::<Obstacles>("ObstacleList");
    engine.register_type_with_name::<Route>("Path");
    engine.register_type_with_name::<Field>("Field");
    engine.register_type_with_name::<Turn>("Turn");
    engine.register_type_with_name::<Remembered>("Memory");
    engine.register_type_with_name::<Vec3>("Vector");
}
