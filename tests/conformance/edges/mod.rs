//! States that random tests do not reach: exactly ahead, exactly at a radius, at the same point, at rest, alone.

mod aidemo4;
mod fish;
mod heading;

use glam::{Vec2, Vec3};

use crate::stage::{Outcome, Placed, Stage};

/// A unit in the plane that faces along y, so that x is to starboard.
fn facing_y(group: &'static str, position: Vec2, velocity: Vec2) -> Placed {
    Placed { group, position: position.extend(0.0), velocity: velocity.extend(0.0), heading: Vec3::Y }
}

/// Returns the outcome of a step with only these units, in the order of their groups.
fn step_with(stage: &mut Stage, units: &[Placed]) -> Outcome {
    stage.place(units);
    stage.step()
}

#[track_caller]
fn equal(found: f64, expected: f64) {
    let error = (found - expected).abs();
    assert!(error < 1e-5 * expected.abs().max(1.0), "{found} instead of {expected}");
}

#[track_caller]
fn equal_vector(found: Vec3, expected: Vec3) {
    let error = found.distance(expected);
    assert!(error < 1e-5 * expected.length().max(1.0), "{found} instead of {expected}");
}

/// Asserts that the state of all units is finite.
#[track_caller]
fn all_finite(outcome: &Outcome) {
    let units = &outcome.world().units;
    let fields = [&units.position, &units.velocity, &units.heading, &units.angular_velocity];
    assert!(fields.into_iter().flatten().all(|v| v.is_finite()));
}
