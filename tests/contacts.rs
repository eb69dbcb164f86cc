//! Contacts through whole steps: nothing passes through anything, and what touches does as the scene says.

use glam::{Vec2, Vec3};
use steerbox::sim::Simulation;
use steerbox::world::{
    Arena, Body, Contact, Contacts, Domain, Edges, Group, Mover, Obstacle, Rigid, Solid, Units,
    World, unit_key,
};

/// A mover that keeps its velocity, whatever it is, with a contact ball of radius 1.
fn ball() -> Body {
    Body::Mover(Mover {
        length: 2.0,
        max_speed: 1e6,
        max_velocity_change: 1e6,
        ..Mover::default()
    })
}

/// A drifting rigid body without engine and drag, with a contact ball of radius 1.
fn puck(mass: f32) -> Body {
    Body::Rigid(Rigid {
        mass,
        length: 2.0,
        thrust: 0.0,
        drag: 0.0,
        angular_drag: 0.0,
        ..Rigid::default()
    })
}

/// A world of one group a body, with the units it has.
fn world(
    bodies: &[(Body, &[(Vec3, Vec3)])],
    obstacles: Vec<Obstacle>,
    contacts: Contacts,
) -> World {
    let mut world = World {
        arena: Arena {
            domain: Domain::Plane {
                size: Vec2::new(100.0, 100.0),
            },
            edges: Edges::Open,
            seamless: false,
        },
        obstacles,
        contacts,
        step: 1.0,
        ..World::default()
    };
    for (number, (body, starts)) in bodies.iter().enumerate() {
        let first = world.units.len();
        for (index, (position, velocity)) in starts.iter().enumerate() {
            let heading = velocity.normalize_or(Vec3::X);
            let key = unit_key("g", index);
            let up = if heading.z == 0.0 {
                Vec3::Z
            } else {
                heading.any_orthonormal_vector()
            };
            world
                .units
                .push(*position, *velocity, (heading, up), number as u16, key);
        }
        world.groups.push(Group {
            name: number.to_string(),
            body: *body,
            units: first..world.units.len(),
            ..Group::default()
        });
    }
    world
}

fn against(obstacles: Contact) -> Contacts {
    Contacts {
        obstacles,
        ..Contacts::default()
    }
}

fn among(units: Contact) -> Contacts {
    Contacts {
        units,
        ..Contacts::default()
    }
}

fn after(world: World, steps: usize) -> Units {
    let mut simulation = Simulation::new(world, Vec::new());
    for _ in 0..steps {
        simulation.step();
    }
    assert!(simulation.reports().is_empty());
    simulation.world().units.clone()
}

fn wall(x: f32) -> Obstacle {
    Solid::Box {
        center: Vec3::new(x, 50.0, 0.0),
        half: Vec3::new(0.1, 60.0, f32::INFINITY),
        angle: 0.0,
    }
    .into()
}

const BOUNCE: Contact = Contact::Bounce { restitution: 1.0 };
const EVERY: [Contact; 3] = [Contact::Block, Contact::Separate, BOUNCE];

#[test]
fn nothing_is_fast_enough_to_pass_through_a_wall_or_a_ball() {
    let small = Obstacle::from(Solid::Ball {
        center: Vec3::new(60.0, 50.0, 0.0),
        radius: 0.05,
    });
    for contact in EVERY {
        for speed in [3.0, 90.0, 4000.0] {
            for obstacle in [wall(60.0), small.clone()] {
                let start = (Vec3::new(50.0, 50.0, 0.0), Vec3::X * speed);
                let units = after(
                    world(&[(ball(), &[start])], vec![obstacle], against(contact)),
                    6,
                );
                assert!(
                    units.position[0].x < 60.0,
                    "{contact:?} {speed}: {}",
                    units.position[0]
                );
            }
        }
    }
}

#[test]
fn who_is_blocked_stays_with_its_velocity_and_leaves_when_it_turns() {
    let start = (Vec3::new(58.0, 50.0, 0.0), Vec3::new(3.0, 1.0, 0.0));
    let start = world(
        &[(ball(), &[start])],
        vec![wall(60.0)],
        against(Contact::Block),
    );
    let units = after(start.clone(), 3);
    assert_eq!(units.position[0], start.units.position[0]);
    assert_eq!(units.velocity[0], start.units.velocity[0]);
    let mut turned = start;
    turned.units.velocity[0].x = -3.0;
    assert_eq!(after(turned, 1).position[0], Vec3::new(55.0, 51.0, 0.0));
}

