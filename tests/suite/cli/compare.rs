//! `steerbox compare`: the first difference of two runs is that of their traces.

use std::process::Output;
use std::sync::atomic::AtomicBool;

use serde_json::{Value, json};
use steerbox_core::sim::Simulation;
use steerbox_project::reload::Place;
use steerbox_project::session::{Options, Session, parse_setting};

use super::{GATHER, TURN, project};
use crate::common::project::{PATIENCE, ProjectDir, contains, failed, json_lines, stdout};

fn compare(project: &ProjectDir, more: &[&str]) -> Output {
    project.call(&[&["compare", "scenes/s.ron", "--steps", "30"], more].concat())
}

fn trace(project: &ProjectDir, more: &[&str]) -> Vec<Value> {
    let output = project
        .call(&[&["run", "scenes/s.ron", "--steps", "30", "--trace", "t.jsonl", "--quiet"], more].concat());
    assert!(output.status.success());
    json_lines(&project.read("t.jsonl"))
}

#[test]
fn figures_of_the_player_are_listed_where_they_differ() {
    let project = project();
    let player =
        "(player: (body: \"m\", spawn: At([(position: (9, 9))]), behaviors: [(script: \"turn\")]), world";
    project.save("scenes/s.ron", &super::SCENE.replacen("(world", player, 1));
    for seeds in [&[][..], &["--seeds", "2"]] {
        let text = |change| stdout(&compare(&project, &[seeds, &["--with", change]].concat()));
        let (other, own) = (text("a.turn.gain=3"), text("player.turn.gain=3"));
        assert!(other.contains("a speed") && !other.contains("player speed"), "{other}");
        contains(&own, &["player speed"]);
        assert!(!own.contains("player count"), "{own}");
    }
}

#[test]
fn the_first_difference_is_that_of_the_traces() {
    let project = project();
    for setting in ["a.gather.REACH=20", "a.turn#2.enabled=false", "a.gather.gain=0.6"] {
        let (plain, other) = (trace(&project, &[]), trace(&project, &["--set", setting]));
        let state = |row: &Value| (row["position"].clone(), row["velocity"].clone(), row["marks"].clone());
        let at = plain.iter().zip(&other).position(|(a, b)| state(a) != state(b)).unwrap();
        let (a, b) = (&plain[at], &other[at]);
        let output = compare(&project, &["--with", setting, "--format", "json"]);
        assert_eq!(output.status.code(), Some(1));
        let found: Value = serde_json::from_str(&stdout(&output)).unwrap();
        let first = &found["first"];
        assert_eq!([&first["step"], &first["unit"]], [&a["step"], &a["unit"]], "{setting}");
        assert_eq!(first["position"], json!([a["position"], b["position"]]), "{setting}");
        let rule = &first["rule"]["script"];
        assert_eq!(rule, setting.split('.').nth(1).unwrap(), "{setting}");
        if setting.contains("REACH") {
            let steering = [&a["steering"]["gather"], &b["steering"]["gather"]];
            assert_eq!(first["rule"]["contribution"], json!(steering));
        }
        let text = stdout(&compare(&project, &["--with", setting]));
        let line = format!("first difference: step {}, unit {} of a, rule {}\n", a["step"], a["unit"], rule);
        assert!(text.starts_with(&line.replace('"', "")), "{text}");
        contains(&text, &["a polarization", "after 30 steps", "the farthest"]);
    }
}

#[test]
fn runs_without_a_difference_are_reported_as_such() {
    let project = project();
    project.save("other/gather.rhai", GATHER);
    project.save("other/turn.rhai", &format!("// The same.\n{TURN}"));
    for more in [["--with", "a.gather.gain=0.5"], ["--with-scripts", "other"]] {
        let output = compare(&project, &more);
        assert_eq!((output.status.code(), &*stdout(&output)), (Some(0), "no difference in 30 steps\n"));
    }
}

#[test]
fn other_scripts_diverge_at_their_first_different_effect() {
    let project = project();
    let late = TURN.replace("me.random", "if world.time > 0.2 { me.mark(\"late\"); } me.random");
    project.save("other/turn.rhai", &late);
    let text = failed(&compare(&project, &["--with-scripts", "other"]), 1, &[]);
    assert!(text.is_empty(), "{text}");
    let text = stdout(&compare(&project, &["--with-scripts", "other"]));
    // Only a mark differs: no rule has another contribution.
    assert!(text.starts_with("first difference: step 14, unit 0 of a\n"), "{text}");
}

#[test]
fn errors_name_the_argument() {
    let project = project();
    failed(&compare(&project, &["--with", "a.gather.RAECH=20"]), 1, &["--with a.gather.RAECH=20", "REACH"]);
    failed(
        &compare(&project, &["--with", "gain=1"]),
        2,
        &["'gain=1' for '--with", "expected GROUP.SCRIPT.PARAM=V"],
    );
    failed(&compare(&project, &["--with-scripts", "none"]), 1, &["--with-scripts none", "no such folder"]);
    failed(&compare(&project, &[]), 2, &["--with"]);
}

#[test]
fn memory_is_compared_by_behavior() {
    let project = project();
    let counts = |text: &str| {
        let counting = text.replace("(me, world) {", "(me, world) { this.count += 1.0;");
        format!("const MEMORY = #{{ count: 0.0 }};\n{counting}")
    };
    project.save("scripts/turn.rhai", &counts(TURN));
    // Before `turn`, with memory of the same layout.
    project.save("other/gather.rhai", &counts(GATHER).replace("1.0", "2.0"));
    let output = compare(&project, &["--with-scripts", "other"]);
    assert_eq!((output.status.code(), &*stdout(&output)), (Some(0), "no difference in 30 steps\n"));
    project.save("other/turn.rhai", &counts(TURN).replace("1.0", "2.0"));
    let text = stdout(&compare(&project, &["--with-scripts", "other"]));
    assert!(text.starts_with("first difference: step 1, unit 0 of a\n"), "{text}");
}

#[test]
fn two_runs_in_the_window_equal_those_of_the_command_line() {
    let project = project();
    let steps = ["run", "scenes/s.ron", "--steps", "40"];
    for settings in [&["a.gather.gain=1.5"][..], &["a.gather.REACH=12", "a.turn#2.enabled=false"]] {
        for threads in [1, 2] {
            let place = Place::of_scene(&project.path("scenes/s.ron"));
            let options = Options { threads: Some(threads), ..Options::new(place) };
            let mut session: Session = Session::open(options).unwrap();
            session.compare_with(settings.iter().map(|text| parse_setting(text).unwrap()).collect());
            assert!(session.settle_variant(PATIENCE).unwrap());
            let cancel = AtomicBool::new(false);
            assert!((0..40).all(|_| session.simulation.step(&cancel)));
            let hash = |simulation: &Simulation| format!("{:016x}", simulation.hash());
            assert_eq!(hash(&session.simulation), project.hash(&steps), "A");
            let set = settings.iter().flat_map(|setting| ["--set", setting]);
            let arguments: Vec<_> = steps.into_iter().chain(set).collect();
            let variant = session.variant().unwrap();
            assert_eq!(hash(&variant.simulation), project.hash(&arguments), "B, {settings:?}");
            assert_ne!(hash(&variant.simulation), hash(&session.simulation));
        }
    }
}
