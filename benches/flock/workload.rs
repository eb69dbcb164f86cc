//! FLOCK-N: units on a wrapping plane with about 20 neighbors each, and the constants of its rules.

use std::f32::consts::PI;
use std::sync::Arc;

use glam::{Vec2, Vec3};
use steerbox_core::perception::{List, Source};
use steerbox_core::sim::{Frozen, UnitContext};
use steerbox_core::world::random;
use steerbox_core::world::{
    Arena, Body, Domain, Edges, Group, Mover, NamedView, Units, View, World, unit_key,
};

use crate::context;

/// View radius.
pub(crate) const RADIUS: f32 = 10.0;
/// Mean number of neighbors.
pub(crate) const NEIGHBORS: f32 = 20.0;
/// Separation distance: a third of the radius, as in the scripts.
pub(crate) const NEAR: f32 = 3.333_333;
/// Weights of the rules, as in the scripts. If separation is more than four times cohesion, density equalizes, so the
/// flock remains as dense as at the start.
pub(crate) const COHESION: f32 = 0.01;
pub(crate) const ALIGNMENT: f32 = 0.05;
pub(crate) const SEPARATION: f32 = 0.1;

/// Time step in seconds.
pub(crate) const STEP: f32 = 1.0 / 60.0;
pub(crate) const MAX_SPEED: f32 = 30.0;
pub(crate) const MAX_CHANGE: f32 = 2.0;
/// Initial speed.
const SPEED: f32 = 20.0;
/// Maximum angle of initial headings from +x.
const SPREAD: f32 = 1.0;
const SEED: u64 = 20;

/// All neighbors of a unit.
pub(crate) const ALL: List = List { source: Source::Neighbors, within: f32::INFINITY };
/// The neighbors within the separation distance.
pub(crate) const CLOSE: List = List { source: Source::Neighbors, within: NEAR };

/// Returns the side of the plane for `count` units.
pub(crate) fn side(count: usize) -> f32 {
    (count as f32 * PI * RADIUS * RADIUS / NEIGHBORS).sqrt()
}

/// Returns `count` units, uniformly random.
pub(crate) fn world(count: usize) -> World {
    let body = Mover {
        max_speed: MAX_SPEED,
        desired_speed: SPEED,
        max_velocity_change: MAX_CHANGE,
        ..Mover::default()
    };
    let group = Group {
        name: "flock".to_owned(),
        body: Body::Mover(body),
        view: Some(0),
        units: 0..count,
        ..Group::default()
    };
    let view = NamedView { name: "around".to_owned(), view: View::Around { radius: RADIUS } };
    let size = Vec2::splat(side(count));
    World {
        arena: Arena {
            domain: Domain::Plane { size },
            edges: Edges::Wrap,
            seamless: true,
            ..Arena::default()
        },
        groups: vec![group],
        units: units(count, size),
        views: vec![view],
        step: STEP,
        ..World::default()
    }
}

fn units(count: usize, size: Vec2) -> Units {
    let mut units = Units::default();
    for index in 0..count {
        let key = unit_key("flock", index);
        let draw = |number| random::draw(SEED, key, 0, 0, number);
        let position = size * Vec2::new(draw(0), draw(1));
        let angle = SPREAD * (2.0 * draw(2) - 1.0);
        let heading = Vec2::from_angle(angle).extend(0.0);
        let axes = (heading, Vec3::Z);
        units.push(position.extend(0.0), heading * SPEED, axes, 0, key);
    }
    units
}

/// Returns the mean number of neighbors of the units of `world`.
pub(crate) fn mean_neighbors(world: &World) -> f32 {
    let count = world.units.len();
    let mut frozen = Frozen::new(world.clone());
    frozen.sort();
    let mut context = UnitContext::new(Arc::new(frozen));
    let mut sum = 0;
    for unit in 0..count {
        context.set_unit(unit);
        sum += context::means(&mut context, ALL).count;
    }
    sum as f32 / count as f32
}
