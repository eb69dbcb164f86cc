//! Obstacles that are attached to units.

use steerbox_core::sim::{Simulation, UnitContext};

use super::reproduced::{assert_reproduced, generation_of, stepped};
use super::*;

const SCENE: &str = "(world: Plane(size: (100, 60), edges: Bounce), step: 0.05, contacts: (obstacles: Separate),
    bodies: {\"m\": Mover(length: 2, max_speed: 6, max_velocity_change: 0.4)},
    fields: {\"out\": Toward(goal: Point((95, 30)), cell: 3)},
    groups: [(name: \"a\", body: \"m\", count: 40, field: \"out\", behaviors: [(script: \"own\"), (script: \"wander\")]),
        (name: \"ships\", body: \"m\", count: 2, behaviors: [(script: \"own\"), (script: \"wander\")])],
    obstacles: [Circle(center: (0, 0), radius: 5, attached: \"ships\"), Box(center: (60, 30), size: (4, 20)),
        Box(center: (-6, 1), size: (8, 3), angle: 90, attached: \"ships\", unit: 1),
        Circle(center: (3, 4), radius: 2, attached: \"ships\")],
    scatter: [(count: 3, radius: 2)])";

const OWN: &str = "fn steer(me, world) {
    let sum = vec(0, 0);
    for o in world.obstacles { sum += o.velocity * 0.01; }
    for o in world.obstacles.within(20) { sum += (me.position - o.nearest_point(me.position)).limit(0.1); }
    let nearest = world.obstacles.nearest;
    let hit = world.obstacles.ray(me.position, me.heading, 30);
    if hit != () { sum += hit.normal * 0.1; }
    sum + world.field(\"out\").at(me.position) * 0.1 + nearest.velocity * 0.01 + vec(world.obstacles.len * 0.001, 0)
}";

fn generation(scene: &str) -> Generation {
    generation_of(scene, OWN)
}

/// A unit at an index, and its position, heading and velocity.
fn pose(simulation: &Simulation, unit: usize) -> (Vec3, Vec3, Vec3) {
    let units = &simulation.world().units;
    (units.position[unit], units.heading[unit], units.velocity[unit])
}

#[test]
fn any_number_of_threads_rewinding_and_saved_states_give_the_same_run() {
    assert_reproduced(&generation(SCENE));
}

#[test]
fn they_follow_and_turn_with_their_carriers() {
    let mut simulation = generation(SCENE).start(None);
    let routes = simulation.world().flows.clone();
    for _ in 0..40 {
        let world = simulation.world();
        let (first, heading, velocity) = pose(&simulation, 40);
        let port = Vec3::Z.cross(heading);
        let [circle, _, boxed, beside] = &world.obstacles[..4] else { panic!("there are four") };
        assert_eq!((circle.position(), circle.velocity), (first, velocity));
        assert!(beside.position().abs_diff_eq(first + heading * 3.0 + port * 4.0, 1e-4));
        let (second, heading, velocity) = pose(&simulation, 41);
        let center = second - heading * 6.0 + Vec3::Z.cross(heading);
        assert!(boxed.position().abs_diff_eq(center, 1e-4) && boxed.velocity == velocity);
        // The angle of 90 degrees turns its long side across the heading.
        let across = Vec3::Z.cross(heading) * 3.9;
        assert!(boxed.distance_to(center + across) < 0.0 && boxed.distance_to(center + heading * 3.9) > 0.0);
        stepped(&mut simulation, 1);
    }
    assert_eq!(simulation.world().flows, routes, "routes ignore them");
    let away = Motion { position: Vec3::new(9.0, 8.0, 0.0), ..simulation.unit_state(40).unwrap().motion };
    let key = simulation.world().units.key[40];
    simulation.move_units(&[(key, away)]);
    assert_eq!(simulation.world().obstacles[0].position(), away.position, "a carrier that is dragged");
}

#[test]
fn a_carrier_neither_perceives_nor_touches_its_own() {
    let mut simulation = generation(SCENE).start(None);
    stepped(&mut simulation, 1);
    let mut context = UnitContext::new(simulation.frozen());
    assert_eq!(context.obstacles().visible_count(), 7);
    for (unit, seen) in [(0, &[0, 1, 2, 3, 4, 5, 6][..]), (40, &[1, 2, 4, 5, 6]), (41, &[0, 1, 3, 4, 5, 6])] {
        context.set_unit(unit);
        let obstacles = context.obstacles();
        let all: Vec<_> = (0..obstacles.visible_count()).filter_map(|at| obstacles.visible(at)).collect();
        assert_eq!((&all[..], obstacles.visible(all.len())), (seen, None));
        let mut near: Vec<_> = context.obstacles_within(500.0).iter().map(|near| near.obstacle).collect();
        near.sort_unstable();
        assert_eq!(near, seen);
    }
    // Alone, a ship inside its circle moves as without it, and an other unit there is pushed out.
    let scene = |rest: &str| {
        format!(
            "(world: Plane(size: (100, 60)), step: 0.1, contacts: (obstacles: Separate), bodies: {{\"m\": Mover(length: 2)}},
            groups: [(name: \"ship\", body: \"m\", spawn: At([(position: (30, 30), velocity: (3, 0))])),
                (name: \"a\", body: \"m\", spawn: At([(position: (31, 30))]))], {rest})"
        )
    };
    let after = |rest: &str| {
        let mut simulation = generation(&scene(rest)).start(None);
        stepped(&mut simulation, 10);
        (pose(&simulation, 0), pose(&simulation, 1))
    };
    let (alone, still) = after("");
    let (carrier, pushed) = after("obstacles: [Circle(center: (0, 0), radius: 5, attached: \"ship\")]");
    assert_eq!((carrier, still.2), (alone, Vec3::ZERO));
    assert!((pushed.2.x - 3.0).abs() < 1e-3 && pushed.0.distance(carrier.0) > 5.9, "{pushed:?}");
}

#[test]
fn without_its_carrier_an_obstacle_rests_where_it_is() {
    let generation = generation(SCENE);
    let mut simulation = generation.start(None);
    stepped(&mut simulation, 20);
    let [key, other] = [40, 41].map(|unit| simulation.world().units.key[unit]);
    let before = simulation.world().obstacles.clone();
    simulation.remove_units(&[key]);
    let rests = |simulation: &Simulation| {
        let now = &simulation.world().obstacles;
        assert_eq!((&now[0], &now[3]), (&before[0], &before[3]));
        assert_eq!((now[0].velocity, now[3].velocity), (Vec3::ZERO, Vec3::ZERO));
    };
    rests(&simulation);
    stepped(&mut simulation, 20);
    rests(&simulation);
    assert_eq!(simulation.world().units.key[40], other);
    assert_eq!(simulation.world().obstacles[2].velocity, pose(&simulation, 40).2);
    let saved = simulation.saved_state();
    let mut loaded = generation.start(None);
    loaded.load_state(&saved).unwrap();
    rests(&loaded);
    let mut swapped = simulation.clone();
    generation.swap_into(&mut swapped, &generation.scene, None);
    rests(&swapped);
    let hash = stepped(&mut simulation, 30);
    assert_eq!([stepped(&mut loaded, 30), stepped(&mut swapped, 30)], [hash; 2]);
}

#[test]
fn a_changed_scene_changes_shapes_and_carriers_of_the_running_world() {
    let before = generation(SCENE);
    let mut simulation = before.start(None);
    stepped(&mut simulation, 30);
    let changed = SCENE.replace("radius: 5, attached: \"ships\"", "radius: 4, attached: \"a\", unit: 7");
    let after = generation(&changed.replace("angle: 90, attached: \"ships\", unit: 1", "angle: 90"));
    after.swap_into(&mut simulation, &before.scene, None);
    let world = simulation.world();
    assert_eq!((world.obstacles[0].position(), world.obstacles[0].radius()), (world.units.position[7], 4.0));
    assert_eq!(world.obstacles[2].position(), Vec3::new(-6.0, 1.0, 0.0));
    assert_eq!([7, 40, 41].map(|unit| world.carries(unit)), [true, true, false]);
}
