//! Starting with files that do not work.

use egui::Key;

use super::Stage;
use super::tests::{input, options, pressed, step};
use crate::app::session::Options;
use crate::reload::Place;

/// Makes frames until something is so.
fn until(stage: &mut Stage, is_so: impl Fn(&Stage) -> bool) {
    while !is_so(stage) {
        step(stage, &input());
        std::thread::yield_now();
    }
}

#[test]
fn a_scene_that_is_broken_at_the_start_is_waited_for() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    let open = || {
        let place = Place::of_scene(&path);
        Stage::new(Options { place, ..options() })
    };
    assert!(open().is_err(), "there is no file");
    std::fs::write(&path, "(world: Plane(size: (100, 100)),").unwrap();
    let mut stage = open().unwrap();
    assert_eq!(step(&mut stage, &input()), 0);
    assert_eq!(step(&mut stage, &pressed(Key::R)), 0);
    let texts = |stage: &Stage| -> Vec<String> {
        let lines = stage.session.log.lines();
        lines.map(|line| line.text.clone()).collect()
    };
    assert!(
        texts(&stage)[0].starts_with("a.ron:"),
        "{:?}",
        texts(&stage)
    );
    assert_eq!(texts(&stage)[1], "a.ron not loaded; no version runs yet");
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", count: 7, behaviors: [(script: \"wander\")])])";
    std::fs::write(&path, text).unwrap();
    until(&mut stage, |stage| !stage.session.waits());
    assert_eq!(stage.session.simulation.world().units.len(), 7);
    let line = "a.ron, wander.rhai loaded (version 1)".to_owned();
    assert!(texts(&stage).contains(&line), "{:?}", texts(&stage));
    until(&mut stage, |stage| {
        stage.session.simulation.world().steps > 3
    });
}

#[test]
fn a_scene_without_a_script_that_works_is_shown_all_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("a.ron");
    std::fs::create_dir(folder.path().join("scripts")).unwrap();
    let script = folder.path().join("scripts/mine.rhai");
    std::fs::write(&script, "fn steer(me, world) { let }").unwrap();
    let text = "(world: Plane(size: (100, 100)), bodies: {\"m\": Mover()},
        groups: [(name: \"a\", body: \"m\", behaviors: [(script: \"mine\")])])";
    std::fs::write(&path, text).unwrap();
    let place = Place::of_scene(&path);
    let mut stage = Stage::new(Options { place, ..options() }).unwrap();
    step(&mut stage, &input());
    let lines: Vec<_> = stage.session.log.lines().map(|line| &line.text).collect();
    let line = "mine.rhai not loaded; no version runs yet";
    assert!(lines.iter().any(|text| *text == line), "{lines:?}");
    std::fs::write(&script, "fn steer(me, world) { 0.5 }").unwrap();
    let runs = |stage: &Stage| stage.session.generation.behaviors[0][0].behavior.is_some();
    until(&mut stage, runs);
}
