//! Sweeps: tables that are the same for any number of threads, parts and interruptions.

use std::fs;
use std::process::Output;
use std::time::Instant;

use serde_json::Value;

use super::{TURN, project};
use crate::common::project::{PATIENCE, ProjectDir, Running, failed, stderr, stdout};

const SWEEP: [&str; 13] = [
    "sweep",
    "scenes/s.ron",
    "--vary",
    "a.gather.REACH=10..40:4",
    "--vary",
    "a.count=5,20",
    "--seeds",
    "5",
    "--steps",
    "40",
    "--measure",
    "polarization,a.speed",
    "--quiet",
];

fn sweep(project: &ProjectDir, file: &str, more: &[&str]) -> Output {
    project.call(&[&SWEEP[..], &["--out", file], more].concat())
}

/// Returns the table of the sweep.
fn table(project: &ProjectDir, file: &str, more: &[&str]) -> String {
    let output = sweep(project, file, more);
    assert!(output.status.success(), "{}", stderr(&output));
    project.read(file)
}

#[test]
fn each_row_is_the_run_of_its_values_and_seed() {
    let project = project();
    let text = table(&project, "t.csv", &["--warmup", "39"]);
    assert_eq!(text, table(&project, "u.csv", &["--warmup", "39", "--threads", "3"]));
    let rows: Vec<Vec<_>> = text.lines().map(|line| line.split(',').collect()).collect();
    assert_eq!(rows[0], ["a.gather.REACH", "a.count", "seed", "polarization", "a.speed", "hash"]);
    assert_eq!(rows.len(), 41);
    assert_eq!(rows[40][..3], ["40.0", "20", "7"]);
    let run =
        ["run", "scenes/s.ron", "--steps", "40", "--quiet", "--seed", "7", "--set", "a.gather.REACH=40"];
    assert_eq!(rows[40][5], project.hash(&run));
    assert!(project.call(&[&run[..], &["--metrics", "m.csv"]].concat()).status.success());
    let metrics = project.read("m.csv");
    let last = metrics.lines().last().expect("a row");
    let polarization: f32 = rows[40][3].parse().expect("a number");
    assert!(last.split(',').any(|cell| cell.parse() == Ok(polarization)), "{polarization} is not in {last}");
}

#[test]
fn a_run_ends_in_the_first_step_of_a_condition_and_measures_are_reduced() {
    let project = project();
    let measures = "final(step),first(a.speed > 0),max(speed),argmax(speed),mean(speed, 3..7)";
    let args = ["sweep", "scenes/s.ron", "--steps", "40", "--until", "time > 0.15", "--measure", measures];
    let output = project.call(&[&args[..], &["--out", "t.csv"]].concat());
    assert!(output.status.success(), "{}", stderr(&output));
    let text = project.read("t.csv");
    let mut rows = text.lines();
    let header = "seed,final(step),first(a.speed > 0),max(speed),argmax(speed),\"mean(speed, 3..7)\",hash";
    assert_eq!(rows.next(), Some(header));
    let row: Vec<_> = rows.next().expect("a run").split(',').collect();
    let steps = row[1];
    assert!(steps.parse::<u64>().is_ok_and(|steps| (1..40).contains(&steps)), "{text}");
    assert_eq!(project.hash(&["run", "t.csv", "--row", "1", "--steps", steps, "--quiet"]), row[6]);
    let wrong = |more: &[&str], part| {
        failed(&project.call(&[&args[..3], &["20", "--out", "u.csv"], more].concat()), 1, &[part]);
    };
    wrong(&["--measure", "maxx(speed)"], "there is no `maxx`: did you mean `max`?");
    wrong(&["--measure", "speed", "--until", "a.sped > 1"], "--until a.sped > 1: `a` has no measure `sped`");
}

