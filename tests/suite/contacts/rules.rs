//! Nothing tunnels, and each contact response has its documented effect.

use glam::{Vec2, Vec3};
use proptest::prelude::*;
use steerbox_core::sim::{Contribution, Simulation, UnitContext};
use steerbox_core::world::{
    Arena, Body, Contact, Contacts, Edges, Group, Mover, Obstacle, Obstacles, Rigid, Solid, World, testing,
};

use super::coasting;
use crate::common::{driven, on_threads};

const STEP: f32 = 0.1;
const ELASTIC: Contact = Contact::Bounce { restitution: 1.0 };
const KINDS: [Contact; 3] = [Contact::Block, Contact::Separate, ELASTIC];

/// A ball of diameter 1 with constant velocity.
fn mover() -> Body {
    Body::Mover(Mover { max_speed: 1e9, max_velocity_change: 1e9, ..Mover::default() })
}

/// The same as a rigid body of `mass` without thrust and drag.
fn rigid(mass: f32) -> Body {
    Body::Rigid(Rigid { mass, length: 1.0, thrust: 0.0, drag: 0.0, angular_drag: 0.0, ..Rigid::default() })
}

fn plane(edges: Edges) -> Arena {
    let seamless = edges == Edges::Wrap;
    Arena { seamless, ..testing::plane(100.0, 60.0, edges) }
}

fn space() -> Arena {
    testing::space(1e6, Edges::Open)
}

fn both(contact: Contact) -> Contacts {
    Contacts { obstacles: contact, units: contact, reach: 1.0 }
}

/// Creates units from body, position and velocity, one group each, with keys by the `name` of each.
fn world(
    arena: Arena,
    contacts: Contacts,
    obstacles: Vec<Obstacle>,
    starts: &[(usize, Body, Vec3, Vec3)],
) -> World {
    let (step, empty) = (STEP, World::default());
    let obstacles = Obstacles::new(obstacles, arena.period());
    let world = World { arena, contacts, obstacles, step, ..empty };
    starts.iter().fold(world, |world, (name, body, position, velocity)| {
        let (name, body) = (name.to_string(), *body);
        let group = Group { name, body, ..Group::default() };
        world.with_group(group, [(*position, *velocity)])
    })
}

fn stepped(mut simulation: Simulation, steps: usize) -> World {
    for _ in 0..steps {
        simulation.step();
    }
    assert!(simulation.reports().is_empty());
    simulation.world().clone()
}

fn thin_wall(arena: &Arena) -> Obstacle {
    let z = if arena.is_plane() { f32::INFINITY } else { 50.0 };
    Obstacle::from(Solid::Box {
        center: Vec3::new(50.0, 30.0, 0.0),
        half: Vec3::new(0.05, 50.0, z),
        angle: 0.0.into(),
    })
}

fn momentum(world: &World) -> Vec3 {
    let units = 0..world.units.len();
    units.map(|unit| world.units.velocity[unit] * world.group_of(unit).body.mass()).sum()
}

fn energy(world: &World) -> f32 {
    let units = 0..world.units.len();
    units.map(|unit| world.units.velocity[unit].length_squared() * world.group_of(unit).body.mass()).sum()
}

#[test]
fn fast_units_do_not_tunnel_through_walls_and_balls() {
    for arena in [plane(Edges::Open), space()] {
        let ball = Obstacle::from(Solid::Ball { center: Vec3::new(50.0, 30.0, 0.0), radius: 0.3 });
        for obstacle in [thin_wall(&arena), ball] {
            for (contact, reach) in KINDS.iter().flat_map(|c| [(*c, 0.0), (*c, 1.0)]) {
                for speed in [20.0, 1e3, 1e5] {
                    let contacts = Contacts { reach, ..both(contact) };
                    let from = Vec3::new(41.3, 30.0, 0.0);
                    let start = (0, mover(), from, Vec3::X * speed);
                    let world = world(arena, contacts, vec![obstacle.clone()], &[start]);
                    let mut simulation = coasting(world);
                    for _ in 0..20 {
                        simulation.step();
                        let at = simulation.world().units.position[0];
                        assert!(at.x < 50.0, "{contact:?} {speed} {obstacle:?}: {at}");
                        let gap = obstacle.distance_to(at);
                        assert!(gap >= reach * 0.5 - 1e-3, "{contact:?} {speed}: {gap}");
                    }
                }
            }
        }
    }
}

