//! Environment grids in comparisons and traces.

use serde_json::{Value, json};

use super::SCENE;
use crate::common::project::{ProjectDir, contains, failed, json_lines, stdout};

/// Deposits without a movement, from 0.2 s on.
const DROP: &str = "const AMOUNT = param(1.0, 0.0, 9.0);
fn steer(me, world) { if world.time > 0.2 { me.deposit(\"trail\", AMOUNT); } () }";

fn project() -> ProjectDir {
    let project = ProjectDir::with(&[("scripts/drop.rhai", DROP)]);
    let scene = SCENE.replace("seed: 3,", "seed: 3, grids: {\"trail\": (cell: 10), \"none\": (cell: 50)},");
    let rules = "behaviors: [(script: \"gather\", gain: 0.5), (script: \"turn\"), (script: \"turn\")]";
    assert!(scene.contains(rules));
    project.save("scenes/s.ron", &scene.replace(rules, "behaviors: [(script: \"drop\")]"));
    project
}

#[test]
fn a_comparison_reports_grids_that_differ_while_no_unit_does() {
    let project = project();
    let compare = |more: &[&str]| {
        project.call(&[&["compare", "scenes/s.ron", "--steps", "20", "--with"], more].concat())
    };
    let output = compare(&["a.drop.AMOUNT=2"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.starts_with("first difference of grids: step 14, trail, cell at ("), "{text}");
    contains(&text, &["value", "after 20 steps", "grid.trail total", "grid.none total"]);
    let output = compare(&["a.drop.AMOUNT=2", "--format", "json"]);
    let found: Value = serde_json::from_str(&stdout(&output)).expect("an object");
    assert_eq!((&found["first"], &found["first_grid"]["step"]), (&Value::Null, &json!(14)));
    let [one, other] = [0, 1].map(|run| found["first_grid"]["values"][run].as_f64().expect("a number"));
    assert_eq!(other, 2.0 * one);
    let output = compare(&["a.drop.AMOUNT=1"]);
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(0), "no difference in 20 steps\n"));
}

#[test]
fn a_trace_has_totals_and_values_of_grids_on_request() {
    let project = project();
    let trace = |fields: &str| {
        let run = ["run", "scenes/s.ron", "--steps", "20", "--trace", "t.jsonl", "--trace-fields", fields];
        let output = project.call(&[&run[..], &["--every", "10", "--quiet"]].concat());
        assert!(output.status.success());
        json_lines(&project.read("t.jsonl"))
    };
    let rows = trace("grids");
    let names: Vec<_> = rows.iter().map(|row| row["grid"].as_str().expect("a name")).collect();
    assert_eq!(names, ["trail", "none"].repeat(3));
    // Seven steps begin after 0.2 s.
    let totals: Vec<_> = rows.iter().step_by(2).map(|row| row["total"].clone()).collect();
    assert_eq!(totals, [json!(0.0), json!(0.0), json!(140.0)]);
    assert!(rows.iter().all(|row| row.get("values").is_none() && row.get("unit").is_none()));
    let rows = trace("position,grid_values");
    let last = rows.iter().rfind(|row| row["grid"] == "trail").expect("a grid");
    assert_eq!(last["cells"], json!([20, 10, 1]));
    let values = last["values"].as_array().expect("a list").iter();
    assert_eq!(values.map(|value| value.as_f64().expect("a number")).sum::<f64>(), 140.0);
    assert_eq!(rows.iter().filter(|row| row.get("unit").is_some()).count(), 3 * 20);
    let run = ["run", "scenes/s.ron", "--steps", "1", "--trace", "t.csv", "--trace-fields", "grids"];
    failed(&project.call(&run), 2, &["--trace-fields", ".jsonl has all fields"]);
}
