//! The command line: messages for invalid arguments, and help.

use super::{GATHER, project, run};
use crate::common::project::{contains, failed, hash, stdout};

#[test]
fn an_invalid_argument_is_reported_with_flag_value_and_expectation() {
    let project = project();
    for (flag, value, expected) in [
        ("--seed", "abc", "expected a whole number from 0 to 18446744073709551615"),
        ("--steps", "1.5", "expected a whole number from 0"),
        ("--seed", "-1", "expected a whole number from 0"),
        ("--threads", "0", "expected a whole number from 1 to 1024"),
    ] {
        let output = project.call(&["run", "s", flag, value]);
        failed(&output, 2, &[flag, value, expected]);
    }
    let mut threads = project.command(&["run", "s"]);
    let output = threads.env("RAYON_NUM_THREADS", "10000").output().expect("a run");
    failed(&output, 2, &["RAYON_NUM_THREADS", "at most 1024"]);
    let output = project.call(&["--scale", "9"]);
    failed(&output, 2, &["'9' for '--scale", "from 0.5 to 4"]);
}

#[test]
fn an_invalid_setting_is_reported_with_the_alternatives() {
    let project = project();
    for (setting, message) in [
        ("b.gather.REACH=5", "did you mean \"a\""),
        ("zzz.gather.gain=1", "the scene has no group called \"zzz\": it has a"),
        ("a.gathr.REACH=5", "did you mean \"gather\""),
        ("a.nope.gain=1", "group a has no behavior called \"nope\": it has gather, turn"),
        ("a.turn#3.gain=1", "group a uses turn 2 times, not 3"),
        ("a.gather.REACHH=5", "did you mean \"REACH\""),
        (
            "a.gather.gian=1",
            "a.gather.gian=1: behavior gather has no parameter called \"gian\": did you mean \"gain\"?",
        ),
        ("a.gather.zzz=1", "it has REACH, gain, enabled"),
        ("a.gather.reach=500", "a.gather.reach=500: REACH is 500, but the script allows 1 to 90"),
        ("a.gather.REACH=Normal(100, 2)", "REACH is 100, but the script allows 1 to 90"),
        (
            "a.gather.REACH=Normal(40)",
            "REACH has a faulty distribution: `Normal` needs two numbers: Normal(mean, deviation)",
        ),
        (
            "a.gather.REACH=Normal(40, -2)",
            "REACH has a faulty distribution: `deviation` must not be negative",
        ),
        (
            "a.gather.REACH=Choice(1, 2)",
            "REACH has a faulty distribution: `Choice` needs a list of values: Choice([-1, 1])",
        ),
        (
            "a.gather.REACH=Gauss(40, 2)",
            "REACH has a faulty distribution: Gauss(40, 2) is not a distribution: expected Normal",
        ),
        ("a.gather.REACH=wide", "REACH must be a number, not wide"),
    ] {
        failed(&run(&project, &["--set", setting]), 1, &["--set", message]);
    }
}