#[test]
fn fast_units_do_not_tunnel_through_each_other() {
    for arena in [plane(Edges::Open), space()] {
        for contact in KINDS {
            for speed in [20.0, 1e3, 1e5] {
                for other in [-speed, 0.0] {
                    let left = (0, mover(), Vec3::new(20.0, 30.0, 0.0), Vec3::X * speed);
                    let right = (1, mover(), Vec3::new(26.0, 30.0, 0.0), Vec3::X * other);
                    let world = world(arena, both(contact), Vec::new(), &[left, right]);
                    let mut simulation = coasting(world);
                    for _ in 0..20 {
                        simulation.step();
                        let units = &simulation.world().units;
                        let gap = units.position[1].x - units.position[0].x;
                        assert!(gap >= 0.99, "{contact:?} {speed} {other}: {gap}");
                    }
                }
            }
        }
    }
}

#[test]
fn a_blocked_unit_stops_until_it_turns_away() {
    let arena = plane(Edges::Open);
    let start = (0, mover(), Vec3::new(48.0, 30.0, 0.0), Vec3::X * 30.0);
    let world = world(arena, both(Contact::Block), vec![thin_wall(&arena)], &[start]);
    let mut simulation = driven(world, |context: &mut UnitContext| {
        let back = if context.world().steps < 5 { 0.0 } else { -60.0 };
        let once = context.world().steps <= 5;
        Contribution::Push(Vec3::X * if once { back } else { 0.0 })
    });
    for _ in 0..5 {
        simulation.step();
        let units = &simulation.world().units;
        assert_eq!(units.position[0], Vec3::new(48.0, 30.0, 0.0));
        assert_eq!((units.velocity[0], units.heading[0]), (Vec3::X * 30.0, Vec3::X));
    }
    simulation.step();
    let units = &simulation.world().units;
    assert!(units.position[0].x < 46.0, "{}", units.position[0]);
    assert_eq!(units.velocity[0], Vec3::X * -30.0);
}

#[test]
fn a_unit_slides_along_a_wall_with_constant_tangential_speed() {
    for arena in [plane(Edges::Open), space()] {
        let wall = thin_wall(&arena);
        let start = (0, mover(), Vec3::new(45.0, 10.0, 0.0), Vec3::new(30.0, 5.0, 0.0));
        let after = stepped(coasting(world(arena, both(Contact::Separate), vec![wall], &[start])), 30);
        let (position, velocity) = (after.units.position[0], after.units.velocity[0]);
        assert!((position.y - 25.0).abs() < 1e-2, "{position}");
        assert!((position.x - 49.45).abs() < 1e-2, "{position}");
        assert!(velocity.abs_diff_eq(Vec3::Y * 5.0, 1e-4), "{velocity}");
        assert!(after.units.heading[0].abs_diff_eq(Vec3::Y, 1e-4));
    }
}

#[test]
fn a_crowd_pressed_into_a_corner_does_not_enter_the_walls() {
    let arena = plane(Edges::Open);
    let wall = |x: f32, y: f32, half: Vec2, angle: f32| {
        Obstacle::from(Solid::Box {
            center: Vec3::new(x, y, 0.0),
            half: half.extend(f32::INFINITY),
            angle: angle.into(),
        })
    };
    let walls = vec![wall(50.0, 5.0, Vec2::new(40.0, 0.1), 0.0), wall(10.0, 30.0, Vec2::new(0.1, 40.0), 0.1)];
    let slow = Body::Mover(Mover { max_speed: 10.0, max_velocity_change: 9.0, ..Mover::default() });
    let starts: Vec<_> = (0..60)
        .map(|at| {
            let place = Vec3::new(20.0 + (at % 8) as f32, 12.0 + (at / 8) as f32, 0.0);
            (at, slow, place, Vec3::ZERO)
        })
        .collect();
    for contact in [Contact::Separate, Contact::Bounce { restitution: 0.3 }] {
        let world = world(arena, both(contact), walls.clone(), &starts);
        let mut simulation =
            driven(world, |_: &mut UnitContext| Contribution::Push(Vec3::new(-1.0, -0.8, 0.0)));
        for _ in 0..2000 {
            simulation.step();
        }
        let units = &simulation.world().units;
        for position in &units.position {
            assert_eq!(position.z, 0.0);
            for wall in &walls {
                assert!(wall.distance_to(*position) >= 0.5 - 2e-3, "{position}");
            }
            assert!(position.x > 9.0 && position.y > 5.0, "{position}");
        }
    }
}

