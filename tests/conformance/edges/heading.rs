//! Pies. The tested one is far from the scene's circles, and heads along y.

use glam::{Vec2, Vec3};
use steerbox_core::world::ParamValue;

use super::{all_finite, equal_vector, facing_y, step_with};
use crate::stage::{Placed, Stage};

const HERE: Vec2 = Vec2::new(1000.0, 1000.0);

fn me() -> Placed {
    facing_y("flock", HERE, Vec2::Y)
}

fn mate(x: f32, y: f32) -> Placed {
    facing_y("flock", HERE + Vec2::new(x, y), Vec2::X)
}

fn stage() -> Stage {
    let mut stage = Stage::new("heading.ron");
    stage.world.target = None;
    stage
}

fn number(script: &str, param: &str) -> f32 {
    stage().number("flock", script, param) as f32
}

fn direction(x: f32, y: f32) -> Vec3 {
    Vec3::new(x, y, 0.0).normalize()
}

/// Returns the push of a script for the first of these units.
fn pushed(stage: &mut Stage, units: &[Placed], script: &str) -> Vec3 {
    let outcome = step_with(stage, units);
    all_finite(&outcome);
    outcome.push(0, script)
}

#[test]
fn the_view_radius_is_inclusive() {
    let rate = number("cohesion", "RATE");
    let push = |x, y| pushed(&mut stage(), &[me(), mate(x, y)], "cohesion");
    equal_vector(push(60.0, 80.0), direction(3.0, 4.0) * rate);
    assert_eq!(push(60.0, 80.1), Vec3::ZERO);
}

#[test]
fn the_rear_cone_is_blind() {
    let rate = number("cohesion", "RATE");
    let push = |x: f32, y: f32| pushed(&mut stage(), &[me(), mate(x, y)], "cohesion");
    // Cosines of −0.8, −0.855, −0.865 and −1.
    equal_vector(push(6.0, -8.0), direction(6.0, -8.0) * rate);
    equal_vector(push(51.86, -85.5), direction(51.86, -85.5) * rate);
    assert_eq!(push(50.18, -86.5), Vec3::ZERO);
    assert_eq!(push(0.0, -9.0), Vec3::ZERO);
}

#[test]
fn separation_is_weighted_by_the_clamped_distance_or_by_the_ratio() {
    let names = ["DISTANCE", "LEAST", "MOST"];
    let [distance, least, most] = names.map(|name| number("keep_distance", name));
    let mut by_distance = stage();
    let ratio = ParamValue::Choice("ratio".to_owned());
    let mut by_ratio = Stage::tuned("heading.ron", &[("flock", "keep_distance", "BY", ratio)]);
    let mut push = |r: f32| {
        let units = [me(), mate(r, 0.0)];
        [&mut by_distance, &mut by_ratio].map(|it| pushed(it, &units, "keep_distance"))
    };
    assert_eq!(push(distance), [Vec3::ZERO; 2]);
    let [plain, _] = push(least * 0.5);
    assert!((plain.x + least).abs() < 1e-3, "{plain}");
    let [plain, ratio] = push(3.0);
    equal_vector(plain, Vec3::X * -most);
    equal_vector(ratio, Vec3::X * -(3.0 / distance).clamp(least, most));
    for pull in push(distance + 1.0) {
        equal_vector(pull, Vec3::X * most);
    }
}

#[test]
fn alignment_uses_the_heading_of_the_nearest() {
    let rate = number("alignment", "RATE");
    let far = facing_y("flock", HERE + Vec2::new(30.0, 0.0), Vec2::NEG_Y);
    let near = facing_y("flock", HERE + Vec2::new(-9.0, 0.0), Vec2::X * 0.5);
    let push = pushed(&mut stage(), &[me(), far, near], "alignment");
    equal_vector(push, Vec3::X * rate);
}

#[test]
fn a_neighbor_at_the_same_point_has_no_direction() {
    let units = [me(), mate(0.0, 0.0)];
    assert_eq!(pushed(&mut stage(), &units, "keep_distance"), Vec3::ZERO);
    assert_eq!(pushed(&mut stage(), &units, "cohesion"), Vec3::ZERO);
    let rate = number("alignment", "RATE");
    equal_vector(pushed(&mut stage(), &units, "alignment"), Vec3::X * rate);
}

