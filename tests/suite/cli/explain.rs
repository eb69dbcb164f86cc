//! `steerbox explain`: a unit in a step, as text and JSON.

use serde_json::Value;

use super::{GATHER, project};
use crate::common::project::{ProjectDir, contains, failed, json_lines, stderr, stdout};

/// The object of the first unit below.
const EXPECTED: &str = "tests/suite/cli/explain.json";

/// A scene whose scripts use memory, marks, signals, loops, imports, and failures; some are disabled.
fn rich() -> ProjectDir {
    let scripts = [
        ("scripts/gather.rhai", GATHER),
        ("scripts/more.rhai", "fn half(x) {\n    return x / 2.0;\n}"),
        ("scripts/fail.rhai", "fn steer(me, world) {\n    let foe = me.enemies.nearest;\n    foe.speed\n}"),
        (
            "scripts/count.rhai",
            "import \"more\" as m;
const MEMORY = #{ count: 0, on: false };
fn steer(me, world) {
    this.count += 1;
    me.mark(\"seen\");
    me.signal(\"loud\", 0.5);
    let sum = 0.0;
    for other in me.neighbors {
        if other.index > 1 { sum += m::half(1.0); } else { continue; }
    }
    let first = me.neighbors.nearest;
    me.watch(\"sum\", sum);
    turn(sum, 0.0)
}",
        ),
    ];
    let project = ProjectDir::with(&scripts);
    project.save(
        "scenes/s.ron",
        "(world: Plane(size: (200, 100)), seed: 3, bodies: { \"m\": Mover(max_speed: 20) },
    views: { \"around\": Around(radius: 50) },
    obstacles: [Circle(center: (100, 50), radius: 8)],
    groups: [(name: \"a\", body: \"m\", count: 4, view: \"around\",
        spawn: At([(position: (10, 10)), (position: (12, 10)), (position: (10, 14)), (position: (90, 50))]),
        behaviors: [(script: \"gather\", gain: 0.5), (script: \"count\"), (script: \"fail\"),
            (script: \"count\", enabled: false)])])",
    );
    project
}

fn explain(project: &ProjectDir, more: &[&str]) -> std::process::Output {
    project.call(&[&["explain", "scenes/s.ron"], more].concat())
}

/// Returns the object of a unit in a step, parsed and as text.
fn object(project: &ProjectDir, unit: &str, step: &str, more: &[&str]) -> (Value, String) {
    let arguments = [&["--unit", unit, "--step", step, "--format", "json"], more].concat();
    let output = explain(project, &arguments);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = stdout(&output);
    (serde_json::from_str(&text).unwrap(), text)
}

#[test]
fn the_object_has_the_documented_format() {
    let (object, text) = object(&rich(), "0", "2", &[]);
    let keys = ["step", "unit", "group", "position", "velocity", "sees", "rules", "resultant", "applied"];
    let mut from = 0;
    for key in keys.into_iter().chain(["memory", "marks"]) {
        assert!(object.get(key).is_some(), "{key}");
        let at = text[from..].find(&format!("\"{key}\":")).unwrap_or_else(|| panic!("{key} is in place"));
        from += at;
    }
    // Formatted for readability.
    let pretty = serde_json::to_string_pretty(&object).unwrap() + "\n";
    let path = crate::common::file(EXPECTED);
    if std::env::var_os("STEERBOX_REWRITE").is_some() {
        std::fs::write(&path, &pretty).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(pretty == expected, "STEERBOX_REWRITE=1 writes it\n{pretty}");
}

#[test]
fn contributions_equal_those_of_the_trace() {
    let project = project();
    for more in [&[][..], &["--interpret"], &["--seed", "9", "--set", "a.gather.REACH=20"]] {
        let arguments = [&["run", "scenes/s.ron", "--steps", "7", "--trace", "t"], more].concat();
        assert!(project.call(&arguments).status.success());
        for row in json_lines(&project.read("t")).into_iter().skip(20).step_by(17) {
            let (unit, step) = (row["unit"].to_string(), row["step"].to_string());
            let (object, _) = object(&project, &unit, &step, more);
            for field in ["step", "unit", "group", "position", "velocity", "marks"] {
                assert_eq!(object[field], row[field], "{field} of unit {unit} in step {step}");
            }
            for rule in object["rules"].as_array().unwrap() {
                let name = rule["script"].as_str().unwrap();
                let traced = row["steering"].get(name).unwrap_or(&Value::Null);
                assert_eq!(&rule["contribution"], traced, "{name} of unit {unit} in step {step}");
                assert!(!rule["lines"].as_array().unwrap().is_empty(), "{name}");
            }
        }
    }
}

#[test]
fn the_source_is_printed_with_values_beside_it() {
    let output = explain(&rich(), &["--unit", "0", "--step", "2"]);
    let page = stdout(&output);
    let parts = [
        "unit 0 of a, step 2",
        "neighbors   2: 1, 2",
        "marks       seen",
        "signals     loud = 0.5",
        "remembers   count = 2, on = false",
        "watches     sum = 0.5",
        "failed      line 3: `speed` is not a property of nothing",
        "no values: it is switched off",
        "mates = 2 units",
        "this.count = 2",
        "first = unit 1",
        "other = unit 1, unit 2",
        "false, true",
        "   2      return x / 2.0;",
        "more.rhai",
    ];
    contains(&page, &parts);
    let widest = page.lines().map(|line| line.chars().count()).max();
    assert!(widest <= Some(100), "{page}");
}

#[test]
fn obstacles_are_numbered_from_1_in_text_and_indexed_from_0_in_the_object() {
    let project = rich();
    let steer = "fn steer(me, world) {
    let rock = world.obstacles[0];
    let hit = world.obstacles.ray(me.position, rock.position - me.position, 50.0);
    0
}";
    project.save("scripts/count.rhai", steer);
    let page = stdout(&explain(&project, &["--unit", "3", "--step", "1"]));
    contains(&page, &["obstacles   1: 1\n", "rock = obstacle 1", "hit = hit of obstacle 1 at "]);
    let (object, _) = object(&project, "3", "1", &[]);
    assert_eq!(object["sees"]["obstacles"], serde_json::json!([0]));
    let values: Vec<_> =
        object["rules"][1]["lines"].as_array().unwrap().iter().map(|line| &line["value"]).collect();
    assert_eq!(values[0], "obstacle 0");
    assert!(values[1].as_str().unwrap().starts_with("hit of obstacle 0 at "), "{values:?}");
}

#[test]
fn errors_have_suggestions() {
    let project = rich();
    let unit = ["explain", "scenes/s.ron", "--unit", "4", "--step", "1"];
    project.refuses(&unit, &["--unit 4: the scene has no such unit before step 1: a 0 to 3"]);
    project.refuses(&["explain", "scenes/x.ron", "--unit", "0", "--step", "1"], &["no such scene"]);
    let set = ["--unit", "0", "--step", "1", "--set", "a.gather.REECH=1"];
    failed(&explain(&project, &set), 1, &["REECH", "did you mean \"REACH\"?"]);
    let zero = explain(&project, &["--unit", "0", "--step", "0"]);
    failed(&zero, 2, &["--step", "expected a whole number from 1"]);
}

#[test]
fn without_color_signs_mark_code_that_did_not_run() {
    let project = project();
    let text = "fn steer(me, world) {
    let far = if me.index > 90 { 1.0 } else { 2.0 };
    if far > 1.5 {
\tfar += 1.0;
    } else {
        far = 0.0;
    }
    vec(far, 0)
}";
    project.save("scripts/gather.rhai", text);
    let output = explain(&project, &["--unit", "0", "--step", "1"]);
    let page = stdout(&output);
    let parts = [
        "   2      let far = if me.index > 90 [-{ 1.0 }-] else { 2.0 };",
        "   4      far += 1.0;",
        "   5      } else {",
        "   6-         far = 0.0;",
        "   7-     }",
        "   8      vec(far, 0)",
    ];
    contains(&page, &parts);
    let columns: Vec<_> = page.lines().filter_map(|line| line.find("far = ")).collect();
    assert!(columns.len() > 1, "{page}");
}
