//! The feeler.

use glam::Vec2;
use steerbox_core::world::ParamValue;

use super::{HERE, expect, me};
use crate::stage::{Placed, Stage};

const RADIUS: f32 = 32.0;

#[track_caller]
fn expect_turn(stage: &mut Stage, me: Placed, obstacles: &[(f32, f32)], expected: f64) {
    let centers = obstacles.iter().map(|offset| HERE + Vec2::from(*offset));
    stage.obstruct(centers.map(|center| (center.extend(0.0), RADIUS)));
    expect(stage, &[me], &[("avoid_obstacles", expected)]);
}

/// The turn away from an obstacle to starboard: feeler length divided by distance.
fn away((x, y): (f64, f64)) -> f64 {
    -100.0 / x.hypot(y)
}

#[test]
fn an_obstacle_dead_ahead_is_on_neither_side() {
    let mut stage = super::stage();
    expect_turn(&mut stage, me(), &[(0.0, 50.0)], 0.0);
    expect_turn(&mut stage, me(), &[(1.0, 50.0)], away((1.0, 50.0)));
    expect_turn(&mut stage, me(), &[(-1.0, 50.0)], -away((1.0, 50.0)));
}

#[test]
fn an_obstacle_behind_counts_unless_disabled() {
    let behind = [(1.0, -50.0)];
    expect_turn(&mut super::stage(), me(), &behind, away((1.0, 50.0)));
    let off = ParamValue::Switch(false);
    let setting = ("regulars", "avoid_obstacles", "BEHIND", off);
    let mut stage = Stage::tuned("aidemo4.ron", &[setting]);
    expect_turn(&mut stage, me(), &behind, 0.0);
    expect_turn(&mut stage, me(), &[(1.0, 50.0)], away((1.0, 50.0)));
}

#[test]
fn feeler_length_and_obstacle_radius_are_exclusive() {
    let mut stage = super::stage();
    expect_turn(&mut stage, me(), &[(1.0, 100.0)], 0.0);
    expect_turn(&mut stage, me(), &[(1.0, 99.9)], away((1.0, 99.9)));
    expect_turn(&mut stage, me(), &[(32.0, 50.0)], 0.0);
    expect_turn(&mut stage, me(), &[(31.9, 50.0)], away((31.9, 50.0)));
}

#[test]
fn turns_of_obstacles_are_summed() {
    let both = [(3.0, 4.0), (-30.0, 40.0)];
    expect_turn(&mut super::stage(), me(), &both, -20.0 + 2.0);
}

#[test]
fn the_feeler_follows_the_course_and_a_unit_at_rest_detects_only_an_obstacle_around_it() {
    let mut stage = super::stage();
    let adrift = Placed { velocity: glam::Vec3::X, ..me() };
    expect_turn(&mut stage, adrift, &[(50.0, 0.0)], -2.0);
    expect_turn(&mut stage, adrift, &[(1.0, 50.0)], 0.0);
    let at_rest = Placed { velocity: glam::Vec3::ZERO, ..me() };
    expect_turn(&mut stage, at_rest, &[(33.0, 0.0)], 0.0);
    expect_turn(&mut stage, at_rest, &[(10.0, 0.0)], -10.0);
    expect_turn(&mut stage, me(), &[(0.0, 0.0)], 0.0);
}