#[test]
fn a_bounce_preserves_momentum_and_energy_and_a_soft_one_halves_the_speed() {
    for (first, second) in [(1.0, 1.0), (1.0, 5.0), (20.0, 0.5)] {
        for restitution in [1.0, 0.5, 0.0] {
            let contact = Contact::Bounce { restitution };
            let left = (0, rigid(first), Vec3::new(20.0, 30.0, 0.0), Vec3::X * 9.0);
            let right = (1, rigid(second), Vec3::new(24.0, 30.3, 0.0), Vec3::X * -4.0);
            for arena in [plane(Edges::Open), space()] {
                let start = world(arena, both(contact), Vec::new(), &[left, right]);
                let end = stepped(coasting(start.clone()), 10);
                let drift = (momentum(&end) - momentum(&start)).length();
                assert!(drift < 1e-3 * momentum(&start).length().max(1.0), "{drift}");
                let ratio = energy(&end) / energy(&start);
                if restitution == 1.0 {
                    assert!((ratio - 1.0).abs() < 1e-4, "{ratio}");
                } else {
                    assert!(ratio < 0.999, "{ratio}");
                }
                let apart = end.units.position[1] - end.units.position[0];
                assert!(apart.x > 0.0);
            }
        }
    }
    let wall = thin_wall(&plane(Edges::Open));
    let start = (0, mover(), Vec3::new(45.0, 30.0, 0.0), Vec3::new(30.0, 3.0, 0.0));
    let half = both(Contact::Bounce { restitution: 0.5 });
    let end = stepped(coasting(world(plane(Edges::Open), half, vec![wall], &[start])), 3);
    assert!(end.units.velocity[0].abs_diff_eq(Vec3::new(-15.0, 3.0, 0.0), 1e-4));
    assert!(end.units.heading[0].x < 0.0);
}

#[test]
fn a_ball_in_a_box_has_constant_speed() {
    let arena = plane(Edges::Open);
    let sides =
        [(20.0, 30.0, 1.0, 12.0), (40.0, 30.0, 1.0, 12.0), (30.0, 20.0, 12.0, 1.0), (30.0, 40.0, 12.0, 1.0)];
    let walls = sides.map(|(x, y, width, height)| {
        Obstacle::from(Solid::Box {
            center: Vec3::new(x, y, 0.0),
            half: Vec3::new(width, height, f32::INFINITY),
            angle: 0.0.into(),
        })
    });
    let velocity = Vec3::new(37.0, 23.0, 0.0);
    let start = (0, mover(), Vec3::new(30.0, 30.0, 0.0), velocity);
    let mut simulation = coasting(world(arena, both(ELASTIC), walls.to_vec(), &[start]));
    for _ in 0..2000 {
        simulation.step();
        let units = &simulation.world().units;
        let from_middle = (units.position[0] - Vec3::new(30.0, 30.0, 0.0)).abs();
        assert!(from_middle.max_element() <= 8.5 + 2e-3, "{from_middle}");
    }
    let units = &simulation.world().units;
    assert!((units.velocity[0].length() / velocity.length() - 1.0).abs() < 1e-3);
    assert!(units.heading[0].abs_diff_eq(units.velocity[0].normalize(), 1e-5));
}

#[test]
fn the_heading_of_a_rigid_body_does_not_change() {
    let arena = plane(Edges::Open);
    let start = (0, rigid(3.0), Vec3::new(48.0, 30.0, 0.0), Vec3::X * 30.0);
    let end = stepped(coasting(world(arena, both(ELASTIC), vec![thin_wall(&arena)], &[start])), 1);
    assert_eq!(end.units.heading[0], Vec3::X);
    assert!(end.units.velocity[0].x < -29.0);
}

#[test]
fn units_at_one_point_separate() {
    for arena in [plane(Edges::Open), space()] {
        for contact in [Contact::Separate, ELASTIC] {
            let starts: Vec<_> =
                (0..3).map(|at| (at, mover(), Vec3::new(50.0, 30.0, 0.0), Vec3::ZERO)).collect();
            let end = stepped(coasting(world(arena, both(contact), Vec::new(), &starts)), 20);
            let at = &end.units.position;
            for (a, b) in [(0, 1), (0, 2), (1, 2)] {
                assert!(at[a].distance(at[b]) > 0.98, "{at:?}");
            }
            assert!(!arena.is_plane() || at.iter().all(|at| at.z == 0.0));
        }
    }
}

#[test]
fn units_touch_across_a_seamless_edge() {
    let left = (0, mover(), Vec3::new(98.0, 30.0, 0.0), Vec3::X * 20.0);
    let right = (1, mover(), Vec3::new(2.0, 30.0, 0.0), Vec3::X * -20.0);
    let arena = plane(Edges::Wrap);
    for contact in KINDS {
        let end = stepped(coasting(world(arena, both(contact), Vec::new(), &[left, right])), 1);
        let offset = arena.shortest(end.units.position[1] - end.units.position[0]);
        assert!(offset.x >= 0.99, "{contact:?} {offset}");
    }
}

#[test]
fn an_obstacle_behind_the_edge_stops_wrapping_and_bouncing_units() {
    for edges in [Edges::Wrap, Edges::Bounce] {
        let x = if edges == Edges::Wrap { 5.0 } else { 95.0 };
        let wall = Obstacle::from(Solid::Box {
            center: Vec3::new(x, 30.0, 0.0),
            half: Vec3::new(0.05, 50.0, f32::INFINITY),
            angle: 0.0.into(),
        });
        for contact in KINDS {
            let start = (0, mover(), Vec3::new(97.0, 30.0, 0.0), Vec3::X * 300.0);
            let world = world(plane(edges), both(contact), vec![wall.clone()], &[start]);
            let at = stepped(coasting(world), 1).units.position[0];
            let room = match edges {
                Edges::Wrap => !(4.46..=80.0).contains(&at.x),
                _ => at.x >= 95.54,
            };
            assert!(room, "{edges:?} {contact:?}: {at}");
        }
    }
}

