//! Contacts of several units at once: conserved quantities of gases and impacts, and crowds under pressure.

use std::sync::Arc;

use glam::Vec3;

use crate::sim::{Behavior, Contribution, Simulation, Slot, UnitContext};
use crate::world::{
    Arena, Body, Contact, Contacts, Drive, Edges, Extrema, Group, Mover, NamedPath, Obstacle, Path,
    PathDrive, Polygon, Rigid, Solid, World, testing,
};

const ELASTIC: Contact = Contact::Bounce { restitution: 1.0 };
const SOFT: Contact = Contact::Bounce { restitution: 0.0 };

/// A disc of diameter 1 without thrust and drag.
fn disc(mass: f32) -> Body {
    Body::Rigid(Rigid { mass, length: 1.0, thrust: 0.0, drag: 0.0, angular_drag: 0.0, ..Rigid::default() })
}

fn open() -> Arena {
    testing::plane(1000.0, 1000.0, Edges::Open)
}

/// Creates one group for each body and its starts.
fn world(arena: Arena, contact: Contact, step: f32, groups: &[(Body, Vec<(Vec3, Vec3)>)]) -> World {
    let contacts = Contacts { obstacles: contact, units: contact, reach: 1.0 };
    let world = World { arena, contacts, step, ..World::default() };
    groups.iter().enumerate().fold(world, |world, (number, (body, starts))| {
        let group = Group { name: number.to_string(), body: *body, ..Group::default() };
        world.with_group(group, starts.clone())
    })
}

fn coasting(world: World) -> Simulation {
    Simulation::new(world, Vec::new())
}

/// Every unit accelerates toward a velocity, by at most `change` in a step.
fn walking(world: World, toward: Vec3, change: f32) -> Simulation {
    let walk = move |context: &mut UnitContext| {
        let velocity = context.world().units.velocity[context.unit()];
        Contribution::Push((toward - velocity).clamp_length_max(change))
    };
    let behavior: Arc<dyn Behavior> = Arc::new(walk);
    let slots = vec![vec![Slot::new("walk", 1, Some(behavior))]; world.groups.len()];
    Simulation::new(world, slots)
}

fn masses(world: &World) -> impl Iterator<Item = f32> {
    (0..world.units.len()).map(|unit| world.body_of(unit).mass())
}

fn energy(world: &World) -> f64 {
    let rows = masses(world).zip(&world.units.velocity);
    rows.map(|(mass, velocity)| 0.5 * f64::from(mass) * velocity.as_dvec3().length_squared()).sum()
}

fn momentum(world: &World) -> Vec3 {
    masses(world).zip(&world.units.velocity).map(|(mass, velocity)| *velocity * mass).sum()
}

/// Starts on a lattice with pseudorandom velocities.
fn gas(count: usize, seed: u64, from: Vec3) -> Vec<(Vec3, Vec3)> {
    let draw = |unit: usize, number| crate::world::random::draw(seed, unit as u64, 0, 0, number) - 0.5;
    (0..count)
        .map(|unit| {
            let place = from + Vec3::new((unit % 10) as f32, (unit / 10) as f32, 0.0) * 2.5;
            (place, Vec3::new(draw(unit, 0), draw(unit, 1), 0.0) * 20.0)
        })
        .collect()
}

/// The distance of the nearest pair.
fn nearest(world: &World) -> f32 {
    let at = &world.units.position;
    let pairs = (0..at.len()).flat_map(|unit| (0..unit).map(move |other| (unit, other)));
    pairs.map(|(unit, other)| at[unit].distance_squared(at[other])).fold(f32::INFINITY, f32::lesser).sqrt()
}

fn wall(x: f32, y: f32, half: [f32; 2]) -> Obstacle {
    let half = Vec3::new(half[0], half[1], f32::INFINITY);
    Solid::Box { center: Vec3::new(x, y, 0.0), half, angle: 0.0.into() }.into()
}

