//! Craft in random states.

use glam::{DVec2, Vec2, Vec3};
use steerbox_core::dynamics::{Motion, Steering, loads};
use steerbox_core::sim::Slot;
use steerbox_core::world::{Body, Units, World};

use super::{Count, changed, close, exact};
use crate::dice::{Dice, flat};
use crate::reference::aidemo4::{self, Craft, OBSTACLE_RADIUS, Rules, STEERING_FORCE, Scene, Sight};
use crate::reference::{Doubt, craft};
use crate::stage::{Outcome, Stage, turn};

const STATES: usize = 300;
const WINDOW: DVec2 = DVec2::new(800.0, 600.0);
const UNITS: usize = 20;
const SCRIPTS: [&str; 6] = ["cohesion", "alignment", "separation", "avoid_obstacles", "chase", "intercept"];

#[test]
fn craft_steer_and_move_as_the_reference_does() {
    let mut stage = Stage::new("aidemo4.ron");
    assert_eq!(stage.world.units.len(), UNITS);
    let mut dice = Dice::new(4);
    let mut count = Count::default();
    for _ in 0..STATES {
        let sight = dice.pick(&[Sight::Wide, Sight::Limited, Sight::Narrow, Sight::Off]);
        let chase = dice.once_in(2);
        set(&mut stage, sight, chase, &mut dice);
        let scene = scene(&stage.world, sight, chase);
        let outcome = stage.step();
        for unit in 0..UNITS - 1 {
            compare(&stage, &scene, &outcome, unit, &mut count);
        }
        let keys = f64::from(stage.world.controls.turn);
        compare_player(&stage, &scene.player, keys, &outcome);
        count.note("a key", keys != 0.0);
        let view = ["wide", "limited", "narrow", "no view"][sight as usize];
        count.note(view, true);
    }
    count.check(50);
}

/// Sets the scene to a random state.
fn set(stage: &mut Stage, sight: Sight, chase: bool, dice: &mut Dice) {
    stage.look_through(match sight {
        Sight::Wide => Some("wide"),
        Sight::Limited => Some("limited"),
        Sight::Narrow => Some("narrow"),
        Sight::Off => None,
    });
    for script in ["lead", "chase", "intercept"] {
        stage.switch(script, chase);
    }
    for slot in stage.slots.iter_mut().flatten() {
        slot.gain = if dice.once_in(2) { 1.0 } else { dice.between(0.0, 2.0) as f32 };
    }
    stage.world.controls.turn = dice.pick(&[-1.0, 0.0, 1.0]);
    let anywhere = |dice: &mut Dice, margin: f64| {
        let (x, y) = (dice.between(margin, 800.0 - margin), dice.between(margin, 600.0 - margin));
        DVec2::new(x, y)
    };
    let balls = (0..8).map(|_| (flat(anywhere(dice, 128.0)), OBSTACLE_RADIUS as f32));
    stage.obstruct(balls.collect::<Vec<_>>());
    let center = anywhere(dice, 0.0);
    let spread = dice.pick(&[15.0, 60.0, 200.0, 500.0]);
    for unit in 0..UNITS {
        let place = center + dice.course() * dice.between(0.0, spread);
        scatter_one(&mut stage.world.units, unit, place, dice);
    }
}

fn scatter_one(units: &mut Units, unit: usize, place: DVec2, dice: &mut Dice) {
    let heading = dice.course();
    let ahead = dice.once_in(2);
    let course = if ahead { heading } else { dice.course() };
    let speed = if dice.once_in(20) { 0.0 } else { dice.between(0.0, 45.0) };
    units.position[unit] = flat(place.rem_euclid(WINDOW));
    units.velocity[unit] = flat(course * speed);
    units.heading[unit] = flat(heading).normalize();
    let spin = if dice.once_in(8) { 0.0 } else { dice.between(-3.0, 3.0) };
    units.angular_velocity[unit] = Vec3::Z * spin as f32;
}

fn craft_of(world: &World, unit: usize) -> Craft {
    let units = &world.units;
    Craft {
        position: exact(units.position[unit]),
        velocity: exact(units.velocity[unit]),
        heading: exact(units.heading[unit]).normalize(),
        spin: f64::from(units.angular_velocity[unit].z),
        interceptor: world.group_of(unit).name == "interceptors",
    }
}

fn scene(world: &World, sight: Sight, chase: bool) -> Scene {
    assert_eq!(world.player, Some(UNITS - 1));
    Scene {
        units: (0..UNITS - 1).map(|unit| craft_of(world, unit)).collect(),
        player: craft_of(world, UNITS - 1),
        obstacles: world.obstacles.iter().map(|it| exact(it.position())).collect(),
        sight,
        chase,
    }
}

