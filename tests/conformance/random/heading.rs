//! Pies in random states.

use glam::{DVec2, DVec3, Vec3};
use steerbox_core::world::World;

use super::{Count, changed, close_vector, exact};
use crate::dice::{Dice, flat};
use crate::reference::Doubt;
use crate::reference::heading::{self, Pie, Rules, Weights};
use crate::stage::{Outcome, Stage, push};

const STATES: usize = 250;

/// All data that decisions depend on.
struct State {
    all: Vec<Pie>,
    target: Option<DVec2>,
    circles: Vec<(DVec2, f64)>,
    weights: Weights,
}

#[test]
fn pies_decide_and_move_as_the_reference_does() {
    let mut stage = Stage::new("heading.ron");
    let weights = weights(&stage);
    let mut dice = Dice::new(3);
    let mut count = Count::default();
    for _ in 0..STATES {
        set(&mut stage, &mut dice);
        let state = state(&stage.world, &weights);
        let outcome = stage.step();
        for unit in 0..state.all.len() {
            compare(&stage, &state, unit, &outcome, &mut count);
        }
    }
    count.check(200);
}

fn weights(stage: &Stage) -> Weights {
    let number = |script: &str, param: &str| stage.number("flock", script, param);
    let three = |script| ["DISTANCE", "LEAST", "MOST"].map(|param| number(script, param));
    Weights {
        separation: three("keep_distance"),
        heading: number("alignment", "RATE"),
        center: number("cohesion", "RATE"),
        goal: ["LEAST", "MOST"].map(|param| number("hold_target", param)),
        collision: three("swerve"),
    }
}

/// Sets the scene to a random state.
fn set(stage: &mut Stage, dice: &mut Dice) {
    for slot in stage.slots.iter_mut().flatten() {
        slot.gain = if dice.once_in(2) { 1.0 } else { dice.between(0.0, 2.0) as f32 };
    }
    let world = &mut stage.world;
    let center = DVec2::new(dice.between(0.0, 800.0), dice.between(0.0, 600.0));
    let spread = dice.pick(&[30.0, 100.0, 300.0, 600.0]);
    for unit in 0..world.units.len() {
        let place = center + dice.course() * dice.between(0.0, spread);
        let speed = if dice.once_in(2) { 1.0 } else { dice.between(0.05, 1.0) };
        let velocity = flat(dice.course() * speed).clamp_length_max(1.0);
        world.units.position[unit] = flat(place);
        world.units.velocity[unit] = velocity;
        world.units.heading[unit] = velocity.normalize();
    }
    // Far away, or so close to one of the units that it backs off.
    let unit = (dice.bits() % world.units.len() as u64) as usize;
    let close_by = world.units.position[unit] + flat(dice.course() * dice.between(0.005, 0.1));
    let far = Vec3::new(dice.between(0.0, 800.0) as f32, dice.between(0.0, 600.0) as f32, 0.0);
    world.target = dice.pick(&[None, Some(far), Some(close_by)]);
}

fn state(world: &World, weights: &Weights) -> State {
    let units = &world.units;
    let pie =
        |unit: usize| Pie { position: exact(units.position[unit]), heading: exact(units.velocity[unit]) };
    let circles = world.obstacles.iter();
    State {
        all: (0..units.len()).map(pie).collect(),
        target: world.target.map(exact),
        circles: circles.map(|it| (exact(it.position()), f64::from(it.radius()))).collect(),
        weights: weights.clone(),
    }
}

fn by_script(rules: &Rules, script: &str) -> DVec2 {
    match script {
        "keep_distance" => rules.separation,
        "alignment" => rules.alignment,
        "cohesion" => rules.cohesion,
        "hold_target" => rules.goal,
        "swerve" => rules.obstacle,
        other => panic!("the scene runs {other}"),
    }
}

fn compare(stage: &Stage, state: &State, unit: usize, outcome: &Outcome, count: &mut Count) {
    let State { all, target, circles, weights } = state;
    let doubt = Doubt::default();
    let rules = heading::rules(all, unit, *target, circles, weights, &doubt);
    let me = &all[unit];
    if doubt.any() {
        count.left_out += 1;
        return;
    }
    count.compared += 1;
    let decisions = outcome.decisions(unit);
    let mut sum = DVec2::ZERO;
    let slots = &stage.slots[0];
    assert_eq!(slots.len(), 5, "a rule is not compared");
    for slot in slots {
        let script = slot.script.as_str();
        let expected = by_script(&rules, script);
        let found = push(decisions.get(script).copied()).as_dvec3();
        close_vector(&format!("{script} of {me:?}"), found, expected.extend(0.0), 1.0);
        sum += expected * f64::from(slot.gain);
    }
    count_rules(&rules, me, *target, sum, count);
    compare_motion(me, sum, circles, unit, outcome, count);
}

fn count_rules(rules: &Rules, me: &Pie, target: Option<DVec2>, sum: DVec2, count: &mut Count) {
    let toward = target.map_or(0.0, |target| rules.goal.dot(target - me.position));
    count.note("separation", rules.separation != DVec2::ZERO);
    count.note("alignment", rules.alignment != DVec2::ZERO);
    count.note("cohesion", rules.cohesion != DVec2::ZERO);
    count.note("goal", toward > 0.0);
    count.note("obstacle", rules.obstacle != DVec2::ZERO);
    count.note("no mates", rules.alignment == DVec2::ZERO);
    let fast = (me.heading + sum).length() > 1.0;
    count.note("a clamped heading", fast);
    count.note("a short heading", !fast);
}

fn compare_motion(
    me: &Pie,
    sum: DVec2,
    circles: &[(DVec2, f64)],
    unit: usize,
    outcome: &Outcome,
    count: &mut Count,
) {
    let mut next = heading::advance(me, sum);
    // The depth of a point inside any circle.
    let depth = |place: DVec2| {
        let depths = circles.iter();
        depths.map(|(center, radius)| radius - place.distance(*center)).fold(f64::NEG_INFINITY, f64::max)
    };
    let middle = (me.position + next.position) * 0.5;
    let (before, between, after) = (depth(me.position), depth(middle), depth(next.position));
    // Too close to a circle's boundary to decide, or grazing it on the way.
    let unclear = after.abs() < 0.01 || before.abs() < 0.01 || (between > -0.01 && after < 0.0);
    if unclear {
        return;
    }
    if after > 0.0 {
        next.position = me.position;
        count.note("stays put", true);
    }
    let units = &outcome.world().units;
    let flat = |v: DVec2| -> DVec3 { v.extend(0.0) };
    let (was, velocity) = (flat(me.heading), units.velocity[unit]);
    changed("heading", was, velocity, flat(next.heading), 1.0);
    let (was, position) = (flat(me.position), units.position[unit]);
    changed("position", was, position, flat(next.position), 1.0);
    if next.heading.length() > 0.01 {
        let found = units.heading[unit].as_dvec3();
        close_vector("facing", found, flat(next.heading.normalize()), 1.0);
    }
}