#[test]
fn an_experiment_file_has_the_options_of_the_command_line() {
    let project = project();
    let whole = table(&project, "t.csv", &[]);
    let file = "(\n    scene: \"s\",\n    vary: [\"a.gather.REACH=10..40:4\", \"a.count=5,20\"],
    seeds: 5, steps: 40, measure: [\"polarization\", \"a.speed\"],\n)";
    project.save("experiments/reach.ron", file);
    let call = |args: &[&str]| project.call(&[&["sweep"], args, &["--quiet"]].concat());
    let output = call(&["reach"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(project.read("reach.csv"), whole);
    // Options of the command line precede.
    let output = call(&[
        "experiments/reach.ron",
        "--out",
        "u.csv",
        "--seeds",
        "1",
        "--vary",
        "a.count=5",
        "--independent-seeds",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(project.read("u.csv").lines().count(), 2);
    assert!(project.call(&["check", "experiments"]).status.success());
    project.save("experiments/reach.ron", &file.replace("steps", "stpes"));
    for args in [&["sweep", "reach"][..], &["check", "experiments"]] {
        project.refuses(
            args,
            &["experiments/reach.ron", "an experiment has no field `stpes`", "did you mean `steps`?"],
        );
    }
    project.save("points.csv", "a.count,a.gather.REACH\n5,10\n7,30\n");
    let design =
        ["scenes/s.ron", "--design", "points.csv", "--steps", "9", "--measure", "count", "--out", "d.csv"];
    let output = call(&design);
    assert!(output.status.success(), "{}", stderr(&output));
    let counts: Vec<_> =
        project.read("d.csv").lines().map(|line| line.split(',').nth(3).map(str::to_owned)).collect();
    assert_eq!(counts[1..], [Some("5.0".to_owned()), Some("7.0".to_owned())]);
    failed(&call(&["scenes/s.ron", "--out", "x.csv"]), 2, &["--steps N"]);
    failed(&call(&["scenes/s.ron", "--steps", "3"]), 2, &["--out FILE.csv"]);
}

#[test]
fn a_row_is_repeated_from_its_manifest_alone() {
    let project = project();
    let rows = table(&project, "t.csv", &["--shard", "2/3", "--set", "a.gather.gain=0.7"]);
    project.save("scripts/turn.rhai", &TURN.replace("-1, 1", "-2, 2"));
    for row in [1, 5, 13] {
        let expected = rows.lines().nth(row).and_then(|line| line.rsplit(',').next());
        let row = row.to_string();
        let hash = project.hash(&["run", "t.csv", "--row", &row, "--steps", "40", "--quiet"]);
        assert_eq!(Some(&*hash), expected, "row {row}");
    }
    project.refuses(&["run", "t.csv", "--row", "14", "--steps", "40"], &["rows 1 to 13"]);
    project.refuses(&["run", "t.csv", "--steps", "40"], &["--row N"]);
    project.refuses(&["run", "scenes/s.ron", "--row", "1"], &["no manifest"]);
}

#[test]
fn a_killed_sweep_continues_to_the_same_bytes() {
    let project = project();
    let whole = table(&project, "whole.csv", &[]);
    let kills: usize = std::env::var("STEERBOX_KILLS").map_or(12, |text| text.parse().expect("a number"));
    for kill in 0..kills {
        let rows = kill * 40 / kills;
        let args = [&SWEEP[..], &["--out", "t.csv", "--threads", "2"]].concat();
        let mut running: Running = project.spawn(&args);
        let give_up = Instant::now() + PATIENCE;
        while fs::read_to_string(project.path("t.csv")).unwrap_or_default().lines().count() <= rows
            && running.0.try_wait().expect("a process").is_none()
        {
            assert!(Instant::now() < give_up, "no row is written");
            std::thread::yield_now();
        }
        drop(running);
        if kill % 3 == 0 {
            let text = project.read("t.csv");
            fs::write(project.path("t.csv"), &text[..text.len() - text.len().min(7)]).expect("it is written");
        }
        assert_eq!(table(&project, "t.csv", &[]), whole, "killed after {rows} rows");
        fs::remove_file(project.path("t.csv")).expect("it exists");
    }
}

#[test]
fn only_the_same_sweep_continues_a_table() {
    let project = project();
    let whole = table(&project, "t.csv", &[]);
    let refused = |more: &[&str], parts: &[&str]| failed(&sweep(&project, "t.csv", more), 1, parts);
    refused(&["--warmup", "3"], &["another sweep", "--warmup is `0` there, `3` here"]);
    refused(&["--seed", "9"], &["--seed is `3` there, `9` here"]);
    refused(&["--shard", "1/2"], &["part 1/1, not 1/2"]);
    project.save("scripts/turn.rhai", &TURN.replace("-1, 1", "-2, 2"));
    refused(&[], &["turn.rhai changed"]);
    assert_eq!(project.read("t.csv"), whole);
    project.save("other.csv", "mine\n");
    failed(&sweep(&project, "other.csv", &[]), 1, &["no manifest other.csv.json"]);
    assert_eq!(project.read("other.csv"), "mine\n");
}

#[test]
fn parts_are_merged_to_the_bytes_of_the_whole() {
    let project = project();
    let whole = table(&project, "whole.csv", &[]);
    for part in ["1", "2", "3"] {
        table(&project, &format!("p{part}.csv"), &["--shard", &format!("{part}/3")]);
    }
    let merge = |parts: &[&str]| project.call(&[&["merge", "--out", "all.csv"], parts].concat());
    failed(&merge(&["p1.csv", "p3.csv"]), 1, &["part 2/3 is missing"]);
    failed(&merge(&["p1.csv", "p2.csv", "p1.csv", "p3.csv"]), 1, &["both part 1/3"]);
    assert!(!project.path("all.csv").exists());
    let output = merge(&["p3.csv", "p1.csv", "p2.csv"]);
    assert!(output.status.success(), "{}", stderr(&output));
    assert_eq!(stdout(&output), "40 runs of 3 parts\n");
    assert_eq!(project.read("all.csv"), whole);
    let manifest: Value = serde_json::from_str(&project.read("all.csv.json")).expect("JSON");
    assert_eq!(manifest["shard"]["count"], 1);
    assert_eq!(table(&project, "all.csv", &[]), whole, "it is complete");
    // The summary of the parts is that of the whole.
    table(&project, "whole.csv", &["--summary", "s.csv"]);
    let summary = project.read("s.csv");
    assert!(
        summary.starts_with(
            "a.gather.REACH,a.count,measure,n,mean,deviation,low,high\n10.0,5,polarization,5,0."
        )
    );
    assert_eq!(summary.lines().count(), 1 + 8 * 2);
    let again = ["merge", "p1.csv", "p2.csv", "p3.csv", "--out", "all.csv", "--summary", "t.csv"];
    assert!(project.call(&again).status.success());
    assert_eq!(project.read("t.csv"), summary);
    let refused = |more: &[&str], part| failed(&sweep(&project, "u.csv", more), 2, &[part]);
    refused(&["--shard", "1/2", "--summary", "s.csv"], "`steerbox merge … --summary FILE.csv` writes it");
    refused(&["--summary", "u.csv"], "is the same file as --out u.csv");
    assert_eq!(project.read("s.csv"), summary);
    let text = project.read("p2.csv");
    fs::write(project.path("p2.csv"), &text[..text.len() - 1]).expect("it is written");
    failed(&merge(&["p3.csv", "p1.csv", "p2.csv"]), 1, &["p2.csv: it is unfinished: it has 12 of 13 runs"]);
}

#[test]
fn a_failed_run_is_a_row_with_its_reason() {
    let project = project();
    let failing = TURN.replace("me.random", "if world.time > 0.5 { throw \"no, \\n\"; } me.random");
    project.save("scripts/turn.rhai", &failing);
    let output = sweep(&project, "t.csv", &[]);
    failed(&output, 1, &["40 of 40 runs failed", "t.csv"]);
    let text = project.read("t.csv");
    assert_eq!(text.lines().count(), 41);
    let row = text.lines().nth(1).expect("a row");
    assert!(row.starts_with("10.0,5,3,,,\"error: turn.rhai"), "{row}");
    failed(&sweep(&project, "t.csv", &["--retry"]), 1, &["40 of 40 runs failed"]);
    assert_eq!(project.read("t.csv"), text);
    // As if only some of the runs had failed, for a reason that is gone.
    project.save("scripts/turn.rhai", TURN);
    let whole = table(&project, "whole.csv", &[]);
    let part = |(at, line): (usize, &str)| {
        let (start, _) = line.rsplit_once(',').expect("cells");
        let (start, _) = start.rsplit_once(',').expect("cells");
        let (start, _) = start.rsplit_once(',').expect("cells");
        if at % 3 == 1 { format!("{start},,,error: memory\n") } else { format!("{line}\n") }
    };
    project.save("whole.csv", &whole.lines().take(31).enumerate().map(part).collect::<String>());
    failed(&sweep(&project, "whole.csv", &[]), 1, &["10 of 40 runs failed", "--retry"]);
    assert_eq!(table(&project, "whole.csv", &["--retry"]), whole);
}

#[test]
fn an_invalid_script_is_an_error_of_sweep_compare_and_explain() {
    let project = project();
    let texts = [
        "fn steer(me, world) { vec(1, 0 }",
        "fn steer(me, world) { me.speeed }",
        "",
        "import \"none\" as n;",
    ];
    let mut texts: Vec<_> = texts.into_iter().map(Some).collect();
    texts.push(None);
    for text in texts {
        match text {
            Some(text) => project.save("scripts/turn.rhai", text),
            None => std::fs::remove_file(project.path("scripts/turn.rhai")).unwrap(),
        }
        failed(&sweep(&project, "t.csv", &[]), 1, &["turn"]);
        assert!(!project.path("t.csv").exists(), "{text:?}");
        for args in [
            &["compare", "scenes/s.ron", "--steps", "2", "--seeds", "2", "--with", "a.gather.gain=2"][..],
            &["compare", "scenes/s.ron", "--steps", "2", "--with", "a.gather.gain=2"],
            &["explain", "scenes/s.ron", "--unit", "0", "--step", "1"],
        ] {
            failed(&project.call(args), 1, &["turn"]);
        }
    }
}
