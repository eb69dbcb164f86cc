//! Runs, checks and new projects: results and faults.

use std::fs;

use serde_json::{Value, json};

use super::{GATHER, SCENE, TURN, WATCH, project, run, save_turn};
use crate::common::project::{contains, failed, hash, json_lines, stderr, stdout};

#[test]
fn runs_are_bit_identical_with_any_number_of_threads() {
    let project = project();
    let one = hash(&run(&project, &["--threads", "1"]));
    assert_eq!(one, hash(&run(&project, &["--threads", "2"])));
    assert_ne!(one, hash(&run(&project, &["--seed", "9"])));
    for setting in ["a.gather.REACH=5", "a.turn#2.enabled=false"] {
        assert_ne!(one, hash(&run(&project, &["--set", setting])));
    }
    contains(&stdout(&run(&project, &[])), &[" steps/s", " unit-steps/s"]);
}

#[test]
fn a_trace_has_every_unit_of_every_step() {
    let project = project();
    let outputs = ["--trace", "t.jsonl", "--metrics", "m.csv", "--image", "i.png"];
    hash(&run(&project, &outputs));
    let rows = json_lines(&project.read("t.jsonl"));
    assert_eq!(rows.len(), 21 * 20);
    assert_eq!((&rows[0]["step"], &rows[0]["steering"]), (&json!(0), &json!({})));
    let row = &rows[20];
    assert_eq!([&row["step"], &row["unit"], &row["group"]], [&json!(1), &json!(0), &json!("a")]);
    assert_eq!(row["marks"], json!(["seen"]));
    for field in ["position", "velocity", "heading", "angular_velocity"] {
        assert_eq!(row[field].as_array().unwrap().len(), 3, "{field}");
    }
    assert_eq!(row["steering"]["turn"]["turn"].as_array().unwrap().len(), 2);
    assert!(row["steering"]["turn#2"]["turn"].is_array());
    assert!(rows.iter().any(|row| row["steering"]["gather"]["push"].is_array()));
    let metrics = project.read("m.csv");
    assert!(metrics.starts_with("step,time,a.polarization,a.milling,"), "{metrics}");
    assert_eq!(metrics.lines().count(), 22);
    assert!(fs::read(project.path("i.png")).unwrap().starts_with(b"\x89PNG"));
}

#[test]
fn a_trace_has_the_chosen_units_fields_and_steps() {
    let project = project();
    let plain = hash(&run(&project, &[]));
    let chosen =
        ["--trace", "t", "--trace-of", "3..4,9", "--trace-fields", "position,steering", "--every", "10"];
    assert_eq!(hash(&run(&project, &chosen)), plain);
    let rows = json_lines(&project.read("t"));
    let units: Vec<_> = rows.iter().map(|row| row["unit"].as_u64().unwrap()).collect();
    assert_eq!(units, [3, 4, 9, 3, 4, 9, 3, 4, 9]);
    let keys: Vec<_> = rows[8].as_object().unwrap().keys().map(String::as_str).collect();
    let expected = ["group", "position", "steering", "step", "time", "unit"];
    assert!(keys.len() == expected.len() && expected.iter().all(|key| keys.contains(key)), "{keys:?}");
    assert_eq!(hash(&run(&project, &["--trace", "t.csv", "--trace-of", "a"])), plain);
    let table = project.read("t.csv");
    assert!(table.starts_with("seconds,x1,y1,x2,y2,"), "{table}");
    assert!(table.lines().count() == 22 && table.lines().all(|row| row.split(',').count() == 41), "{table}");
    // The same numbers as in JSON.
    let last = table.lines().last().unwrap();
    let number = |at: usize| rows[8]["position"][at].as_f64().unwrap() as f32;
    let cells: Vec<f32> = last.split(',').map(|cell| cell.parse().unwrap()).collect();
    assert_eq!((cells[19], cells[20]), (number(0), number(1)));
    assert_eq!(hash(&run(&project, &["--trace", "t.csv.zst", "--metrics", "m.csv.zst"])), plain);
    for file in ["t.csv.zst", "m.csv.zst"] {
        let bytes = fs::read(project.path(file)).unwrap();
        assert!(bytes.starts_with(&[0x28, 0xb5, 0x2f, 0xfd]), "{file} is not a Zstandard frame");
    }
    for (args, part) in [
        (["--trace", "t", "--trace-of", "b"], "no group called \"b\""),
        (["--trace", "t", "--trace-of", "20"], "numbered from 0 to 19"),
        (["--trace", "t.csv", "--trace-fields", "marks"], ".jsonl has all fields"),
        (["--trace", "t", "--trace-fields", "positions"], "tip: a similar value exists: 'position'"),
    ] {
        failed(&run(&project, &args), 2, &[part]);
    }
}

