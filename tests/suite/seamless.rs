//! A seamless world has no edges: a scene that is shifted by half the world has the same numbers.

use std::f32::consts::TAU;

use glam::{Vec2, Vec3};
use steerbox_core::sim::Simulation;
use steerbox_core::world::{
    Arena, Body, Contact, Contacts, Edges, Group, Mover, Obstacle, Obstacles, Polygon, SearchCost, Solid,
    World, minimum_image, random, testing,
};
use steerbox_project::reload::{Loader, Place};
use steerbox_script::Execution;

use crate::common::on_threads;
use crate::common::project::ProjectDir;

const SIZE: [f32; 2] = [128.0, 64.0];
const STEPS: usize = 30;
/// The difference that rounding causes, as a fraction of the world.
const ROUNDING: f32 = 1e-3;

/// Shapes about the center of the world, none of which crosses an edge there.
const SHAPES: [&str; 5] = [
    "Circle(center: (X64, Y32), radius: 11)",
    "Box(center: (X64, Y32), size: (40, 14), angle: 30)",
    "Capsule(from: (X48, Y26), to: (X84, Y36), radius: 4)",
    "Polygon(points: [(X50, Y24), (X80, Y26), (X66, Y32), (X78, Y44), (X50, Y40)])",
    "Circle(center: (X64, Y32), radius: 25, inside_out: true)",
];

/// Every query of obstacles, zones, paths and routes adds to the push.
const PROBE: &str = r#"
fn steer(me, world) {
    let sum = vec(0, 0);
    let near = world.obstacles.nearest;
    let gap = near.distance_to(me.position);
    sum += near.normal(me.position) * (5.0 / (2.0 + abs(gap))) + (near.nearest_point(me.position) - me.position) * 0.02;
    sum += (near.position - me.position).normalized * 0.1;
    for it in world.obstacles.within(12.0) { sum += it.normal(me.position) * 0.3; }
    let hit = world.obstacles.ray(me.position, me.heading, 40.0);
    if hit != () { sum += (hit.point - me.position) * 0.01; }
    let along = near.ray(me.position, me.starboard, 30.0);
    if along != () { sum += me.starboard * (along * 0.02); }
    for other in me.others { if world.visible(me.position, other.position) { sum += (other.position - me.position) * 0.005; } }
    let zone = world.zone("pen");
    if zone.distance_to(me.position) < 0.0 { sum += me.heading; }
    let path = me.path;
    let at = path.distance_along(me.position);
    sum += (path.point_at(at + 6.0) - me.position) * 0.05 + (path.nearest_point(me.position) - me.position) * 0.03;
    sum += path.direction_at(path.distance_along(me.position, at)) * 0.2;
    let way = world.field("exit");
    sum += way.at(me.position) * 0.3;
    sum * 0.5
}
"#;

/// Replaces the coordinates with the marks X and Y by those after a shift, and writes numbers from 0 to the size in places
/// marked U and V.
fn shifted(text: &str, [x, y]: [f32; 2]) -> String {
    let mut shifted = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(['X', 'Y', 'U', 'V']) {
        let (mark, tail) = (rest.as_bytes()[at], &rest[at + 1..]);
        let end = tail.find(|c: char| !c.is_ascii_digit() && c != '.').unwrap_or(tail.len());
        let number: f32 = tail[..end].parse().unwrap();
        let axis = usize::from(matches!(mark, b'Y' | b'V'));
        let moved = number + [x, y][axis];
        let moved = if matches!(mark, b'U' | b'V') { moved.rem_euclid(SIZE[axis]) } else { moved };
        shifted.extend([&rest[..at], &moved.to_string()]);
        rest = &tail[end..];
    }
    shifted + rest
}

/// Places of units that touch neither a shape nor each other, in columns, on a grid of 1/8. In a container they are inside.
fn places(seed: u64, count: u16, is_inside: bool) -> String {
    let place = |unit: u16| {
        let draw = |at| random::draw(seed, u64::from(unit), 0, 0, at);
        let eighths = |at: f32| (8.0 * at).round() / 8.0;
        let (column, side) = (f32::from(unit), if unit.is_multiple_of(2) { 1.0 } else { -1.0 });
        let x = if is_inside { 48.0 + 2.4 * column } else { 6.0 + 8.5 * column };
        let y = if is_inside { 2.0 + 6.0 * draw(0) } else { 18.0 + 6.0 * draw(0) };
        let (x, y) = (eighths(x + draw(1)), eighths(32.0 + side * y));
        let heading = (360.0 * draw(2)).round();
        let (vy, vx) = libm::sincosf(heading.to_radians());
        format!("(position: (U{x}, V{y}), heading: {heading}, velocity: ({}, {})),", vx * 4.0, vy * 4.0)
    };
    (0..count).map(place).collect()
}