#[test]
fn it_approaches_the_target_and_backs_off_nearby() {
    let [least, most] = ["LEAST", "MOST"].map(|name| number("hold_target", name));
    let here = Vec2::ZERO;
    let push = |x: f32, y: f32| {
        let mut stage = stage();
        stage.world.target = Some(Vec3::new(x, y, 0.0));
        pushed(&mut stage, &[facing_y("flock", here, Vec2::Y)], "hold_target")
    };
    equal_vector(push(30.0, 40.0), direction(3.0, 4.0) * most);
    // Below the minimum plus an increment, the strength is that increment: 1.5 and 2.1 times the minimum.
    equal_vector(push(least * 2.5, 0.0), Vec3::X * least * 1.5);
    equal_vector(push(least * 1.5, 0.0), Vec3::X * least);
    equal_vector(push(least * 0.5, 0.0), Vec3::X * -least);
    assert_eq!(push(0.0, 0.0), Vec3::ZERO);
    let outcome = step_with(&mut stage(), &[me()]);
    assert_eq!(outcome.push(0, "hold_target"), Vec3::ZERO, "there is no target");
}

/// Returns the push away from circles of radius 10 at the given offsets.
fn swerve(circles: &[(f32, f32)]) -> Vec3 {
    let mut stage = stage();
    let centers = circles.iter().map(|offset| HERE + Vec2::from(*offset));
    stage.obstruct(centers.map(|center| (center.extend(0.0), 10.0)));
    pushed(&mut stage, &[me()], "swerve")
}

#[test]
fn it_swerves_from_a_near_circle_ahead() {
    let names = ["DISTANCE", "LEAST", "MOST"];
    let [reach, least, most] = names.map(|name| number("swerve", name));
    let urgency = ((reach - 40.0 + 10.0) / reach).clamp(least, most);
    equal_vector(swerve(&[(40.0, 0.0)]), direction(-1.0, 1.0) * urgency);
    let urgency = (0.2 * (reach - 50.0 + 10.0) / reach).clamp(least, most);
    equal_vector(swerve(&[(30.0, 40.0)]), direction(-0.6, 0.2) * urgency);
    assert_eq!(swerve(&[(0.0, 40.0)]), Vec3::ZERO, "dead ahead is not a direction");
    assert_eq!(swerve(&[(30.0, -1.0)]), Vec3::ZERO, "behind");
    assert_eq!(swerve(&[(reach, 0.0)]), Vec3::ZERO, "at the distance itself");
    assert_ne!(swerve(&[(reach - 0.1, 0.0)]), Vec3::ZERO);
    assert_eq!(swerve(&[(0.0, 0.0)]).z, 0.0);
}

#[test]
fn only_the_nearest_circle_counts() {
    let near = (40.0, 0.0);
    assert_eq!(swerve(&[(-50.0, 0.0), near]), swerve(&[near]));
    assert_eq!(swerve(&[(-20.0, -1.0), near]), Vec3::ZERO, "the nearest is behind");
}

#[test]
fn a_single_unit_keeps_its_heading() {
    let mut stage = stage();
    stage.place(&[facing_y("flock", HERE, Vec2::Y * 0.5)]);
    let outcome = stage.step();
    let units = &outcome.world().units;
    assert_eq!(units.velocity[0], Vec3::Y * 0.5);
    assert_eq!(units.position[0], HERE.extend(0.0) + Vec3::Y * 0.5);
}

#[test]
fn a_pie_at_rest_remains_finite() {
    let mut stage = stage();
    stage.world.target = Some(HERE.extend(0.0));
    let at_rest = facing_y("flock", HERE, Vec2::ZERO);
    all_finite(&step_with(&mut stage, &[at_rest, at_rest, at_rest]));
}

#[test]
fn a_heading_longer_than_one_is_clamped_and_a_shorter_one_is_not() {
    let most = number("hold_target", "MOST");
    for (speed, expected) in [(1.0, 1.0), (0.5, 0.5 + most)] {
        let mut stage = stage();
        stage.world.target = Some(HERE.extend(0.0) + Vec3::Y * 100.0);
        let outcome = step_with(&mut stage, &[facing_y("flock", HERE, Vec2::Y * speed)]);
        equal_vector(outcome.world().units.velocity[0], Vec3::Y * expected);
    }
}

#[test]
fn a_unit_that_would_enter_a_circle_keeps_position_and_heading() {
    for (offset, stays) in [(10.5, true), (11.5, false)] {
        let mut stage = stage();
        for slot in stage.slots.iter_mut().flatten() {
            slot.enabled = false;
        }
        stage.obstruct([(HERE.extend(0.0) + Vec3::Y * offset, 10.0)]);
        stage.place(&[facing_y("flock", HERE, Vec2::Y)]);
        let outcome = stage.step();
        let units = &outcome.world().units;
        assert_eq!(units.velocity[0], Vec3::Y);
        let moved = if stays { Vec3::ZERO } else { Vec3::Y };
        assert_eq!(units.position[0], HERE.extend(0.0) + moved);
    }
}
