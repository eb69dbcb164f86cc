//! Orderly shutdown after a signal.

use std::fs;
use std::io::{self, Write as _};
use std::process::{Child, Command, Stdio};
use std::time::Instant;

use super::{ENDLESS, SCENE, WATCH, project, save_turn};
use crate::common::project::{PATIENCE, Running, contains, failed, json_lines, stderr, stdout};

/// Sends a signal to a process.
pub(crate) fn kill(signal: &str, child: &Child) {
    let command = format!("kill -{signal} {}", child.id());
    assert!(Command::new("sh").args(["-c", &command]).status().unwrap().success());
}

/// Returns the step of the last row of a CSV file.
fn last_step(metrics: &str) -> u64 {
    assert!(metrics.ends_with('\n'));
    let row = metrics.lines().last().unwrap();
    row.split(',').next().unwrap().parse().unwrap()
}

/// Waits until a process has a handler for a signal.
#[cfg(target_os = "linux")]
fn wait_until_handled(child: &Child, number: u32) {
    let give_up = Instant::now() + PATIENCE;
    let path = format!("/proc/{}/status", child.id());
    loop {
        let status = fs::read_to_string(&path).unwrap_or_default();
        let mask = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
        let mask = mask.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).unwrap_or_default();
        if mask >> (number - 1) & 1 == 1 {
            return;
        }
        assert!(Instant::now() < give_up, "signal {number} is not handled");
        std::thread::yield_now();
    }
}

/// Waits for the end of a process and returns its exit status.
#[cfg(target_os = "linux")]
fn ended(child: &mut Child) -> Option<i32> {
    let give_up = Instant::now() + PATIENCE;
    loop {
        if let Some(status) = child.try_wait().unwrap() {
            return status.code();
        }
        assert!(Instant::now() < give_up, "it does not end");
        std::thread::yield_now();
    }
}

/// Waits until a pipe accepts no more bytes.
#[cfg(target_os = "linux")]
fn wait_until_full(writer: &io::PipeWriter) {
    use rustix::event::{PollFd, PollFlags, Timespec, poll};
    let give_up = Instant::now() + PATIENCE;
    let mut fds = [PollFd::new(writer, PollFlags::OUT)];
    while poll(&mut fds, Some(&Timespec::default())).unwrap() > 0 {
        assert!(Instant::now() < give_up, "the pipe is never full");
        std::thread::yield_now();
    }
}

/// A pipe that accepts no more bytes: reader, writer, and the thread that filled it.
fn full_pipe() -> (io::PipeReader, io::PipeWriter, std::thread::JoinHandle<io::Result<()>>) {
    let (reader, writer) = io::pipe().unwrap();
    let mut filler = writer.try_clone().unwrap();
    let filler = std::thread::spawn(move || filler.write_all(&vec![b'-'; 1 << 20]));
    (reader, writer, filler)
}

/// Starts a command with captured output.
fn piped(command: &mut Command) -> Child {
    let command = command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command.spawn().unwrap()
}

/// Returns true if this process ignores a signal, as under `nohup`: its children then ignore it as well.
fn is_ignored(number: u32) -> bool {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    let mask = line.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok());
    mask.unwrap_or_default() >> (number - 1) & 1 == 1
}

