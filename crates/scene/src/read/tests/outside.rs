//! Warnings about parts outside the world.

use super::*;

/// Returns the warnings about a scene with this world, these fields, and a group with these fields.
fn warned(world: &str, fields: &str, group: &str) -> Vec<String> {
    let text = format!(
        "(world: {world}, bodies: {{\"m\": Mover()}}, {fields} groups: [(name: \"a\", body: \"m\", {group})])"
    );
    let scene = read("a.ron", &text).unwrap_or_else(|faults| panic!("{faults:#?}"));
    let warning = |fault: &steerbox_core::diagnostics::Fault| {
        assert_eq!(fault.severity, steerbox_core::diagnostics::Severity::Warning);
        let begins = text.chars().skip(fault.column - 1).take(fault.width).collect::<String>();
        format!("{begins}: {}", fault.message.split(" which").next().unwrap_or_default())
    };
    scene.warnings.iter().map(warning).collect()
}

#[test]
fn parts_outside_the_world_cause_warnings() {
    const PLANE: &str = "Plane(size: (800, 600))";
    const SPACE: &str = "Space(center: (5, 5, 5), radius: 10, edges: Bounce)";
    const OPEN: &str = "Plane(size: (800, 600), edges: Open)";
    for (world, fields, group, expected) in [
        (
            PLANE,
            "obstacles: [Circle(center: (1400, 300), radius: 30)],",
            "",
            "Circle: this obstacle is outside the world,",
        ),
        (
            PLANE,
            "obstacles: [Circle(center: (810, 300), radius: 30), Box(center: (9, 9), size: (3, 3))],",
            "",
            "Circle: this obstacle extends across an edge, and is not on the opposite side, where units enter",
        ),
        (
            "Plane(size: (800, 600), seamless: true)",
            "obstacles: [Circle(center: (1400, 300), radius: 30), Circle(center: (810, 300), radius: 30)],",
            "",
            "",
        ),
        (
            PLANE,
            "obstacles: [Polygon(points: [(-90, 0), (-50, 0), (-50, 30)])],",
            "",
            "Polygon: this obstacle is outside the world,",
        ),
        (PLANE, "obstacles: [Circle(center: (400, 300), radius: 900, inside_out: true)],", "", ""),
        (OPEN, "obstacles: [Circle(center: (1400, 300), radius: 30)],", "", ""),
        (
            SPACE,
            "obstacles: [Ball(center: (5, 5, 18), radius: 2)],",
            "",
            "Ball: this obstacle is outside the world,",
        ),
        (SPACE, "obstacles: [Ball(center: (5, 5, 14), radius: 2)],", "", ""),
        (
            PLANE,
            "paths: {\"p\": (points: [(5, 5), (805, 5), (5, 640)], radius: 20)},",
            "",
            "(5, 640): this point of the path is outside the world,",
        ),
        (PLANE, "target: (0, -3),", "", "target: the target is outside the world,"),
        (
            PLANE,
            "",
            "count: 9, spawn: Disc(center: (900, 300), radius: 50)",
            "spawn: about 100 % of the units start outside the world,",
        ),
        (PLANE, "", "count: 99, spawn: Disc(center: (780, 300), radius: 50)", ""),
        // The part outside is 160 of 220, estimated by 32 starts; 110 of 220.
        (
            PLANE,
            "",
            "count: 320, spawn: Rect(center: (850, 300), size: (220, 100))",
            "spawn: about 66 % of the units start outside the world,",
        ),
        (PLANE, "", "count: 320, spawn: Rect(center: (780, 300), size: (220, 100))", ""),
        (OPEN, "", "count: 9, spawn: Disc(center: (900, 300), radius: 50)", ""),
        (
            PLANE,
            "",
            "spawn: At([(position: (1, 1)), (position: (1, 601))])",
            "position: this start is outside the world,",
        ),
        (
            PLANE,
            "player: (body: \"m\", spawn: At([(position: (-1, 1))])),",
            "",
            "position: this start is outside the world,",
        ),
    ] {
        assert_eq!(warned(world, fields, group).join("\n"), expected, "{fields} {group}");
    }
    let text = "(world: Plane(size: (80, 60)), bodies: {\"m\": Mover()}, target: (90, 9), groups: [(name: \"a\", body: \"m\")])";
    let fault = &read("a.ron", text).unwrap().warnings[0];
    assert_eq!(fault.message, "the target is outside the world, which reaches from (0, 0) to (80, 60)");
    assert_eq!(fault.help.as_deref(), Some("move it inside, or make `world` larger"));
}

#[test]
fn groups_without_a_free_place_cause_warnings() {
    const PLANE: &str = "Plane(size: (100, 100), edges: Bounce)";
    let rock = "obstacles: [Circle(center: (50, 50), radius: 30)],";
    let wall = "obstacles: [Circle(center: (50, 50), radius: 900)],";
    for (fields, group, expected) in [
        (rock, "count: 40", ""),
        (rock, "count: 40, spawn: Disc(center: (50, 50), radius: 40)", ""),
        (
            rock,
            "count: 40, spawn: Disc(center: (50, 50), radius: 20)",
            "spawn: about 100 % of the units find no free place: they start in an obstacle",
        ),
        (wall, "count: 7", "\"a\": about 100 % of the units find no free place: they start in an obstacle"),
        (wall, "spawn: At([(position: (50, 50))])", ""),
        (wall, "count: 0", ""),
    ] {
        assert_eq!(warned(PLANE, fields, group).join("\n"), expected, "{fields} {group}");
    }
}
