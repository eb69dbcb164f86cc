//! Interrupted, the program ends in order.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::desk::{Desk, TURN, hash, stderr, stdout};
use crate::{Watching, event};

fn kill(signal: &str, child: &Child) {
    let command = format!("kill -{signal} {}", child.id());
    assert!(
        Command::new("sh")
            .args(["-c", &command])
            .status()
            .unwrap()
            .success()
    );
}

/// Waits until a file holds something.
fn filled(path: &Path) {
    let give_up = Instant::now() + Duration::from_secs(20);
    while fs::metadata(path).map_or(0, |file| file.len()) == 0 {
        assert!(Instant::now() < give_up, "{} stays empty", path.display());
        std::thread::yield_now();
    }
}

/// The step of the last row of a CSV.
fn last_step(metrics: &str) -> u64 {
    assert!(metrics.ends_with('\n'));
    let row = metrics.lines().last().unwrap();
    row.split(',').next().unwrap().parse().unwrap()
}

#[test]
fn a_run_that_is_asked_to_end_writes_everything() {
    for (signal, status) in [("INT", 130), ("TERM", 143), ("HUP", 143)] {
        let desk = Desk::new();
        let outputs = [
            "--trace",
            "t.jsonl",
            "--metrics",
            "m.csv",
            "--image",
            "i.png",
        ];
        let mut command = desk.command(&["run", "scenes/s.ron", "--steps", "1000000000"]);
        let command = command
            .args(outputs)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let child = command.spawn().unwrap();
        filled(&desk.path("t.jsonl"));
        kill(signal, &child);
        let output = child.wait_with_output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(status),
            "{signal}: {}",
            stderr(&output)
        );
        assert!(
            stderr(&output).contains("interrupted after "),
            "{}",
            stderr(&output)
        );
        let trace = fs::read_to_string(desk.path("t.jsonl")).unwrap();
        assert!(trace.ends_with('\n'));
        let rows: Vec<Value> = (trace.lines())
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        let steps = rows.last().unwrap()["step"].as_u64().unwrap();
        assert_eq!(rows.len() as u64, (steps + 1) * 20, "{signal}");
        let metrics = fs::read_to_string(desk.path("m.csv")).unwrap();
        assert_eq!(last_step(&metrics), steps, "{signal}");
        assert!(
            fs::read(desk.path("i.png"))
                .unwrap()
                .ends_with(b"IEND\xaeB`\x82")
        );
        let text = stdout(&output);
        let whole = desk.call(&["run", "scenes/s.ron", "--steps", &steps.to_string()]);
        assert!(
            text.ends_with(&format!("hash: {}\n", hash(&whole))),
            "{signal}: {text}"
        );
    }
}

#[test]
fn a_watched_run_ends_in_order_however_long_its_step_takes_to_come() {
    let desk = Desk::new();
    // A step lasts 10 s of wall time.
    let slow = crate::desk::SCENE.replace("seed: 3", "seed: 3, step: 0.1, speed: 0.01");
    desk.save("scenes/s.ron", &slow);
    let args = [
        "run",
        "scenes/s.ron",
        "--watch",
        "--events",
        "events",
        "--metrics",
        "m.csv",
    ];
    let mut command = desk.command(&args);
    let child = command
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    event(&desk.path("events"), |event| event["event"] == "live");
    kill("TERM", &child);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(143), "{}", stderr(&output));
    assert!(stdout(&output).contains("\nhash: "));
    let metrics = fs::read_to_string(desk.path("m.csv")).unwrap();
    assert!(last_step(&metrics) < 3, "{metrics}");
}

#[test]
fn a_second_interrupt_ends_at_once() {
    let desk = Desk::new();
    // A pipe that is full and that nobody reads: the run cannot come to an end of its own.
    let (reader, writer) = io::pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    let filler = std::thread::spawn(move || filler.write_all(&vec![b'-'; 1 << 20]));
    let args = [
        "run",
        "scenes/s.ron",
        "--steps",
        "1000000000",
        "--trace",
        "-",
    ];
    let mut command = desk.command(&args);
    let command = command.args(["--events", "events"]).stdout(writer);
    let mut child = Watching(command.stderr(Stdio::null()).spawn().unwrap());
    event(&desk.path("events"), |event| event["event"] == "live");
    let give_up = Instant::now() + Duration::from_secs(20);
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
    let desk = Desk::new();
    let program = env!("CARGO_BIN_EXE_steerbox");
    let script = format!("trap '' HUP; exec '{program}' run scenes/s.ron --watch --events events");
    let mut command = Command::new("sh");
    let command = command.args(["-c", &script]).current_dir(desk.path(""));
    let child = command
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut child = Watching(child);
    let events = desk.path("events");
    event(&events, |event| event["path"] == "turn.rhai");
    kill("HUP", &child.0);
    desk.save("scripts/turn.rhai", &TURN.replace("-1, 1", "-2, 2"));
    event(&events, |event| {
        event["path"] == "turn.rhai" && event["generation"] == 2
    });
    kill("TERM", &child.0);
    assert_eq!(child.0.wait().unwrap().code(), Some(143));
}
