use glam::{UVec3, Vec3};

use super::*;
use crate::world::{Edges, Obstacle, Solid, testing};

fn field(arena: &Arena, obstacles: Vec<Obstacle>, goal: &Goal, cell: f32, margin: f32) -> Flow {
    let nodes = (arena.size() / cell).ceil().as_uvec3() + 1;
    Route { goal: goal.clone(), nodes, margin, speed: 2.0 }.field(arena, &obstacles.into())
}

fn ball(x: f32, y: f32, radius: f32) -> Obstacle {
    Solid::ball(Vec3::new(x, y, 0.0), radius).into()
}

/// Length of the shortest path around a circle at the origin, between points outside of it: two tangents and an arc.
fn around(radius: f32, from: Vec3, to: Vec3) -> f32 {
    let nearest = -from.dot(to - from) / from.distance_squared(to);
    if from.lerp(to, nearest.limited(0.0, 1.0)).length() >= radius {
        return from.distance(to);
    }
    let [a, b] = [from, to].map(|point| libm::acosf(radius / point.length()));
    let tangents = [from, to].map(|point| (point.length_squared() - radius * radius).sqrt());
    let between = libm::acosf((from.normalize().dot(to.normalize())).limited(-1.0, 1.0));
    tangents[0] + tangents[1] + radius * (between - a - b).greater(0.0)
}

#[test]
fn distances_are_those_of_the_exact_solution_around_a_circle() {
    let arena = testing::plane(400.0, 300.0, Edges::Open);
    let (center, goal, radius) = (Vec3::new(200.0, 150.0, 0.0), Vec3::new(330.0, 150.0, 0.0), 60.0);
    let errors = [8.0, 4.0, 2.0].map(|cell| {
        let flow = field(&arena, vec![ball(200.0, 150.0, radius)], &Goal::Point(goal), cell, 0.0);
        let (mut most, mut sum, mut count, mut turned) = (0.0_f32, 0.0_f32, 0, 0.0_f32);
        for number in 0..2000 {
            let [x, y] = [101, 211].map(|prime| (number * prime % 2003) as f32 / 2003.0);
            let point = Vec3::new(400.0 * x, 300.0 * y, 0.0);
            if point.distance(center) < radius + 3.0 * cell {
                continue;
            }
            let exact = around(radius, point - center, goal - center);
            let error = (flow.distance_at(point).unwrap() - exact).abs();
            (most, sum, count) = (most.greater(error), sum + error, count + 1);
            // Along the shortest path, the derivative of the exact solution along the vector is -1.
            let vector = flow.at(point);
            assert!(vector.length() < 2.0001);
            let step = |to: f32| around(radius, point + 0.5 * to * vector - center, goal - center);
            let is_ridge = (point.y - center.y).abs() < 3.0 * cell && point.x < center.x;
            if !is_ridge && point.distance(goal) > 2.0 * cell {
                turned = turned.greater(1.0 - (step(-0.5) - step(0.5)));
            }
        }
        assert!(turned < 0.05, "cell {cell}: the path is longer by {turned}");
        (most / cell, sum / count as f32 / cell)
    });
    // The nodes beside the circle are up to a cell away from it, so paths in its shadow are too long.
    assert!(errors.iter().all(|(most, mean)| *most < 3.0 && *mean < 0.5), "{errors:?}");
}

#[test]
fn without_obstacles_distances_are_straight_also_in_space_and_across_periodic_edges() {
    let space = testing::space(50.0, Edges::Open);
    let seamless = Arena { seamless: true, ..testing::plane(100.0, 80.0, Edges::Wrap) };
    let wrapped = testing::plane(100.0, 80.0, Edges::Wrap);
    for (arena, goal) in [
        (space, Vec3::new(10.0, -5.0, 20.0)),
        (seamless, Vec3::new(90.0, 10.0, 0.0)),
        (wrapped, Vec3::new(90.0, 10.0, 0.0)),
    ] {
        let flow = field(&arena, Vec::new(), &Goal::Point(goal), 4.0, 0.0);
        for number in 0..500 {
            let parts = [101, 211, 307].map(|prime| (number * prime % 503) as f32 / 503.0 - 0.5);
            let point = arena.center() + arena.size() * Vec3::from_array(parts);
            let exact = arena.shortest(goal - point).length();
            let distance = flow.distance_at(point).unwrap();
            assert!((distance - exact).abs() < 0.6 * 4.0, "{arena:?} {point}: {distance}, {exact}");
        }
    }
}

