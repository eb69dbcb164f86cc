//! Measures that scripts compute, in all commands.

use std::fs;

use super::project;
use crate::common::project::{ProjectDir, failed, json_lines, stderr, stdout};

const SIDES: &str = "fn measure(group, world) {\n    let left = 0.0;\n    for unit in group {\n        \
                     if unit.position.x < world.center.x { left += 1.0 }\n    }\n    [left, group.count - left]\n}\n";

/// A project with the measure `sides`.
fn with_sides(text: &str) -> ProjectDir {
    let project = project();
    fs::create_dir_all(project.path("scripts/measures")).expect("a folder");
    project.save("scripts/measures/sides.rhai", text);
    project
}

fn run(project: &ProjectDir, of: &str) -> std::process::Output {
    let run = ["run", "scenes/s.ron", "--steps", "4", "--quiet", "--metrics", "m.csv", "--metrics-of"];
    project.call(&[&run[..], &[of]].concat())
}

#[test]
fn metrics_have_a_column_for_each_component() {
    let project = with_sides(SIDES);
    let output = run(&project, "a.count,sides,a.extent,rotation");
    assert!(output.status.success(), "{}", stderr(&output));
    let table = project.read("m.csv");
    let header = "step,time,a.count,a.sides.0,a.sides.1,a.extent,a.extent.x,a.extent.y,a.rotation";
    assert_eq!(table.lines().next(), Some(header));
    for line in table.lines().skip(1) {
        let numbers: Vec<f32> = line.split(',').map(|cell| cell.parse().expect("a number")).collect();
        assert_eq!(numbers[3] + numbers[4], numbers[2], "{line}");
    }
    assert_eq!(table.lines().count(), 6);
    failed(&run(&project, "a.sides.2"), 2, &["`sides` is a list with the components .0 to .1"]);
    failed(&run(&project, "a.sidse"), 2, &["did you mean `a.sides`?"]);
}

#[test]
fn a_measure_that_fails_is_reported_with_its_place() {
    let project = with_sides(
        "fn measure(group, world) {\n    if world.time > 0 { 0.0 / (world.time - world.time) } else { 1 }\n}\n",
    );
    let output = run(&project, "a.sides");
    failed(
        &output,
        1,
        &["measures/sides.rhai:1:4", "a number that is not finite", "4 times, first for a in step 1"],
    );
    assert!(project.read("m.csv").lines().skip(2).all(|line| line.ends_with(',')));
    project.save("scripts/measures/sides.rhai", "fn measure(group, world) {\n    loop { }\n}\n");
    failed(
        &run(&project, "a.sides"),
        1,
        &["measures/sides.rhai:2:5", "1000000 operations", "once, first for a in step 0"],
    );
    project.save("scripts/measures/sides.rhai", "fn measure(group, world) { group.cuont }");
    failed(&run(&project, "a.sides"), 2, &["the measure `sides` does not work: measures/sides.rhai:1:34: "]);
}

#[test]
fn check_reports_faults_of_measures() {
    let project = with_sides(SIDES);
    assert!(project.call(&["check", "scripts"]).status.success());
    project.save("scripts/measures/sides.rhai", "fn measure(group, world) { \"many\" }");
    let output = project.call(&["check", "scripts/measures/sides.rhai"]);
    failed(&output, 1, &["scripts/measures/sides.rhai:1:4", "measure returned a string"]);
}

#[test]
fn a_sweep_contains_the_measure_so_that_its_rows_can_be_opened_without_the_file() {
    let project = with_sides(SIDES);
    let sweep =
        ["sweep", "scenes/s.ron", "--seeds", "2", "--steps", "5", "--quiet", "--out", "t.csv", "--measure"];
    let swept = |of: &str| project.call(&[&sweep[..], &[of]].concat());
    failed(
        &swept("a.sides"),
        1,
        &["it is a list with the components .0 to .1: name an element, such as `a.sides.0`"],
    );
    let output = swept("a.sides.0,first(a.sides[0] >= 0),max(a.extent.x)");
    assert!(output.status.success(), "{}", stderr(&output));
    let row: Vec<_> =
        project.read("t.csv").lines().nth(1).expect("a row").split(',').map(str::to_owned).collect();
    assert!(row[1..4].iter().all(|cell| cell.parse::<f32>().is_ok()), "{row:?}");
    let manifest: serde_json::Value = serde_json::from_str(&project.read("t.csv.json")).expect("a manifest");
    assert_eq!(manifest["texts"]["scripts"]["measures/sides"], SIDES);
    assert!(
        manifest["hashes"]["measures/sides.rhai"].is_string()
            && manifest["hashes"]["measures/extent.rhai"].is_string()
    );
    assert!(manifest["hashes"]["measures/speeds.rhai"].is_null(), "it is not used");
    fs::remove_file(project.path("scripts/measures/sides.rhai")).expect("it was there");
    let opened = ["run", "t.csv", "--row", "1", "--quiet", "--metrics", "-", "--metrics-of", "sides"];
    let opened = project.call(&opened);
    assert!(stdout(&opened).starts_with("step,time,a.sides.0,a.sides.1\n"), "{}", stderr(&opened));
    // The file is another one now: the table is not continued.
    project.save("scripts/measures/sides.rhai", &format!("{SIDES}// changed\n"));
    failed(&swept("a.sides.0,first(a.sides[0] >= 0),max(a.extent.x)"), 1, &["measures/sides.rhai changed"]);
}

