//! Trial runs: a new version is tried in a copy of the running world, and a new scene with the rules that run in it.

use steerbox_script::{ApiRow, Execution, Program, Script, ScriptBehavior, api_rows};

use super::*;

/// A scene with one of everything that scripts can use.
const FULL: &str = r#"(
    world: Plane(size: (200, 100)), bodies: { "m": Mover(max_speed: 9, desired_speed: 5) },
    views: { "near": Around(radius: 90) }, grids: { "trail": (cell: 10, initial: 1) },
    paths: { "road": (points: [(10, 10), (150, 10), (150, 90)], radius: 5) },
    fields: { "way": Toward(goal: Point((180, 80)), cell: 5) },
    zones: { "pen": Circle(center: (50, 50), radius: 20) }, contacts: (units: Separate), target: (100, 50),
    player: (body: "m", spawn: At([(position: (60, 50))])),
    obstacles: [Circle(center: (100, 90), radius: 9), Circle(center: (170, 20), radius: 5)],
    groups: [(name: "flock", body: "m", count: 4, kinds: ["bird"], enemies: ["player"], view: "near", sense: 99, path: "road",
        field: "way", most: 50, spawn: Disc(center: (40, 50), radius: 15), behaviors: [(script: "one")])])"#;

/// Returns an argument of a kind for a function.
fn argument(function: &str, kind: &str) -> String {
    let value = match kind {
        "float" | "?" => "0.5",
        "int" => "1",
        "range" => "(0..3)",
        "range=" => "(0..=3)",
        "bool" => "true",
        "Vector" => "vec(3, 4)",
        "Unit" => "me.neighbors[0]",
        "Me" => "me",
        "World" => "world",
        "List" => "me.neighbors",
        "Obstacle" => "world.obstacles[0]",
        "ObstacleList" => "world.obstacles",
        "Path" => "me.path",
        "Field" => "me.field",
        "Group" => "world.group(\"flock\")",
        "Grid" => "world.grid(\"trail\")",
        "Hit" => "world.obstacles.ray(vec(40, 95), vec(100, 0), 1000)",
        "Turn" => "turn(0, 1)",
        "array" => "[1, 2]",
        "map" => "#{ a: 1 }",
        "string" => match function {
            "see" => "\"near\"",
            "path" => "\"road\"",
            "field" => "\"way\"",
            "group" | "spawn" => "\"flock\"",
            "zone" => "\"pen\"",
            "grid" | "deposit" | "take" => "\"trail\"",
            _ => "\"bird\"",
        },
        kind => panic!("{function}: no argument of the kind {kind}"),
    };
    value.to_owned()
}

/// Returns a script that calls the function of a row for every unit.
fn call(row: &ApiRow) -> String {
    let arguments: Vec<_> = row.params.iter().map(|kind| argument(row.name, kind)).collect();
    let (name, rest) = (row.name, arguments.get(1..).unwrap_or_default().join(", "));
    let call = match arguments.first() {
        Some(first) if row.is_property => format!("({first}).{name}"),
        Some(first) if row.is_index => format!("({first})[{rest}]"),
        _ => format!("{name}({})", arguments.join(", ")),
    };
    format!("fn steer(me, world) {{ let it = {call}; () }}")
}

fn reconciled() -> Vec<(EventKind, String)> {
    vec![(EventKind::Reconciled, "s.ron".to_owned())]
}

#[test]
fn every_function_of_the_api_is_accepted_in_a_running_scene_and_without_one() {
    for row in api_rows() {
        let text = call(&row);
        // A new run for each: some functions remove or move the units.
        let mut case = Case::open(FULL, "fn steer(me, world) { me.deposit(\"trail\", 1); () }");
        case.step();
        case.accepts("one", &text);
        case.simulation.step();
        assert_eq!(case.simulation.reports(), [], "{text}");
        let script =
            Script::compile("one.rhai", &text).unwrap_or_else(|faults| panic!("{text}: {faults:#?}"));
        let behavior = ScriptBehavior::new(Program::fold(&script, &[]).unwrap(), Execution::default());
        assert_eq!(try_script(&script, &behavior), [], "{text}");
        // Documented in docs/scripting.md.
        assert_eq!(behavior.unsupported(), None, "{text}");
    }
}

