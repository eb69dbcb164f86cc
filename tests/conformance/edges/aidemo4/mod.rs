//! Craft. The tested one is at `HERE`, faces along y and moves along it.

mod flocking;
mod obstacles;
mod pursuit;
mod views;

use glam::Vec2;

use super::{equal, facing_y, step_with};
use crate::stage::{Placed, Stage};

const HERE: Vec2 = Vec2::new(400.0, 300.0);
const AHEAD: Vec2 = Vec2::new(0.0, 10.0);
const FLOCKING: [&str; 3] = ["cohesion", "alignment", "separation"];

/// The scene without obstacles, with the wide view.
fn stage() -> Stage {
    let mut stage = Stage::new("aidemo4.ron");
    for script in ["lead", "chase", "intercept"] {
        stage.switch(script, false);
    }
    stage.obstruct([]);
    stage
}

/// The tested unit.
fn me() -> Placed {
    facing_y("regulars", HERE, AHEAD)
}

/// A unit at an offset from it.
fn at(group: &'static str, offset: (f32, f32), velocity: (f32, f32)) -> Placed {
    facing_y(group, HERE + Vec2::from(offset), Vec2::from(velocity))
}

fn mate(offset: (f32, f32), velocity: (f32, f32)) -> Placed {
    at("regulars", offset, velocity)
}

/// Asserts the turns of unit 0, the first regular, among these units.
#[track_caller]
fn expect(stage: &mut Stage, units: &[Placed], turns: &[(&str, f64)]) {
    let outcome = step_with(stage, units);
    super::all_finite(&outcome);
    for (script, expected) in turns {
        equal(outcome.turn(0, script), *expected);
    }
}
