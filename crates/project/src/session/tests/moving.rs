//! Obstacles that move along paths, and the routes around them.

use super::reproduced::{assert_reproduced, generation_of, stepped};
use super::*;

const MOVING: &str = "(world: Plane(size: (100, 60), edges: Bounce), step: 0.05, contacts: (obstacles: Separate),
    bodies: {\"m\": Mover(length: 2, max_speed: 6, max_velocity_change: 0.4)},
    paths: {\"way\": (points: [(20, 10), (80, 10), (80, 50)]), \"round\": (points: [(30, 30), (50, 30), (50, 45)], closed: true)},
    fields: {\"out\": Toward(goal: Point((95, 30)), cell: 3)},
    groups: [(name: \"a\", body: \"m\", count: 40, field: \"out\", behaviors: [(script: \"own\")])],
    obstacles: [Circle(center: (20, 10), radius: 6, path: \"way\", speed: 8), Box(center: (60, 30), size: (4, 20)),
        Polygon(points: [(28, 28), (32, 28), (30, 34)], path: \"round\", speed: 5)])";

const OWN: &str = "fn steer(me, world) {
    let o = world.obstacles.nearest;
    let away = me.position - o.nearest_point(me.position);
    me.field.at(me.position) * 0.3 + away.limit(0.1) + o.velocity * 0.01
}";

#[test]
fn any_number_of_threads_rewinding_and_saved_states_give_the_same_run() {
    assert_reproduced(&generation_of(MOVING, OWN));
}

#[test]
fn obstacles_and_routes_follow_the_steps() {
    let generation = generation_of(MOVING, OWN);
    let mut simulation = generation.start(None);
    let first = simulation.world().clone();
    assert_eq!(first.obstacles[0].velocity, Vec3::X * 8.0);
    stepped(&mut simulation, 19);
    assert!((simulation.world().obstacles[0].position().x - 27.6).abs() < 1e-4);
    assert_eq!(simulation.world().obstacles[1], first.obstacles[1]);
    assert_eq!(simulation.world().flows, first.flows, "routes change every second");
    stepped(&mut simulation, 1);
    let world = simulation.world();
    assert_ne!(world.flows, first.flows);
    let (_, route) = &world.routes[0];
    assert_eq!(world.flows[0].flow, route.field(&world.arena, &world.obstacles));
    // The same scene without motion has the same obstacles at the start, and they rest.
    let still = MOVING.replace(", path: \"way\", speed: 8", "").replace(", path: \"round\", speed: 5", "");
    let mut still = generation_of(&still, OWN).start(None);
    assert!(still.world().movers.is_empty());
    let before = still.world().obstacles.clone();
    stepped(&mut still, 30);
    assert_eq!(still.world().obstacles, before);
}

#[test]
fn a_unit_at_rest_is_pushed_with_the_velocity_of_the_obstacle() {
    let scene = |contact: &str| {
        format!(
            "(world: Plane(size: (100, 60)), step: 0.1, {contact} bodies: {{\"m\": Mover(length: 2, max_speed: 40)}},
            paths: {{\"way\": (points: [(20, 30), (80, 30)])}},
            groups: [(name: \"a\", body: \"m\", spawn: At([(position: (30, 30))]))],
            obstacles: [Circle(center: (20, 30), radius: 5, path: \"way\", speed: 10)])"
        )
    };
    let pushed = |contact: &str, steps: usize| {
        let mut simulation = generation_of(&scene(contact), OWN).start(None);
        stepped(&mut simulation, steps);
        let units = &simulation.world().units;
        let gap = simulation.world().obstacles[0].distance_to(units.position[0]);
        (gap, units.velocity[0])
    };
    for steps in 5..30 {
        let (gap, velocity) = pushed("contacts: (obstacles: Separate),", steps);
        assert!(gap >= 1.0 && (velocity.x - 10.0).abs() < 1e-3, "{steps}: {gap} {velocity}");
    }
    let (_, velocity) = pushed("contacts: (obstacles: Bounce(restitution: 1)),", 6);
    assert!((velocity.x - 20.0).abs() < 1e-3, "{velocity}");
    assert_eq!(pushed("", 6).1, Vec3::ZERO);
}

#[test]
fn obstacles_continue_from_their_places_at_a_changed_speed() {
    let before = generation_of(MOVING, OWN);
    let mut simulation = before.start(None);
    stepped(&mut simulation, 30);
    let after = generation_of(&MOVING.replace("speed: 8", "speed: 4").replace("radius: 6", "radius: 5"), OWN);
    after.swap_into(&mut simulation, &before.scene, None);
    let obstacle = simulation.world().obstacles[0].clone();
    assert!((obstacle.position().x - 32.0).abs() < 1e-4, "{obstacle:?}");
    assert_eq!((obstacle.radius(), obstacle.velocity), (5.0, Vec3::X * 4.0));
    // Neither an input nor an edit of another obstacle stops it.
    simulation.set_obstacle(0, &Solid::ball(Vec3::ZERO, 1.0).into());
    stepped(&mut simulation, 10);
    assert!((simulation.world().obstacles[0].position().x - 34.0).abs() < 1e-4);
}