#[test]
fn tables_with_y_down_are_reflected_and_traces_reflect_them_back() {
    let project = project();
    // In the image, four fish swim clockwise.
    project.save("scenes/fish.csv", "x,y,vx,vy\n50,10,20,0\n90,45,0,20\n50,90,-20,0\n10,45,0,-20\n");
    let body = "bodies: {\"m\": Mover(length: 1, max_speed: 20)}";
    let group = "(name: \"a\", body: \"m\", spawn: File(\"fish.csv\", flip_y: true))";
    project.save("scenes/v.ron", &format!("(world: Plane(size: (100, 100)), {body}, groups: [{group}])"));
    let trace = |options: &[&str]| {
        let run = ["run", "scenes/v.ron", "--steps", "0", "--quiet", "--trace", options[0]];
        let output = project.call(&[&run[..], &options[1..]].concat());
        assert!(output.status.success(), "{}", stderr(&output));
        project.read(options[0])
    };
    for row in json_lines(&trace(&["t.jsonl"])) {
        let of = |field: &str, axis: usize| row[field][axis].as_f64().expect("a number");
        let [x, y] = [0, 1].map(|axis| of("position", axis) - 50.0);
        assert!(x * of("velocity", 1) - y * of("velocity", 0) < 0.0, "it swims clockwise: {row}");
        assert!(x * of("heading", 1) - y * of("heading", 0) < 0.0, "it faces its direction: {row}");
    }
    let fields = ["t.csv", "--trace-flip-y", "--trace-fields", "position,velocity,heading"];
    let expected = "0.0,50.0,10.0,90.0,45.0,50.0,90.0,10.0,45.0,20.0,0.0,0.0,20.0,-20.0,0.0,0.0,-20.0,\
                    1.0,0.0,0.0,1.0,-1.0,0.0,0.0,-1.0";
    assert_eq!(trace(&fields).lines().nth(1), Some(expected));
    let flipped = json_lines(&trace(&["f.jsonl", "--trace-flip-y", "--trace-fields", "position,velocity"]));
    assert_eq!(flipped[1]["position"], json!([90.0, 45.0, 0.0]));
    assert_eq!(flipped[1]["velocity"], json!([0.0, 20.0, 0.0]));
}