#[test]
fn a_comparison_over_seeds_has_effects_on_measures_and_their_components() {
    let project = with_sides(SIDES);
    let compare = |seeds: &str, more: &[&str]| {
        let compare = ["compare", "scenes/s.ron", "--steps", "30", "--seeds", seeds, "--with"];
        project.call(&[&compare[..], more].concat())
    };
    let output = compare("4", &["a.gather.gain=5", "--format", "json"]);
    assert_eq!((output.status.code(), &*stderr(&output)), (Some(1), ""));
    let effects = json_lines(&stdout(&output));
    let of = |figure: &str| effects.iter().find(|effect| effect["figure"] == figure);
    for figure in ["sides.0", "sides.1", "extent", "extent.x", "extent.y", "rotation"] {
        let effect = of(figure).unwrap_or_else(|| panic!("{figure}: {effects:?}"));
        assert_eq!((&effect["group"], &effect["n"]), (&"a".into(), &4.into()));
        let is_equal = effect["difference"] == 0.0;
        assert!(is_equal || effect["effect_interval"][1].is_number(), "{effect}");
    }
    assert!(of("extent.x").is_some_and(|effect| effect["effect"].is_number()));
    assert!(of("sides").is_none(), "a list is not a number");
    // The same states as those of `run`.
    let last = |seed: &str| {
        let run = ["run", "scenes/s.ron", "--steps", "30", "--quiet", "--seed", seed, "--metrics", "m.csv"];
        assert!(project.call(&[&run[..], &["--metrics-of", "a.extent.x"]].concat()).status.success());
        let metrics = project.read("m.csv");
        let cell = metrics.lines().last().and_then(|line| line.rsplit(',').next()).expect("a row");
        cell.parse::<f64>().expect("a number")
    };
    let two = compare("2", &["a.gather.gain=5", "--format", "json"]);
    let two = json_lines(&stdout(&two)).into_iter().find(|effect| effect["figure"] == "extent.x");
    let mean = two.and_then(|effect| effect["means"][0].as_f64()).expect("a mean");
    assert!((mean - f64::midpoint(last("3"), last("4"))).abs() < 1e-3, "{mean}");

    project.save("scripts/measures/sides.rhai", "fn measure(group, world) { group.cuont }");
    let output = compare("4", &["a.gather.gain=0.5"]);
    assert_eq!((output.status.code(), &*stderr(&output)), (Some(0), ""), "the others do not differ");
    assert!(!stdout(&output).contains("sides"));
    project.save("scripts/measures/sides.rhai", "fn measure(group, world) { 1 / (group.count - 20) }");
    failed(&compare("4", &["a.gather.gain=0.5"]), 1, &["measures/sides.rhai:1:", "(4 of 4 seeds fail)"]);
}

#[test]
fn only_measures_that_a_sweep_uses_can_fail_it() {
    let broken = "fn measure(group, world) { group.cuont }";
    let project = with_sides(broken);
    let sweep = |more: &[&str]| {
        let sweep = ["sweep", "scenes/s.ron", "--seeds", "2", "--steps", "5", "--quiet", "--out"];
        project.call(&[&sweep[..], more].concat())
    };
    let output = sweep(&["t.csv", "--vary", "a.count=5,20", "--measure", "a.speed"]);
    assert_eq!((output.status.code(), &*stderr(&output)), (Some(0), ""), "{}", project.read("t.csv"));
    let opened = project.call(&["run", "t.csv", "--row", "1", "--quiet"]);
    assert!(opened.status.success(), "{}", stderr(&opened));
    let reason = "the measure `sides` does not work: measures/sides.rhai:1:34: ";
    failed(&sweep(&["u.csv", "--measure", "a.sides"]), 1, &[reason]);
    failed(&sweep(&["u.csv", "--measure", "a.speed", "--until", "a.sides > 1"]), 1, &["--until a.sides > 1"]);
    // A measure that fails while it is computed fails no run that does not use it.
    project.save("scripts/measures/sides.rhai", "fn measure(group, world) { 1.0 / (group.count - 20) }");
    let output = sweep(&["v.csv", "--measure", "a.speed"]);
    assert!(output.status.success(), "{}", stderr(&output));
    failed(&sweep(&["w.csv", "--measure", "a.sides"]), 1, &["2 of 2 runs failed"]);
    assert!(project.read("w.csv").contains("error: measures/sides.rhai:1:4: "));
}

#[test]
fn parquet_requires_a_feature() {
    let project = project();
    let run = ["run", "scenes/s.ron", "--steps", "4", "--quiet", "--metrics", "m.parquet"];
    let output = project.call(&run);
    if cfg!(feature = "parquet") {
        assert!(output.status.success(), "{}", stderr(&output));
        let bytes = fs::read(project.path("m.parquet")).expect("a file");
        assert!(bytes.starts_with(b"PAR1") && bytes.ends_with(b"PAR1"));
    } else {
        failed(
            &output,
            2,
            &["--metrics m.parquet: this build of steerbox writes no Parquet", "--features parquet"],
        );
        assert!(!project.path("m.parquet").exists());
    }
}
