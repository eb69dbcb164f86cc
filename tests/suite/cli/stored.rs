//! States, pictures and replays: a run continues and repeats elsewhere, and damaged files are errors.

use std::fs;

use crate::common::project::{ProjectDir, contains, failed, stderr, stdout};

const SCENE: &str = "(world: Plane(size: (90, 60)), bodies: {\"m\": Mover(length: 1)}, views: {\"near\": Limited(radius: 20)},
    groups: [(name: \"a\", body: \"m\", count: 12, view: \"near\", behaviors: [(script: \"turn\")])])";
const TURN: &str = "const GAIN = param(0.3, 0.0, 1.0); const MEMORY = #{ angle: 0.0 };
fn steer(me, world) { this.angle += me.random(); vec(cos(this.angle), sin(this.angle)) * GAIN }";

fn project() -> ProjectDir {
    ProjectDir::with(&[("scenes/s.ron", SCENE), ("scripts/turn.rhai", TURN)])
}

/// The same, with parameters and bodies that differ by unit.
fn varied() -> ProjectDir {
    let scene = SCENE
        .replace("Mover(length: 1)", "Mover(length: Normal(1, 0.2), max_speed: Uniform(4, 8))")
        .replace("\"turn\")", "\"turn\", params: {\"GAIN\": Normal(0.3, 0.1)})");
    ProjectDir::with(&[("scenes/s.ron", &scene), ("scripts/turn.rhai", TURN)])
}

#[test]
fn states_and_pictures_continue_a_run_from_any_folder() {
    continues(&project(), "a.turn.GAIN=0.7");
}

#[test]
fn states_and_pictures_of_units_that_differ_continue_a_run() {
    continues(&varied(), "a.turn.GAIN=0.7");
    continues(&varied(), "a.turn.GAIN=Uniform(0.2, 0.9)");
}

/// Checks that a run with a setting continues from its state and its pictures.
fn continues(project: &ProjectDir, setting: &str) {
    let set = ["--set", setting, "--seed", "9"];
    let run = |more: &[&str]| project.hash(&[&["run", "scenes/s.ron", "-q"], &set[..], more].concat());
    let (half, whole) = (run(&["--steps", "40"]), run(&["--steps", "90"]));
    let outputs = ["--save-state", "a.state", "--record", "a.png", "--image", "b.png"];
    assert_eq!(run(&[&["--steps", "40"], &outputs[..]].concat()), half);
    let elsewhere = ProjectDir::with(&[]);
    for name in ["a.state", "a.png", "b.png"] {
        fs::copy(project.path(name), elsewhere.path(name)).unwrap();
        assert_eq!(elsewhere.hash(&["run", name, "-q", "--steps", "0"]), half, "{name}");
        assert_eq!(elsewhere.hash(&["run", name, "-q", "--steps", "50"]), whole, "{name}");
        assert_eq!(elsewhere.hash(&["run", name, "-q", "--steps", "50", "--interpret"]), whole, "{name}");
    }
    assert_eq!(project.hash(&["run", "scenes/s.ron", "--from", "a.state", "-q", "--steps", "50"]), whole);
    // The number of steps is that of this run.
    let ten = elsewhere.hash(&["run", "a.state", "-q", "--steps", "10"]);
    assert_eq!(elsewhere.hash(&["run", "a.state", "-q", "--steps", "10", "--watch"]), ten);
    let summary = stdout(&elsewhere.call(&["run", "a.state", "--steps", "10"]));
    assert!(summary.starts_with("10 steps of 12 units in"), "{summary}");
    failed(&project.call(&["run", "a.state", "--seed", "3"]), 2, &["--seed: the state has the seed"]);
}

#[test]
fn changed_rules_are_a_choice_of_the_user() {
    let project = project();
    project.hash(&["run", "scenes/s.ron", "-q", "--steps", "40", "--save-state", "a.state"]);
    let then = project.hash(&["run", "a.state", "-q", "--steps", "20"]);
    project.save("scripts/turn.rhai", &TURN.replace("me.random()", "0.5"));
    let from = ["run", "scenes/s.ron", "--from", "a.state", "-q", "--steps", "20"];
    failed(
        &project.call(&from),
        2,
        &["not as they were when it was saved: turn.rhai", "--rules now", "--rules then"],
    );
    let with = |rules| project.hash(&[&from[..], &["--rules", rules]].concat());
    assert_eq!(with("then"), then);
    assert_ne!(with("now"), then);
    assert_eq!(with("now"), with("now"));
    // For the window, the option concerns moments only.
    let window = project.call(&["scenes/s.ron", "--rules", "now"]);
    failed(&window, 2, &["--rules: scenes/s.ron is neither a state nor a picture"]);
    fs::remove_file(project.path("scenes/s.ron")).expect("the scene is there");
    failed(&project.call(&["a.state", "--rules", "now"]), 1, &["--rules now: there is no scene s.ron here"]);
}

#[test]
fn a_replay_reproduces_a_run_and_names_the_first_difference() {
    [project(), varied()].iter().for_each(reproduces);
}

/// Checks that replays of a project reproduce its runs.
fn reproduces(project: &ProjectDir) {
    let run = project.hash(&["run", "scenes/s.ron", "-q", "--steps", "120", "--replay", "a.replay"]);
    for more in [&["--threads", "1"][..], &["--threads", "3"], &["--interpret"]] {
        assert_eq!(project.hash(&[&["replay", "a.replay", "--headless"], more].concat()), run);
    }
    fs::copy(project.path("a.replay"), project.path("b.replay")).unwrap();
    let other = ["run", "scenes/s.ron", "-q", "--steps", "0", "--replay", "c.replay"];
    assert_eq!(project.hash(&["replay", "b.replay", "--headless", "-q"]), run);
    let start = project.hash(&other);
    assert_eq!(project.hash(&["replay", "c.replay", "--headless"]), start);
    failed(&project.call(&["run", "a.replay"]), 1, &["is a replay: `steerbox replay a.replay`"]);
}

#[test]
fn damaged_and_foreign_files_are_errors_of_their_own() {
    let project = project();
    let outputs = ["--save-state", "a.state", "--record", "a.png", "--replay", "a.replay"];
    project.hash(&[&["run", "scenes/s.ron", "-q", "--steps", "9"], &outputs[..]].concat());
    let changed = |from: &str, to: &str, change: &dyn Fn(&mut Vec<u8>)| {
        let mut bytes = fs::read(project.path(from)).unwrap();
        change(&mut bytes);
        fs::write(project.path(to), bytes).unwrap();
    };
    let refused = |args: &[&str], reason: &str| failed(&project.call(args), 1, &[reason]);
    changed("a.state", "b.state", &|bytes| bytes.truncate(bytes.len() / 2));
    refused(&["run", "b.state"], "the file ends early");
    changed("a.state", "b.state", &|bytes| bytes[9] = 7);
    refused(&["run", "b.state"], "has format 7");
    changed("a.replay", "b.replay", &|bytes| *bytes.last_mut().unwrap() ^= 1);
    refused(&["replay", "b.replay", "--headless"], "its checksum does not match");
    refused(&["replay", "a.state", "--headless"], "this is a state, not a replay");
    refused(&["replay", "scenes/s.ron", "--headless"], "neither a state nor a replay");
    changed("a.png", "b.png", &|bytes| bytes.truncate(200));
    refused(&["run", "b.png"], "the picture is damaged");
    changed("a.png", "b.png", &|bytes| {
        let at = bytes.windows(8).position(|window| window == b"steerbox").unwrap();
        bytes[at] = b'x';
    });
    let output = project.call(&["run", "b.png"]);
    assert_eq!(output.status.code(), Some(1));
    contains(&stderr(&output), &["cannot open b.png"]);
}
