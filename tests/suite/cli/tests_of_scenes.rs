//! `steerbox test`: what passes holds, and what would prove nothing does not pass.

use super::{SCENE, project};
use crate::common::project::{ProjectDir, contains, failed, stderr, stdout};

fn expecting(project: &ProjectDir, expectation: &str) {
    let scene = SCENE.strip_suffix(')').expect("a scene");
    project.save("scenes/s.ron", &format!("{scene}, expect: [{expectation}])"));
}

#[test]
fn a_sound_scene_passes_and_its_tests_are_listed() {
    let project = project();
    expecting(&project, "(measure: \"step\", above: 250, by: 10)");
    let output = project.call(&["test"]);
    let text = stdout(&output);
    assert!(output.status.success(), "{text}{}", stderr(&output));
    let lines = [
        "s\n  ok       scene and scripts are valid, and a rule moves a unit\n",
        "  ok       same result on 1 and 7 threads\n",
        "  ok       same result native and interpreted\n",
        "  ok       different results for different seeds\n",
        "  ok       no failure, NaN or suspension in ",
        "  ok       step above 250 by 10 s, 3 seeds\n",
        "1 scene: 6 passed, 0 failed, 0 skipped\n",
    ];
    contains(&text, &lines);
    let output = project.call(&["test", "scenes/s.ron", "--format", "junit", "--seeds", "2"]);
    contains(
        &stdout(&output),
        &["<testsuite name=\"scenes/s.ron\" tests=\"6\" failures=\"0\">", "2 seeds\"/>"],
    );
}

#[test]
fn failures_are_named_with_step_unit_rule_and_seed() {
    let project = project();
    expecting(&project, "(measure: \"speed\", group: \"a\", above: 1e6, by: 1)");
    project.save("scripts/turn.rhai", "fn steer(me, world) { 1 +");
    let output = project.call(&["test", "s", "--steps", "30"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    contains(&text, &["FAILED   scene and scripts are valid", "turn.rhai"]);
    let failing = "fn steer(me, world) {\n    if world.time > 0.11 { return me.neighbors[99].position - me.position; }\n    me.random_between(-1, 1)\n}";
    project.save("scripts/turn.rhai", failing);
    let text = stdout(&project.call(&["test", "s", "--steps", "70"]));
    contains(
        &text,
        &["FAILED   no failure, NaN or suspension in 70 steps, 3 seeds\n           turn.rhai:2:"],
    );
    contains(&text, &["first in step 8, unit 0, seed 3", "FAILED   a.speed above 1000000 by 1 s, 3 seeds\n"]);
    contains(&text, &["seed 3: the nearest value was ", "(3 of 3 seeds fail)"]);
    project.save("scripts/measures/m.rhai", "fn measure(group, world) { 1.0 / (5 - world.steps) }");
    expecting(
        &project,
        "(measure: \"m\", group: \"a\", above: 9, by: 9), (measure: \"speed\", above: 1e6, by: 1, always: true)",
    );
    project.save("scripts/turn.rhai", "fn steer(me, world) { me.random_between(-1, 1) }");
    let output = project.call(&["test", "s", "--steps", "30"]);
    let text = stdout(&output);
    contains(&text, &["measures/m.rhai:1:", "first in step 5, group a, seed 3"]);
    contains(&text, &["skipped  a.m above 9 by 9 s, 3 seeds\n", "the run ends before step "]);
    contains(&text, &["FAILED   speed always above 1000000 from 0 to 1 s", "seed 3: it was "]);
}

#[test]
fn tests_that_would_prove_nothing_do_not_pass() {
    let project = project();
    expecting(&project, "(measure: \"count\", group: \"a\", above: 1, by: 1)");
    let text = stdout(&project.call(&["test", "--steps", "70"]));
    contains(&text, &["FAILED   a.count above 1 by 1 s", "it holds at the start, before any rule acts"]);
    // A rule whose random numbers change nothing.
    let placed = SCENE.replace("count: 20", "spawn: At([(position: (3, 4)), (position: (9, 4))])");
    project.save("scenes/s.ron", &placed);
    project.save("scripts/turn.rhai", "fn steer(me, world) { 0.0 * me.random() }");
    let text = stdout(&project.call(&["test", "--steps", "9"]));
    contains(&text, &["FAILED   different results for different seeds", "turn.rhai draws random numbers"]);
    contains(&text, &["skipped  expectations", "the scene has no `expect`"]);
    project.save("scripts/turn.rhai", "fn steer(me, world) { 0.1 }");
    let text = stdout(&project.call(&["test", "--steps", "9"]));
    contains(&text, &["skipped  different results for different seeds", "nothing in the scene is random"]);
    project.save(
        "scenes/s.ron",
        "(world: Plane(size: (9, 9)), bodies: {\"m\": Mover()}, groups: [(name: \"a\", body: \"m\")])",
    );
    let text = stdout(&project.call(&["test", "--steps", "9"]));
    contains(&text, &["no unit has an enabled rule: the tests would prove nothing"]);
    project.save("empty/readme.md", "nothing");
    failed(&project.call(&["test", "empty"]), 2, &["there are no scenes to test"]);
}

#[test]
fn a_comparison_over_seeds_has_effects_with_intervals() {
    let project = project();
    let compare = |more: &[&str]| {
        project.call(&[&["compare", "scenes/s.ron", "--steps", "30", "--seeds", "4"], more].concat())
    };
    let output = compare(&["--with", "a.gather.gain=5"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stdout(&output);
    assert!(text.starts_with("after 30 steps, 4 seeds from 3 on\n"), "{text}");
    contains(&text, &["effect size d, 95 % interval", "a polarization", "a spread"]);
    assert_eq!(text, stdout(&compare(&["--with", "a.gather.gain=5", "--threads", "1"])));
    let text = stdout(&compare(&["--with", "a.gather.gain=5", "--format", "json"]));
    let effects: Vec<serde_json::Value> = crate::common::project::json_lines(&text);
    let speed = effects.iter().find(|effect| effect["figure"] == "speed").expect("a figure");
    assert_eq!(speed["n"], 4);
    let number = |value: &serde_json::Value| value.as_f64().expect("a number");
    let [low, difference, high] =
        [&speed["interval"][0], &speed["difference"], &speed["interval"][1]].map(number);
    assert!(low < difference && difference < high);
    assert!((number(&speed["means"][1]) - number(&speed["means"][0]) - difference).abs() < 1e-6);
    assert_eq!(compare(&["--with", "a.gather.gain=0.5"]).status.code(), Some(0), "nothing is changed");
}
