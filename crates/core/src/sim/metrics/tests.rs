//! Tests of the figures of groups.

use super::*;
use crate::sim::Simulation;
use crate::world::{Arena, Body, Contact, Contacts, Edges, Mover, View, random, testing};

#[test]
fn a_contact_counts_once_for_each_group_that_takes_part() {
    let group = |name: &str| Group { name: name.to_owned(), ..Group::default() };
    let mut world = World::default().with_group(group("a"), [Vec3::ZERO; 3]);
    world = world.with_group(group("b"), [Vec3::ZERO]);
    // Two within the first group, one between both.
    let pairs = [(0, 1), (1, 2), (2, 3)];
    world.units.touching.set(4, pairs.len(), |at| pairs[at]);
    let named = |name: &str| of_groups(&world).iter().map(|all| all.named(name)).collect::<Vec<_>>();
    assert_eq!(named("contacts"), [Some(3.0), Some(1.0)]);
    assert_eq!(named("touching"), [Some(3.0), Some(1.0)]);
}

/// Compares with a search over all pairs: chains of up to three discs at rest, of which some overlap by 0.1 and the others
/// have gaps of 0.3. In worlds that wrap, some chains are on an edge.
#[test]
fn contacts_equal_those_of_a_search_over_all_pairs() {
    const SIZE: Vec3 = Vec3::new(120.0, 80.0, 1.0);
    let arenas = [(Edges::Open, false), (Edges::Bounce, false), (Edges::Wrap, false), (Edges::Wrap, true)];
    let mut found = Vec::new();
    for ((edges, seamless), seed) in arenas.into_iter().zip(1..) {
        let mut starts = [const { Vec::new() }; 2];
        for cell in 0..96 {
            let draw = |number| random::draw(seed, cell, 0, 0, number);
            let corner = Vec3::new((cell % 12) as f32, (cell / 12) as f32, 0.0) * 10.0;
            let direction = glam::Vec2::from_angle(draw(0) * 6.3).extend(0.0);
            let mut position = if edges == Edges::Wrap { corner } else { corner + 5.0 }.with_z(0.0);
            for number in 1..=(1.0 + draw(1) * 3.0) as u32 {
                let within = position - (position / SIZE).floor() * SIZE;
                let start = if edges == Edges::Wrap { within } else { position };
                starts[usize::from(draw(number + 10) < 0.5)].push(start);
                position += direction * if draw(number + 20) < 0.5 { 1.9 } else { 2.3 };
            }
        }
        let arena = Arena { seamless, ..testing::plane(SIZE.x, SIZE.y, edges) };
        let contacts = Contacts { units: Contact::Separate, ..Contacts::default() };
        let mut world = World { arena, contacts, ..World::default() };
        for positions in &starts {
            let body = Body::Mover(Mover { length: 2.0, ..Mover::default() });
            world = world.with_group(Group { body, ..Group::default() }, positions.clone());
        }
        let mut simulation = Simulation::new(world, vec![Vec::new(); 2]);
        simulation.step();
        let positions = starts.concat();
        let touch = |one: usize, other: usize| {
            let offset = positions[other] - positions[one];
            let image = if seamless { offset - (offset / SIZE).round() * SIZE } else { offset };
            one != other && image.length() < 2.0
        };
        let all = 0..positions.len();
        let others = |one: usize| all.clone().filter(move |other| touch(one, *other));
        let figures = of_groups(simulation.world());
        for (figures, group) in figures.iter().zip(&simulation.world().groups) {
            let touching = group.units.clone().filter(|unit| others(*unit).next().is_some()).count();
            let is_first = |one: usize, other: &usize| one < *other || !group.units.contains(other);
            let pairs =
                group.units.clone().map(|one| others(one).filter(|other| is_first(one, other)).count());
            let pairs: usize = pairs.sum();
            assert_eq!(figures.named("touching"), Some(touching as f32), "{edges:?} {seamless}");
            assert_eq!(figures.named("contacts"), Some(pairs as f32), "{edges:?} {seamless}");
            found.push(pairs);
        }
    }
    assert!(found.iter().all(|pairs| *pairs > 20), "{found:?}");
}

#[test]
fn a_group_without_units_has_a_count_and_no_other_figure() {
    let world = World::default().with_group(Group::default(), [Vec3::ZERO; 0]);
    for (figure, value) in of_groups(&world)[0].iter() {
        assert_eq!(value, (figure.name == "count").then_some(0.0), "{}", figure.name);
    }
}

#[test]
fn fractions_never_exceed_one() {
    for turn in 0..2000 {
        let velocity = Vec3::new(libm::cosf(turn as f32), libm::sinf(turn as f32), 0.3) * 7.0;
        let mut world = World::default().with_group(Group::default(), [Vec3::ZERO; 3]);
        world.units.velocity.fill(velocity);
        let value = of_groups(&world)[0].named("polarization").expect("a value");
        assert!((1.0 - 1e-6..=1.0).contains(&value), "{velocity}: {value}");
    }
}