#[test]
fn a_trace_of_a_world_with_an_origin_has_the_coordinates_of_the_scene() {
    let project = project();
    let scene = |origin: &str, x: f64, y: f64| {
        project.save(
            "scenes/p.csv",
            &format!("x,y,vx,vy\n{},{},1.33,0\n{},{y},0,-1.33\n", x + 10.5, y + 20.25, x + 3.0),
        );
        let body = "step: 0.05, bodies: {\"m\": Mover(length: 0.5, max_speed: 2, desired_speed: 1.33)}";
        let group = "(name: \"a\", body: \"m\", spawn: File(\"p.csv\"))";
        let world = format!("Plane(size: (100, 100), edges: Open{origin})");
        project.save("scenes/o.ron", &format!("(world: {world}, {body}, groups: [{group}])"));
        let run = |trace: &str| {
            let options = ["--steps", "200", "--trace", trace];
            project.call(&[&["run", "scenes/o.ron"], &options[..]].concat())
        };
        let outputs = ["o.jsonl", "o.csv"].map(run);
        let explained = project.call(&["explain", "scenes/o.ron", "--unit", "0", "--step", "200"]);
        (hash(&outputs[0]), stderr(&outputs[0]), stdout(&explained))
    };
    let (unmoved, ..) = scene("", 0.0, 0.0);
    let (x, y) = (389_000.0, 5_811_000.0);
    let (moved, warnings, explained) = scene(", origin: (389000, 5811000)", x, y);
    assert_eq!((moved, warnings), (unmoved, String::new()));
    let last = project.read("o.csv");
    let last: Vec<f64> =
        last.lines().last().expect("a row").split(',').map(|cell| cell.parse().expect("a number")).collect();
    // 13.3 = 1.33 · 10.
    let expected = [10.0, x + 23.8, y + 20.25, x + 3.0, y - 13.3];
    assert!(last.iter().zip(expected).all(|(is, wanted)| (is - wanted).abs() < 1e-3), "{last:?}");
    let rows = json_lines(&project.read("o.jsonl"));
    assert_eq!(rows[0]["position"], json!([389_010.5, 5_811_020.25, 0.0]));
    assert!(explained.contains("(389023.8, 5811020.25)"), "{explained}");
    let (_, warnings, _) = scene("", x, y);
    assert!(warnings.contains("origin: (389003, 5811000)"), "{warnings}");
}

#[test]
fn metrics_contain_the_means_of_watched_values() {
    let project = project();
    let watching =
        TURN.replace("me.mark", "me.watch(\"index\", me.index); me.watch(\"way\", vec(3, 4)); me.mark");
    project.save("scripts/turn.rhai", &watching);
    let plain = hash(&run(&project, &[]));
    assert_eq!(hash(&run(&project, &["--metrics", "m.csv"])), plain);
    let metrics = project.read("m.csv");
    let watched: Vec<_> =
        metrics.lines().map(|row| row.split_once(",a.errors").map_or(row, |(_, rest)| rest)).collect();
    assert_eq!(watched[0], ",a.index,a.way,a.way.x,a.way.y");
    assert!(watched[1].ends_with(",0,,,,"), "nothing is decided before the first step: {metrics}");
    assert!(
        watched.len() == 22 && watched[2..].iter().all(|row| row.ends_with(",0,9.5,5.0,3.0,4.0")),
        "{metrics}"
    );
    // Chosen columns and steps.
    let chosen =
        ["--metrics", "m.csv", "--metrics-of", "speed,a.way.y,clusters,turn#2.index", "--every", "10"];
    assert_eq!(hash(&run(&project, &chosen)), plain);
    let metrics = project.read("m.csv");
    let rows: Vec<_> = metrics.lines().collect();
    assert_eq!(rows[0], "step,time,a.speed,a.way.y,a.clusters,a.turn#2.index");
    assert!(
        rows[1].starts_with("0,0.0,") && rows[2].starts_with("10,") && rows[3].starts_with("20,"),
        "{metrics}"
    );
    assert!(rows.len() == 4 && rows[3].ends_with(",9.5"), "{metrics}");
    let unknown = run(&project, &["--metrics", "m.csv", "--metrics-of", "a.sped"]);
    failed(&unknown, 2, &["--metrics-of a.sped: `a` has no measure `sped`: did you mean `a.speed`?"]);
}

