//! Cohesion, alignment and separation.

use std::f64::consts::PI;

use super::super::{equal, step_with};
use super::{FLOCKING, expect, mate, me, stage};

#[test]
fn a_neighbor_exactly_ahead_is_on_neither_side() {
    let ahead = mate((0.0, 10.0), (0.0, 5.0));
    expect(&mut stage(), &[me(), ahead], &FLOCKING.map(|script| (script, 0.0)));
    // The angle off course is a right angle, but the side is still undefined.
    let adrift = crate::stage::Placed { velocity: glam::Vec3::X, ..me() };
    expect(&mut stage(), &[adrift, ahead], &FLOCKING.map(|script| (script, 0.0)));
}

#[test]
fn separation_acts_up_to_its_distance_inclusive() {
    let cases = [((12.0, 16.0), -1.0), ((-12.0, 16.0), 1.0), ((12.0, 16.001), 0.0), ((3.0, 4.0), -4.0)];
    for (offset, expected) in cases {
        let turns = [("separation", expected)];
        expect(&mut stage(), &[me(), mate(offset, (0.0, 0.0))], &turns);
    }
}

#[test]
fn a_neighbor_at_the_same_point_has_no_separation_and_causes_no_failure() {
    let on_top = mate((0.0, 0.0), (0.0, 0.0));
    let near = mate((12.0, 16.0), (0.0, 0.0));
    for view in [Some("wide"), Some("limited"), Some("narrow"), None] {
        let mut stage = stage();
        stage.look_through(view);
        let expected = if view.is_some() { -1.0 } else { 0.0 };
        expect(&mut stage, &[me(), on_top, near], &[("separation", expected)]);
    }
}

#[test]
fn a_unit_at_rest_is_at_a_right_angle_to_every_course() {
    let at_rest = crate::stage::Placed { velocity: glam::Vec3::ZERO, ..me() };
    let turns = [("cohesion", 0.5), ("alignment", -0.5)];
    expect(&mut stage(), &[at_rest, mate((3.0, 4.0), (-1.0, 7.0))], &turns);
    expect(&mut stage(), &[me(), mate((3.0, 4.0), (0.0, 0.0))], &[("alignment", 0.0)]);
}

#[test]
fn on_course_and_against_it_the_turn_is_zero() {
    let adrift = crate::stage::Placed { velocity: glam::Vec3::X * 10.0, ..me() };
    for along in [7.0, -7.0] {
        let mate = mate((0.0, 50.0), (along, 0.0));
        expect(&mut stage(), &[adrift, mate], &[("alignment", 0.0)]);
    }
    let turns = [("alignment", 0.25)];
    expect(&mut stage(), &[adrift, mate((0.0, 50.0), (7.0, 7.0))], &turns);
}

#[test]
fn a_mean_is_over_all_neighbors() {
    // The mean position is (6, 8), the mean velocity (2, 0).
    let company = [me(), mate((-18.0, 30.0), (3.0, 1.0)), mate((30.0, -14.0), (1.0, -1.0))];
    let turns = [("cohesion", 0.8_f64.acos() / PI), ("alignment", 0.5)];
    expect(&mut stage(), &company, &turns);
}

#[test]
fn a_sum_above_one_is_not_clamped_for_the_body() {
    let near = mate((3.0, 4.0), (0.0, 0.0));
    let mut stage = stage();
    let outcome = step_with(&mut stage, &[me(), near, near, near]);
    let turn = -12.0 + 0.8_f64.acos() / PI;
    equal(outcome.turn(0, "separation"), -12.0);
    // Steering force 6 at a bow 2 ahead, inertia 10. Drag on the keel line has no moment.
    let expected = -turn * 6.0 * 2.0 / 10.0 * 0.005;
    let spin = f64::from(outcome.world().units.angular_velocity[0].z);
    assert!((spin - expected).abs() < 1e-5 * expected, "{spin} instead of {expected}");
}
