//! Fish in random states.

use glam::{DVec3, Vec3};
use steerbox_core::sim::slot_key;
use steerbox_core::world::{Body, ParamValue, World, random};

use super::{Count, changed, close_vector};
use crate::dice::Dice;
use crate::reference::Doubt;
use crate::reference::fish::{self, Fish, Next, Rules, School};
use crate::stage::{Outcome, Stage, push};

const STATES: usize = 200;

#[test]
fn fish_decide_and_swim_as_the_reference_does() {
    let mut stage = Stage::new("fish.ron");
    let schools = schools(&stage);
    let mut dice = Dice::new(1);
    let mut count = Count::default();
    for _ in 0..STATES {
        set(&mut stage, &mut dice);
        let world = &stage.world;
        let all: Vec<_> = (0..world.units.len()).map(|unit| fish_of(world, unit)).collect();
        let outcome = stage.step();
        let fish = (0..all.len()).filter(|unit| world.player != Some(*unit));
        for unit in fish {
            compare(&stage, &all, &schools, unit, &outcome, &mut count);
        }
    }
    count.check(500);
}

/// Returns the settings of each group; the player's group has only kinds.
pub(crate) fn schools(stage: &Stage) -> Vec<School> {
    (0..stage.world.groups.len()).map(|group| school(stage, group)).collect()
}

fn school(stage: &Stage, index: usize) -> School {
    let group = &stage.world.groups[index];
    let Body::Mover(body) = &group.body else {
        panic!("a rigid body");
    };
    let runs = |script: &str| stage.slots[index].iter().any(|slot| slot.script == script);
    let number = |script: &str, param: &str| {
        if runs(script) { stage.number(&group.name, script, param) } else { 0.0 }
    };
    let axis = |param: &str| number("stay_in_sphere", param);
    let least = runs("cruise").then(|| stage.param(&group.name, "cruise", "BY"));
    School {
        kinds: group.kinds,
        enemies: group.enemies,
        sense: f64::from(group.sense),
        max_speed: f64::from(body.max_speed),
        desired_speed: f64::from(body.desired_speed),
        max_velocity_change: f64::from(body.max_velocity_change),
        axes: body.axes.as_dvec3(),
        separation: ["DISTANCE", "LEAST", "MOST"].map(|name| number("keep_distance", name)),
        avoidance: ["DISTANCE", "RATE"].map(|name| number("flee", name)),
        cohesion: number("cohesion", "RATE"),
        alignment: number("alignment", "RATE"),
        cruising: ["CHANCE_X", "CHANCE_Y", "CHANCE_Z", "MIN_MOVE", "MAX_RATE", "MIN_RATE"]
            .map(|name| number("cruise", name)),
        as_printed: least == Some(ParamValue::Choice("least".to_owned())),
        center: DVec3::new(axis("X"), axis("Y"), axis("Z")),
        radius: axis("RADIUS"),
    }
}

/// Sets the scene to a random state.
fn set(stage: &mut Stage, dice: &mut Dice) {
    for slot in stage.slots.iter_mut().flatten() {
        slot.gain = if dice.once_in(2) { 1.0 } else { dice.between(0.0, 2.0) as f32 };
    }
    let world = &mut stage.world;
    (world.seed, world.steps) = (dice.bits(), dice.bits() % 100_000);
    let center = dice.in_ball() * 50.0;
    let spread = dice.pick(&[8.0, 15.0, 30.0, 60.0]);
    for unit in 0..world.units.len() {
        let most = match world.group_of(unit).body {
            Body::Mover(body) => f64::from(body.max_speed),
            Body::Rigid(_) => panic!("a rigid body"),
        };
        let velocity = (dice.in_ball() * most).as_vec3();
        let units = &mut world.units;
        units.position[unit] = (center + dice.in_ball() * spread).as_vec3();
        units.velocity[unit] = velocity;
        units.heading[unit] = velocity.normalize();
        let up = Vec3::Y.reject_from_normalized(units.heading[unit]);
        units.up[unit] = up.normalize();
    }
}

