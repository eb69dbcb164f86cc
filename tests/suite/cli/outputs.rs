//! Outputs of the program, and errors of outputs.

use std::fs::File;
use std::io;

use super::{project, run};
use crate::common::project::{contains, failed, hash, json_lines, stderr, stdout};

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_that_names_the_output() {
    let project = project();
    for output in ["--trace", "--metrics", "--events", "--image"] {
        let output = run(&project, &[output, "/dev/full", "--quiet"]);
        let text = failed(&output, 1, &["/dev/full: no space left on device\n"]);
        assert!(text.ends_with("device\n"), "{text}");
        assert!(stdout(&output).starts_with("hash: "), "the rest is written");
    }
}

#[test]
#[cfg(target_os = "linux")]
fn a_full_disk_is_an_error_on_standard_output_for_every_command() {
    let project = project();
    project.save("scripts/turn.rhai", "fn steer(me, world) { zork }");
    let commands: [&[&str]; 14] = [
        &["run", "scenes/s.ron", "--steps", "1"],
        &["run", "scenes/s.ron", "--steps", "1", "--quiet"],
        &["run", "scenes/s.ron", "--steps", "1", "--trace", "-"],
        &["run", "scenes/s.ron", "--steps", "1", "--events", "-"],
        &["check", "scripts/gather.rhai"],
        &["check", "--format", "json", "scripts"],
        &["list"],
        &["new", "fresh"],
        &["completions", "bash"],
        &["man"],
        &["version"],
        &["--help"],
        &["run", "-h"],
        &["--version"],
    ];
    for args in commands {
        let full = File::options().write(true).open("/dev/full").unwrap();
        let output = project.command(args).stdout(full).output().unwrap();
        let text = failed(&output, 1, &[]);
        let reason = "standard output: no space left on device\n";
        assert!(text.ends_with(reason), "{args:?}: {text}");
    }
}

#[test]
fn a_closed_pipe_causes_no_message() {
    let project = project();
    let commands: [&[&str]; 4] = [
        &["list"],
        &["check", "scenes"],
        &["--help"],
        &["run", "scenes/s.ron", "--trace", "-", "--metrics", "m.csv"],
    ];
    for args in commands {
        let (reader, writer) = io::pipe().unwrap();
        drop(reader);
        let output = project.command(args).stdout(writer).output().unwrap();
        assert_eq!(failed(&output, 141, &[]), "", "{args:?}");
    }
    assert!(project.read("m.csv").ends_with('\n'), "the other outputs are whole");
}

#[test]
fn data_on_standard_output_is_not_mixed_with_messages() {
    let project = project();
    let last = format!("hash: {}\n", hash(&run(&project, &[])));
    let data = |output: &str| {
        let output = run(&project, &[output, "-"]);
        (stdout(&output), stderr(&output))
    };
    let (rows, said) = data("--trace");
    assert!(said.ends_with(&last), "{said}");
    assert_eq!(json_lines(&rows).len(), 21 * 20);

    let (rows, said) = data("--metrics");
    assert!(said.ends_with(&last), "{said}");
    assert!(rows.starts_with("step,") && rows.lines().count() == 22, "{rows}");
    assert!(rows.lines().all(|row| row.split(',').count() == 11), "{rows}");

    let (events, said) = data("--events");
    contains(&said, &[" steps/s\n"]);
    assert!(json_lines(events.strip_suffix(&last).unwrap()).len() > 1);
    assert!(!project.path("-").exists());

    let both = run(&project, &["--metrics", "-", "--events", "-"]);
    failed(&both, 2, &["--metrics -", "--events -"]);
}

#[test]
fn pictures_are_png_files_and_other_names_are_rejected_before_the_run() {
    let project = project();
    for name in ["foo.gif", "foo.svg", "foo"] {
        let output = run(&project, &["--image", name]);
        failed(&output, 2, &[name, "ends in .png"]);
        assert_eq!((stdout(&output).as_str(), project.path(name).exists()), ("", false));
    }
    let output = run(&project, &["--image", "none/foo.png"]);
    contains(&stderr(&output), &["cannot write to none/foo.png"]);
    assert!(run(&project, &["--image", "foo.PNG"]).status.success());
}

#[test]
fn a_quiet_run_prints_only_the_hash() {
    let output = run(&project(), &["--quiet"]);
    let last = format!("hash: {}\n", hash(&output));
    assert_eq!((stdout(&output), stderr(&output)), (last, String::new()));
}

#[test]
#[cfg(unix)]
fn a_closed_standard_output_is_an_error_and_a_discarded_one_is_not() {
    let project = project();
    let commands: [&[&str]; 10] = [
        &["run", "scenes/s.ron", "--steps", "1"],
        &["run", "scenes/s.ron", "--steps", "1", "--trace", "-"],
        &["run", "scenes/s.ron", "--steps", "1", "--events", "-"],
        &["scenes/s.ron", "--events", "-"],
        &["explain", "scenes/s.ron", "--unit", "0", "--step", "1"],
        &["compare", "scenes/s.ron", "--steps", "1", "--with", "a.gather.gain=0.5"],
        &["check"],
        &["list"],
        &["--help"],
        &["version"],
    ];
    let redirected = |args: &[&str], to: &str| {
        let script = format!("exec '{}' \"$@\" {to}", env!("CARGO_BIN_EXE_steerbox"));
        let mut command = project.command(&[]);
        let environment: Vec<_> =
            command.get_envs().map(|(name, value)| (name.to_owned(), value.map(ToOwned::to_owned))).collect();
        command = std::process::Command::new("sh");
        for (name, value) in environment {
            match value {
                Some(value) => command.env(name, value),
                None => command.env_remove(name),
            };
        }
        command.args(["-c", &script, "sh"]).args(args).current_dir(project.path("")).output().unwrap()
    };
    for args in commands {
        let output = redirected(args, ">&-");
        let text = failed(&output, 1, &[]);
        assert!(text.ends_with("cannot write to standard output: it is closed\n"), "{args:?}: {text}");
    }
    for args in commands.into_iter().filter(|args| args[0] != "scenes/s.ron") {
        for to in [">/dev/null", "1<>/dev/null"] {
            assert_eq!(redirected(args, to).status.code(), Some(0), "{args:?} {to}");
        }
    }
}