#[test]
fn a_gas_conserves_energy_and_momentum_and_shares_its_energy_equally() {
    for (seed, step) in [(1, 0.02), (2, 0.01), (3, 0.02)] {
        let groups = [
            (disc(1.0), gas(100, seed, Vec3::new(2.0, 2.0, 0.0))),
            (disc(4.0), gas(100, seed + 100, Vec3::new(28.0, 2.0, 0.0))),
        ];
        let box_edges = testing::plane(55.0, 28.0, Edges::Bounce);
        let start = world(box_edges, ELASTIC, step, &groups);
        let mut simulation = coasting(start.clone());
        let mut shares = [0.0; 2];
        for count in 0..20_000 {
            simulation.step();
            if count > 4000 && count % 20 == 0 {
                for (unit, velocity) in simulation.world().units.velocity.iter().enumerate() {
                    shares[unit / 100] += [1.0, 4.0][unit / 100] * f64::from(velocity.length_squared());
                }
            }
        }
        let ratio = energy(simulation.world()) / energy(&start);
        assert!((ratio - 1.0).abs() < 1e-3, "seed {seed}, step {step}: {ratio}");
        let ratio = shares[0] / shares[1];
        assert!((ratio - 1.0).abs() < 0.1, "seed {seed}, step {step}: {ratio}");
    }
}

#[test]
fn a_dense_gas_without_walls_conserves_energy_and_momentum() {
    for seed in 0..4 {
        let mut starts = gas(200, seed, Vec3::new(480.0, 480.0, 0.0));
        // Toward the middle.
        for (place, velocity) in &mut starts {
            *velocity = (Vec3::new(491.0, 504.0, 0.0) - *place) + *velocity * 0.2;
        }
        let start = world(open(), ELASTIC, 0.05, &[(disc(2.0), starts)]);
        let mut simulation = coasting(start.clone());
        (0..200).for_each(|_| simulation.step());
        let ratio = energy(simulation.world()) / energy(&start);
        assert!((ratio - 1.0).abs() < 1e-6, "{ratio}");
        assert!((momentum(simulation.world()) - momentum(&start)).length() < 0.05);
    }
}

#[test]
fn an_impact_travels_through_a_cradle() {
    for count in 2..=5 {
        for (gap, step, speed) in [(0.0, 0.02, 3.0), (1e-3, 0.1, 10.0), (0.0, 0.01, 100.0)] {
            let place = |unit: usize| Vec3::new(503.0 + unit as f32 * (1.0 + gap), 500.0, 0.0);
            let mut starts: Vec<_> = (0..count).map(|unit| (place(unit), Vec3::ZERO)).collect();
            starts[0] = (Vec3::new(500.0, 500.0, 0.0), Vec3::X * speed);
            let mut simulation = coasting(world(open(), ELASTIC, step, &[(disc(3.0), starts)]));
            (0..200).for_each(|_| simulation.step());
            for (unit, velocity) in simulation.world().units.velocity.iter().enumerate() {
                let expected = if unit + 1 == count { speed } else { 0.0 };
                assert!(
                    velocity.abs_diff_eq(Vec3::X * expected, 1e-3 * speed),
                    "{unit} of {count}: {velocity}"
                );
            }
        }
    }
}

#[test]
fn a_disc_between_two_reflects_both_and_remains() {
    let at = |x: f32, velocity: f32| (Vec3::new(x, 500.0, 0.0), Vec3::X * velocity);
    let starts = vec![at(480.0, 30.0), at(500.0, 0.0), at(520.0, -30.0)];
    let mut simulation = coasting(world(open(), ELASTIC, 0.02, &[(disc(1.0), starts)]));
    (0..100).for_each(|_| simulation.step());
    let velocity = simulation.world().units.velocity.iter().map(|it| it.x);
    for (velocity, expected) in velocity.zip([-30.0, 0.0, 30.0]) {
        assert!((velocity - expected).abs() < 1e-3, "{velocity}");
    }
}

#[test]
fn a_disc_onto_two_touching_ones_has_the_symmetric_result() {
    // The projection of (0, v) onto the two normals at ±30°: a fifth of the speed back, 2√3/5 to each side.
    for (speed, step) in [(1.0, 0.02), (40.0, 0.005)] {
        let two = [-0.5, 0.5].map(|x| (Vec3::new(500.0 + x, 500.0, 0.0), Vec3::ZERO));
        let one = (Vec3::new(500.0, 497.0, 0.0), Vec3::Y * speed);
        let start = world(open(), ELASTIC, step, &[(disc(1.0), vec![two[0], one, two[1]])]);
        let mut simulation = coasting(start.clone());
        (0..400).for_each(|_| simulation.step());
        let velocity = &simulation.world().units.velocity;
        let side = 2.0 * 3.0_f32.sqrt() / 5.0;
        let expected = [
            Vec3::new(-side * 0.5, side * 0.866, 0.0),
            Vec3::Y * -0.2,
            Vec3::new(side * 0.5, side * 0.866, 0.0),
        ];
        for (velocity, expected) in velocity.iter().zip(expected) {
            assert!(velocity.abs_diff_eq(expected * speed, 0.02 * speed), "{velocity} {expected}");
        }
        assert!((energy(simulation.world()) / energy(&start) - 1.0).abs() < 1e-5);
    }
}

