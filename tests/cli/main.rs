//! The program as its users call it.
#![allow(clippy::unwrap_used, reason = "a test that cannot go on fails")]

mod arguments;
mod desk;
mod files;
mod names;
mod outputs;
#[cfg(unix)]
mod signals;

use std::fs;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use desk::{Desk, SCENE, TURN, hash, stderr, stdout};
use serde_json::Value;

#[test]
fn runs_repeat_to_the_bit_whatever_the_threads() {
    let desk = Desk::new();
    let one = hash(&desk.run(&["--threads", "1"]));
    assert_eq!(one, hash(&desk.run(&["--threads", "2"])));
    assert_ne!(one, hash(&desk.run(&["--seed", "9"])));
    assert_ne!(one, hash(&desk.run(&["--set", "a.gather.REACH=5"])));
    assert_ne!(one, hash(&desk.run(&["--set", "a.turn#2.enabled=false"])));
    let text = stdout(&desk.run(&[]));
    assert!(
        text.contains(" steps/s") && text.contains(" unit-steps/s"),
        "{text}"
    );
}

#[test]
fn settings_that_fit_nothing_are_refused_with_a_remedy() {
    let desk = Desk::new();
    for (setting, message) in [
        ("b.gather.REACH=5", "did you mean \"a\""),
        ("a.gathr.REACH=5", "did you mean \"gather\""),
        ("a.gather.REACHH=5", "did you mean \"REACH\""),
        ("a.gather.REACH=500", "allows 1 to 90"),
        ("a.gather.gain=wide", "must be a number"),
        ("REACH=5", "GROUP.SCRIPT.PARAM=V"),
    ] {
        let output = desk.run(&["--set", setting]);
        assert_eq!(output.status.code(), Some(1), "{setting}");
        assert!(stderr(&output).contains(message), "{}", stderr(&output));
    }
}

#[test]
fn a_trace_tells_every_unit_of_every_step() {
    let desk = Desk::new();
    let output = desk.run(&[
        "--trace",
        "t.jsonl",
        "--metrics",
        "m.csv",
        "--image",
        "i.png",
    ]);
    assert!(output.status.success(), "{}", stderr(&output));
    let text = fs::read_to_string(desk.path("t.jsonl")).unwrap();
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).unwrap())
        .collect();
    assert_eq!(rows.len(), 21 * 20);
    assert_eq!(
        (&rows[0]["step"], &rows[0]["steering"]),
        (&0.into(), &serde_json::json!({}))
    );
    let row = &rows[20];
    assert_eq!(
        (&row["step"], &row["unit"], &row["group"]),
        (&1.into(), &0.into(), &"a".into())
    );
    assert_eq!(row["marks"], serde_json::json!(["seen"]));
    for field in ["position", "velocity", "heading", "angular_velocity"] {
        assert_eq!(row[field].as_array().unwrap().len(), 3, "{field}");
    }
    assert_eq!(row["steering"]["turn"]["turn"].as_array().unwrap().len(), 2);
    assert!(row["steering"]["turn#2"]["turn"].is_array());
    assert!(
        rows.iter()
            .any(|row| row["steering"]["gather"]["push"].is_array())
    );
    let metrics = fs::read_to_string(desk.path("m.csv")).unwrap();
    assert!(
        metrics.starts_with("step,time,group,") && metrics.lines().count() == 22,
        "{metrics}"
    );
    assert!(
        fs::read(desk.path("i.png"))
            .unwrap()
            .starts_with(b"\x89PNG")
    );
}