#[test]
fn who_separates_slides_along_and_keeps_what_leads_along() {
    let start = (Vec3::new(57.0, 20.0, 0.0), Vec3::new(5.0, 4.0, 0.0));
    let units = after(
        world(
            &[(ball(), &[start])],
            vec![wall(60.0)],
            against(Contact::Separate),
        ),
        5,
    );
    let (at, velocity) = (units.position[0], units.velocity[0]);
    assert!((at.x - 58.9).abs() < 2e-3, "{at}");
    assert!((at.y - 40.0).abs() < 0.1, "{at}");
    assert!((velocity - Vec3::Y * 4.0).length() < 1e-4, "{velocity}");
    assert!((units.heading[0] - Vec3::Y).length() < 1e-4);
}

#[test]
fn a_bounce_mirrors_the_velocity_and_keeps_or_halves_it() {
    for (restitution, back) in [(1.0, -5.0), (0.5, -2.5), (0.0, 0.0)] {
        let start = (Vec3::new(57.0, 20.0, 0.0), Vec3::new(5.0, 1.0, 0.0));
        let contact = Contact::Bounce { restitution };
        let units = after(
            world(&[(ball(), &[start])], vec![wall(60.0)], against(contact)),
            1,
        );
        assert!((units.velocity[0] - Vec3::new(back, 1.0, 0.0)).length() < 1e-4);
        assert!((units.position[0].y - 21.0).abs() < 1e-3);
        let free = (57.0 + 5.0) - (62.0 - 58.9) * (1.0 + restitution);
        assert!(
            (units.position[0].x - free).abs() < 5e-3,
            "{}",
            units.position[0]
        );
    }
}

#[test]
fn a_ball_in_a_container_keeps_its_speed_and_stays_inside() {
    let container = |space: bool| Obstacle {
        solid: Solid::Box {
            center: Vec3::splat(50.0) * Vec3::new(1.0, 1.0, f32::from(space)),
            half: Vec3::new(20.0, 12.0, if space { 9.0 } else { f32::INFINITY }),
            angle: 0.4,
        },
        inside_out: true,
    };
    for space in [false, true] {
        let velocity = Vec3::new(7.3, 5.1, if space { 3.3 } else { 0.0 });
        let start = (
            Vec3::new(50.0, 50.0, if space { 50.0 } else { 0.0 }),
            velocity,
        );
        let mut world = world(
            &[(ball(), &[start])],
            vec![container(space)],
            against(BOUNCE),
        );
        if space {
            let center = Vec3::splat(50.0);
            world.arena.domain = Domain::Space {
                center,
                radius: 100.0,
            };
        }
        let mut simulation = Simulation::new(world, Vec::new());
        for _ in 0..2000 {
            simulation.step();
            let units = &simulation.world().units;
            let gap = simulation.world().obstacles[0].distance_to(units.position[0]);
            assert!(gap > 0.99, "{gap} at {}", units.position[0]);
        }
        let speed = simulation.world().units.velocity[0].length();
        assert!((speed / velocity.length() - 1.0).abs() < 1e-2, "{speed}");
    }
}

#[test]
fn two_that_meet_head_on_do_not_pass_however_fast() {
    for contact in EVERY {
        for speed in [1.5, 40.0, 900.0] {
            let starts = [
                (Vec3::new(30.0, 50.0, 0.0), Vec3::X * speed),
                (Vec3::new(45.0, 50.0, 0.0), Vec3::NEG_X * speed),
            ];
            let units = after(world(&[(ball(), &starts)], Vec::new(), among(contact)), 20);
            let gap = units.position[1].x - units.position[0].x;
            assert!(gap > 1.99, "{contact:?} {speed}: {gap}");
        }
    }
}

#[test]
fn a_bounce_between_two_keeps_momentum_and_energy() {
    for (light, heavy) in [(1.0, 1.0), (1.0, 7.0)] {
        let first = [(Vec3::new(30.0, 50.0, 0.0), Vec3::new(6.0, 0.5, 0.0))];
        let second = [(Vec3::new(40.0, 51.0, 0.0), Vec3::new(-4.0, 0.0, 0.0))];
        let bodies: [(Body, &[(Vec3, Vec3)]); 2] = [(puck(light), &first), (puck(heavy), &second)];
        let units = after(world(&bodies, Vec::new(), among(BOUNCE)), 4);
        let sums = |velocity: &[Vec3]| {
            let momentum = velocity[0] * light + velocity[1] * heavy;
            let energy =
                velocity[0].length_squared() * light + velocity[1].length_squared() * heavy;
            (momentum, energy)
        };
        let before = sums(&[first[0].1, second[0].1]);
        let found = sums(&units.velocity);
        assert!((found.0 - before.0).length() < 1e-3, "{found:?} {before:?}");
        assert!(
            (found.1 / before.1 - 1.0).abs() < 1e-4,
            "{found:?} {before:?}"
        );
        assert_ne!(units.velocity[0], first[0].1, "they did not touch");
    }
}