/// Walls of a room from (0, 0) to `size`, as four boxes, one container or one polygon.
fn room(kind: usize, size: [f32; 2]) -> Vec<Obstacle> {
    let [x, y] = size.map(|size| size * 0.5);
    match kind {
        0 => vec![
            wall(x, -5.0, [x + 10.0, 5.0]),
            wall(x, 2.0 * y + 5.0, [x + 10.0, 5.0]),
            wall(-5.0, y, [5.0, y + 10.0]),
            wall(2.0 * x + 5.0, y, [5.0, y + 10.0]),
        ],
        1 => vec![Obstacle { inside_out: true, ..wall(x, y, [x, y]) }],
        _ => {
            let corners = [(0.0, 0.0), (2.0 * x, 0.0), (2.0 * x, 2.0 * y), (0.0, 2.0 * y)];
            let polygon = Polygon::new(corners.map(|(x, y)| glam::Vec2::new(x, y)).to_vec()).unwrap();
            vec![Obstacle { inside_out: true, ..Solid::Polygon(polygon).into() }]
        }
    }
}

#[test]
fn ten_discs_that_are_pushed_into_a_corner_come_to_rest() {
    for (kind, contact) in [(0, Contact::Separate), (1, SOFT), (2, Contact::Separate)] {
        for body in [disc(1.0), Body::Mover(Mover { length: 1.0, max_speed: 9.0, ..Mover::default() })] {
            let at =
                |unit: usize| Vec3::new(4.0 + 1.3 * (unit % 4) as f32, 4.0 + 1.2 * (unit / 4) as f32, 0.0);
            let starts = (0..10).map(|unit| (at(unit), Vec3::ZERO)).collect();
            let mut start = world(open(), contact, 1.0 / 60.0, &[(body, starts)]);
            start.obstacles = room(kind, [30.0, 30.0]).into();
            let mut simulation = walking(start, Vec3::new(-2.0, -1.7, 0.0), 0.1);
            (0..3000).for_each(|_| simulation.step());
            let before = simulation.world().units.position.clone();
            (0..3000).for_each(|_| simulation.step());
            let units = &simulation.world().units;
            for (unit, before) in before.iter().enumerate() {
                let (at, velocity) = (units.position[unit], units.velocity[unit]);
                assert!(at.distance(*before) < 5e-3, "room {kind}: {before} {at}");
                assert!(velocity.length() < 0.02, "room {kind}: {velocity}");
                assert!(at.min_element() >= 0.0 && at.x >= 0.499 && at.y >= 0.499, "{at}");
            }
            assert!(nearest(simulation.world()) > 0.99);
        }
    }
}

/// Runs walkers for a minute, checks every gap in every step, then that nobody moves. Returns the world.
fn pressed(start: World, name: &str) -> World {
    let step = start.step;
    let steps = |seconds: f32| (seconds / step) as usize;
    let mut simulation = walking(start, Vec3::X * 1.3, 0.3);
    for count in 0..steps(60.0) {
        simulation.step();
        let nearest = nearest(simulation.world());
        assert!(nearest >= 0.98, "{name}, step {step}: {nearest} after {count} steps");
    }
    let before = simulation.world().units.position.clone();
    let mut last = before.clone();
    for _ in 0..steps(20.0) {
        simulation.step();
        let units = &simulation.world().units;
        for (unit, last) in last.iter().enumerate() {
            let by = units.position[unit].distance(*last);
            assert!(by < 0.01, "{name}, step {step}: unit {unit} jitters by {by}");
        }
        last.clone_from(&units.position);
    }
    let world = simulation.world().clone();
    let crept = world.units.position.iter().zip(&before).map(|(at, before)| at.distance(*before));
    let crept = crept.fold(0.0, f32::greater);
    assert!(crept < 0.03, "{name}, step {step}: {crept} in 20 s");
    world
}