#[test]
fn a_failing_script_is_told_with_its_line_and_the_run_goes_on() {
    let desk = Desk::new();
    desk.save(
        "scripts/turn.rhai",
        "fn steer(me, world) {\n    let foe = me.enemies.nearest;\n    foe.speed\n}",
    );
    let output = desk.run(&[]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    for part in [
        "turn.rhai:3:9",
        "`speed` is not a property of nothing",
        "^",
        "800 times",
    ] {
        assert!(text.contains(part), "{part}: {text}");
    }
    assert!(stdout(&output).contains("hash: "));
    desk.save("scripts/turn.rhai", "fn steer(me, world) { 1");
    assert_eq!(
        desk.run(&[]).status.code(),
        Some(1),
        "a script that does not compile"
    );
    desk.save("scripts/turn.rhai", "fn steer(me, world) { me.speeed }");
    let text = stderr(&desk.run(&[]));
    assert!(text.contains("did you mean `speed`?"), "{text}");
}

#[test]
fn a_scene_that_does_not_read_is_told_in_full() {
    let desk = Desk::new();
    desk.save(
        "scenes/s.ron",
        &SCENE
            .replace("count: 20", "cuont: 20")
            .replace("body: \"m\"", "body: \"n\""),
    );
    let output = desk.run(&[]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("cuont") && text.contains("count") && text.contains("`n`"),
        "{text}"
    );
}

#[test]
fn check_finds_faults_for_people_and_for_editors() {
    let desk = Desk::new();
    assert!(desk.call(&["check"]).status.success());
    desk.save("scripts/bad.rhai", "fn steer(me, world) {\n    zork\n}");
    let output = desk.call(&["check", "scripts"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(
        stderr(&output).contains("scripts/bad.rhai:2:5"),
        "{}",
        stderr(&output)
    );
    let output = desk.call(&["check", "--format", "json", "scripts/bad.rhai"]);
    let fault: Value = serde_json::from_str(stdout(&output).lines().next().unwrap()).unwrap();
    assert_eq!((&fault["line"], &fault["column"]), (&2.into(), &5.into()));
    desk.save("scripts/bad.rhai", "fn steer(me, world) { 1 / 2 }");
    let output = desk.call(&["check", "scripts/bad.rhai"]);
    assert!(output.status.success(), "a warning is no fault");
    let (text, result) = (stderr(&output), stdout(&output));
    assert!(text.contains("warning: "), "{text}");
    assert_eq!(result, "1 file checked, no faults, 1 warning\n");
    assert_eq!(desk.call(&["check", "nowhere"]).status.code(), Some(1));
    desk.save("scenes/s.ron", &SCENE.replace("\"gather\"", "\"gathr\""));
    let text = stderr(&desk.call(&["check", "scenes/s.ron"]));
    assert!(
        text.contains("scenes/s.ron:4:") && text.contains("did you mean `gather`"),
        "{text}"
    );
}

#[test]
fn a_faulty_script_that_the_scene_does_not_use_is_no_fault_of_the_scene() {
    let desk = Desk::new();
    desk.save("scripts/other.rhai", "fn steer(");
    hash(&desk.run(&[]));
    assert!(desk.call(&["check", "scenes"]).status.success());
    let output = desk.call(&["check"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(stdout(&output).contains("1 fault"), "{}", stdout(&output));
    let text = stderr(&desk.call(&["deep/nowhere.ron"]));
    assert!(
        text.contains("there is no such scene") && text.contains("deep/nowhere.ron"),
        "{text}"
    );
}

#[test]
fn a_new_project_is_sound_and_nothing_is_overwritten() {
    let desk = Desk::new();
    assert!(desk.call(&["new", "fresh"]).status.success());
    assert!(desk.call(&["check", "fresh"]).status.success());
    assert_eq!(desk.call(&["new", "fresh"]).status.code(), Some(1));
}

#[test]
fn without_a_display_one_line_says_so() {
    let output = Desk::new().call(&["scenes/s.ron"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.lines().count() == 1 && text.contains("display") && text.contains("steerbox run"),
        "{text}"
    );
}

/// A run that watches, ended with the test.
pub(crate) struct Watching(pub(crate) Child);

impl Drop for Watching {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// The first event that fits, within reason.
pub(crate) fn event(path: &Path, fits: impl Fn(&Value) -> bool) -> Value {
    let give_up = Instant::now() + Duration::from_secs(20);
    while Instant::now() < give_up {
        let text = fs::read_to_string(path).unwrap_or_default();
        let events = text
            .lines()
            .filter_map(|line| serde_json::from_str(line).ok());
        if let Some(event) = events.into_iter().find(&fits) {
            return event;
        }
        std::thread::yield_now();
    }
    panic!(
        "no such event: {}",
        fs::read_to_string(path).unwrap_or_default()
    );
}

#[test]
fn saves_during_a_watched_run_are_told_as_events() {
    let desk = Desk::new();
    let args = ["run", "scenes/s.ron", "--watch", "--events", "events"];
    let child = desk
        .command(&args)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let _watching = Watching(child);
    let events = desk.path("events");
    event(&events, |event| {
        event["path"] == "turn.rhai" && event["event"] == "live" && event["step"] == 0
    });
    desk.save("scripts/turn.rhai", &TURN.replace("-1, 1", "-2, 2"));
    let live = event(&events, |event| {
        event["path"] == "turn.rhai" && event["generation"] == 2
    });
    assert_eq!(
        (&live["event"], &live["error"]),
        (&"live".into(), &Value::Null)
    );
    desk.save(
        "scripts/turn.rhai",
        "fn steer(me, world) {\n  let a = 1\n  a }",
    );
    let rejected = event(&events, |event| event["event"] == "rejected");
    assert_eq!(
        (&rejected["generation"], &rejected["error"]["line"]),
        (&2.into(), &3.into())
    );
    assert!(
        rejected["error"]["message"].as_str().unwrap().contains(';'),
        "{rejected}"
    );
    fs::remove_file(desk.path("scripts/gather.rhai")).unwrap();
    event(&events, |event| {
        event["event"] == "missing" && event["path"] == "gather.rhai"
    });
    desk.save("scenes/s.ron", &SCENE.replace("count: 20", "count: 30"));
    event(&events, |event| {
        event["event"] == "reconciled" && event["path"] == "s.ron"
    });
}