/// Returns a rule's contribution by the name of its script.
fn by_script(rules: &Rules, script: &str) -> f64 {
    match script {
        "cohesion" => rules.cohesion,
        "alignment" => rules.alignment,
        "separation" => rules.separation,
        "avoid_obstacles" => rules.obstacles,
        "chase" | "intercept" => rules.pursuit,
        "lead" => 0.0,
        other => panic!("the scene runs {other}"),
    }
}

fn compare(stage: &Stage, scene: &Scene, outcome: &Outcome, unit: usize, count: &mut Count) {
    let doubt = Doubt::default();
    let rules = aidemo4::rules(scene, unit, &doubt);
    let me = &scene.units[unit];
    if doubt.any() {
        count.left_out += 1;
        return;
    }
    count.compared += 1;
    let decisions = outcome.decisions(unit);
    for script in SCRIPTS.into_iter().filter(|script| decisions.contains_key(script)) {
        let expected = by_script(&rules, script) / STEERING_FORCE;
        let found = turn(decisions.get(script).copied());
        close(&format!("{script} of {me:?} in {:?}", scene.sight), found, expected, 1.0);
        count.note(script, expected != 0.0);
    }
    assert_eq!(outcome.has_mark(unit, "leader"), rules.leader, "{me:?} in {:?}", scene.sight);
    if scene.chase {
        count.note("leader", rules.leader);
        count.note("no leader", !rules.leader);
        let blind = scene.sight == Sight::Off;
        count.note("leader without a view", blind && rules.leader);
        count.note("no leader without a view", blind && !rules.leader);
    }
    let slots = &stage.slots[stage.world.units.group[unit] as usize];
    let share = |slot: &Slot| f64::from(slot.gain) * by_script(&rules, &slot.script);
    let steering = slots.iter().map(share).sum();
    count.note("a sum beyond 1", f64::abs(steering) > STEERING_FORCE);
    compare_motion(stage, me, (steering, 0.0), unit, outcome);
}

/// The player has no rules, only keys.
fn compare_player(stage: &Stage, player: &Craft, keys: f64, outcome: &Outcome) {
    assert_eq!(outcome.decisions(UNITS - 1).len(), 0);
    compare_motion(stage, player, (0.0, keys), UNITS - 1, outcome);
}

/// Compares loads and next state. `acting` is the summed steering force, and the keys.
fn compare_motion(stage: &Stage, me: &Craft, acting: (f64, f64), unit: usize, outcome: &Outcome) {
    let (steering, keys) = acting;
    let load = craft::loads(me, steering, keys);
    compare_loads(&stage.world, unit, load, steering);
    let step = f64::from(stage.world.step);
    let next = craft::advance(me, load, step, WINDOW);
    let units = &outcome.world().units;
    let (linear, angular) = (STEERING_FORCE / craft::MASS * step, STEERING_FORCE / craft::INERTIA * step);
    let flat = |v: DVec2| v.extend(0.0);
    let velocity = units.velocity[unit];
    changed("velocity", flat(me.velocity), velocity, flat(next.velocity), linear);
    let spin = units.angular_velocity[unit];
    let (was, is) = (DVec2::ZERO.extend(me.spin), DVec2::ZERO.extend(next.spin));
    changed("spin", was, spin, is, angular);
    let (was, is) = (flat(me.heading), flat(next.heading));
    changed("heading", was, units.heading[unit], is, angular * step);
    // At the edge, rounding decides on which side of the window a unit is.
    let place = next.position;
    if place.min_element() > 1e-3 && (WINDOW - place).min_element() > 1e-3 {
        let was = flat(place - next.velocity * step);
        changed("position", was, units.position[unit], flat(place), 0.0);
    }
}

fn compare_loads(world: &World, unit: usize, expected: (DVec2, f64), steering: f64) {
    let units = &world.units;
    let motion = Motion {
        position: units.position[unit],
        velocity: units.velocity[unit],
        heading: units.heading[unit],
        up: units.up[unit],
        angular_velocity: units.angular_velocity[unit],
    };
    let Body::Rigid(body) = &world.group_of(unit).body else {
        panic!("a mover");
    };
    let steering = Steering { turn: Vec2::X * (steering / STEERING_FORCE) as f32, push: Vec3::ZERO };
    let controls = (world.player == Some(unit)).then_some(&world.controls);
    let found = loads(body, &motion, &steering, controls);
    let (force, moment) = expected;
    close("force to starboard", f64::from(found.force.x), force.x, STEERING_FORCE);
    close("force forward", f64::from(found.force.y), force.y, STEERING_FORCE);
    close("moment", f64::from(found.moment.z), moment, STEERING_FORCE);
}