fn walker() -> Body {
    Body::Mover(Mover {
        length: 1.0,
        width: 1.0,
        max_speed: 1.5,
        desired_speed: 1.3,
        max_velocity_change: 0.3,
        ..Mover::default()
    })
}

#[test]
fn a_line_against_a_wall_has_its_full_length_for_every_step() {
    for step in [0.05, 1.0 / 60.0] {
        for (body, count) in [(walker(), 20), (disc(1.0), 10), (walker(), 30)] {
            let starts = (0..count).map(|unit| (Vec3::new(2.0 + 1.2 * unit as f32, 10.0, 0.0), Vec3::ZERO));
            let mut start = world(open(), Contact::Separate, step, &[(body, starts.collect())]);
            let lane =
                [wall(25.0, 9.0, [40.0, 0.49]), wall(25.0, 11.0, [40.0, 0.49]), wall(46.0, 10.0, [1.0, 9.0])];
            start.obstacles = lane.to_vec().into();
            let end = pressed(start, "lane");
            let xs = end.units.position.iter().map(|at| at.x);
            let (first, last) =
                xs.fold((f32::MAX, f32::MIN), |(least, most), x| (least.lesser(x), most.greater(x)));
            let gap = (last - first) / (count - 1) as f32;
            assert!((0.99..1.01).contains(&gap), "mean gap {gap}");
            assert!((last - 44.5).abs() < 0.01, "{last}");
            let fastest = end.units.velocity.iter().map(|it| it.length()).fold(0.0, f32::greater);
            assert!(fastest < 0.05, "{fastest}");
        }
    }
}

#[test]
fn a_crowd_against_a_wall_is_not_denser_than_its_hulls() {
    for (step, kind) in [(0.05, 0), (0.05, 1), (1.0 / 60.0, 2)] {
        let jitter = |unit: usize, number| crate::world::random::draw(5, unit as u64, 0, 0, number) * 0.2;
        let at = |unit: usize| Vec3::new(1.0 + 1.3 * (unit % 15) as f32, 1.0 + 1.3 * (unit / 15) as f32, 0.0);
        let starts =
            (0..150).map(|unit| (at(unit) + Vec3::new(jitter(unit, 0), jitter(unit, 1), 0.0), Vec3::ZERO));
        let mut start = world(open(), Contact::Separate, step, &[(walker(), starts.collect())]);
        start.obstacles = room(kind, [40.0, 20.0]).into();
        pressed(start, "crowd");
    }
}

/// Runs crowds of equal hulls that walk toward the middle, and returns the distance of the nearest pair at the end.
fn crowded(mut start: World, middle: Vec3) -> f32 {
    start.step = 0.05;
    let arena = start.arena;
    let walk = move |context: &mut UnitContext| {
        let units = &context.world().units;
        let (at, velocity) = (units.position[context.unit()], units.velocity[context.unit()]);
        let toward = arena.shortest(middle - at).normalize_or_zero() * 1.3;
        Contribution::Push((toward - velocity).clamp_length_max(0.3))
    };
    let behavior: Arc<dyn Behavior> = Arc::new(walk);
    let slots = vec![vec![Slot::new("walk", 1, Some(behavior))]; start.groups.len()];
    let mut simulation = Simulation::new(start, slots);
    (0..600).for_each(|_| simulation.step());
    let world = simulation.world();
    let at = &world.units.position;
    let pairs = (0..at.len()).flat_map(|unit| (0..unit).map(move |other| (unit, other)));
    let distance = pairs.map(|(unit, other)| world.arena.shortest(at[other] - at[unit]).length());
    distance.fold(f32::INFINITY, f32::lesser)
}