#[test]
fn a_scene_without_a_name_that_a_rule_uses_is_rejected_until_the_script_follows() {
    for (old, new, call, reason) in [
        ("\"trail\":", "\"smell\":", "me.deposit(\"trail\", 1)", "the scene has no grid \"trail\""),
        // The trial run does not reach it.
        (
            "\"trail\":",
            "\"smell\":",
            "if me.age > 60 { me.deposit(\"trail\", 1) }",
            "the scene has no grid \"trail\"",
        ),
        ("\"near\"", "\"far\"", "me.see(\"near\").len", "the scene has no view \"near\""),
        ("\"road\"", "\"lane\"", "world.path(\"road\").length", "the scene has no path \"road\""),
        (
            "\"way\"",
            "\"east\"",
            "world.field(\"way\").at(me.position)",
            "the scene has no flow field \"way\"",
        ),
        (
            "\"pen\":",
            "\"yard\":",
            "me.position.distance_to(world.zone(\"pen\").position)",
            "the scene has no zone \"pen\"",
        ),
        ("\"flock\"", "\"herd\"", "world.group(\"flock\").count", "the scene has no group \"flock\""),
        (
            "most: 50,",
            "",
            "if me.age > 60 { me.spawn(\"flock\") }",
            "no unit is born in the group \"flock\", since it has no `most`",
        ),
    ] {
        let steer = |call: &str| format!("fn steer(me, world) {{ let it = {call}; () }}");
        let mut case = Case::open(FULL, &steer(call));
        case.step();
        let scene = FULL.replace(old, new);
        assert_eq!(case.save_scene(&scene).0, rejected("s.ron"), "{call}");
        let fault = case.error();
        assert!(fault.message.contains(reason) && fault.message.contains("one.rhai:1:"), "{fault:?}");
        assert!(fault.line > 0 && fault.help.is_some(), "{fault:?}");
        case.step();
        let both = [reconciled(), live("one.rhai")].concat();
        let name = |text: &str| text.trim_end_matches(':').to_owned();
        let follows = if new.is_empty() { "0".to_owned() } else { call.replace(&name(old), &name(new)) };
        assert_eq!(case.save("one", &steer(&follows)), both, "{call}");
        case.step();
        // The other order leads to the same.
        let mut first = Case::open(FULL, &steer(call));
        first.step();
        first.save("one", &steer(&follows));
        first.step();
        first.save_scene(&scene);
        first.step();
        assert_eq!(first.simulation.hash(), case.simulation.hash(), "{call}");
    }
}

#[test]
fn a_scene_in_which_a_rule_fails_for_every_unit_is_rejected() {
    let one = "const K = param(1, 0, 9); fn steer(me, world) { 6 / K + world.player.speed }";
    let mut case = Case::open(FULL, one);
    let divides = FULL.replace("(script: \"one\")", "(script: \"one\", params: {\"K\": 0})");
    assert_eq!(case.save_scene(&divides).0, rejected("s.ron"));
    let lonely = FULL
        .replace("player: (body: \"m\", spawn: At([(position: (60, 50))])),", "")
        .replace("enemies: [\"player\"],", "");
    assert_eq!(case.save_scene(&lonely).0, rejected("s.ron"));
    assert_eq!(case.error().message.split(": ").next(), Some("`one` fails in this scene"));
    let disabled = lonely.replace("(script: \"one\")", "(script: \"one\", enabled: false)");
    assert_eq!(case.save_scene(&disabled).0, reconciled());
}

#[test]
fn a_scene_is_accepted_if_the_rule_failed_before() {
    let one = "fn steer(me, world) { if me.age > 0.05 { return 1 / to_int(0.2); } 1 }";
    let mut case = Case::open(FULL, one);
    (0..9).for_each(|_| case.simulation.step());
    assert_eq!(case.save_scene(&FULL.replace("size: (200", "size: (210")).0, reconciled());
}

#[test]
fn a_script_that_does_not_fit_a_faulty_scene_runs_in_the_one_before() {
    let mut case = Case::open(FULL, "fn steer(me, world) { me.deposit(\"trail\", 1); 1 }");
    let one = "fn steer(me, world) { me.deposit(\"trail\", 1); 2 }";
    case.project.set_script("one", 0, text(one));
    let (events, _) = case.save_scene(&FULL.replace("\"trail\":", "\"smell\":"));
    assert_eq!(events, [rejected("s.ron"), live("one.rhai")].concat());
    assert_eq!(case.first(), turn(2.0));
}