#[test]
fn invalid_and_contradictory_arguments_have_exit_status_2() {
    let project = project();
    for (args, part) in [
        (&["--set", "x"][..], "invalid value 'x' for '--set"),
        (&["--set", ""], "--set"),
        (&["--set", "a.gather.gain"], "expected GROUP.SCRIPT.PARAM=V"),
        (&["--set", "a.gather.gain=NaN"], "gain must be a number"),
        (&["--set", "a.gather.gain=wide"], "gain must be a number"),
        (&["--set", "a.gather.gain=Normal(1, 0.2)"], "params: {\"WEIGHT\": Normal(1, 0.2)}"),
        (&["--set", "a.gather.enabled=3"], "enabled must be true or false"),
        (&["--trace", ""], "--trace"),
        (&["--trace", "a", "--metrics", "a"], "--metrics a is the same file as --trace a"),
        (&["--trace", "a.rhai"], "would be a script"),
        (&["--metrics", "a.ron"], "would be a scene"),
        (&["--image", "hl2"], "ends in .png"),
        (&["--trace", "-", "--metrics", "-"], "only one of them can go to standard output"),
        (&["--steps", "-1"], "expected a whole number"),
        (&["--steps", "1", "--steps", "2"], "cannot be used multiple times"),
        (&["--zork"], "--zork"),
        (&["more"], "more"),
    ] {
        let output = project.call(&[&["run", "scenes/s.ron"], args].concat());
        failed(&output, 2, &[part]);
    }
    for args in [
        &["compare", "scenes/s.ron"][..],
        &["compare", "scenes/s.ron", "--with", "x"],
        &["explain", "scenes/s.ron", "--unit", "0", "--step", "1", "--set", "x"],
        &["scenes/s.ron", "--set", "x"],
        &["scenes/s.ron", "--events", "a.ron"],
        &["scenes/s.ron", "list"],
        &["--history", "x"],
        &["new"],
    ] {
        failed(&project.call(args), 2, &[]);
    }
    assert!(!project.path("a").exists());
}

#[test]
fn parameters_may_be_spelled_as_in_the_panel() {
    let project = project();
    project.save("scripts/gather.rhai", &GATHER.replace("REACH", "FAR_REACH"));
    let set = |setting: &str| hash(&run(&project, &["--set", setting]));
    let exact = set("a.gather.FAR_REACH=5");
    assert_ne!(exact, hash(&run(&project, &[])));
    for spelled in ["far_reach", "far reach", "Far-Reach"] {
        assert_eq!(set(&format!("a.gather.{spelled}=5")), exact, "{spelled}");
    }
}

#[test]
fn every_command_has_examples_and_its_exit_status_in_the_help() {
    let project = project();
    let said = |args: &[&str]| stdout(&project.call(args));
    let commands = ["run", "explain", "compare", "check", "list", "new", "lsp", "completions", "man"];
    for command in commands {
        contains(&said(&[command, "--help"]), &["Examples:\n  steerbox "]);
    }
    contains(&said(&["--help"]), &["Exit status:\n  0 "]);
    for command in ["run", "explain", "compare", "check"] {
        contains(&said(&[command, "--help"]), &["Exit status:\n  0 "]);
    }
    for shell in ["bash", "zsh", "fish", "elvish", "powershell"] {
        contains(&said(&["completions", shell]), &commands);
    }
    let names = commands.map(str::to_uppercase);
    let page = said(&["man"]);
    contains(&page, &[".TH steerbox 1"]);
    contains(&page, &names.each_ref().map(String::as_str));
    let version = format!("steerbox {}\n", env!("CARGO_PKG_VERSION"));
    assert_eq!(said(&["version"]), version);
}

#[test]
fn a_project_is_written_completely_or_not_at_all() {
    let project = project();
    project.save("fresh/scripts/wander.rhai", "mine");
    let refused = ["new", "fresh", "--all"];
    project.refuses(&refused, &["wander.rhai is there already: nothing was written"]);
    assert!(!project.path("fresh/README.md").exists());
    let help = stdout(&project.call(&["new", "--help"]));
    contains(&help, &["nothing is written if it already has a file"]);
    assert!(project.call(&["new", "other"]).status.success());
    contains(&project.read("other/README.md"), &["steerbox list", "steerbox doorway"]);
    for file in ["scripts/together.rhai", ".gitignore", ".helix/languages.toml", ".nvim.lua"] {
        assert!(!project.read(&format!("other/{file}")).is_empty());
    }
    contains(
        &project.read("other/.gitignore"),
        &["*.csv", "*.mp4", "*.gif", "*.html", "*.replay", "*.state"],
    );
    assert!(!project.path("other/scripts/wander.rhai").exists());
    assert!(project.call(&["new", "all", "--all"]).status.success());
    assert!(
        project.path("all/scripts/wander.rhai").exists()
            && project.path("all/scripts/steering.rhai").exists()
    );
}
