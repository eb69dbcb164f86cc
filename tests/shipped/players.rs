//! Scenes with a player: the rules that involve it act from the start, and predators have one color.

use glam::Vec3;
use steerbox_core::sim::{Contribution, Slot};
use steerbox_core::world::{Controls, World};
use steerbox_scene::{Color, KeyAction};

use crate::common::on_threads;
use crate::stage::{SHIPPED, load, steps};

#[test]
fn the_chase_is_on_at_the_start_and_c_ends_it() {
    const CHASE: [&str; 3] = ["lead", "chase", "intercept"];
    let generation = load("aidemo4", &[]);
    let keys = generation.scene.keys.iter().map(|key| (key.key, key.action.clone()));
    let switch = KeyAction::Switch(CHASE.map(str::to_owned).to_vec());
    let view = |view: usize| KeyAction::View(Some(view));
    let none = KeyAction::View(None);
    let expected = [('1', view(0)), ('2', view(1)), ('3', view(2)), ('4', none), ('C', switch)];
    assert_eq!(keys.collect::<Vec<_>>(), expected);
    assert_eq!(generation.scene.world.views.iter().map(|view| &*view.name).collect::<Vec<_>>(), VIEWS);
    assert!(generation.scene.groups.iter().flat_map(|group| &group.behaviors).all(|used| used.enabled));
    let mut hunting = 0;
    on_threads(2, || {
        steps(&mut generation.start(None), 200, |simulation| {
            let world = simulation.world();
            let leader = world.marks.bit("leader").expect("a mark");
            for unit in 0..world.units.len() - 1 {
                let mut decided = simulation.decisions(unit);
                let hunts = |(slot, it): (&Slot, Contribution)| {
                    CHASE[1..].contains(&&*slot.script) && it != Contribution::None
                };
                let hunts = decided.any(hunts);
                assert_eq!(hunts, world.units.marks[unit] & leader != 0, "unit {unit}: leaders hunt");
                hunting += usize::from(hunts);
            }
        });
    });
    assert!(hunting >= 200, "a leader per step, not {hunting} in 200 steps");
}

const VIEWS: [&str; 3] = ["wide", "limited", "narrow"];

/// Returns the number of sheep in the pen.
fn penned(world: &World) -> usize {
    let pen = &world.zones.iter().find(|zone| zone.name == "pen").expect("a zone").area;
    world.units.position[sheep(world)].iter().filter(|at| pen.distance_to(**at) < 0.0).count()
}

fn sheep(world: &World) -> std::ops::Range<usize> {
    world.groups.iter().find(|group| group.name == "sheep").expect("a group").units.clone()
}

/// The keys of a player who drives the flock to the pen from behind, through the gate, and collects strays.
fn driving(world: &World) -> Controls {
    const BEHIND: f32 = 150.0;
    let flock = &world.units.position[sheep(world)];
    let center = flock.iter().sum::<Vec3>() / flock.len() as f32;
    let goal = Vec3::new(if center.x < 700.0 { 790.0 } else { 1000.0 }, 385.0, 0.0);
    let stray = flock.iter().max_by(|a, b| a.distance(center).total_cmp(&b.distance(center)));
    let stray = stray.filter(|stray| stray.distance(center) > 200.0);
    let dog = world.player.expect("a dog");
    let (at, heading) = (world.units.position[dog], world.units.heading[dog]);
    let behind = center + (center - goal).normalize_or_zero() * BEHIND;
    let to = stray.map_or(behind, |stray| stray + (stray - center).normalize_or_zero() * 60.0);
    let (mut way, out) = (to - at, at - center);
    if stray.is_none() && way.normalize_or_zero().dot(out.normalize_or_zero()) < -0.3 {
        // Around the flock, not through it.
        let side = Vec3::new(-out.y, out.x, 0.0).normalize_or_zero();
        way = if side.dot(way) < 0.0 { -side } else { side }
            + out * ((BEHIND + 30.0) / out.length() - 1.0) * 0.02;
    }
    let way = way.normalize_or_zero();
    let turn = heading.cross(way).z;
    let turn = if heading.dot(way) < 0.0 { turn.signum() } else { turn };
    Controls { turn: (-2.0 * turn).clamp(-1.0, 1.0), ..Controls::default() }
}

#[test]
fn a_dog_brings_the_sheep_into_the_pen_and_without_one_none_is_there() {
    let generation = load("sheepdog", &[]);
    // Seeds 1 to 6 take 60 to 110 s.
    let most = |is_steered: bool, seconds: f32| {
        let (mut simulation, mut most) = (generation.start(None), 0);
        while most < 60 && simulation.world().time() < seconds {
            simulation.step();
            most = most.max(penned(simulation.world()));
            if is_steered {
                simulation.set_controls(driving(simulation.world()));
            }
        }
        most
    };
    let (with, without) = on_threads(2, || rayon::join(|| most(true, 180.0), || most(false, 60.0)));
    assert!(with >= 60 && without == 0, "of 70 sheep, {with} with a dog and {without} without");
}

#[test]
fn predators_are_red() {
    let is_red = |color: Color| color.r > 200 && color.g < 130 && color.b < 130;
    let look = |scene: &str, group: &str| {
        let (_, generation) = SHIPPED.iter().find(|(name, _)| name == scene).expect("a scene");
        let plan = generation.scene.groups.iter().find(|plan| plan.common.name == group).expect("a group");
        plan.look.color.expect("a color")
    };
    for (scene, group) in [("predator_prey", "wolves"), ("fish", "player")] {
        assert!(is_red(look(scene, group)), "{group} of {scene}");
    }
    assert!(!is_red(look("predator_prey", "deer")) && !is_red(look("fish", "bass")));
}