#[test]
fn a_profile_lists_every_behavior_and_changes_no_result() {
    let project = project();
    let plain = hash(&run(&project, &[]));
    for args in [&["--profile"][..], &["--profile", "--threads", "2"], &["--profile", "--interpret"]] {
        let output = run(&project, args);
        assert_eq!(hash(&output), plain, "{args:?}");
        let text = stdout(&output);
        let table: Vec<_> = text.lines().skip_while(|line| !line.starts_with("behavior ")).collect();
        let scripts =
            ["turn", "gather"].map(|script| table.iter().filter(|row| row.starts_with(script)).count());
        assert_eq!(scripts, [2, 1], "{text}");
        let runs = if args.contains(&"--interpret") { "interpreted" } else { "machine code" };
        let rows = table.iter().filter(|row| row.contains(runs) && row.ends_with(" %")).count();
        assert_eq!(rows, 3, "{text}");
    }
}

#[test]
fn a_failing_script_is_reported_with_its_line_and_the_run_continues() {
    let project = project();
    let text = "fn steer(me, world) {\n    let foe = me.enemies.nearest;\n    foe.speed\n}";
    project.save("scripts/turn.rhai", text);
    let output = run(&project, &[]);
    let message = "`speed` is not a property of nothing";
    failed(&output, 1, &["turn.rhai:3:9", message, "^", "800 times"]);
    contains(&stdout(&output), &["hash: "]);
    for (text, message) in [
        ("fn steer(me, world) { 1", "turn.rhai:1:"),
        ("fn steer(me, world) { me.speeed }", "did you mean `speed`?"),
    ] {
        project.save("scripts/turn.rhai", text);
        failed(&run(&project, &[]), 1, &[message]);
    }
}

#[test]
fn every_fault_of_a_scene_is_reported() {
    let project = project();
    let text = SCENE.replace("count: 20", "cuont: 20").replace("body: \"m\"", "body: \"n\"");
    project.save("scenes/s.ron", &text);
    failed(&run(&project, &[]), 1, &["cuont", "count", "`n`"]);
}

#[test]
fn check_reports_faults_as_text_and_json() {
    let project = project();
    assert!(project.call(&["check"]).status.success());
    project.save("scripts/bad.rhai", "fn steer(me, world) {\n    zork\n}");
    project.refuses(&["check", "scripts"], &["scripts/bad.rhai:2:5"]);
    let output = project.call(&["check", "--format", "json", "scripts/bad.rhai"]);
    let fault = &json_lines(&stdout(&output))[0];
    assert_eq!([&fault["line"], &fault["column"]], [2, 5]);
    project.save("scripts/bad.rhai", "fn steer(me, world) { 1 / 2 }");
    let output = project.call(&["check", "scripts/bad.rhai"]);
    assert!(output.status.success(), "a warning is not a fault");
    contains(&stderr(&output), &["warning: "]);
    assert_eq!(stdout(&output), "1 file checked, no faults, 1 warning\n");
    project.refuses(&["check", "nowhere"], &[]);
    project.save("scenes/s.ron", &SCENE.replace("\"gather\"", "\"gathr\""));
    let parts = ["scenes/s.ron:4:", "did you mean `gather`"];
    project.refuses(&["check", "scenes/s.ron"], &parts);
}

#[test]
fn check_explains_the_order_of_loops_over_units() {
    let project = project();
    let text = "fn steer(me, world) {\n    let near = me.others;\n    let n = 0;\n    for o in near { n += 1; }\n    \
        let best = 9.0;\n    for o in near { if o.speed < best { best = o.speed; } }\n    for i in 0..3 { n += i; }\n    \
        for o in me.others.first(2) { n += 1; }\n    best * n\n}";
    project.save("scripts/gather.rhai", text);
    let said = [
        "scripts/gather.rhai, line 4: in any order\n",
        "scripts/gather.rhai, line 6: nearest first: `best` is read by a condition\n",
        "scripts/gather.rhai, line 8: nearest first: it does not go through `neighbors`, `others`, `enemies`, ",
    ];
    for path in ["scripts", "scenes"] {
        let output = stdout(&project.call(&["check", "--explain", path]));
        contains(&output, &said);
        assert_eq!(output.matches("gather.rhai, line").count(), 3, "{output}");
    }
    assert!(!stdout(&project.call(&["check", "scripts"])).contains("any order"));
    let objects = json_lines(&stdout(&project.call(&["check", "--explain", "--format", "json", "scripts"])));
    let found = [&objects[1]["path"], &objects[1]["line"], &objects[1]["column"], &objects[1]["message"]];
    let why = "nearest first: `best` is read by a condition";
    let expected = [json!("scripts/gather.rhai"), json!(6), json!(5), json!(why)];
    assert_eq!(found, expected.each_ref());
}