fn fish_of(world: &World, unit: usize) -> Fish {
    Fish {
        group: world.units.group[unit] as usize,
        position: world.units.position[unit].as_dvec3(),
        velocity: world.units.velocity[unit].as_dvec3(),
    }
}

fn by_script(rules: &Rules, script: &str) -> DVec3 {
    match script {
        "keep_distance" => rules.separation,
        "flee" => rules.avoidance,
        "cohesion" => rules.cohesion,
        "alignment" => rules.alignment,
        "cruise" => rules.cruising,
        "stay_in_sphere" => rules.sphere,
        other => panic!("the scene runs {other}"),
    }
}

fn compare(
    stage: &Stage,
    all: &[Fish],
    schools: &[School],
    unit: usize,
    outcome: &Outcome,
    count: &mut Count,
) {
    let (world, me) = (&stage.world, &all[unit]);
    let school = &schools[me.group];
    let key = world.units.key[unit];
    let draw = random::draw(world.seed, key, world.steps, slot_key("cruise", 0), 0);
    let doubt = Doubt::default();
    let rules = fish::rules(all, schools, unit, f64::from(draw), &doubt);
    if doubt.any() {
        count.left_out += 1;
        return;
    }
    count.compared += 1;
    let decisions = outcome.decisions(unit);
    let mut desired = DVec3::ZERO;
    let slots = &stage.slots[me.group];
    assert_eq!(slots.len(), 6, "a rule is not compared");
    for slot in slots {
        let script = slot.script.as_str();
        let expected = by_script(&rules, script);
        let found = push(decisions.get(script).copied());
        let what = format!("{script} of {me:?}");
        close_vector(&what, found.as_dvec3(), expected, school.max_velocity_change);
        desired += expected * f64::from(slot.gain);
    }
    count_rules(&rules, me, school, desired, count);
    let next = fish::advance(me, school, desired, f64::from(world.step));
    compare_motion(stage, me, &next, unit, outcome);
}

fn count_rules(rules: &Rules, me: &Fish, school: &School, desired: DVec3, count: &mut Count) {
    let pushed = rules.separation.dot(rules.cohesion);
    count.note("separation pushes", pushed < 0.0);
    count.note("separation pulls", pushed > 0.0);
    count.note("avoidance", rules.avoidance != DVec3::ZERO);
    count.note("cohesion", rules.cohesion != DVec3::ZERO);
    count.note("alignment", rules.alignment != DVec3::ZERO);
    count.note("cruising along x", rules.cruising.x != 0.0);
    count.note("cruising along y", rules.cruising.y != 0.0);
    count.note("cruising along z", rules.cruising.z != 0.0);
    count.note("sphere", rules.sphere != DVec3::ZERO);
    count.note("no mates", rules.cohesion == DVec3::ZERO);
    let clamped = desired.length() > school.max_velocity_change;
    count.note("a clamped change", clamped);
    count.note("a free change", !clamped);
    let next = fish::advance(me, school, desired, 1.0);
    count.note("a clamped speed", next.velocity.length() > school.max_speed - 1e-9);
}

fn compare_motion(stage: &Stage, me: &Fish, next: &Next, unit: usize, outcome: &Outcome) {
    let units = &outcome.world().units;
    let step = f64::from(stage.world.step);
    let scale = 0.5;
    changed("velocity", me.velocity, units.velocity[unit], next.velocity, scale);
    let position = units.position[unit];
    changed("position", me.position, position, next.position, scale * step);
    // For a fish that hardly moves or moves vertically, the up axis is ill-conditioned.
    let level = next.velocity.with_y(0.0).length();
    if level > 0.05 {
        close_vector("heading", units.heading[unit].as_dvec3(), next.heading, 1.0);
        close_vector("up", units.up[unit].as_dvec3(), next.up, 1.0);
    }
}