#[test]
fn without_contacts_nothing_changes() {
    let arena = plane(Edges::Wrap);
    let starts = [
        (0, mover(), Vec3::new(20.0, 30.0, 0.0), Vec3::X * 30.0),
        (1, mover(), Vec3::new(21.0, 30.0, 0.0), Vec3::X * -30.0),
    ];
    let end = stepped(coasting(world(arena, Contacts::default(), vec![thin_wall(&arena)], &starts)), 10);
    assert!(end.units.position[0].abs_diff_eq(Vec3::new(50.0, 30.0, 0.0), 1e-3));
    assert_eq!(end.units.velocity[0], Vec3::X * 30.0);
}

/// Units of a small, crowded world with obstacles.
fn crowd() -> impl Strategy<Value = Vec<(usize, Body, Vec3, Vec3)>> {
    let unit = (0.0_f32..100.0, 0.0_f32..60.0, -200.0_f32..200.0, -200.0_f32..200.0, 0.5_f32..4.0);
    prop::collection::vec(unit, 20..200).prop_map(|units| {
        let start = |(at, (x, y, u, v, mass)): (usize, (f32, f32, f32, f32, f32))| {
            let body = if at % 2 == 0 { mover() } else { rigid(mass) };
            (at, body, Vec3::new(x, y, 0.0), Vec3::new(u, v, 0.0))
        };
        units.into_iter().enumerate().map(start).collect()
    })
}

fn run_on(threads: usize, world: World) -> World {
    on_threads(threads, || stepped(coasting(world), 10))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn results_do_not_depend_on_order_and_threads(starts in crowd(), kind in 0..3_usize, edge in 0..2_usize) {
        let arena = plane([Edges::Wrap, Edges::Bounce][edge]);
        let obstacles = vec![
            Obstacle::from(Solid::Ball { center: Vec3::new(30.0, 30.0, 0.0), radius: 9.0 }),
            Obstacle::from(Solid::Capsule { from: Vec3::new(60.0, 10.0, 0.0), to: Vec3::new(80.0, 50.0, 0.0), radius: 1.0 }),
        ];
        let contacts = both(KINDS[kind]);
        let one = run_on(1, world(arena, contacts, obstacles.clone(), &starts));
        for threads in [2, 3] {
            let other = run_on(threads, world(arena, contacts, obstacles.clone(), &starts));
            prop_assert_eq!(&one.units, &other.units);
        }
        let mut turned = starts.clone();
        turned.reverse();
        turned.rotate_left(7);
        let other = run_on(2, world(arena, contacts, obstacles, &turned));
        for (at, key) in one.units.key.iter().enumerate() {
            let there = other.units.key.iter().position(|other| other == key);
            let there = there.expect("the same units");
            prop_assert_eq!(one.units.position[at], other.units.position[there]);
            prop_assert_eq!(one.units.velocity[at], other.units.velocity[there]);
            prop_assert_eq!(one.units.heading[at], other.units.heading[there]);
            prop_assert_eq!(one.units.position[at].z, 0.0);
        }
    }

    #[test]
    fn bouncing_crowds_preserve_momentum_and_gain_no_energy(starts in crowd()) {
        let contacts = Contacts { obstacles: Contact::None, ..both(ELASTIC) };
        let start = world(plane(Edges::Open), contacts, Vec::new(), &starts);
        let end = stepped(coasting(start.clone()), 20);
        let scale = (energy(&start) * starts.len() as f32).sqrt() * 2.0;
        prop_assert!((momentum(&end) - momentum(&start)).length() < 1e-3 * scale);
        prop_assert!(energy(&end) <= energy(&start) * 1.001);
    }

    #[test]
    fn blocked_units_never_overlap(starts in crowd()) {
        let contacts = Contacts { obstacles: Contact::None, ..both(Contact::Block) };
        let mut starts = starts;
        for (at, (_, _, position, _)) in starts.iter_mut().enumerate() {
            *position = Vec3::new((at % 20) as f32 * 1.5, (at / 20) as f32 * 1.5, 0.0);
        }
        let end = stepped(coasting(world(plane(Edges::Open), contacts, Vec::new(), &starts)), 10);
        for (at, a) in end.units.position.iter().enumerate() {
            for b in &end.units.position[..at] {
                prop_assert!(a.distance(*b) >= 1.0 - 1e-4);
            }
        }
    }
}
