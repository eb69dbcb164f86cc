//! Contacts with walls, containers and polygons, also of crowds.

use glam::{Vec2, Vec3};
use steerbox_core::world::{
    Body, Contact, Contacts, Domain, Edges, Group, Mover, Obstacle, Polygon, Solid, Units, World, testing,
};

use super::coasting;

/// A mover with constant velocity and a contact radius of 1.
fn ball() -> Body {
    Body::Mover(Mover { length: 2.0, max_speed: 1e6, max_velocity_change: 1e6, ..Mover::default() })
}

/// A plane with balls at the given starts.
fn world(starts: &[(Vec3, Vec3)], obstacles: Vec<Obstacle>, contacts: Contacts) -> World {
    let arena = testing::plane(100.0, 100.0, Edges::Open);
    let group = Group { body: ball(), ..Group::default() };
    let world = World { arena, obstacles: obstacles.into(), contacts, step: 1.0, ..World::default() };
    world.with_group(group, starts.iter().copied())
}

fn against(obstacles: Contact) -> Contacts {
    Contacts { obstacles, ..Contacts::default() }
}

fn after(world: World, steps: usize) -> Units {
    let mut simulation = coasting(world);
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
        angle: 0.0.into(),
    }
    .into()
}

const BOUNCE: Contact = Contact::Bounce { restitution: 1.0 };

#[test]
fn a_bounce_reflects_the_velocity_and_preserves_or_halves_it() {
    for (restitution, back) in [(1.0, -5.0), (0.5, -2.5), (0.0, 0.0)] {
        let start = (Vec3::new(57.0, 20.0, 0.0), Vec3::new(5.0, 1.0, 0.0));
        let contact = Contact::Bounce { restitution };
        let units = after(world(&[start], vec![wall(60.0)], against(contact)), 1);
        assert!((units.velocity[0] - Vec3::new(back, 1.0, 0.0)).length() < 1e-4);
        assert!((units.position[0].y - 21.0).abs() < 1e-3);
        let free = (57.0 + 5.0) - (62.0 - 58.9) * (1.0 + restitution);
        assert!((units.position[0].x - free).abs() < 5e-3, "{}", units.position[0]);
    }
}