fn scene(shape: usize, seed: u64, step: f32, contact: &str) -> String {
    let solid = SHAPES[shape];
    let units = places(seed, 14, solid.contains("inside_out"));
    format!(
        "(world: Plane(size: (128, 64), edges: Wrap, seamless: true), step: {step}, seed: {seed},
         bodies: {{\"m\": Mover(length: 2, max_speed: 8, desired_speed: 6, max_velocity_change: 0.5)}},
         views: {{\"v\": Around(radius: 30)}}, contacts: (obstacles: {contact}, units: Separate),
         paths: {{\"p\": (points: [(X40, Y20), (X90, Y20), (X90, Y44), (X40, Y44)], closed: true, radius: 3)}},
         zones: {{\"pen\": Box(center: (X64, Y32), size: (60, 40))}},
         fields: {{\"exit\": Toward(goal: Zone(\"pen\"), cell: 4, speed: 1)}},
         obstacles: [{solid}, Circle(center: (4, 0), radius: 2, attached: \"ship\")],
         groups: [
             (name: \"ship\", body: \"m\", spawn: At([(position: (U30, V2), velocity: (3, 2))])),
             (name: \"g\", body: \"m\", view: \"v\", path: \"p\", spawn: At([{units}]),
              behaviors: [(script: \"probe\")]),
         ])"
    )
}

/// Runs a scene. Returns the final simulation and, for each step, the positions of all units and the number in the zone.
fn run(text: &str, execution: Execution, threads: usize) -> (Simulation, Vec<(Vec<Vec3>, usize)>) {
    let project = ProjectDir::with(&[("scenes/s.ron", text), ("scripts/probe.rhai", PROBE)]);
    let place = Place::of_scene(&project.path("scenes/s.ron"));
    let generation = Loader::load_as(place, Vec::new(), execution).unwrap().1;
    assert_eq!(generation.number, 1, "{text}");
    on_threads(threads, || {
        let mut simulation = generation.start(None);
        let mut rows = Vec::new();
        for _ in 0..STEPS {
            simulation.step();
            let world = simulation.world();
            let inside = world.zones[0].members(&world.units, &world.groups[1]).count();
            rows.push((world.units.position.clone(), inside));
        }
        assert!(simulation.reports().is_empty(), "{:?}", simulation.reports());
        (simulation, rows)
    })
}

/// Compares a scene in the middle of the world with the same scene across the edges.
fn compares(shape: usize, seed: u64, step: f32, contact: &str) {
    let text = scene(shape, seed, step, contact);
    let (middle, rows) = run(&shifted(&text, [0.0; 2]), Execution::default(), 1);
    let period = middle.world().arena.period();
    for shift in [[64.0, 0.0], [0.0, 32.0], [64.0, 32.0]] {
        let text = shifted(&text, shift);
        let (simulation, moved) = run(&text, Execution::default(), 3);
        let by = Vec3::new(shift[0], shift[1], 0.0);
        for (number, ((places, inside), (others, count))) in rows.iter().zip(&moved).enumerate() {
            let case = format!("{contact} of {} by {shift:?}, seed {seed}, step {number}", SHAPES[shape]);
            for (unit, (place, other)) in places.iter().zip(others).enumerate() {
                let apart = minimum_image(*other - *place - by, period).length();
                assert!(apart < ROUNDING * SIZE[0], "{case}: unit {unit} at {place} and {other}");
            }
            assert_eq!(inside, count, "{case}");
        }
        for (execution, threads) in [(Execution::Interpreted, 1), (Execution::default(), 1)] {
            assert_eq!(run(&text, execution, threads).0.hash(), simulation.hash(), "{threads} threads");
        }
    }
    assert!(rows.iter().any(|(_, inside)| *inside > 0), "no unit in the zone");
}

#[test]
fn a_scene_shifted_by_half_the_world_has_the_same_numbers() {
    for shape in 0..SHAPES.len() {
        for (seed, step, contact) in [(1, 0.1, "Separate"), (2, 0.05, "Bounce()"), (5, 0.125, "Block")] {
            compares(shape, seed, step, contact);
        }
    }
}

/// Shapes across the edges of a plane of 100 by 60.
fn across() -> Vec<Obstacle> {
    let corners = [(92.0, 20.0), (108.0, 22.0), (100.0, 27.0), (107.0, 36.0), (93.0, 33.0)];
    let half = Vec3::new(9.0, 4.0, f32::INFINITY);
    let solids = [
        Solid::ball(Vec3::new(0.0, 50.0, 0.0), 7.0),
        Solid::Box { center: Vec3::new(30.0, 1.0, 0.0), half, angle: 0.4.into() },
        Solid::Capsule { from: Vec3::new(55.0, 57.0, 0.0), to: Vec3::new(75.0, 62.0, 0.0), radius: 3.0 },
        Solid::Polygon(Polygon::new(corners.map(Vec2::from).to_vec()).unwrap()),
    ];
    solids.map(Obstacle::from).to_vec()
}

/// The least gap between units that coast and the shapes, in any step.
fn least_gap(arena: Arena, contact: Contact) -> f32 {
    let obstacles = Obstacles::new(across(), arena.period());
    let body = Body::Mover(Mover { length: 2.0, max_speed: 90.0, ..Mover::default() });
    let contacts = Contacts { obstacles: contact, ..Contacts::default() };
    let start = |unit: u64| {
        let draw = |at| random::draw(9, unit, 0, 0, at);
        let position = Vec3::new(100.0 * draw(0), 60.0 * draw(1), 0.0);
        let (y, x) = libm::sincosf(TAU * draw(2));
        (position, Vec3::new(x, y, 0.0) * 90.0 * draw(3))
    };
    let is_free = |(position, _): &(Vec3, Vec3)| obstacles.iter().all(|it| it.distance_to(*position) > 1.0);
    let starts: Vec<_> = (0..400).map(start).filter(is_free).collect();
    let group = Group { body, ..Group::default() };
    let world = World { arena, contacts, step: 0.1, ..World::default() }.with_group(group, starts);
    let mut simulation = Simulation::new(World { obstacles, ..world }, Vec::new());
    let mut least = f32::INFINITY;
    for _ in 0..100 {
        simulation.step();
        let world = simulation.world();
        let gaps =
            world.units.position.iter().flat_map(|at| world.obstacles.iter().map(|it| it.distance_to(*at)));
        least = gaps.map(|gap| gap - 1.0).fold(least, f32::min);
    }
    least
}

#[test]
fn no_unit_lands_in_a_shape_across_an_edge() {
    let wraps = testing::plane(100.0, 60.0, Edges::Wrap);
    for contact in [Contact::Block, Contact::Separate, Contact::Bounce { restitution: 0.5 }] {
        for seamless in [false, true] {
            let gap = least_gap(Arena { seamless, ..wraps }, contact);
            assert!(gap > -1e-2, "{contact:?}, seamless: {seamless}: {gap}");
        }
    }
    assert!(least_gap(wraps, Contact::None) < -3.0, "without contacts, units pass");
}

/// The formulas are those of the shape in the middle of the world, with the position of its image.
#[test]
fn a_unit_stops_at_the_image_of_a_circle() {
    let arena = Arena { seamless: true, ..testing::plane(100.0, 100.0, Edges::Wrap) };
    let circle = Obstacle::from(Solid::ball(Vec3::Y * 50.0, 10.0));
    let obstacles = Obstacles::new(vec![circle], arena.period());
    let mut cost = SearchCost::default();
    let from = Vec3::new(85.0, 50.0, 0.0);
    assert_eq!(obstacles[0].distance_to(from), 5.0);
    let hit = obstacles.first_hit(from, Vec3::X, 20.0, &mut cost).unwrap().hit;
    assert!((hit.distance - 5.0).abs() < 1e-3 && hit.normal == Vec3::NEG_X, "{hit:?}");
    assert!(!obstacles.is_free(from, Vec3::new(15.0, 50.0, 0.0), &mut cost));
    let body = Body::Mover(Mover { length: 2.0, max_speed: 10.0, ..Mover::default() });
    let contacts = Contacts { obstacles: Contact::Separate, ..Contacts::default() };
    let group = Group { body, ..Group::default() };
    let start = [(Vec3::new(80.0, 50.0, 0.0), Vec3::X * 10.0)];
    let world = World { arena, contacts, step: 0.1, ..World::default() }.with_group(group, start);
    let mut simulation = Simulation::new(World { obstacles, ..world }, Vec::new());
    for _ in 0..40 {
        simulation.step();
    }
    let x = simulation.world().units.position[0].x;
    assert!((x - 89.0).abs() < 1e-2, "{x}");
}
