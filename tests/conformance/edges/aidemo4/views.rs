//! Views and neighbors.

use std::f64::consts::PI;

use glam::Vec2;

use super::super::{equal, facing_y, step_with};
use super::{AHEAD, FLOCKING, expect, mate, me, stage};

/// The rudder toward an offset, for a unit that moves along y.
fn toward((x, y): (f32, f32)) -> f64 {
    let (x, y) = (f64::from(x), f64::from(y));
    x.signum() * (y / x.hypot(y)).acos() / PI
}

#[test]
fn the_radius_of_a_view_is_inclusive() {
    let mut stage = stage();
    for (view, offset) in [("limited", (72.0, 96.0)), ("narrow", (-120.0, 160.0))] {
        stage.look_through(Some(view));
        let (x, y) = offset;
        expect(&mut stage, &[me(), mate(offset, (0.0, 0.0))], &[("cohesion", toward(offset))]);
        expect(&mut stage, &[me(), mate((x, y + 0.1), (0.0, 0.0))], &[("cohesion", 0.0)]);
    }
}

#[test]
fn the_wide_view_has_a_radius_of_two_hundred_lengths() {
    let mut stage = stage();
    let looking = facing_y("regulars", Vec2::ZERO, AHEAD);
    for (y, seen) in [(224.0, true), (224.1, false)] {
        let far = facing_y("regulars", Vec2::new(768.0, y), Vec2::ZERO);
        let outcome = step_with(&mut stage, &[looking, far]);
        let expected = if seen { toward((768.0, 224.0)) } else { 0.0 };
        equal(outcome.turn(0, "cohesion"), expected);
    }
}

#[test]
fn the_boundary_of_a_view_is_exclusive() {
    let mut stage = stage();
    let cases = [
        ("wide", (9.0, 0.0), (9.0, 0.1)),
        ("wide", (9.0, 0.0), (9.0, -0.1)),
        ("wide", (9.0, -9.0), (9.1, -9.0)),
        ("wide", (0.0, -9.0), (-9.1, -9.0)),
        ("limited", (9.0, 0.0), (9.0, 0.1)),
        ("limited", (9.1, -9.0), (-9.0, 0.1)),
        ("narrow", (9.0, 9.0), (8.9, 9.0)),
        ("narrow", (9.0, 0.1), (-8.9, 9.0)),
        ("narrow", (0.1, -9.0), (0.1, 9.0)),
    ];
    for (view, outside, inside) in cases {
        stage.look_through(Some(view));
        expect(&mut stage, &[me(), mate(outside, (0.0, 0.0))], &[("cohesion", 0.0)]);
        let turns = [("cohesion", toward(inside))];
        expect(&mut stage, &[me(), mate(inside, (0.0, 0.0))], &turns);
    }
}

#[test]
fn a_single_unit_and_one_without_a_view_do_not_flock() {
    let mut stage = stage();
    let nothing = FLOCKING.map(|script| (script, 0.0));
    expect(&mut stage, &[me()], &nothing);
    let company = [me(), mate((3.0, 4.0), (5.0, 0.0))];
    stage.look_through(None);
    expect(&mut stage, &company, &nothing);
    stage.look_through(Some("wide"));
    let outcome = step_with(&mut stage, &company);
    assert!(FLOCKING.iter().all(|script| outcome.turn(0, script) != 0.0));
}

#[test]
fn the_player_is_never_a_neighbor() {
    let mut stage = stage();
    let player = super::at("player", (3.0, 4.0), (5.0, 0.0));
    for view in ["wide", "limited", "narrow"] {
        stage.look_through(Some(view));
        expect(&mut stage, &[me(), player], &FLOCKING.map(|script| (script, 0.0)));
    }
}

#[test]
fn all_types_separate_but_only_the_same_type_flocks() {
    let mut stage = stage();
    // At 5 of 20 units of length the push is fourfold, and the cosine of the offset is 0.8.
    let angle = 0.8_f64.acos() / PI;
    let other = super::at("interceptors", (3.0, 4.0), (5.0, 0.0));
    let turns = [("cohesion", 0.0), ("alignment", 0.0), ("separation", -4.0)];
    expect(&mut stage, &[me(), other], &turns);
    let own = mate((3.0, 4.0), (5.0, 0.0));
    let turns = [("cohesion", angle), ("alignment", 0.5), ("separation", -4.0)];
    expect(&mut stage, &[me(), own], &turns);
    let turns = [("cohesion", angle), ("alignment", 0.5), ("separation", -8.0)];
    expect(&mut stage, &[me(), own, other], &turns);
}
