//! Reading of scenes: results, and messages and positions of faults.

mod broken;
mod faults;
mod origin;
mod outside;
mod sound;

use super::*;

/// The example of the design, verbatim.
const CONTRACT: &str = r#"// Two flocks avoid obstacles, follow leaders and hunt the player.
(
    title: "Leaders and interceptors",
    world: Plane(size: (800, 600), edges: Wrap),          // or Space(center: (0, 0, 0), radius: 60, edges: Open); edges: Wrap | Bounce | Open
    step: 0.0166, speed: 4, seed: 7,                       // seconds; simulated seconds per real second
    bodies: {
        "craft": Rigid(mass: 10, inertia: 10, length: 4, width: 2, height: 4, thrust: 10, steering_force: 6,
                       drag: 0.3, angular_drag: 5000, density: 0.0023769, center_of_drag: -0.12),
        "fish": Mover(length: 1, max_speed: 6, desired_speed: 3, max_velocity_change: 0.4, axes: (1, 0.4, 1)),
    },
    views: {
        "wide": Wide(radius: 800, back: 1), "limited": Limited(radius: 120),
        "narrow": Narrow(radius: 200, front: 1), "cone": Cone(radius: 100, angle: 300), "around": Around(radius: 40),
    },
    groups: [
        (
            name: "regulars", body: "craft", count: 10, kinds: ["craft"], enemies: [], friends: [],
            spawn: Disc(center: (400, 300), radius: 100),   // or Rect, Ball, At([...]) with (position, heading in degrees, velocity)
            view: "wide", sense: 800,
            behaviors: [
                (script: "cohesion", gain: 1),
                (script: "separation", gain: 1, params: {"DISTANCE": 20}),
                (script: "chase", enabled: false),
            ],
            look: (shape: Craft, color: "blue", marks: {"leader": "red"}),
        ),
    ],
    obstacles: [Circle(center: (200, 150), radius: 32), Capsule(from: (0, 0), to: (10, 0), radius: 2), Box(center: (1, 2), size: (3, 4), angle: 30)],
    scatter: [(count: 8, radius: 32, margin: 128)],
    player: (body: "craft", spawn: At([(position: (400, 300), heading: 90)]), kinds: ["player"], keys: Arrows, look: (shape: Craft, color: "green")),
)
"#;

/// Returns the faults of a scene; `§` marks the expected position of the first.
pub(super) fn faults(marked: &str) -> Vec<Fault> {
    let text = marked.replace('§', "");
    let faults = read("dir/flock.ron", &text).unwrap_err();
    if let Some(offset) = marked.find('§') {
        let at = steerbox_core::diagnostics::line_and_column(marked, offset);
        let found = (faults[0].line, faults[0].column);
        assert_eq!(found, at, "{marked}\n{}", faults[0].summary());
    }
    faults
}

/// A scene of one group with `parts` as further fields.
pub(super) fn with(parts: &str) -> String {
    format!(
        "(world: Plane(size: (100, 50)),\n bodies: {{\"craft\": Rigid()}},\n \
         groups: [(name: \"flock\", body: \"craft\")],\n {parts}\n)"
    )
}

/// A scene of one group with `fields`.
pub(super) fn group(fields: &str) -> String {
    format!(
        "(world: Plane(size: (100, 50)),\n bodies: {{\"craft\": Rigid()}},\n \
         views: {{\"wide\": Wide(radius: 80)}},\n \
         groups: [(name: \"flock\", body: \"craft\",\n  {fields}\n )])"
    )
}

/// The same in space.
pub(super) fn in_space(parts: &str) -> String {
    format!(
        "(world: Space(radius: 60), bodies: {{\"fish\": Mover()}},\n \
         groups: [(name: \"school\", body: \"fish\")],\n {parts})"
    )
}

/// Checks a table of faulty scenes, one per line, with columns separated by ` | `: the template (`scene`, `group`,
/// `space`, or `whole`), the text with `§` at the fault, the message, and the help, if any. Each has exactly one fault.
pub(super) fn assert_faults(table: &str) {
    for line in table.lines().filter(|line| !line.is_empty()) {
        assert_eq!(assert_first(line), 1, "{line}");
    }
}

/// The same for scenes that may have further faults.
pub(super) fn assert_first_faults(table: &str) {
    for line in table.lines().filter(|line| !line.is_empty()) {
        assert_first(line);
    }
}

fn assert_first(line: &str) -> usize {
    let columns: Vec<&str> = line.split(" | ").collect();
    let text = columns[1].replace("\\n", "\n");
    let marked = match columns[0] {
        "scene" => with(&text),
        "group" => group(&text),
        "space" => in_space(&text),
        "whole" => text,
        other => panic!("{other}"),
    };
    let found = faults(&marked);
    let first = &found[0];
    let reported = (first.message.as_str(), first.help.as_deref());
    assert_eq!(reported, (columns[2], columns.get(3).copied()), "{marked}\n{found:#?}");
    assert!(!first.source.is_empty() && first.path == "dir/flock.ron");
    found.len()
}