#[test]
fn a_chain_that_is_blocked_at_its_head_stays_as_a_whole() {
    let starts: Vec<_> = (0..20)
        .map(|n| (Vec3::new(58.0 - 2.05 * n as f32, 50.0, 0.0), Vec3::X * 0.5))
        .collect();
    let contacts = Contacts {
        obstacles: Contact::Block,
        units: Contact::Block,
        reach: 1.0,
    };
    let start = world(&[(ball(), &starts)], vec![wall(60.0)], contacts);
    let units = after(start, 60);
    for pair in units.position.windows(2) {
        assert!(pair[0].x - pair[1].x >= 2.0, "{pair:?}");
    }
    assert!(units.position[0].x < 58.9);
}

#[test]
fn a_crowd_in_a_corner_overlaps_hardly_and_on_one_spot_they_come_apart() {
    let starts: Vec<_> = (0..60)
        .map(|n| {
            (
                Vec3::new(30.0 + (n % 3) as f32, 50.0, 0.0),
                Vec3::new(0.4, -0.4, 0.0),
            )
        })
        .collect();
    let room = Obstacle {
        solid: Solid::Box {
            center: Vec3::new(50.0, 50.0, 0.0),
            half: Vec3::new(22.0, 22.0, f32::INFINITY),
            angle: 0.0,
        },
        inside_out: true,
    };
    let contacts = Contacts {
        obstacles: Contact::Separate,
        units: Contact::Separate,
        reach: 1.0,
    };
    let start = world(&[(ball(), &starts)], vec![room.clone()], contacts);
    let units = after(start, 400);
    for (at, position) in units.position.iter().enumerate() {
        assert!(room.distance_to(*position) > 0.99, "{position}");
        for other in &units.position[at + 1..] {
            assert!(position.distance(*other) > 1.7, "{position} {other}");
        }
    }
}

#[test]
fn contacts_do_not_depend_on_the_number_of_threads() {
    let starts: Vec<_> = (0..1000)
        .map(|n| {
            let (x, y) = ((n % 40) as f32 * 2.5, (n / 40) as f32 * 3.9);
            let angle = n as f32 * 2.4;
            (
                Vec3::new(x, y, 0.0),
                Vec3::new(libm::cosf(angle), libm::sinf(angle), 0.0),
            )
        })
        .collect();
    for contact in EVERY {
        let contacts = Contacts {
            obstacles: contact,
            units: contact,
            reach: 1.0,
        };
        let mut start = world(&[(ball(), &starts)], vec![wall(50.0)], contacts);
        start.arena.edges = Edges::Wrap;
        start.arena.seamless = true;
        let hash = |threads| {
            let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
            pool.build().expect("threads").install(|| {
                let mut simulation = Simulation::new(start.clone(), Vec::new());
                for _ in 0..20 {
                    simulation.step();
                }
                simulation.hash()
            })
        };
        let one = hash(1);
        assert_eq!((hash(2), hash(3)), (one, one), "{contact:?}");
    }
}

#[test]
fn across_a_seamless_edge_they_touch_too() {
    let starts = [
        (Vec3::new(99.0, 50.0, 0.0), Vec3::X * 0.8),
        (Vec3::new(2.0, 50.0, 0.0), Vec3::NEG_X * 0.8),
    ];
    let mut start = world(&[(ball(), &starts)], Vec::new(), among(BOUNCE));
    start.arena.edges = Edges::Wrap;
    start.arena.seamless = true;
    let units = after(start, 3);
    assert!(units.velocity[0].x < 0.0 && units.velocity[1].x > 0.0);
}

#[test]
fn points_touch_by_their_centers_alone() {
    let contacts = Contacts {
        obstacles: Contact::Block,
        units: Contact::None,
        reach: 0.0,
    };
    let start = (Vec3::new(50.0, 50.0, 0.0), Vec3::X);
    let units = after(world(&[(ball(), &[start])], vec![wall(60.0)], contacts), 30);
    assert!(
        (units.position[0].x - 59.0).abs() < 1e-3,
        "{}",
        units.position[0]
    );
}
