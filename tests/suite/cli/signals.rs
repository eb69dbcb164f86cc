//! Interrupted, the program ends in order.

use std::fs;
use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::{ENDLESS, SCENE, WATCH, project, save_turn};
use crate::common::project::{PATIENCE, Running, contains, failed, json_lines, stdout};

fn kill(signal: &str, child: &Child) {
    let command = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

/// The step of the last row of a CSV.
fn last_step(metrics: &str) -> u64 {
    assert!(metrics.ends_with('\n'));
    let row = metrics.lines().last().unwrap();
    row.split(',').next().unwrap().parse().unwrap()
}

/// Starts a command whose output is kept.
fn piped(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Whether this process ignores a signal, as under `nohup`: what it starts then ignores it, too.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default() >> (number - 1) & 1 == 1
}

#[test]
fn an_interrupted_run_writes_everything() {
    let signals = [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 143)];
    for (signal, _, status) in signals.into_iter().filter(|(_, number, _)| !is_ignored(*number)) {
        let project = project();
        let outputs = ["--trace", "t.jsonl", "--metrics", "m.csv", "--image", "i.png"];
        let child = piped(project.command(&ENDLESS).args(outputs));
        project.event("t.jsonl", |_| true);
        kill(signal, &child);
        let output = child.wait_with_output().unwrap();
        failed(&output, status, &["interrupted after "]);
        let trace = project.read("t.jsonl");
        assert!(trace.ends_with('\n'));
        let rows = json_lines(&trace);
        let steps = rows.last().unwrap()["step"].as_u64().unwrap();
        assert_eq!(rows.len() as u64, (steps + 1) * 20, "{signal}");
        assert_eq!(last_step(&project.read("m.csv")), steps, "{signal}");
        assert!(fs::read(project.path("i.png")).unwrap().ends_with(b"IEND\xaeB`\x82"));
        let text = stdout(&output);
        let hash = project.hash(&["run", "scenes/s.ron", "--steps", &steps.to_string()]);
        assert!(text.ends_with(&format!("hash: {hash}\n")), "{signal}: {text}");
    }
}

#[test]
fn a_watched_run_ends_in_order_however_far_its_next_step_is() {
    let project = project();
    // A step lasts 10 s of wall time.
    let slow = SCENE.replace("seed: 3", "seed: 3, step: 0.1, speed: 0.01");
    project.save("scenes/s.ron", &slow);
    let child = piped(project.command(&WATCH).args(["--metrics", "m.csv"]));
    project.event("events", |event| event["event"] == "live");
    kill("TERM", &child);
    let output = child.wait_with_output().unwrap();
    failed(&output, 143, &[]);
    contains(&stdout(&output), &["\nhash: "]);
    assert!(last_step(&project.read("m.csv")) < 3);
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let project = project();
    // A pipe that is full and that nobody reads: the run cannot come to an end of its own.
    let (reader, writer) = io::pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    let filler = std::thread::spawn(move || filler.write_all(&vec![b'-'; 1 << 20]));
    let mut command = project.command(&ENDLESS);
    let command = command.args(["--trace", "-", "--events", "events"]);
    let mut child = Running(command.stdout(writer).stderr(Stdio::null()).spawn().unwrap());
    project.event("events", |event| event["event"] == "live");
    let give_up = Instant::now() + PATIENCE;
    let status = loop {
        kill("INT", &child.0);
        if let Some(status) = child.0.try_wait().unwrap() {
            break status;
        }
        assert!(Instant::now() < give_up, "it does not end");
    };
    assert_eq!(status.code(), Some(130));
    drop(reader);
    assert!(filler.join().unwrap().is_err());
}

#[test]
fn a_run_under_nohup_outlives_its_terminal() {
    let project = project();
    let program = env!("CARGO_BIN_EXE_steerbox");
    let script = format!("trap '' HUP; exec '{program}' {}", WATCH.join(" "));
    let mut command = Command::new("sh");
    let mut child = Running::new(command.args(["-c", &script]).current_dir(project.path("")));
    project.event("events", |event| event["path"] == "turn.rhai");
    kill("HUP", &child.0);
    save_turn(&project);
    project.event("events", |event| event["path"] == "turn.rhai" && event["generation"] == 2);
    kill("TERM", &child.0);
    assert_eq!(child.0.wait().unwrap().code(), Some(143));
}