#[test]
fn a_faulty_script_that_the_scene_does_not_use_is_not_reported() {
    let project = project();
    project.save("scripts/other.rhai", "fn steer(");
    hash(&run(&project, &[]));
    assert!(project.call(&["check", "scenes"]).status.success());
    let output = project.call(&["check"]);
    assert_eq!(output.status.code(), Some(1));
    contains(&stdout(&output), &["1 fault"]);
    project.refuses(&["deep/nowhere.ron"], &["there is no such scene", "deep/nowhere.ron"]);
}

#[test]
fn a_new_project_is_valid_and_nothing_is_overwritten() {
    let project = project();
    assert!(project.call(&["new", "fresh"]).status.success());
    assert!(project.call(&["check", "fresh"]).status.success());
    project.refuses(&["new", "fresh"], &[]);
}

#[test]
fn without_a_display_the_error_is_one_line() {
    let project = project();
    for (args, scene) in [(&["scenes/s.ron"][..], "scenes/s.ron"), (&["s"], "s"), (&[], "flock")] {
        let text = project.refuses(args, &["steerbox: there is no display for a window ("]);
        let rest = format!("); `steerbox run {scene} --steps 1000` runs the scene without a window\n");
        assert!(text.ends_with(&rest) && text.lines().count() == 1, "{text}");
        assert_eq!(text.matches(": ").count(), 1, "{text}");
    }
}

#[test]
fn saves_during_a_watched_run_are_events() {
    let project = project();
    let _running = project.spawn(&WATCH);
    let event = |path: &str, kind: &str| {
        project.event("events", |event| event["path"] == path && event["event"] == kind)
    };
    assert_eq!(event("turn.rhai", "live")["step"], 0);
    save_turn(&project);
    let second = |event: &Value| event["path"] == "turn.rhai" && event["generation"] == 2;
    let live = project.event("events", second);
    assert_eq!((&live["event"], &live["error"]), (&json!("live"), &Value::Null));
    project.save("scripts/turn.rhai", "fn steer(me, world) {\n  let a = 1\n  a }");
    let rejected = event("turn.rhai", "rejected");
    assert_eq!([&rejected["generation"], &rejected["error"]["line"]], [2, 3]);
    contains(rejected["error"]["message"].as_str().unwrap(), &[";"]);
    fs::remove_file(project.path("scripts/gather.rhai")).unwrap();
    event("gather.rhai", "missing");
    project.save("scripts/turn.rhai", TURN);
    project.save("scenes/s.ron", &SCENE.replace("count: 20", "count: 30"));
    event("s.ron", "reconciled");
}

#[test]
fn a_watched_run_names_versions_like_the_window() {
    let project = project();
    let mut command = project.command(&WATCH);
    let mut child =
        command.stdout(std::process::Stdio::null()).stderr(std::process::Stdio::piped()).spawn().unwrap();
    let said = child.stderr.take().unwrap();
    let _running = crate::common::project::Running(child);
    project.event("events", |event| event["path"] == "turn.rhai");
    let mut lines = std::io::BufRead::lines(std::io::BufReader::new(said)).map(Result::unwrap);
    let mut says = |text: &str| assert!(lines.any(|line| line.ends_with(text)), "{text}");
    save_turn(&project);
    says(": turn.rhai loaded (version 2)");
    project.save("scripts/turn.rhai", "fn steer(me, world) { let }");
    says(": turn.rhai rejected; version 2 keeps running");
    fs::remove_file(project.path("scripts/gather.rhai")).unwrap();
    says(": gather.rhai was deleted; version 1 keeps running");
}