/// Compares each figure with its description, computed in double precision by loops over all units. Every second world
/// is periodic.
#[test]
fn figures_are_those_of_their_descriptions() {
    for seed in 0..40 {
        let seamless = seed % 2 == 1;
        let draw = |at: u32| random::draw(seed, 0, 0, 0, at);
        let part = |at: u32| 2.0 * draw(at) - 1.0;
        let middle = |axis: u32| if seamless { 100.0 * draw(1000 + axis) } else { 50.0 };
        let start = |at: u32| {
            let place = |axis: u32| (middle(axis) + 40.0 * part(6 * at + axis)).rem_euclid(100.0);
            let position = Vec3::new(place(0), place(1), 0.0);
            (position, Vec3::new(part(6 * at + 2) + 0.4, part(6 * at + 3), 0.0) * 5.0)
        };
        let edges = if seamless { Edges::Wrap } else { Edges::Bounce };
        let arena = Arena { seamless, ..testing::plane(100.0, 100.0, edges) };
        let view = View::Around { radius: 12.0 };
        let world = World { arena, ..World::default() }.with_views([view]);
        let group = Group { view: Some(0), ..Group::default() };
        let world = world.with_group(group, (0..40).map(start)).with_group(Group::default(), [start(40)]);
        let at = |unit: usize| world.units.position[unit].as_dvec3();
        let way = |unit: usize| world.units.velocity[unit].as_dvec3();
        let mean = |of: &dyn Fn(usize) -> f64| (0..40).map(of).sum::<f64>() / 40.0;
        let mean_vector = |of: &dyn Fn(usize) -> DVec3| ((0..40).map(of).sum::<DVec3>() / 40.0).length();
        let shortest = |offset: DVec3| {
            if seamless { offset - 100.0 * (offset / 100.0).round() } else { offset }
        };
        let circular = |axis: usize| {
            let angle = |unit: usize| at(unit)[axis] * std::f64::consts::TAU / 100.0;
            let [sin, cos] = [libm::sin, libm::cos].map(|of| mean(&|unit| of(angle(unit))));
            libm::atan2(sin, cos) * 100.0 / std::f64::consts::TAU
        };
        let center = if seamless {
            let near = DVec3::new(circular(0), circular(1), 0.0);
            near + (0..40).map(|unit| shortest(at(unit) - near)).sum::<DVec3>() / 40.0
        } else {
            (0..40).map(at).sum::<DVec3>() / 40.0
        };
        let offset = |unit: usize| shortest(at(unit) - center);
        let distance = |a: usize, b: usize| shortest(at(a) - at(b)).length();
        let distances =
            |unit: usize| (0..41).filter(move |other| *other != unit).map(move |other| distance(unit, other));
        let mut part_of: Vec<usize> = (0..40).collect();
        for (a, b) in (0..40).flat_map(|a| (0..40).map(move |b| (a, b))) {
            if distance(a, b) <= 12.0 {
                let (from, to) = (part_of[a], part_of[b]);
                part_of.iter_mut().filter(|part| **part == from).for_each(|part| *part = to);
            }
        }
        let parts = part_of.iter().collect::<std::collections::BTreeSet<_>>().len();
        let figures = of_groups(&world)[0];
        for (name, expected) in [
            ("polarization", mean_vector(&|unit| way(unit).normalize())),
            ("milling", mean_vector(&|unit| offset(unit).normalize().cross(way(unit).normalize()))),
            ("speed", mean(&|unit| way(unit).length())),
            ("nearest", mean(&|unit| distances(unit).fold(f64::INFINITY, f64::lesser))),
            ("clusters", parts as f64),
            ("spread", mean(&|unit| offset(unit).length_squared()).sqrt()),
            ("count", 40.0),
        ] {
            let found = f64::from(figures.named(name).expect("a value"));
            assert!(
                (found - expected).abs() < 1e-4 * expected.greater(1.0),
                "{name}: {found} {expected}, seed {seed}"
            );
        }
    }
}

#[test]
fn a_mill_across_a_periodic_edge_is_one() {
    let arena = Arena { seamless: true, ..testing::plane(100.0, 60.0, Edges::Wrap) };
    let circle = (0..12).map(|at| {
        let (y, x) = libm::sincosf(at as f32 * std::f32::consts::TAU / 12.0);
        let position = Vec3::new((10.0 * x).rem_euclid(100.0), 30.0 + 10.0 * y, 0.0);
        (position, Vec3::new(-y, x, 0.0))
    });
    let world = World { arena, ..World::default() }.with_group(Group::default(), circle);
    assert!(of_groups(&world)[0].named("milling").expect("a value") > 1.0 - 1e-4);
}

#[test]
fn units_at_their_center_have_neither_rotation_nor_spread() {
    for case in 0..500_u16 {
        let size = 3.0 + f32::from(case) * 7.3;
        let arena = Arena { seamless: case % 3 > 0, ..testing::plane(size, 60.0, Edges::Wrap) };
        let place = Vec3::new(size * f32::from(case % 97) / 97.0, f32::from(case % 60), 0.0);
        let units = vec![(place, Vec3::X); 1 + usize::from(case % 4)];
        let world = World { arena, ..World::default() }.with_group(Group::default(), units);
        let figures = of_groups(&world)[0];
        let found = ["milling", "spread"].map(|name| figures.named(name));
        assert_eq!(found, [Some(0.0); 2], "{place} {size}");
    }
}

#[test]
fn the_mean_speed_of_units_whose_squared_speed_overflows_is_finite() {
    let mut world = World::default().with_group(Group::default(), [Vec3::ZERO, Vec3::X]);
    world.units.velocity.fill(Vec3::X * 1e30);
    assert_eq!(of_groups(&world)[0].named("speed"), Some(1e30));
}
