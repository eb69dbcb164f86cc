//! Leaders, chase and interception.

use super::super::{equal, step_with};
use super::{at, mate, me};
use crate::stage::{Placed, Stage};

fn hunting() -> Stage {
    let mut stage = super::stage();
    for script in ["lead", "chase", "intercept"] {
        stage.switch(script, true);
    }
    stage
}

/// Asserts the turn of the first regular toward the player.
#[track_caller]
fn expect_chase(stage: &mut Stage, units: &[Placed], turn: f64, leads: bool) {
    let outcome = step_with(stage, units);
    equal(outcome.turn(0, "chase"), turn);
    assert_eq!(outcome.has_mark(0, "leader"), leads);
}

/// Asserts the turn of an interceptor toward the player, without regulars.
#[track_caller]
fn expect_intercept(velocity: (f32, f32), player: Placed, turn: f64) {
    let me = at("interceptors", (0.0, 0.0), velocity);
    let outcome = step_with(&mut hunting(), &[me, player]);
    super::super::all_finite(&outcome);
    equal(outcome.turn(0, "intercept"), turn);
}

#[test]
fn a_leader_has_no_unit_of_either_type_in_the_narrow_view() {
    let player = at("player", (-50.0, 0.1), (0.0, 0.0));
    let mut stage = hunting();
    expect_chase(&mut stage, &[me(), player], -1.0, true);
    for group in ["regulars", "interceptors"] {
        let ahead = at(group, (10.0, 100.0), (0.0, 0.0));
        expect_chase(&mut stage, &[me(), ahead, player], 0.0, false);
        let beside = at(group, (100.0, 99.0), (0.0, 0.0));
        expect_chase(&mut stage, &[me(), beside, player], -1.0, true);
        let last = at(group, (120.0, 160.0), (0.0, 0.0));
        expect_chase(&mut stage, &[me(), last, player], 0.0, false);
        let far = at(group, (120.0, 160.1), (0.0, 0.0));
        expect_chase(&mut stage, &[me(), far, player], -1.0, true);
    }
}

#[test]
fn leadership_does_not_depend_on_the_selected_view() {
    let player = at("player", (50.0, 0.1), (0.0, 0.0));
    let ahead = mate((10.0, 150.0), (0.0, 0.0));
    for view in ["wide", "limited", "narrow"] {
        let mut stage = hunting();
        stage.look_through(Some(view));
        expect_chase(&mut stage, &[me(), player], 1.0, true);
        expect_chase(&mut stage, &[me(), ahead, player], 0.0, false);
    }
}

#[test]
fn a_player_ahead_does_not_prevent_leadership() {
    let player = at("player", (10.0, 100.0), (0.0, 0.0));
    expect_chase(&mut hunting(), &[me(), player], 1.0, true);
    let dead_ahead = at("player", (0.0, 100.0), (0.0, 0.0));
    expect_chase(&mut hunting(), &[me(), dead_ahead], 0.0, true);
}

#[test]
fn without_a_view_all_units_hunt_and_lead_if_nobody_is_ahead() {
    let mut stage = hunting();
    stage.look_through(None);
    let units = [
        me(),
        mate((10.0, 100.0), (0.0, 10.0)),
        at("interceptors", (-10.0, 50.0), (0.0, 10.0)),
        at("player", (90.0, 90.0), (0.0, 10.0)),
    ];
    let outcome = step_with(&mut stage, &units);
    // The mate is ahead of both others and has no unit ahead.
    for (unit, script, leads) in [(0, "chase", false), (1, "chase", true), (2, "intercept", false)] {
        equal(outcome.turn(unit, script), 1.0);
        assert_eq!(outcome.has_mark(unit, "leader"), leads, "unit {unit}");
        let cohesion = outcome.turn(unit, "cohesion");
        assert_eq!(cohesion, 0.0, "nobody flocks without a view");
    }
}

#[test]
fn with_the_chase_disabled_no_unit_hunts_or_leads() {
    let player = at("player", (50.0, 0.1), (0.0, 0.0));
    let mut stage = super::stage();
    for view in [Some("wide"), None] {
        stage.look_through(view);
        expect_chase(&mut stage, &[me(), player], 0.0, false);
    }
}

#[test]
fn regulars_steer_to_the_player_and_interceptors_to_the_predicted_position() {
    // Range 10 at a closing speed of 20: in half a second the player has crossed to port.
    let crossing = at("player", (6.0, 8.0), (-20.0, 0.0));
    expect_intercept((0.0, 0.0), crossing, -1.0);
    let at_rest = mate((0.0, 0.0), (0.0, 0.0));
    expect_chase(&mut hunting(), &[at_rest, crossing], 1.0, true);
    // At a closing speed of 100 it takes a tenth of a second, and is to starboard.
    expect_intercept((-80.0, 80.0), at("player", (6.0, 8.0), (-20.0, 0.0)), 1.0);
}

#[test]
fn an_interceptor_beside_a_player_with_the_same_velocity_steers_straight_to_it() {
    for (x, turn) in [(10.0, 1.0), (-10.0, -1.0)] {
        let beside = at("player", (x, 0.0), (0.0, 10.0));
        expect_intercept((0.0, 10.0), beside, turn);
    }
    expect_intercept((0.0, 10.0), at("player", (0.0, 0.0), (0.0, 10.0)), 0.0);
}