#[test]
fn a_watched_run_reports_failures_when_they_happen_and_remembers_repaired_ones() {
    let project = project();
    project.save("scenes/s.ron", &SCENE.replacen("(world", "(speed: 2, world", 1));
    let failing = TURN.replace("me.mark", "if me.age > 0.1 { me.enemies.nearest.speed; } me.mark");
    project.save("scripts/turn.rhai", &failing);
    let mut command =
        project.command(&[&WATCH[..], &["--steps", "600", "--set", "a.gather.REACH=30"]].concat());
    let piped = std::process::Stdio::piped;
    let child = command.stdout(piped()).stderr(piped()).spawn().unwrap();
    let event = |kind: &str| project.event("events", |event| event["event"] == kind);
    let failed = event("failed");
    assert_eq!((&failed["path"], &failed["error"]["line"]), (&json!("turn.rhai"), &json!(1)));
    contains(failed["error"]["message"].as_str().unwrap(), &["speed"]);
    let suspended = event("suspended");
    assert_eq!(suspended["error"], failed["error"]);
    let steps = |event: &Value| event["step"].as_u64().unwrap();
    assert_eq!(steps(&suspended), steps(&failed) + 59);
    // A save of another script may have removed the cause.
    project.save("scripts/gather.rhai", &GATHER.replace("40.0", "50.0"));
    assert!(steps(&event("resumed")) >= steps(&suspended));
    let live = project.event("events", |event| event["path"] == "gather.rhai" && event["generation"] == 2);
    assert_eq!(live["notes"], json!(["a.gather REACH: the new value 50 replaces the tuned 30"]));
    save_turn(&project);
    let output = child.wait_with_output().unwrap();
    let lines = [
        "fails for unit 0 of a",
        "turn of a is suspended until the next save: it failed for every unit",
        "turn of a runs again",
        "REACH: the new value 50 replaces the tuned 30",
        "; ended by a reload after step ",
    ];
    crate::common::project::failed(&output, 1, &lines);
    let text = project.read("events");
    let count = |kind: &str| json_lines(&text).iter().filter(|event| event["event"] == kind).count();
    assert_eq!(count("suspended") % 2, 0, "it is used twice: {text}");
}

#[test]
fn a_run_judges_the_expectations_of_its_scene() {
    let project = project();
    let expecting = |expectations: &str| {
        project
            .save("scenes/s.ron", &SCENE.replacen("(world", &format!("(expect: [{expectations}], world"), 1));
        run(&project, &[])
    };
    let kept = expecting("(measure: \"speed\", group: \"a\", above: 1, by: 0.3)");
    assert!(kept.status.success());
    contains(&stderr(&kept), &["expected a.speed above 1 by 0.3 s: "]);
    let broken =
        "(measure: \"speed\", group: \"a\", above: 1000, by: 0.3), (measure: \"count\", above: 30, by: 60)";
    let output = expecting(broken);
    let said = stderr(&output);
    assert_eq!(output.status.code(), Some(1), "{said}");
    contains(
        &said,
        &[
            "expected a.speed above 1000 by 0.3 s, but the nearest value was ",
            "expected count above 30 by 60 s: not judged",
        ],
    );
    let checked = project.call(&["check", "--run", "--format", "junit", "scenes"]);
    assert_eq!(checked.status.code(), Some(1));
    contains(
        &stdout(&checked),
        &["tests=\"2\" failures=\"2\"", "name=\"a.speed above 1000 by 0.3 s\"", "at 0."],
    );
    failed(
        &expecting("(measure: \"sped\", group: \"a\", above: 1, by: 1)"),
        1,
        &["`a` has no measure `sped`", "did you mean `speed`?"],
    );
}
