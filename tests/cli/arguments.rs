//! The command line itself: what it says of bad arguments, and of itself.

use crate::desk::{Desk, GATHER, hash, stderr, stdout};

#[test]
fn an_argument_that_does_not_read_names_flag_value_and_what_is_expected() {
    let desk = Desk::new();
    for (flag, value, expected) in [
        (
            "--seed",
            "abc",
            "expected a whole number from 0 to 18446744073709551615",
        ),
        ("--steps", "1.5", "expected a whole number from 0"),
        ("--seed", "-1", "expected a whole number from 0"),
        ("--threads", "0", "expected a whole number from 1 to 1024"),
    ] {
        let output = desk.call(&["run", "s", flag, value]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(2), "{text}");
        for part in [flag, value, expected] {
            assert!(text.contains(part), "{part}: {text}");
        }
    }
    let text = stderr(&desk.call(&["--scale", "9"]));
    assert!(
        text.contains("'9' for '--scale") && text.contains("from 0.5 to 4"),
        "{text}"
    );
}

#[test]
fn a_setting_that_does_not_fit_says_what_was_looked_for_and_where() {
    let desk = Desk::new();
    for (setting, message) in [
        (
            "a.gather.gian=1",
            "--set a.gather.gian=1: behavior gather has no parameter called \"gian\": did you mean \"gain\"?",
        ),
        ("a.gather.zzz=1", "it has REACH, gain, enabled"),
        (
            "a.gather.gain=wide",
            "--set a.gather.gain=wide: gain must be a number",
        ),
        (
            "a.gather.enabled=3",
            "--set a.gather.enabled=3: enabled must be true or false",
        ),
        (
            "a.gather.reach=500",
            "--set a.gather.reach=500: REACH is 500, but the script allows 1 to 90",
        ),
        (
            "a.nope.gain=1",
            "group a has no behavior called \"nope\": it has gather, turn",
        ),
        (
            "zzz.gather.gain=1",
            "the scene has no group called \"zzz\": it has a",
        ),
        ("a.turn#3.gain=1", "group a uses turn 2 times, not 3"),
        (
            "a.gather.gain",
            "--set a.gather.gain: expected GROUP.SCRIPT.PARAM=V",
        ),
    ] {
        let output = desk.run(&["--set", setting]);
        let text = stderr(&output);
        assert_eq!(output.status.code(), Some(1), "{text}");
        assert!(text.contains(message), "{setting}: {text}");
    }
}

#[test]
fn parameters_may_be_spelled_as_the_panel_shows_them() {
    let desk = Desk::new();
    desk.save("scripts/gather.rhai", &GATHER.replace("REACH", "FAR_REACH"));
    let set = |setting: &str| hash(&desk.run(&["--set", setting]));
    let exact = set("a.gather.FAR_REACH=5");
    assert_ne!(exact, hash(&desk.run(&[])));
    for spelled in ["far_reach", "far reach", "Far-Reach"] {
        assert_eq!(set(&format!("a.gather.{spelled}=5")), exact, "{spelled}");
    }
}

#[test]
fn every_command_has_examples_and_says_how_it_ends() {
    let desk = Desk::new();
    let commands = [
        "run",
        "check",
        "list",
        "new",
        "definitions",
        "completions",
        "man",
    ];
    for command in commands {
        let text = stdout(&desk.call(&[command, "--help"]));
        assert!(text.contains("Examples:\n  steerbox "), "{text}");
    }
    for args in [&["--help"][..], &["run", "--help"], &["check", "--help"]] {
        let text = stdout(&desk.call(args));
        assert!(text.contains("Exit status:\n  0 "), "{text}");
    }
    let page = stdout(&desk.call(&["man"]));
    assert!(page.contains(".TH steerbox 1"), "{page}");
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        let script = stdout(&desk.call(&["completions", shell]));
        assert!(
            commands.iter().all(|command| script.contains(command)),
            "{shell}"
        );
    }
    for command in commands {
        assert!(page.contains(&command.to_uppercase()), "{command}: {page}");
    }
    let version = format!("steerbox {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(stdout(&desk.call(&["version"])), version);
}

#[test]
fn a_project_is_written_whole_or_not_at_all() {
    let desk = Desk::new();
    desk.save("fresh/scripts/wander.rhai", "mine");
    let output = desk.call(&["new", "fresh"]);
    assert_eq!(output.status.code(), Some(1));
    let text = stderr(&output);
    assert!(
        text.contains("wander.rhai is there already: nothing was written"),
        "{text}"
    );
    assert!(!desk.path("fresh/README.md").exists());
    let help = stdout(&desk.call(&["new", "--help"]));
    assert!(help.contains("there already, nothing is written"), "{help}");
    assert!(desk.call(&["new", "other"]).status.success());
    let readme = std::fs::read_to_string(desk.path("other/README.md")).unwrap();
    assert!(readme.contains("steerbox list") && readme.contains("steerbox doorway"));
}
