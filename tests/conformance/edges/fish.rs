//! Fish. The tested one is a bluegill, at the center unless a test states otherwise.

use glam::Vec3;
use steerbox_core::world::ParamValue;

use super::{all_finite, equal, equal_vector, step_with};
use crate::stage::{Outcome, Placed, Stage};

const NUDGE: f32 = 0.01;

fn fish(group: &'static str, position: Vec3, velocity: Vec3) -> Placed {
    Placed { group, position, velocity, heading: Vec3::X }
}

fn me() -> Placed {
    fish("bluegill", Vec3::ZERO, Vec3::X)
}

fn mate(position: Vec3) -> Placed {
    fish("bluegill", position, Vec3::X)
}

fn stage() -> Stage {
    Stage::new("fish.ron")
}

fn number(script: &str, param: &str) -> f32 {
    stage().number("bluegill", script, param) as f32
}

/// Returns the push of a script for the first bluegill among these.
fn pushed(units: &[Placed], script: &str) -> Vec3 {
    let outcome = step_with(&mut stage(), units);
    all_finite(&outcome);
    outcome.push(0, script)
}

#[test]
fn separation_acts_within_its_distance() {
    let names = ["DISTANCE", "LEAST", "MOST"];
    let [distance, least, most] = names.map(|name| number("keep_distance", name));
    let push = |r: f32| pushed(&[me(), mate(Vec3::Z * r)], "keep_distance");
    assert_eq!(push(distance), Vec3::ZERO);
    equal_vector(push(distance - NUDGE), Vec3::Z * -most);
    equal_vector(push(distance + NUDGE), Vec3::Z * most);
    equal_vector(push(distance * 0.3), Vec3::Z * -0.3);
    equal_vector(push(distance * least * 0.5), Vec3::Z * -least);
}

#[test]
fn only_the_nearest_of_the_same_group_affects_separation() {
    let distance = number("keep_distance", "DISTANCE");
    let most = number("keep_distance", "MOST");
    let near = mate(Vec3::Y * distance * 1.5);
    let far = mate(Vec3::X * distance * 2.0);
    let bass = fish("bass", Vec3::Z, Vec3::X);
    let push = pushed(&[me(), far, near, bass], "keep_distance");
    equal_vector(push, Vec3::Y * most);
}

#[test]
fn a_mate_at_the_same_point_has_no_direction() {
    let on_top = fish("bluegill", Vec3::ZERO, Vec3::Y);
    assert_eq!(pushed(&[me(), on_top], "keep_distance"), Vec3::ZERO);
    assert_eq!(pushed(&[me(), on_top], "cohesion"), Vec3::ZERO);
    let rate = number("alignment", "RATE");
    equal_vector(pushed(&[me(), on_top], "alignment"), Vec3::Y * rate);
    let enemy = fish("player", Vec3::ZERO, Vec3::Y);
    assert_eq!(pushed(&[me(), enemy], "flee"), Vec3::ZERO);
}

#[test]
fn a_mate_at_the_sense_range_is_not_seen() {
    let sense = stage().world.groups[0].sense;
    let rate = number("cohesion", "RATE");
    let push = |r: f32| pushed(&[me(), mate(Vec3::Y * r)], "cohesion");
    assert_eq!(push(sense), Vec3::ZERO);
    equal_vector(push(sense - NUDGE), Vec3::Y * rate);
}

#[test]
fn avoidance_starts_inside_its_distance() {
    let [distance, rate] = ["DISTANCE", "RATE"].map(|name| number("flee", name));
    let push = |group, r: f32| pushed(&[me(), fish(group, Vec3::Y * r, Vec3::X)], "flee");
    assert_eq!(push("player", distance), Vec3::ZERO);
    equal_vector(push("player", distance - NUDGE), Vec3::Y * -rate);
    for other in ["bluegill", "bass"] {
        assert_eq!(push(other, 1.0), Vec3::ZERO, "{other}");
    }
}

#[test]
fn an_enemy_at_the_sense_range_is_not_sensed() {
    let far = ParamValue::Number(100.0);
    let mut stage = Stage::tuned("fish.ron", &[("bluegill", "flee", "DISTANCE", far)]);
    let sense = stage.world.groups[0].sense;
    for (r, flees) in [(sense, false), (sense - NUDGE, true)] {
        let enemy = fish("player", Vec3::Y * r, Vec3::X);
        let push = step_with(&mut stage, &[me(), enemy]).push(0, "flee");
        assert_eq!(push != Vec3::ZERO, flees, "at {r}");
    }
}