#[test]
fn a_ball_in_a_container_has_constant_speed_and_remains_inside() {
    let container = |space: bool| Obstacle {
        inside_out: true,
        ..Solid::Box {
            center: Vec3::splat(50.0) * Vec3::new(1.0, 1.0, f32::from(space)),
            half: Vec3::new(20.0, 12.0, if space { 9.0 } else { f32::INFINITY }),
            angle: 0.4.into(),
        }
        .into()
    };
    for space in [false, true] {
        let velocity = Vec3::new(7.3, 5.1, if space { 3.3 } else { 0.0 });
        let start = (Vec3::new(50.0, 50.0, if space { 50.0 } else { 0.0 }), velocity);
        let mut world = world(&[start], vec![container(space)], against(BOUNCE));
        if space {
            let center = Vec3::splat(50.0);
            world.arena.domain = Domain::Space { center, radius: 100.0 };
        }
        let mut simulation = coasting(world);
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
fn a_chain_that_is_blocked_at_its_head_stops_as_a_whole() {
    let starts: Vec<_> =
        (0..20).map(|n| (Vec3::new(58.0 - 2.05 * n as f32, 50.0, 0.0), Vec3::X * 0.5)).collect();
    let contacts = Contacts { obstacles: Contact::Block, units: Contact::Block, reach: 1.0 };
    let start = world(&starts, vec![wall(60.0)], contacts);
    let units = after(start, 60);
    for pair in units.position.windows(2) {
        assert!(pair[0].x - pair[1].x >= 2.0, "{pair:?}");
    }
    assert!(units.position[0].x < 58.9);
}

#[test]
fn a_crowd_in_a_corner_hardly_overlaps_and_units_at_one_point_separate() {
    let starts: Vec<_> =
        (0..60).map(|n| (Vec3::new(30.0 + (n % 3) as f32, 50.0, 0.0), Vec3::new(0.4, -0.4, 0.0))).collect();
    let room = Obstacle {
        inside_out: true,
        ..Solid::Box {
            center: Vec3::new(50.0, 50.0, 0.0),
            half: Vec3::new(22.0, 22.0, f32::INFINITY),
            angle: 0.0.into(),
        }
        .into()
    };
    let contacts = Contacts { obstacles: Contact::Separate, units: Contact::Separate, reach: 1.0 };
    let start = world(&starts, vec![room.clone()], contacts);
    let units = after(start, 400);
    for (at, position) in units.position.iter().enumerate() {
        assert!(room.distance_to(*position) > 0.99, "{position}");
        for other in &units.position[at + 1..] {
            assert!(position.distance(*other) > 1.7, "{position} {other}");
        }
    }
}

#[test]
fn points_touch_only_if_their_centers_coincide() {
    let contacts = Contacts { obstacles: Contact::Block, units: Contact::None, reach: 0.0 };
    let start = (Vec3::new(50.0, 50.0, 0.0), Vec3::X);
    let units = after(world(&[start], vec![wall(60.0)], contacts), 30);
    assert!((units.position[0].x - 59.0).abs() < 1e-3, "{}", units.position[0]);
}

/// A star with a spike much thinner than the balls.
fn star(inside_out: bool) -> Obstacle {
    let corners = [
        (30.0, 30.0),
        (48.0, 44.0),
        (50.0, 20.0),
        (50.2, 44.0),
        (70.0, 30.0),
        (58.0, 50.0),
        (70.0, 70.0),
        (50.0, 58.0),
        (30.0, 70.0),
        (42.0, 50.0),
    ];
    let corners = corners.map(|(x, y)| Vec2::new(x, y)).to_vec();
    Obstacle { inside_out, ..Solid::Polygon(Polygon::new(corners).expect("a simple one")).into() }
}

#[test]
fn balls_do_not_tunnel_through_a_spike_or_out_of_a_notched_container() {
    // A sliding ball may move around it later, but not within one step.
    for (contact, speed) in [(Contact::Block, 2000.0), (Contact::Separate, 12.0), (BOUNCE, 12.0)] {
        let start = (Vec3::new(40.0, 24.0, 0.0), Vec3::X * speed);
        let spike = world(&[start], vec![star(false)], against(contact));
        assert!(after(spike, 1).position[0].x < 50.0, "{contact:?}");
    }
    for contact in [Contact::Block, Contact::Separate, BOUNCE] {
        for speed in [0.7, 30.0, 2000.0] {
            for degrees in (0..360).step_by(15) {
                let (sin, cos) = libm::sincosf((degrees as f32).to_radians());
                let start = (Vec3::new(50.0, 51.0, 0.0), Vec3::new(cos, sin, 0.0) * speed);
                let inside = world(&[start], vec![star(true)], against(contact));
                let at = after(inside, 30).position[0];
                let gap = star(true).distance_to(at);
                assert!(gap > 0.9, "{contact:?} {speed} {degrees}: {gap} at {at}");
            }
        }
    }
}

#[test]
fn the_speed_along_a_fence_of_many_edges_is_preserved() {
    // An inside-out circle of 64 edges: a sliding ball is slightly deflected at each corner.
    let corners = (0..64).map(|n| {
        let (sin, cos) = libm::sincosf(n as f32 * std::f32::consts::TAU / 64.0);
        Vec2::splat(50.0) + Vec2::new(cos, sin) * 30.0
    });
    let fence = Obstacle {
        inside_out: true,
        ..Solid::Polygon(Polygon::new(corners.collect()).expect("a simple one")).into()
    };
    let start = (Vec3::new(50.0, 21.2, 0.0), Vec3::new(1.5, 0.0, 0.0));
    let start = world(&[start], vec![fence.clone()], against(Contact::Separate));
    let units = after(start, 120);
    assert!(fence.distance_to(units.position[0]) > 0.99);
    // Each of some 60 corners costs 1 - cos(360° / 64), half a percent.
    assert!(units.velocity[0].length() > 1.0, "{}", units.velocity[0]);
    let turned = units.position[0] - Vec3::new(50.0, 50.0, 0.0);
    assert!(turned.y > -25.0, "it hangs at {turned}");
}