#[test]
fn hulls_of_every_mass_do_not_overlap_in_space_and_across_a_seam() {
    let draw = |unit: usize, number| crate::world::random::draw(8, unit as u64, 0, 0, number);
    let groups = |at: &dyn Fn(usize) -> Vec3| {
        let starts =
            |first: usize| (first..first + 30).map(|unit| (at(unit), Vec3::ZERO)).collect::<Vec<_>>();
        [(walker(), starts(0)), (disc(0.2), starts(30)), (disc(5.0), starts(60))]
    };
    let seamless = Arena { seamless: true, ..testing::plane(40.0, 40.0, Edges::Wrap) };
    let plane = |unit: usize| Vec3::new((30.0 + draw(unit, 0) * 20.0) % 40.0, draw(unit, 1) * 39.0, 0.0);
    let space = |unit: usize| (Vec3::from_array([0, 1, 2].map(|number| draw(unit, number))) - 0.5) * 20.0;
    for (arena, at, middle) in [
        (seamless, &plane as &dyn Fn(usize) -> Vec3, Vec3::new(39.9, 20.0, 0.0)),
        (testing::space(50.0, Edges::Open), &space, Vec3::ZERO),
    ] {
        let nearest = crowded(world(arena, Contact::Separate, 0.05, &groups(at)), middle);
        assert!((0.98..1.1).contains(&nearest), "{nearest}");
    }
}

#[test]
fn gases_of_spheres_and_across_a_seam_conserve_energy_and_momentum() {
    let seamless = Arena { seamless: true, ..testing::plane(25.0, 50.0, Edges::Wrap) };
    let flat = gas(200, 4, Vec3::ZERO);
    let spheres = flat.iter().enumerate().map(|(unit, (place, velocity))| {
        let layer = (unit % 5) as f32;
        (Vec3::new(place.x, place.y * 0.2, layer * 2.5), *velocity + Vec3::Z * (layer - 2.0))
    });
    for (arena, starts) in [(seamless, flat.clone()), (testing::space(900.0, Edges::Open), spheres.collect())]
    {
        let (light, heavy) = starts.split_at(100);
        let groups = [(disc(1.0), light.to_vec()), (disc(4.0), heavy.to_vec())];
        let start = world(arena, ELASTIC, 0.02, &groups);
        let mut simulation = coasting(start.clone());
        (0..2000).for_each(|_| simulation.step());
        let ratio = energy(simulation.world()) / energy(&start);
        assert!((ratio - 1.0).abs() < 1e-3, "{ratio}");
        let change = momentum(simulation.world()) - momentum(&start);
        assert!(change.length() < 0.5, "{change}");
    }
}

#[test]
fn a_moving_wall_pushes_a_row_at_its_speed() {
    for count in [1, 3, 12] {
        let starts = (0..count).map(|unit| (Vec3::new(503.0 + 1.1 * unit as f32, 500.0, 0.0), Vec3::ZERO));
        let mut start = world(open(), Contact::Separate, 0.05, &[(disc(2.0), starts.collect())]);
        let points = vec![Vec3::new(500.0, 500.0, 0.0), Vec3::new(600.0, 500.0, 0.0)];
        let path = NamedPath { name: "way".to_owned(), path: Path::new(points, false, 0.0).unwrap() };
        let drive = Some(Arc::new(Drive::Path(PathDrive::new(&path, 2.0, Vec3::new(500.0, 500.0, 0.0)))));
        start.set_obstacles(&vec![Obstacle { drive, ..wall(500.0, 500.0, [1.0, 9.0]) }].into());
        let mut simulation = coasting(start);
        (0..200).for_each(|_| simulation.step());
        let units = &simulation.world().units;
        for (at, velocity) in units.position.iter().zip(&units.velocity) {
            assert!((velocity.x - 2.0).abs() < 0.05, "{count}: {velocity}");
            assert!(at.y == 500.0, "{at}");
        }
        assert!(count == 1 || nearest(simulation.world()) > 0.99);
    }
}

#[test]
fn units_that_start_on_each_other_separate_without_a_burst() {
    for arena in [open(), testing::space(900.0, Edges::Open)] {
        let at =
            |unit: usize| Vec3::new(500.0 + 0.3 * (unit % 6) as f32, 500.0 + 0.3 * (unit / 6) as f32, 0.0);
        let starts = (0..30).map(|unit| (at(unit), Vec3::ZERO)).collect();
        let mut simulation = coasting(world(arena, ELASTIC, 0.02, &[(disc(1.0), starts)]));
        (0..200).for_each(|_| simulation.step());
        let world = simulation.world();
        assert!(nearest(world) > 0.99, "{}", nearest(world));
        assert_eq!(energy(world), 0.0);
        let farthest = world.units.position.iter().map(|at| at.distance(Vec3::new(501.0, 501.0, 0.0)));
        assert!(farthest.fold(0.0, f32::greater) < 8.0);
    }
}