#[test]
fn of_two_equally_near_enemies_it_flees_one() {
    let rate = number("flee", "RATE");
    // A scene has one player, so bass are enemies here.
    let mut stage = stage();
    stage.world.groups[0].enemies |= stage.world.groups[1].kinds;
    let [left, right] = [-5.0, 5.0].map(|x| fish("bass", Vec3::X * x, Vec3::X));
    for (enemies, away) in [([left, right], 1.0), ([right, left], -1.0)] {
        let push = step_with(&mut stage, &[me(), enemies[0], enemies[1]]).push(0, "flee");
        equal_vector(push, Vec3::X * rate * away);
    }
}

#[test]
fn without_enemies_in_its_mask_it_flees_no_unit() {
    let mut stage = stage();
    let units = [me(), fish("bass", Vec3::Y, Vec3::X), fish("player", Vec3::Z, Vec3::X)];
    assert_ne!(step_with(&mut stage, &units).push(0, "flee"), Vec3::ZERO);
    stage.world.groups[0].enemies = 0;
    assert_eq!(step_with(&mut stage, &units).push(0, "flee"), Vec3::ZERO);
}

#[test]
fn both_schools_flee_only_the_player() {
    let bass = fish("bass", Vec3::ZERO, Vec3::X);
    let outcome = step_with(&mut stage(), &[mate(Vec3::Y), bass]);
    for unit in [0, 1] {
        assert_eq!(outcome.push(unit, "flee"), Vec3::ZERO, "unit {unit}");
    }
    let player = fish("player", Vec3::Y * 2.0, Vec3::X);
    let outcome = step_with(&mut stage(), &[mate(Vec3::Y), bass, player]);
    for unit in [0, 1] {
        assert_ne!(outcome.push(unit, "flee"), Vec3::ZERO, "unit {unit}");
    }
}

#[test]
fn alignment_follows_the_nearest_or_optionally_the_mean() {
    let rate = number("alignment", "RATE");
    let near = fish("bluegill", Vec3::Y, Vec3::Y * 2.0);
    let far = fish("bluegill", Vec3::Y * 3.0, Vec3::Z * 2.0);
    equal_vector(pushed(&[me(), far, near], "alignment"), Vec3::Y * rate);
    let all = ParamValue::Choice("all".to_owned());
    let mut stage = Stage::tuned("fish.ron", &[("bluegill", "alignment", "WITH", all)]);
    let push = step_with(&mut stage, &[me(), far, near]).push(0, "alignment");
    equal_vector(push, (Vec3::Y + Vec3::Z).normalize() * rate);
    let resting = fish("bluegill", Vec3::Y, Vec3::ZERO);
    assert_eq!(pushed(&[me(), resting], "alignment"), Vec3::ZERO);
}

#[test]
fn a_single_fish_only_cruises() {
    let outcome = step_with(&mut stage(), &[me()]);
    for script in ["keep_distance", "cohesion", "alignment", "flee", "stay_in_sphere"] {
        assert_eq!(outcome.push(0, script), Vec3::ZERO, "{script}");
    }
    assert_ne!(outcome.push(0, "cruise"), Vec3::ZERO);
}

#[test]
fn a_fish_at_rest_remains_finite() {
    let at_rest = fish("bluegill", Vec3::ZERO, Vec3::ZERO);
    let outcome: Outcome = step_with(&mut stage(), &[at_rest, at_rest, at_rest]);
    all_finite(&outcome);
}

/// Returns the strength of a single fish's cruising at a speed; it is along one axis and forward.
fn cruising(stage: &mut Stage, speed: f32, step: u64) -> f64 {
    stage.world.steps = step;
    let lone = fish("bluegill", Vec3::ZERO, Vec3::X * speed);
    let push = step_with(stage, &[lone]).push(0, "cruise");
    equal(f64::from(push.length()), f64::from(push.element_sum()));
    f64::from(push.length())
}

#[test]
fn cruising_uses_the_clamped_rate_or_as_printed_the_minimum() {
    let mut stage = stage();
    let [most, least] = ["MAX_RATE", "MIN_RATE"].map(|name| f64::from(number("cruise", name)));
    let printed = ParamValue::Choice("least".to_owned());
    let mut as_printed = Stage::tuned("fish.ron", &[("bluegill", "cruise", "BY", printed)]);
    // The cruising speed is 3 and the maximum 6. Above and below it, the two signs cancel.
    let rates = [(3.0, 0.0), (4.5, 0.25), (1.5, 0.25), (0.0, 0.5), (6.0, 0.5)];
    for step in 0..20 {
        for (speed, rate) in rates {
            let expected = f64::clamp(rate, least, most);
            equal(cruising(&mut stage, speed, step), expected);
            equal(cruising(&mut as_printed, speed, step), least);
        }
    }
}

#[test]
fn the_sphere_acts_only_outside() {
    let radius = number("stay_in_sphere", "RADIUS");
    let push = |r: f32| pushed(&[mate(Vec3::Z * r)], "stay_in_sphere");
    assert_eq!(push(radius), Vec3::ZERO);
    equal_vector(push(radius + NUDGE), Vec3::Z * -6.0);
}