#[test]
fn an_interrupted_run_completes_all_outputs() {
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
fn an_interrupted_sweep_is_paused_and_continues_to_the_same_bytes() {
    let project = project();
    let args =
        ["sweep", "scenes/s.ron", "--seeds", "12", "--steps", "1000", "--measure", "speed", "--threads"];
    assert!(project.call(&[&args[..], &["2", "--out", "whole.csv"]].concat()).status.success());
    let child = piped(project.command(&args).args(["1", "--out", "t.csv"]));
    let rows = || fs::read_to_string(project.path("t.csv")).unwrap_or_default().lines().count();
    let give_up = Instant::now() + PATIENCE;
    while rows() < 2 {
        assert!(Instant::now() < give_up, "no row is written");
        std::thread::yield_now();
    }
    kill("INT", &child);
    let output = child.wait_with_output().unwrap();
    let paused = format!("paused after {} of 12 runs; the same command continues t.csv", rows() - 1);
    failed(&output, 130, &[&paused]);
    assert!(project.call(&[&args[..], &["1", "--out", "t.csv"]].concat()).status.success());
    assert_eq!(project.read("t.csv"), project.read("whole.csv"));
}

#[test]
fn a_watched_run_ends_in_order_at_any_step_length() {
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
fn a_second_interrupt_ends_the_program_at_once() {
    let project = project();
    // The pipe is full and has no reader: the run cannot end by itself.
    let (reader, writer, filler) = full_pipe();
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
fn a_run_under_nohup_survives_its_terminal() {
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

#[test]
#[cfg(target_os = "linux")]
fn one_signal_ends_a_program_that_waits_for_the_reader_of_a_pipe() {
    let project = project();
    assert!(Command::new("mkfifo").arg(project.path("f.png")).status().unwrap().success());
    let signals = [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 143)];
    for (signal, number, status) in signals.into_iter().filter(|(_, number, _)| !is_ignored(*number)) {
        for args in [
            &["run", "scenes/s.ron", "--trace", "f.png"][..],
            &["run", "scenes/s.ron", "--metrics", "f.png"],
            &["run", "scenes/s.ron", "--image", "f.png"],
            &["run", "scenes/s.ron", "--watch", "--events", "f.png"],
            &["scenes/s.ron", "--events", "f.png"],
        ] {
            let mut child = piped(&mut project.command(args));
            wait_until_handled(&child, number);
            kill(signal, &child);
            assert_eq!(ended(&mut child), Some(status), "{signal}, {args:?}");
            let said = stderr(&child.wait_with_output().unwrap());
            let unread = "steerbox: cannot write to f.png: nothing reads it\n";
            assert!(
                ["", "waiting for a reader of f.png\n"].contains(&said.strip_suffix(unread).unwrap()),
                "{said}"
            );
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_note_names_a_pipe_for_which_a_command_waits() {
    let project = project();
    assert!(Command::new("mkfifo").arg(project.path("f")).status().unwrap().success());
    for (args, note) in [
        (&["run", "scenes/s.ron", "--steps", "1", "--save-state", "f"][..], "waiting for a reader of f\n"),
        (&["plot", "f", "--out", "p.svg"], "waiting for a writer of f\n"),
    ] {
        let mut child = piped(&mut project.command(args));
        let mut line = String::new();
        let mut notes = io::BufReader::new(child.stderr.take().unwrap());
        io::BufRead::read_line(&mut notes, &mut line).unwrap();
        assert_eq!(line, note);
        kill("KILL", &child);
        child.wait().unwrap();
    }
}

#[test]
#[cfg(target_os = "linux")]
fn one_signal_ends_a_program_whose_output_is_not_read() {
    let project = project();
    let run = ["run", "scenes/s.ron", "--steps", "1000000000"];
    let signals = [("INT", 2, 130), ("TERM", 15, 143), ("HUP", 1, 143)];
    for (signal, number, status) in signals.into_iter().filter(|(_, number, _)| !is_ignored(*number)) {
        for (args, is_data) in [
            (&[&run[..], &["--trace", "-", "--metrics", "m.csv"]].concat()[..], true),
            (&[&run[..], &["--events", "-", "--metrics", "m.csv"]].concat(), true),
            (&["run", "scenes/s.ron", "--watch", "--events", "-", "--metrics", "m.csv"], true),
            (&["run", "scenes/s.ron", "--steps", "1", "--metrics", "m.csv"], false),
            (&["compare", "scenes/s.ron", "--steps", "1", "--with", "a.gather.gain=2"], false),
        ] {
            let (reader, writer, filler) = full_pipe();
            let mut command = project.command(args);
            let mut child = command.stdout(writer).stderr(Stdio::piped()).spawn().unwrap();
            drop(command);
            wait_until_handled(&child, number);
            kill(signal, &child);
            assert_eq!(ended(&mut child), Some(status), "{signal}, {args:?}");
            if is_data {
                let said = stderr(&child.wait_with_output().unwrap());
                contains(&said, &["interrupted after ", "cannot write to standard output: nothing reads it"]);
                assert!(project.read("m.csv").ends_with('\n'), "{signal}, {args:?}");
            }
            drop(reader);
            assert!(filler.join().unwrap().is_err());
        }
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_reader_that_paused_reads_whole_lines_later() {
    let project = project();
    let (reader, writer) = io::pipe().unwrap();
    let observer = writer.try_clone().unwrap();
    let mut command = project.command(&ENDLESS);
    let command = command.args(["--trace", "-", "--metrics", "m.csv"]).stdout(writer).stderr(Stdio::null());
    let mut child = command.spawn().unwrap();
    // The command shares the writing end with the test.
    *command = Command::new("true");
    let mut reader = io::BufReader::new(reader);
    let mut text = String::new();
    io::BufRead::read_line(&mut reader, &mut text).unwrap();
    wait_until_full(&observer);
    drop(observer);
    kill("TERM", &child);
    assert_eq!(ended(&mut child), Some(143));
    io::Read::read_to_string(&mut reader, &mut text).unwrap();
    assert!(text.ends_with('\n'));
    assert!(json_lines(&text).len() > 10);
}

#[test]
#[cfg(target_os = "linux")]
fn the_file_size_limit_is_an_error_after_a_whole_line() {
    let project = project();
    let program = env!("CARGO_BIN_EXE_steerbox");
    for (option, file) in [("--trace", "t.jsonl"), ("--metrics", "m.csv"), ("--image", "i.png")] {
        // 512 or 1024 bytes, depending on the shell.
        let script = format!("ulimit -f 1; exec '{program}' run scenes/s.ron --steps 50 {option} {file}");
        let mut command = Command::new("sh");
        let output = command.args(["-c", &script]).current_dir(project.path("")).output().unwrap();
        failed(&output, 1, &[&format!("cannot write to {file}: file too large\n")]);
        contains(&stdout(&output), &["hash: "]);
        if option == "--image" {
            assert!(!project.path(file).exists(), "a picture is complete, or missing");
            continue;
        }
        let text = project.read(file);
        assert!(text.len() <= 1024 && text.ends_with('\n') && text.lines().count() > 1, "{text}");
    }
    assert!(json_lines(&project.read("t.jsonl")).len() > 1);
    let run = "sweep scenes/s.ron --steps 1 --measure polarization --quiet --seeds 800 --out";
    assert!(project.call(&[&run.split(' ').collect::<Vec<_>>()[..], &["all.csv"]].concat()).status.success());
    for args in [format!("{run} w.csv"), "merge all.csv --out w.csv".to_owned()] {
        let script = format!("ulimit -f 20; exec '{program}' {args}");
        let mut command = Command::new("sh");
        let output = command.args(["-c", &script]).current_dir(project.path("")).output().unwrap();
        failed(&output, 1, &["cannot write", "w.csv: ", "ile too large"]);
    }
    let script = format!("ulimit -f 1; exec '{program}' new birds");
    let mut command = Command::new("sh");
    let output = command.args(["-c", &script]).current_dir(project.path("")).output().unwrap();
    failed(&output, 1, &["no project was written"]);
    assert!(project.call(&["new", "birds"]).status.success(), "a second attempt finds no rest of the first");
}
