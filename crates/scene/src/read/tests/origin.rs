//! An origin is subtracted from every point of a scene and its tables, and only from these.

use glam::DVec3;
use steerbox_core::world::{Arena, World};

use super::*;
use crate::data::DataTexts;

/// A plane with points of every kind; `{x+N}` and `{y+N}` are coordinates.
const PLANE: &str = r#"(world: Plane(size: (100, 80){origin}), bodies: {"m": Mover()}, target: ({x+50}, {y+20}),
    paths: {"p": (points: [({x+1}, {y+2}), ({x+30}, {y+2.5})])}, zones: {"z": Box(center: ({x+9}, {y+9}), size: (3, 4))},
    fields: {"f": Toward(goal: Point(({x+90}, {y+70}))), "g": Grid(columns: 1, vectors: [(1, 0), (0, 1)])},
    obstacles: [Circle(center: ({x+20}, {y+50.3}), radius: 4), Capsule(from: ({x+1}, {y+40}), to: ({x+5}, {y+45}), radius: 1),
        Polygon(points: [({x+60}, {y+60}), ({x+70}, {y+60}), ({x+65}, {y+66.6})]),
        Circle(center: ({x+1}, {y+2}), radius: 1, path: "p", speed: 2), Circle(center: (2, 0), radius: 1, attached: "a")],
    groups: [(name: "a", body: "m", spawn: At([(position: ({x+0.1}, {y+0.2}), velocity: (3, 4), heading: (0, 1))])),
        (name: "b", body: "m", count: 3, spawn: Ring(center: ({x+40}, {y+40}), radius: 9)),
        (name: "c", body: "m", count: 3, spawn: Rect(center: ({x+40}, {y+40}), size: (9, 8))),
        (name: "d", body: "m", spawn: File("t.csv")), (name: "e", body: "m", spawn: File("w.csv", flip_y: true)),
        (name: "f", body: "m", count: 3)])"#;
const SPACE: &str = r#"(world: Space(center: ({x+5}, {y+6}, 7), radius: 50{origin}), bodies: {"m": Mover()},
    obstacles: [Box(center: ({x+20}, {y+50.3}, 1), size: (4, 5, 6))], paths: {"p": (points: [({x+1}, {y+2}), ({x+3}, {y+2})])},
    groups: [(name: "b", body: "m", count: 3, spawn: Ball(center: ({x+4}, {y+4}, -3), radius: 9)), (name: "f", body: "m")])"#;
const TABLES: [(&str, &str); 2] = [
    ("t.csv", "x,y,vx,vy\n{x+12.34},{y+5.06},1,2\n{x+1},{y+2},3,4\n"),
    ("w.csv", "seconds,x1,y1\n0,{x+7.5},{y+8.25}\n"),
];

/// Replaces `{x+N}` and `{y+N}` by decimal sums.
fn at(text: &str, origin: DVec3) -> String {
    let mut parts = text.split('{');
    let mut placed = parts.next().unwrap().to_owned();
    for part in parts {
        let sum = part.split_once('}').and_then(|(inner, rest)| {
            let (axis, offset) = inner.split_once('+')?;
            let origin = if axis == "x" { origin.x } else { origin.y };
            let decimals = offset.split_once('.').map_or(0, |(_, digits)| digits.len());
            Some(format!("{:.decimals$}{rest}", origin + offset.parse::<f64>().ok()?))
        });
        match (sum, part.strip_prefix("origin}")) {
            (Some(sum), _) => placed.push_str(&sum),
            (None, Some(rest)) if origin == DVec3::ZERO => placed.push_str(rest),
            (None, Some(rest)) => {
                placed.extend([&format!(", origin: ({}, {})", origin.x, origin.y), rest]);
            }
            (None, None) => placed.extend(["{", part]),
        }
    }
    placed
}

fn world(scene: &str, origin: DVec3) -> World {
    let tables = TABLES.map(|(name, text)| (name.to_owned(), Ok(at(text, origin).into())));
    let scene = read_with("a.ron", &at(scene, origin), &DataTexts::from(tables)).expect("a sound scene");
    assert!(scene.warnings.is_empty(), "{:?}", scene.warnings);
    crate::build(&scene, None)
}

#[test]
fn a_world_with_an_origin_equals_the_same_world_at_zero() {
    for scene in [PLANE, SPACE] {
        let expected = world(scene, DVec3::ZERO);
        for origin in [DVec3::new(389_000.0, 5_811_000.0, 0.0), DVec3::new(-2000.0, 7.0, 0.0)] {
            let world = world(scene, origin);
            assert_eq!(world.arena, Arena { origin, ..expected.arena });
            assert_eq!(format!("{:?}", world.units), format!("{:?}", expected.units));
            assert_eq!(world.obstacles, expected.obstacles);
            assert_eq!((&world.zones, &world.paths), (&expected.zones, &expected.paths));
            assert_eq!((&world.routes, &world.flows), (&expected.routes, &expected.flows));
            assert_eq!(world.target, expected.target);
        }
    }
}

#[test]
fn points_outside_a_world_with_an_origin_are_compared_with_its_extent() {
    let scene = at(PLANE, DVec3::ZERO).replace("(100, 80)", "(100, 80), origin: (1000, 2000)");
    let scene = read_with("a.ron", &scene, &DataTexts::new()).expect("a sound scene");
    assert!(
        scene.warnings[0].message.contains("from (1000, 2000) to (1100, 2080)"),
        "{:?}",
        scene.warnings[0]
    );
}