#[test]
fn paths_lead_into_an_area_and_end_in_its_middle() {
    let arena = testing::plane(200.0, 100.0, Edges::Open);
    let door = ball(180.0, 50.0, 15.0);
    let flow = field(&arena, Vec::new(), &Goal::Area(door), 4.0, 0.0);
    // Inside, vectors lead to the middle, where they vanish.
    assert!(flow.at(Vec3::new(180.0, 50.0, 0.0)).length() < 0.2);
    assert!((flow.at(Vec3::new(170.0, 50.0, 0.0)) - Vec3::X * 2.0).length() < 0.1);
    assert_eq!(flow.distance_at(Vec3::new(176.0, 52.0, 0.0)), Some(0.0));
    let (distance, vector) = (flow.distance_at(Vec3::new(20.0, 50.0, 0.0)).unwrap(), flow.at(Vec3::Y * 50.0));
    assert!((distance - 145.0).abs() < 0.5, "{distance}");
    assert!((vector - Vec3::X * 2.0).length() < 0.02, "{vector}");
}

#[test]
fn a_thin_wall_separates_and_a_wide_margin_still_leads_through_a_narrow_gap() {
    let arena = testing::plane(200.0, 100.0, Edges::Open);
    let wall = |from: f32, to: f32| {
        Obstacle::from(Solid::Capsule {
            from: Vec3::new(101.0, from, 0.0),
            to: Vec3::new(101.0, to, 0.0),
            radius: 0.3,
        })
    };
    let goal = Goal::Point(Vec3::new(180.0, 50.0, 0.0));
    let (left, right) = (Vec3::new(20.0, 50.0, 0.0), Vec3::new(120.0, 50.0, 0.0));
    let closed = field(&arena, vec![wall(-50.0, 150.0)], &goal, 8.0, 0.0);
    assert_eq!(closed.distance_at(left), Some(f32::INFINITY));
    assert_eq!(closed.at(left), Vec3::ZERO);
    assert!((closed.distance_at(right).unwrap() - 60.0).abs() < 1.0);
    let gap = vec![wall(-50.0, 20.0), wall(34.0, 150.0)];
    for margin in [0.0, 20.0] {
        let open = field(&arena, gap.clone(), &goal, 4.0, margin);
        let distance = open.distance_at(left).unwrap();
        let exact = left.distance(Vec3::new(101.0, 34.0, 0.0)) + 80.6;
        assert!(distance > exact - 3.0 && distance < exact + 20.0, "margin {margin}: {distance}, {exact}");
    }
}

#[test]
fn a_margin_is_respected_where_there_is_room() {
    let arena = testing::plane(200.0, 200.0, Edges::Open);
    let goal = Goal::Point(Vec3::new(180.0, 100.0, 0.0));
    let flow = field(&arena, vec![ball(100.0, 100.0, 30.0)], &goal, 4.0, 20.0);
    let mut at = Vec3::new(20.0, 102.0, 0.0);
    for _ in 0..300 {
        at += flow.at(at) * 0.5;
        assert!(at.distance(Vec3::new(100.0, 100.0, 0.0)) > 45.0, "{at}");
    }
    assert!(at.distance(Vec3::new(180.0, 100.0, 0.0)) < 5.0, "{at}");
}

#[test]
fn hostile_routes_are_still() {
    let arena = testing::plane(100.0, 100.0, Edges::Open);
    let inside = Goal::Point(Vec3::splat(50.0).with_z(0.0));
    let flow = field(&arena, vec![ball(50.0, 50.0, 20.0)], &inside, 5.0, 0.0);
    assert_eq!(flow.at(Vec3::ONE), Vec3::ZERO);
    assert_eq!(flow.distance_at(Vec3::ONE), Some(f32::INFINITY));
    // From inside an obstacle, vectors lead out.
    assert!(flow.at(Vec3::new(40.0, 50.0, 0.0)).x < -1.5);
    let nan = field(&arena, Vec::new(), &Goal::Point(Vec3::NAN), 5.0, 0.0);
    assert_eq!(nan.at(Vec3::ONE), Vec3::ZERO);
    let one = Route { goal: inside, nodes: UVec3::ONE, margin: 0.0, speed: 1.0 };
    assert!(one.field(&arena, &Obstacles::default()).at(Vec3::ONE).is_finite());
    assert_eq!(Flow::still(&arena).distance_at(Vec3::ONE), None);
}
