//! What the program writes, where, and what it says when it cannot.

use std::fs::{self, File};
use std::io;

use serde_json::Value;

use crate::desk::{Desk, hash, stderr, stdout};

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_that_names_the_output() {
    let desk = Desk::new();
    for output in ["--trace", "--metrics", "--events", "--image"] {
        let output = desk.run(&[output, "/dev/full", "--quiet"]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.ends_with("/dev/full: no space left on device\n"),
            "{text}"
        );
        assert!(stdout(&output).starts_with("hash: "), "the rest is written");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn so_it_is_on_standard_output_whatever_the_command() {
    let desk = Desk::new();
    desk.save("scripts/turn.rhai", "fn steer(me, world) { zork }");
    let commands: [&[&str]; 12] = [
        &["run", "scenes/s.ron", "--steps", "1"],
        &["run", "scenes/s.ron", "--steps", "1", "--quiet"],
        &["run", "scenes/s.ron", "--steps", "1", "--trace", "-"],
        &["run", "scenes/s.ron", "--steps", "1", "--events", "-"],
        &["check", "scripts/gather.rhai"],
        &["check", "--format", "json", "scripts"],
        &["list"],
        &["new", "fresh"],
        &["definitions", "defs"],
        &["completions", "bash"],
        &["man"],
        &["version"],
    ];
    for args in commands
        .into_iter()
        .chain([&["--help"][..], &["run", "-h"], &["--version"]])
    {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = desk.command(args).stdout(full).output().unwrap();
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{args:?}: {text}");
        let reason = "standard output: no space left on device\n";
        assert!(text.ends_with(reason), "{args:?}: {text}");
    }
}

#[test]
fn where_the_reader_has_gone_nothing_is_said() {
    let desk = Desk::new();
    let commands: [&[&str]; 4] = [
        &["list"],
        &["check", "scenes"],
        &["--help"],
        &["run", "scenes/s.ron", "--trace", "-", "--metrics", "m.csv"],
    ];
    for args in commands {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = desk.command(args).stdout(writer).output().unwrap();
        assert_eq!(
            output.status.code(),
            Some(141),
            "{args:?}: {}",
            stderr(&output)
        );
        assert_eq!(stderr(&output), "", "{args:?}");
    }
    let metrics = fs::read_to_string(desk.path("m.csv")).unwrap();
    assert!(metrics.ends_with('\n'), "the other outputs are whole");
}

#[test]
fn data_on_standard_output_is_data_alone() {
    let desk = Desk::new();
    let plain = hash(&desk.run(&[]));
    let told = format!("hash: {plain}\n");

    let output = desk.run(&["--trace", "-"]);
    assert!(stderr(&output).ends_with(&told), "{}", stderr(&output));
    let rows = stdout(&output);
    let rows = rows
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap());
    assert_eq!(rows.count(), 21 * 20);

    let output = desk.run(&["--metrics", "-"]);
    assert!(stderr(&output).ends_with(&told), "{}", stderr(&output));
    let rows = stdout(&output);
    assert!(
        rows.starts_with("step,") && rows.lines().count() == 22,
        "{rows}"
    );
    assert!(
        rows.lines().all(|row| row.split(',').count() == 8),
        "{rows}"
    );

    let output = desk.run(&["--events", "-"]);
    assert!(
        stderr(&output).contains(" steps/s\n"),
        "{}",
        stderr(&output)
    );
    let text = stdout(&output);
    let events = text.strip_suffix(&told).unwrap();
    assert!(events.lines().count() > 1);
    for event in events.lines() {
        serde_json::from_str::<Value>(event).unwrap();
    }
    assert!(!desk.path("-").exists());

    let output = desk.run(&["--metrics", "-", "--events", "-"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("--metrics -") && text.contains("--events -"),
        "{text}"
    );
}

#[test]
fn pictures_are_png_files_and_others_are_refused_before_the_run() {
    let desk = Desk::new();
    for name in ["foo.gif", "foo.svg", "foo"] {
        let output = desk.run(&["--image", name]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(
            text.contains(name) && text.contains("ends in .png"),
            "{text}"
        );
        assert_eq!(
            (stdout(&output).as_str(), desk.path(name).exists()),
            ("", false)
        );
    }
    let output = desk.run(&["--image", "none/foo.png"]);
    assert!(
        stderr(&output).contains("cannot write none/foo.png"),
        "{}",
        stderr(&output)
    );
    assert!(desk.run(&["--image", "foo.PNG"]).status.success());
}

#[test]
fn a_quiet_run_prints_the_hash_alone() {
    let desk = Desk::new();
    let output = desk.run(&["--quiet"]);
    let told = format!("hash: {}\n", hash(&output));
    assert_eq!((stdout(&output), stderr(&output)), (told, String::new()));
}
